// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/kernels/batch_kernels.h"

#include <cassert>

namespace vinculum {

const BatchKernels& batch_kernels_for([[maybe_unused]] InstructionSet set) {
#ifdef VINCULUM_WIDE_KERNELS
  if (set == InstructionSet::avx512) return kBatchesOfEight;
  if (set == InstructionSet::avx2) return kBatchesOfFour;
#endif
  assert(set == InstructionSet::baseline);
  return kBatchesOfTwo;
}

const BatchKernels& batch_kernels() {
  static const BatchKernels& chosen = batch_kernels_for(find_instruction_set());
  return chosen;
}

}  // namespace vinculum
