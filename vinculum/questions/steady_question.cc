// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/steady_question.h"

#include <charconv>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

double read_steady_number(const std::string& option, const std::string& text) {
  double value = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw SteadyUsage{fmt::format("{}: '{}' is not a finite number", option, text), "angles in rad, rates in rad/s"};
  return value;
}

}  // namespace

NamedPlace find_named(const std::vector<StringTree>& trees, const std::string& option, const std::string& text, bool is_string,
                      bool with_value) {
  const size_t equals = text.find('=');
  if (with_value && (equals == std::string::npos || equals == 0 || equals + 1 == text.size()))
    throw SteadyUsage{fmt::format("{} {} is not NAME=VALUE", option, text),
                      fmt::format("for example {} {}=..", option, is_string ? "STRING" : "BODY")};
  const std::string name = with_value ? text.substr(0, equals) : text;
  std::vector<std::string> known;
  for (size_t t = 0; t < trees.size(); ++t) {
    for (int i = 0; i < trees[t].size(); ++i) {
      known.push_back(is_string ? trees[t].bodies[i].string : trees[t].bodies[i].name);
      if (known.back() == name) return {t, i, with_value ? text.substr(equals + 1) : ""};
    }
  }
  const std::string nearest = nearest_name(name, known);
  throw SteadyUsage{fmt::format("{} {}: there is no {} '{}'", option, text, is_string ? "string" : "body", name),
                    nearest.empty() ? "`vinculum check MODEL` lists the names" : fmt::format("did you mean '{}'?", nearest)};
}

std::vector<SteadyQuestion> read_questions(const SteadyMotionOptions& options, const std::vector<StringTree>& trees) {
  std::vector<SteadyQuestion> questions;
  for (const StringTree& tree : trees) {
    SteadyQuestion question;
    question.tree = &tree;
    question.angles.resize(tree.size());
    question.azimuths = question.spins = question.momenta = question.angles;
    question.sides.assign(tree.size(), 0);
    questions.push_back(std::move(question));
  }
  const auto read = [&](const char* option, const std::vector<std::string>& texts, bool is_string,
                        std::vector<std::optional<double>> SteadyQuestion::*list) {
    for (const std::string& text : texts) {
      const NamedPlace place = find_named(trees, option, text, is_string);
      auto& value = (questions[place.tree].*list)[place.index];
      if (value) throw SteadyUsage{fmt::format("{} {}: it was given before", option, text), "give each once"};
      value = read_steady_number(option, place.value);
    }
  };
  read("--angle", options.angles, true, &SteadyQuestion::angles);
  read("--azimuth", options.azimuths, true, &SteadyQuestion::azimuths);
  read("--spin", options.spins, false, &SteadyQuestion::spins);
  read("--momentum", options.momenta, false, &SteadyQuestion::momenta);
  for (const std::string& text : options.sides) {
    const NamedPlace place = find_named(trees, "--side", text, false);
    if (place.value != "below" && place.value != "above")
      throw SteadyUsage{fmt::format("--side {}: a mass centre is `below` or `above` the end of its string", text),
                        "for example --side top=below"};
    questions[place.tree].sides[place.index] = place.value == "below" ? 1 : -1;
  }
  for (const SteadyQuestion& question : questions) {
    for (size_t i = 0; i < question.spins.size(); ++i) {
      if (question.spins[i] && question.momenta[i])
        throw SteadyUsage{fmt::format("body '{}' has both --spin and --momentum", question.tree->bodies[i].name),
                          "give one of them"};
    }
  }
  return questions;
}

}  // namespace vinculum
