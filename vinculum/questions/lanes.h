// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/questions/study_question.h"

namespace vinculum {

// Runs of one tree from many starts, vectorised (run_ensemble). None if the study needs another question than a
// simulation by power series, or other parameters than initial values. Also none for elements other than joints
// and laws, and for values of a whole run. Points that the ensemble does not finish are computed by `alone`.
std::unique_ptr<Question> make_ensemble_question(const StudySubject& subject, const QuestionOptions& options,
                                                 std::unique_ptr<Question>& alone);

// Evaluations of one tree at many states, or of as many trees of one structure, vectorised (Batch). None if
// the study needs anything else than a plain evaluation of joints and laws. Results may be accelerations,
// poses, twists, the mass matrix and the energy. Points with non-finite numbers are computed by `alone`.
std::unique_ptr<Question> make_batch_question(const StudySubject& subject, const QuestionOptions& options,
                                              std::unique_ptr<Question>& alone);

}  // namespace vinculum
