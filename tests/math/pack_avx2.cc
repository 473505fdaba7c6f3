// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "scalar_laws.h"

namespace vinculum::testing {

void apply_operations_with_avx2(const double* a, const double* b, const double* c, double* results) {
  apply_operations_in_packs<4>(a, b, c, results);
}

void apply_laws_with_avx2(const Tree& tree, const double* q, const double* v, const double* given, double* results) {
  apply_laws_in_packs<4>(tree, q, v, given, results);
}

}  // namespace vinculum::testing
