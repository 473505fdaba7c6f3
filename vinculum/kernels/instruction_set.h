// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vinculum {

// The sets that kernels are compiled for: the plain one everywhere, the others where the library was built for x86-64.
enum class InstructionSet { baseline, avx2, avx512 };

// The widest that this machine has and the library was compiled for.
InstructionSet find_instruction_set();

}  // namespace vinculum
