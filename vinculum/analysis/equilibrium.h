// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/derivatives.h"

namespace vinculum {

// A place where the mechanism stays at rest: v = 0 and v' = 0.
struct Equilibrium {
  State state;
  int iterations = 0;
  int neutral = 0;  // directions in which it may be shifted and stays in equilibrium, to first order
};

// From the start, at its time, by Newton's method with exact derivatives (rest.h):
//
//   q ⊕ N(q) G dη ,  stiffness dη = force      of smallest norm where directions are neutral
//
// Where there are contacts, each step is followed by a projection onto them. A step is at most 0.5 (rad or m), and is halved
// until forceᵀ mass⁻¹ force falls, which does not depend on the choice of coordinates. What is found may be stable or not.
// Friction of joints is left out: with it there are equilibria all around.
//
// Failures of compute_rest_equations and project_state; VN-LINEAR-003 (none found).
Outcome<Equilibrium> find_equilibrium(const Model& model, const State& start, DerivativesWorkspace& workspace);

}  // namespace vinculum
