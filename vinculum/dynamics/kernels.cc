// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/kernels.h"

#include "vinculum/dynamics/instruction_set.h"

namespace vinculum {

const Kernels& kernels() {
  static const Kernels& chosen = find_instruction_set() >= InstructionSet::avx2 ? kFusedKernels : kBaselineKernels;
  return chosen;
}

}  // namespace vinculum
