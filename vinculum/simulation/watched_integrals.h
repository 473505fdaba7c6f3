// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/simulation/run.h"

namespace vinculum {

// What is conserved beside the energy, which every run watches with its work. Looked for once before the run, in about a tenth of
// a second: sums of candidates where the model is small, each candidate by itself where it is not. Constraints that come and go
// leave nothing to rely on. A failure never prevents a run; it is reported as RunResult::not_watched.
//
// A resumed run monitors the same integrals as before; `before` are those of its checkpoint.
Outcome<std::vector<Integral>> find_watched(const Model& model, const State& start, const RunOptions& options,
                                            RunListener& listener, const std::vector<IntegralDrift>* before);

}  // namespace vinculum
