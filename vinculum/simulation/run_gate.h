// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/run.h"

namespace vinculum {

// A run gives only finite numbers to its folder, its page and its caller. If an integral or a verdict has another one,
// the run fails with that quantity (VN-RUN-132). The drift is then the largest number and the verdict is not checked.
void pass_gate(RunResult& result);

// The first quantity of a sample that is not a number any more, as a refusal.
std::optional<Failure> find_overflow(const Model& model, const Sample& sample);

}  // namespace vinculum
