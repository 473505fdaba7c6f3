// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "vinculum/friction/guide_blocks.h"
#include "vinculum/friction/guide_rest.h"

namespace vinculum {

// Guides whose faces can wedge each other remember the reactions with which they came to hold (theory 7, section 6): of each pair
// PAIR.held in the memory of the set, which is that of the state,
//
//   how it holds   0: nothing is remembered; ±1: it sticks, on face 2 or face 1; ±2: it slips within its elastic limit; 3:
//   unloaded N [N], friction along PairState::in_face_W [N, N], its moment about the face's normal [N*m]
//
// as they were at the last event; between events they follow the load (held_reactions.h). `set` has the modes of a motion in
// which the pairs in question stick (with_all_sticking of a model at rest), `accelerations` are those of that motion.
bool remembers_hold(const ConstraintSet& set);
bool remembers_hold(const ConstraintSet& set, const GuideBlock& block);
void forget_hold(ConstraintSet& set, const std::vector<int>& pairs);
void forget_hold(ConstraintSet& set);

void copy_hold(const Model& model, const std::vector<double>& from, std::vector<double>& to);

// The reactions of these pairs in a motion in which they come to a stop, as if they stuck already; of those that stick and
// remember theirs, these stay. The state moves in the direction in which it stops. Failure: of the dynamics.
std::optional<Failure> remember_stop(ConstraintSet& set, const State& state, const std::vector<int>& pairs, Workspace& workspace);

// What is remembered, under the load of this state.
struct HoldLook {
  std::vector<int> pairs;
  Eigen::VectorXd signed_reactions;
  std::vector<Wrench> wrenches_W;  // of each pair on its body, about the pole
  double slack = 0, size = 0;      // [N]: negative where a face has come to the end of its mode; the largest reaction
};
Outcome<HoldLook> look_at_hold(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                               const GuideBlock& block, Workspace& workspace);

// The reactions of smallest Euclidean norm under the load of this state, where they are within the cones of all pairs of the
// block.
Outcome<std::optional<HoldLook>> find_least_hold(const ConstraintSet& set, const State& state,
                                                 const Eigen::VectorXd& accelerations, const GuideBlock& block,
                                                 Workspace& workspace);

// The memory goes on from the load that it balances to the one of this state, and to what follows: true. False: the wedged rest
// has ended, and the memory is as it was.
Outcome<bool> continue_hold(ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations, const GuideBlock& block,
                            Workspace& workspace);

// Without a history: the reactions of least Euclidean norm within the cones, on the faces that these signed reactions of
// the block's pairs load. Nothing is remembered where that leads nowhere, or nothing presses.
std::optional<Failure> remember_least(ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                                      const GuideBlock& block, const std::vector<int>& pairs,
                                      const Eigen::VectorXd& signed_reactions, Workspace& workspace);

// How far what is remembered is from its end, the least of all blocks beside the largest reaction of each. Blocks that stick and
// remember nothing: as find_hold has it, or, at rest, -1 where find_rest does not hold. None: nothing sticks.
Outcome<double> find_hold_slack(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations,
                                Workspace& workspace);

// The factors of a load, 1 at this state, over which a model at rest stays as it is by what it remembers.
Outcome<std::array<double, 2>> find_kept_factors(const ConstraintSet& set, const State& state, const Eigen::VectorXd& load,
                                                 Workspace& workspace);

// At rest: the reactions of find_rest, and of blocks that remember theirs those.
Outcome<GuideRest> find_remembered_rest(const ConstraintSet& set, const State& state, Workspace& workspace);

}  // namespace vinculum
