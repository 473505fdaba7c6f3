// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/verdict/outcome.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

// The verdicts on one state: the one place where every command that gives a state has them from. With the solution of the motion
// there, and, where the motion is given and its forces are asked for, with what the drives supply at every velocity.
std::vector<Verdict> judge_state(const ConstraintSet& set, const State& state, const ConstrainedDynamics& dynamics,
                                 Workspace& workspace, std::span<const double> supplied = {});

// The same from the state alone. Accelerations that are not unique are a verdict, too. Where the state is off the constraints or
// has no accelerations, all that would be judged is `not checked`, with the reason.
std::vector<Verdict> judge_state(const Model& model, const State& state);

// That the accelerations of a state are not unique, as a verdict; none if the failure says something else.
std::optional<Verdict> judge_uniqueness(const Failure& failure);

}  // namespace vinculum
