// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/study/study.h"

namespace vinculum {

// A number as text that is read back to the same bits, in as few digits as that takes.
std::string shortest_text(double value);

// The text with the values of the parameters in place of {NAME}.
std::string fill_in(const Study& study, std::span<const double> parameters, std::string text);

// The question at one point, as options of its command. A parameter that stands in the options as {NAME} is put there; any other
// is set in the model, NAME=VALUE for --set.
struct QuestionAt {
  std::vector<std::string> settings;
  std::string options;
};
QuestionAt question_at(const Study& study, std::span<const double> parameters);

// Whether a parameter stands in the options.
bool is_in_options(const Study& study, const StudyAxis& axis);

// The line that asks it again in a shell: vinculum simulate car.yaml --set mu=0.35 --until 5
std::string command_line(const Study& study, std::span<const double> parameters);

}  // namespace vinculum
