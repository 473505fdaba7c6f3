// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/realization/sampled_motion.h"
#include "vinculum/simulation/run.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// A run and what it passed through, at equal times.
struct SampledRun {
  RunResult result;
  SampledMotion motion;
};
Outcome<SampledRun> run_sampled(const Model& model, const State& start, RunOptions options, int samples,
                                const AskStop& stop = {});

// The same as far as it goes: where the run fails on the way, `result` has the failure and the motion what was passed before.
Outcome<SampledRun> run_sampled_to_its_end(const Model& model, const State& start, RunOptions options, int samples,
                                           const AskStop& stop = {});

}  // namespace vinculum
