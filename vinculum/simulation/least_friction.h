// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// Where reactions are not determined, many distributions of them make the same motion: Dᵀλ is given, λ is not. The least factor s
// such that one of them lies in all cones |T_i| ≤ s mu_i N_i of the contacts with friction, and pushes wherever a row can only
// push. With less every distribution slips somewhere; with as much, one does not.
//
// Linear programs (CLP) with a regular polygon of 16 sides inscribed in each cone: at most 2 % above the least factor of round
// cones. `known` is a factor from before: it is the answer where it is enough. None where no factor up to 1e3 is enough.
std::optional<double> find_least_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double known);

}  // namespace vinculum
