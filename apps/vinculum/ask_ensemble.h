// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ask.h"

namespace vinculum::app {

// Runs of one tree from many starts, side by side in the lanes of a register (run_ensemble). None if the study asks for something
// else: another command than `simulate` with `--integrator taylor` and plain options, parameters that are no initial values,
// elements beside joints and laws, values that only a whole run has. Points the ensemble does not bring to their end are asked
// one by one.
std::unique_ptr<Question> make_ensemble_question(const Study& study, const ModelSource& source);

}  // namespace vinculum::app
