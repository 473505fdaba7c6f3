// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/command_line.h"

#include <fmt/core.h>

namespace vinculum {

namespace {

std::string in_braces(const StudyAxis& axis) { return "{" + axis.name + "}"; }

// For a POSIX shell; quoted only where it must be.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string shortest_text(double value) { return fmt::format("{}", value == 0 ? 0.0 : value); }

bool is_in_options(const Study& study, const StudyAxis& axis) { return study.options.find(in_braces(axis)) != std::string::npos; }

std::string fill_in(const Study& study, std::span<const double> parameters, std::string text) {
  if (text.find('{') == std::string::npos) return text;
  for (size_t i = 0; i < study.over.size(); ++i) {
    const std::string value = shortest_text(parameters[i]), place = in_braces(study.over[i]);
    for (size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size())
      text.replace(at, place.size(), value);
  }
  return text;
}

QuestionAt question_at(const Study& study, std::span<const double> parameters) {
  QuestionAt question;
  question.options = fill_in(study, parameters, study.options);
  for (size_t i = 0; i < study.over.size(); ++i) {
    const StudyAxis& axis = study.over[i];
    if (!is_in_options(study, axis)) question.settings.push_back(axis.name + "=" + shortest_text(parameters[i]));
  }
  return question;
}

std::string command_line(const Study& study, std::span<const double> parameters) {
  const QuestionAt question = question_at(study, parameters);
  std::string line = fmt::format("vinculum {} {}", study.command, shell_word(study.model));
  for (const std::string& setting : question.settings) line += " --set " + shell_word(setting);
  return question.options.empty() ? line : line + " " + question.options;
}

}  // namespace vinculum
