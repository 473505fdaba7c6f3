// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

// What a finished run says about what every run rests on; each idealisation speaks for itself. `projected`: its rows were kept by projection.
std::vector<Verdict> judge_run(const Model& model, const RunOptions& options, bool projected, const Checkpoint& at_end);

}  // namespace vinculum
