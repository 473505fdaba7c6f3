// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "vinculum/kernels/batch_kernel.h"
#include "vinculum/kernels/instruction_set.h"

namespace vinculum {

// The laws for groups of states, compiled for registers of two, four and eight numbers.
struct BatchKernels {
  int lanes;
  std::size_t (*scratch_size)(const Model& model);
  std::size_t (*packed_size)(const Tree& tree);
  void (*pack_links)(const Tree* const* trees, std::byte* memory);  // one tree a lane
  unsigned (*accelerations)(const BatchTask& task, int first, double no_inertia, std::byte* scratch);
  void (*forces)(const BatchTask& task, int first, std::byte* scratch);
  void (*motions)(const BatchTask& task, int first, std::byte* scratch);
  std::size_t (*mass_scratch_size)(const Tree& tree);
  void (*mass_matrices)(const BatchTask& task, int first, std::byte* scratch, std::byte* mass_scratch);
};

extern const BatchKernels kBatchesOfTwo;    // any processor
extern const BatchKernels kBatchesOfFour;   // x86-64-v3: AVX2 and FMA; only in a library with wide kernels,
extern const BatchKernels kBatchesOfEight;  // x86-64-v4: AVX-512; as this one

// Those for a set that find_instruction_set has found, or a plainer one; those for this processor.
const BatchKernels& batch_kernels_for(InstructionSet set);
const BatchKernels& batch_kernels();

}  // namespace vinculum
