// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// Where reactions are not determined, many distributions of them make the same motion: Dᵀλ is given, λ is not. With all frictions
// and bounds multiplied by s, is there one that holds?
//
//   |T_i| ≤ s mu_i N_i  or  |T_i| ≤ s R_i  of every grip that sticks ,  N_i ≥ 0 wherever a row can only push
//
// A second-order cone program, solved by linear programs (CLP) whose polygons get the direction in which the proof that nothing
// holds is wrong for round cones, until it is right or something holds. What no distribution carries, in the 1-norm of Dᵀλ beside
// the largest of its entries; 0: one holds.
double find_shortfall(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double s = 1);

// The least s that is enough, to 1e-6. `known` is a factor from before: it is the answer where it is enough. None where no factor
// up to 1e3 is enough.
std::optional<double> find_least_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double known);

}  // namespace vinculum
