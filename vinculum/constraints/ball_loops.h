// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/loops.h"

namespace vinculum {

// The quick way for mechanisms whose contacts are balls between bodies, or between a body and the world, and nothing else: no
// laws, no given motions. None for all others, which solve_constraints takes.
std::optional<LoopSolver> make_loop_solver(const ConstraintSet& set);

}  // namespace vinculum
