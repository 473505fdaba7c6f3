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

// Inputs t, q, v; outputs the kinetic energy ½ v·p; for each root (a link on the ground) its subsystem's momentum P, angular
// momentum L about the world origin and K = L - c × P about its mass centre (the origin without mass), world axes; then p = A v.
Tape trace_momenta(const Model& model);

}  // namespace vinculum
