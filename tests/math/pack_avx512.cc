// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "scalar_operations.h"

namespace vinculum::testing {

void apply_operations_with_avx512(const double* a, const double* b, const double* c, double* results) {
  apply_operations_in_packs<8>(a, b, c, results);
}

}  // namespace vinculum::testing
