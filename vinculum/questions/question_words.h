// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/questions/options.h"
#include "vinculum/study/study.h"

namespace vinculum {

// Makes this the question of a study: its command and its options in words of the command line, as far as they are not the usual
// ones. They distinguish studies in a store, and give the command of a point for a shell (command_line.h).
void set_question(Study& study, const QuestionOptions& options);

}  // namespace vinculum
