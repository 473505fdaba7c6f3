// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/series/series.h"

namespace vinculum {

// The series of a motion whose laws have kinks or jumps: that of the laws held on the branches the state is on. A state on a kink
// is on the branch it is about to enter. Failure VN-RUN-110 where it can enter none.
Outcome<MotionCoefficients> compute_series_on_branch(const ConstraintSet& set, const State& state, int order);

}  // namespace vinculum
