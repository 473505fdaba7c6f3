// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/tape.h"
#include "vinculum/model/model.h"

namespace vinculum {

// The laws of a model, written down once as a tape: repeated on any scalar, differentiated forward and back, printed as C. The
// numbers of the model become constants. On double a tape gives the bits of the recursion, up to the sign of a zero.

// Inputs t, q, v; outputs v'.
Tape trace_accelerations(const Model& model);

// Inputs t, q, v, v'; outputs the forces A v' + h.
Tape trace_forces(const Model& model);

// Inputs t, q, v; outputs h, and A row by row.
Tape trace_bias(const Model& model);
Tape trace_mass_matrix(const Model& model);

// Inputs t, q, v; outputs q'.
Tape trace_coordinate_rates(const Model& model);

// Forces of a model whose numbers are inputs too. Behind t, q, v, v' follow
//   gravity (3);
//   of each body: mass, com (3), inertia about it (xx yy zz xy xz yz), origin of its joint (3), pitch;
//   of each body force: force (3) and torque (3), in the axes it is given in;
//   of each spring: stiffness, damping, length.
// Rotations stay constants: entries nearer to 0 or ±1 than round-off are these.
Tape trace_forces_of_numbers(const Model& model);

// Inputs t, q, v. Outputs the kinetic energy ½ v·p. Then for each root (a link on the ground): its subsystem's
// momentum P, angular momentum L about the world origin and K = L - c × P about its mass centre (the origin without
// mass), world axes. Then p = A v. With `inner_subsystems` follow P, L, H and K of every body on another body, with
// all it carries. H is the angular momentum about its origin in axes that move with the origin (theory 2, section 2).
Tape trace_momenta(const Model& model, bool inner_subsystems = false);

}  // namespace vinculum
