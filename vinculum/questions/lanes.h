// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/questions/study_question.h"

namespace vinculum {

// Runs of one tree from many starts, side by side in the lanes of a register (run_ensemble). None if the study asks for something
// else: another question than a simulation by power series, parameters that are no initial values, elements beside joints and
// laws, values that only a whole run has. Points the ensemble does not bring to their end are asked by `alone`.
std::unique_ptr<Question> make_ensemble_question(const StudySubject& subject, const QuestionOptions& options,
                                                 std::unique_ptr<Question>& alone);

// Evaluations of one tree at many states, or of as many trees of one structure, side by side (Batch). None if the study asks for
// something else: another question than a plain evaluation, elements beside joints and laws, other values than accelerations,
// poses, twists, the mass matrix and the energy. Points whose numbers are not plain are asked by `alone`.
std::unique_ptr<Question> make_batch_question(const StudySubject& subject, const QuestionOptions& options,
                                              std::unique_ptr<Question>& alone);

}  // namespace vinculum
