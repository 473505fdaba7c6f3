// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// Friction of joints by their own reaction R, of the same moment: of a bearing with axis a                theory 7, section 2
//
//   |m| ≤ mu (radius |R - (R·a) a| + collar |R·a|)
//
// R is the constraint force at a cut of the joint, world axes, parent on child, as if the joint were open there and constraints
// closed it. It is an affine function of the accelerations and of all acting forces, so it needs no constraint of its own.
double compute_bearing_limit(const Grip::Bearing& bearing, double friction, const Vector3& R_W, const Vector3& axis_W);

// The limit of a joint at these reactions of all joints, at rest or sliding.
double compute_bearing_limit(const ConstraintSet& set, const ConstraintRows& rows, const Grip& grip,
                             std::span<const Wrench> reactions_W, bool at_rest);

// With bearings that slide, m_j = -side_j limit_j(R), and R = R(m) is affine as long as no contact lifts off. Newton from m = 0
// follows a convex function to its smallest root, the one reached as friction grows from zero. `solve` gives the motion for
// given moments, `reactions` the joint forces of it. On success the moments are in `forces.slips`, and what they do in
// `forces.forces`.
//
// Failure VN-CONTACT-012 where there is no such root: friction and reaction would grow without bound, the joint jams; -011 where
// a reaction that friction depends on is not determined.
using SolveWithForces = std::function<Outcome<ConstraintSolution>(ContactForces& forces)>;
Outcome<ConstraintSolution> solve_with_bearings(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                ContactForces& forces, const SolveWithForces& solve, Workspace& workspace);

// The same where the motion is given, and `solve` gives the multipliers that supply it: by repetition, which in a tree ends at
// once, for there no multiplier is part of a reaction.
Outcome<ConstraintSolution> repeat_with_bearings(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                 ContactForces& forces, const SolveWithForces& solve, Workspace& workspace);

}  // namespace vinculum
