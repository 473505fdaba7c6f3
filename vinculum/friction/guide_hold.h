// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/friction/variant_problem.h"

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
};

// With the faces as the set has them, or with those that hold best. No pair sticks: slack 1. Failures: of the rows; VN-GUIDE-006:
// more than 12 pairs; of the linear program.
enum class HoldFaces { as_they_are, best };
Outcome<GuideHold> find_hold(const ConstraintSet& set, const State& state, const Eigen::VectorXd& accelerations, HoldFaces faces,
                             Workspace& workspace, bool with_loads = true);

// The motion in which some pairs stick, with reactions of these that friction can give.
Outcome<ConstrainedDynamics> compute_held_dynamics(const ConstraintSet& set, const State& state, Workspace& workspace);

// What a unit load on a face can do at most: its push, with friction against every direction it may slide in. Exact where that is
// one line, and there is no pad.
std::vector<Wrench> list_cone_edges(const ConstraintSet& set, const ConstraintRows& rows, int pair, int face);

}  // namespace vinculum
