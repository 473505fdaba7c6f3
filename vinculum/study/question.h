// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/study/study.h"

namespace vinculum {

// What a study asks at every point. Each thread has one of its own; the program fills it with its commands.
class Question {
 public:
  virtual ~Question() = default;

  // The collected values with these values of the parameters, or why there are none. They
  // depend on nothing else, not on previous points, nor on time. After `limit` seconds
  // [s] (if given), or when the user has pressed Ctrl-C, the answer may be a failure.
  using Answer = Outcome<std::vector<StudyValue>>;
  virtual Answer ask(std::span<const double> parameters, std::optional<double> limit) = 0;

  // Several points at once, with the answers they have one by one: side by side in the lanes of a register, where the question
  // can. `together` is how many are worth it.
  virtual int together() const { return 1; }
  virtual std::vector<Answer> ask_together(std::span<const std::vector<double>> points, std::optional<double> limit) {
    std::vector<Answer> answers;
    for (const std::vector<double>& parameters : points) answers.push_back(ask(parameters, limit));
    return answers;
  }
};
using MakeQuestion = std::function<std::unique_ptr<Question>()>;

}  // namespace vinculum
