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

// Evaluations of one tree at many states, or of as many trees of one structure, side by side (Batch). None if the study asks for
// something else: another command than `evaluate` without options, elements beside joints and laws, other values than
// accelerations, poses, twists, the mass matrix and the energy. Points whose numbers are not plain are asked one by one.
std::unique_ptr<Question> make_batch_question(const Study& study, const ModelSource& source);

// The question in lanes where that can be, else by its command. Answers are the same, to the last bit. In lanes no point has a
// time of its own: with a limit every one is asked alone.
std::unique_ptr<Question> make_question(const Study& study, const ModelSource& source, bool has_limit);

}  // namespace vinculum::app
