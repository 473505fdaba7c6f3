// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/loops.h"

namespace vinculum {

// The fastest method, for mechanisms whose contacts only hold points of bodies, on other bodies or in the
// world. That is: frames that forbid only translations, no laws, no given motions. None for all others.
std::optional<LoopSolver> make_loop_solver(const ConstraintSet& set);

}  // namespace vinculum
