// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/friction/guide_blocks.h"

namespace vinculum {

// Pairs that stick while other bodies move on: does friction hold them? With v' of the motion in which they stick, and the forces
// of all rows but theirs free, loads within the cones of friction must give what that motion takes:
//
//   Zᵀ(A v' + h - tau - Q_P) = Zᵀ Σ w_k ,  w_k ∈ cone of its loaded face ,     Zᵀ(Dᵀ + friction of other rows) = 0
//
// Several pairs of one body share its friction in many ways, so this is a linear program: the largest least weight on any edge of
// the cones. Two edges of a face that can slide along one line; else edges at even angles within the cone
// (list_cone_edges), and near the bound more about the friction that is needed.
struct GuideHold {
  std::vector<int> pairs;  // those that stick
  Faces faces;             // the loaded ones
  // Of that least weight, in newtons: positive while it holds. Beyond a part of the load that is enough to know, it is that part.
  double slack = 0;
  double size = 0;                   // of the load
  Eigen::VectorXd signed_reactions;  // of least sum, if they are asked for and it holds
  std::vector<Wrench> wrenches_W;    // of each pair on its body, about the pole
  // These faces can press each other within their cones without any load, so that they hold whatever the load is (theory 5, 7.5).
  bool wedges = false;
};

// The rows of pairs that stick (of a block), and all others but those that hold them tangentially: places in set.rows.
struct StuckRows {
  std::vector<int> pairs;
  std::vector<Eigen::Index> pushes, others;
};
StuckRows split_stuck_rows(const ConstraintSet& set, const GuideBlock* block = nullptr);
// What the forces of these rows do, friction that depends on them included, column by column.
Eigen::MatrixXd columns_with_friction(const ConstraintRows& rows, const ContactForces& forces,
                                      const std::vector<Eigen::Index>& chosen);

// With the faces as the set has them; or with those that hold best, of faces that cannot wedge if there are such. Of all pairs
// that stick, or of those of a block, for which `accelerations` are those of the block. No pair sticks: slack 1. Failures: of the
// rows; VN-GUIDE-006: more than 12 pairs of one block; of the linear program.
enum class HoldFaces { as_they_are, best };
Outcome<GuideHold> find_hold(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations, HoldFaces faces,
                             Workspace& workspace, bool with_loads = true, const GuideBlock* block = nullptr);

// The motion in which some pairs stick, with reactions of these that friction can give.
Outcome<ConstrainedDynamics> compute_held_dynamics(const ConstraintSet& set, const State& state, Workspace& workspace);

// What a unit load on a face can do at most: its push, with friction against every direction it may slide in. Exact where that is
// one line, and there is no pad.
std::vector<Wrench> list_cone_edges(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face);

// Can the pairs that stick (of a block) press each other within their cones without any load, in some variant of their faces: is
// there a self-stress (theory 5, 7.5)? The recession problem: weights >= 0 of the edges of one face of each pair, not all zero,
// with zero resultant on the motions that the other rows allow.
Outcome<bool> can_wedge(const ConstraintSet& set, const State& state, const GuideBlock* block = nullptr);
// The same set where every pair with friction sticks: a model at rest.
ConstraintSet with_all_sticking(const ConstraintSet& set);

}  // namespace vinculum
