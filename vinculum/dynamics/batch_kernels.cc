// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/batch_kernels.h"

#include "vinculum/dynamics/instruction_set.h"

namespace vinculum {

const BatchKernels& batch_kernels() {
  static const BatchKernels* const by_set[] = {&kBatchesOfTwo, &kBatchesOfFour, &kBatchesOfEight};
  static const BatchKernels& chosen = *by_set[static_cast<int>(find_instruction_set())];
  return chosen;
}

}  // namespace vinculum
