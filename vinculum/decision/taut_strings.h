// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// Which strings are taut at a state, and which contacts with a law that only pushes press, written into its modes: of strings
// that are not said to be slack, those whose length is used up and that do not shorten. `by_forces`: and of these those that
// would pull there, all decided together (impact.h); a state whose forces cannot be told is left as it is.
std::optional<Failure> find_taut_strings(const Model& model, State& state, bool by_forces);

// Failure VN-STRING-011 if a string that is there would have to push.
std::optional<Failure> check_tensions(const ConstraintSet& set, const Eigen::VectorXd& multipliers);

}  // namespace vinculum
