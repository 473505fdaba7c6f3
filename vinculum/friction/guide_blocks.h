// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/friction/guide_reduction.h"

namespace vinculum {

// Pairs of faces that can affect each other at this state: their bodies are connected through joints or constraints. The loads,
// slides and rests of two blocks are independent problems, so each is decided by itself, however many there are.
struct GuideBlock {
  std::vector<int> pairs;        // indices into Model::face_pairs()
  std::vector<bool> velocities;  // of the model: those of the block
  bool has(int pair) const;
};

// `rows` with the Jacobian. Every pair is in one block.
std::vector<GuideBlock> list_guide_blocks(const ConstraintSet& set, const ConstraintRows& rows);

// Of a reduction, what concerns the pairs of a block: its accelerations are those of the velocities of the block.
GuideReduction restrict_to_block(const GuideReduction& reduction, const GuideBlock& block);

}  // namespace vinculum
