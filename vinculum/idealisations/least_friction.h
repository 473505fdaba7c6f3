// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// Where reactions are not determined, many distributions of them make the same motion: Dᵀλ is given, λ is not. With the frictions
// and bounds of all that sticks multiplied by s, is there one that holds?
//
//   |T_i| ≤ s mu_i N_i  or  |T_i| ≤ s R_i  of every grip that sticks ,  N_i ≥ 0 wherever a row can only push
//
// Normals that are indeterminate by themselves are those of equally stiff supports (normal_self_stress.h). What slips brings its
// friction with its normal. The answer is a number that is positive while one does, and goes through
// zero with the load: how much of an even push at all contacts (and of all bounds) could be taken away,
//
//   max τ :  Dᵀλ = load - τ even push ,  λ in the cones
//
// in units of the load. A second-order cone program, solved by linear programs (CLP) on polygons, which get the direction in
// which their prices are wrong for the round cones until they are right.
double find_reserve_of_distributions(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double s = 1);

// Where none holds: the motion D_t u of each grip's tangents in the mechanism that slips, beside the largest; 0 of a pivot. These
// are the prices of the program: the dual solution (theory 7, 1.4).
std::vector<double> find_slipping_mechanism(const ConstraintSet& set, const ConstrainedDynamics& dynamics);

// The least s with such a reserve, from 1e-3. `known` is a factor from before: it is the answer where it is enough. None where no
// factor up to 1e3 is enough.
std::optional<double> find_least_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double known);

// The s of the smallest distribution, which is that of `dynamics`, or of the one with the same normals whose tangents are in
// proportion to them: an upper bound that costs next to nothing. None: something pulls.
std::optional<double> find_friction_of_smallest(const ConstraintSet& set, const ConstrainedDynamics& dynamics);

}  // namespace vinculum
