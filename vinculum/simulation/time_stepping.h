// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/run.h"

namespace vinculum {

// A run by implicit steps of fixed length (implicit_steps.h), for real time. Laws of slip are `sign` or none. Failure VN-RUN-160
// for what it does not follow.
Outcome<RunResult> run_by_steps(const Model& model, const State& start, const RunOptions& options, RunListener& listener);

}  // namespace vinculum
