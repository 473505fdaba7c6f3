// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/questions/study_question.h"

// The question of a study as words of a command line.
namespace vinculum::app {

// The options of its command, as the command itself reads them.
MakePointOptions read_options(const Study& study);

// A command or an option that a study cannot ask is told; true if there is none.
bool check_words(const Study& study, Diagnostics& diagnostics);

}  // namespace vinculum::app
