// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/friction/variant_problem.h"

namespace vinculum {

// The forces that are known: of joints' laws, and what gravity, loads and velocities ask for, and laws of contacts.
Eigen::VectorXd compute_known_forces(const ConstraintSet& set, const State& state, const ContactForces& forces,
                                     Workspace& workspace);

// A model whose guides rest: do they hold it? Is there a variant with loads N_k ≥ 0, each within its cone of friction, that
// leaves no force on any motion the other rows allow (theory 5, section 7, at given loads)? A linear program per variant, in
// generators of the cones: two of a face that can slide along one line, which is exact; else as many as lie on its limit surface
// at even angles, an inner polygon: where it says that they hold, they do. Where it does not, planes about the limit surfaces
// decide (limit_load.h), for at most ten pairs.
//
// The answer is one of many where reactions are not determined: of smallest norm if that is within the cones, else of least sum.
struct GuideRest {
  bool holds = false;
  Eigen::VectorXd signed_reactions;
  std::vector<Wrench> wrenches_W;  // of each pair on its body, about the pole
};
// Failures: of the rows; of check_pairs_at_rest; VN-GUIDE-006: more than 12 pairs.
Outcome<GuideRest> find_rest(const ConstraintSet& set, const State& state, Workspace& workspace);

// Everything at rest: accelerations zero, the reactions of find_rest. Failure VN-GUIDE-005 if the guides do not hold.
Outcome<ConstrainedDynamics> compute_rest_dynamics(const ConstraintSet& set, const State& state, Workspace& workspace);

}  // namespace vinculum
