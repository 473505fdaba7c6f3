// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/derivatives.h"

namespace vinculum {

// A place where the mechanism stays at rest: v = 0 and v' = 0.
struct Equilibrium {
  State state;
  int iterations = 0;
  double acceleration = 0;  // largest that is left [rad/s², m/s²]
  int neutral = 0;          // directions in which it may be shifted and stays in equilibrium, to first order
};

// From the start, at its time, by Newton's method with exact derivatives:
//
//   q ⊕ N(q) dq ,  ∂v'/∂q dq = -v'      of smallest norm where directions are neutral
//
// A step is at most 0.5 (rad or m), and is halved until v'ᵀ A v' falls, with the mass matrix A of the start: so rad and m are not
// mixed. What is found may be stable or not.
//
// Failures of compute_forward_derivatives; VN-LINEAR-001 (contacts), -002 (a driven coordinate moves), -003 (none found).
Outcome<Equilibrium> find_equilibrium(const Model& model, const State& start, DerivativesWorkspace& workspace);

}  // namespace vinculum
