// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

// Does each contact push, and is its friction enough. Unilateral ones need not push: they let go.
std::vector<Verdict> judge_contacts(const ConstraintSet& constraints, const std::vector<ContactWatch>& watches,
                                    bool unilateral = false);

// What a finished run says about the idealisations behind it. `projected`: its rows were kept by projection.
std::vector<Verdict> judge_run(const Model& model, const ConstraintSet& constraints, const RunOptions& options, bool projected,
                               const Checkpoint& at_end);

}  // namespace vinculum
