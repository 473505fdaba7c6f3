// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vinculum/analysis/linearise.h"

namespace vinculum {

// A rate that is given: of this velocity.
struct GivenRate {
  int velocity = 0;
  double rate = 0;  // [rad/s] or [m/s]
};

// A motion whose velocities are all constant, as seen from axes that may turn about the vertical (steady_axes.h), and where
// nothing depends on what moves: a relative equilibrium.
struct SteadyState {
  State state;
  Linearisation linear;  // of the model as it is: nothing holds the given rates but what the model itself holds
  int iterations = 0;
};

// From the start, by the method of Levenberg and Marquardt on positions, velocities and the turning rate Ω together:
//
//   gap = 0 ,  D v = F ,  v' + K(Ω) v = 0 ,  v_k = rate_k
//
// the first three at two later times of the motion as well, where they hold too if it is steady: so what is not ignorable comes
// to rest. Of many solutions one near the start: without constraints the one that positions come to rest at, if they can. It is
// accepted if it is steady all along (linearise_steady_motion).
//
// Failures VN-LINEAR-005 (none found from this start), those of check_tensions and of the dynamics at the start.
Outcome<SteadyState> find_steady_motion(const Model& model, const State& start, std::span<const GivenRate> rates);

}  // namespace vinculum
