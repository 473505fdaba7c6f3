// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "command.h"
#include "vinculum/study/question.h"

// What a study asks: the commands of this program, in process.
namespace vinculum::app {

// One question of a study, answered by a command as `--json` would answer it, without printing. For one thread.
class CommandQuestion : public Question {
 public:
  CommandQuestion(const Study& study, const ModelSource& source);
  ~CommandQuestion() override;

  Outcome<std::vector<StudyValue>> ask(std::span<const double> parameters, std::optional<double> limit) override;

  // The whole answer.
  Outcome<Json> answer(std::span<const double> parameters, std::optional<double> limit);

 private:
  struct Parsed;
  std::optional<Failure> parse(const std::string& options, std::span<const double> parameters);
  void find_changing(std::span<const double> parameters);

  const Study& study_;
  std::vector<std::string> words_;  // of the options, {NAME} in them
  VariedModel model_;
  std::unique_ptr<Parsed> parsed_;
};

// A few points, from the first to the last, at which a study is tried.
std::set<long> list_probes(const Study& study);

// What is wrong with a study of this model, found by looking at its words and asking a few of its points: a command or option
// that cannot be asked, a name that the model has not, a path that leads nowhere. A path that is absent because a point failed is
// no error. True if nothing is wrong.
bool check_question(const Study& study, const ModelSource& source, std::optional<double> limit, Diagnostics& diagnostics);

}  // namespace vinculum::app
