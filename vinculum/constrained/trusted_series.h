// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constrained/constrained_series.h"

namespace vinculum {

// The series of a motion without the coefficients that round-off leaves nothing of. The state is changed in its last digits, a
// few times: a coefficient that changes by more than 1e-4 of its size, with all behind it, is not known. Its size is |x_n|, or
// what the two coefficients before it let expect, |x_{n-1}|/ρ and |x_{n-2}|/ρ²: every other one may be zero. Lists of q, v and
// multipliers are as long as they are known; origins and reactions as the shortest of them.
//
// Failures of compute_motion_coefficients.
Outcome<MotionCoefficients> compute_trusted_coefficients(const ConstraintSet& set, const State& state, int order);

}  // namespace vinculum
