// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/batch_kernels.h"

namespace vinculum {

const BatchKernels& batch_kernels() {
  static const BatchKernels& chosen = __builtin_cpu_supports("x86-64-v4")   ? kBatchesOfEight
                                      : __builtin_cpu_supports("x86-64-v3") ? kBatchesOfFour
                                                                            : kBatchesOfTwo;
  return chosen;
}

}  // namespace vinculum
