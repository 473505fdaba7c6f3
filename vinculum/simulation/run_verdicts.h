// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/simulation/run.h"

namespace vinculum {

// What a finished run says about the idealisations behind it.
std::vector<Verdict> judge_run(const Model& model, const RunOptions& options, const Checkpoint& at_end);

}  // namespace vinculum
