// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/questions/options.h"
#include "vinculum/study/study.h"

namespace vinculum {

// Makes this the question of a study: its command and its options in words of the command line, as far as they are not the usual
// ones. They distinguish studies in a store, and give the command of a point for a shell (command_line.h).
void set_question(Study& study, const QuestionOptions& options);

// The words of --write: accelerations, forces.
std::string_view to_text(Written what);
std::optional<Written> find_written(std::string_view word);
std::vector<std::string> words_of(const std::vector<Written>& written);

}  // namespace vinculum
