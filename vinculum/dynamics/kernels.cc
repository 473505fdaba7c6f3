// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/kernels.h"

namespace vinculum {

const Kernels& kernels() {
  static const Kernels& chosen = __builtin_cpu_supports("x86-64-v3") ? kFusedKernels : kBaselineKernels;
  return chosen;
}

}  // namespace vinculum
