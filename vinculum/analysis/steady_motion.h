// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/analysis/linearise.h"

namespace vinculum {

// Small departures from a steady motion with contacts: all velocities are constant, as seen from axes that turn with the motion
// (steady_axes.h), and what moves is ignorable.
//
// Constraints limit departures of the position only where they have a gap, and those of the velocity all together:
//
//   J δ = 0 ,   D δv + ∂(D v - F)/∂q δ = 0
//   δ' = δv + (K - w×) δ ,   δv' = ∂v'/∂q δ + ∂v'/∂v δv + K δv
//
// with derivatives of the constrained motion (constrained_derivatives.h). States are as many departures as stay independent: of
// what rolls, those that nothing depends on follow the others. So there may be more coordinates than velocities.
//
// A constant matrix is not assumed but verified: it is computed again
// later along the motion, with the time there, and must be the same.
//
// Failures of ConstrainedDifferentiator; VN-LINEAR-004 if a velocity is not constant, -220 if a coordinate that moves is not
// ignorable, -221 if the motion leaves a constraint, -222 if differences give no slope.
Outcome<Linearisation> linearise_steady_motion(const Model& model, const State& state);

}  // namespace vinculum
