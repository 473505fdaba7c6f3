// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/kernels/kernels.h"

#include <cassert>

namespace vinculum {

const Kernels& kernels_for([[maybe_unused]] InstructionSet set) {
#ifdef VINCULUM_WIDE_KERNELS
  if (set >= InstructionSet::avx2) return kFusedKernels;
#endif
  assert(set == InstructionSet::baseline);
  return kBaselineKernels;
}

const Kernels& kernels() {
  static const Kernels& chosen = kernels_for(find_instruction_set());
  return chosen;
}

}  // namespace vinculum
