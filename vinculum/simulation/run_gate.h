// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/simulation/run.h"

namespace vinculum {

// What a run hands out, to its folder, its page and its caller, are numbers. If an integral or a verdict tells one that is none,
// the run has failed, by that quantity (VN-RUN-132); the drift is told as the largest number and the verdict as not checked.
void pass_gate(RunResult& result);

// The first quantity of a sample that is not a number any more, as a refusal.
std::optional<Failure> find_overflow(const Model& model, const Sample& sample);

}  // namespace vinculum
