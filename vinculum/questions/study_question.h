// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "vinculum/questions/options.h"
#include "vinculum/study/question.h"
#include "vinculum/verdict/diagnostic.h"
#include "vinculum/verdict/stop.h"

// What a study asks: one question of a model, at every point with other values of its parameters.
namespace vinculum {

// The options of the question at a point: those in which parameters of the study stand have their values there. For one thread.
class PointOptions {
 public:
  virtual ~PointOptions() = default;
  // Failure VN-STUDY-015 where they are wrong.
  virtual Outcome<QuestionOptions> at(std::span<const double> parameters) = 0;
};
using MakePointOptions = std::function<std::unique_ptr<PointOptions>()>;

// The same options at every point.
MakePointOptions always(QuestionOptions options);

// What is asked at the points of a study. What it refers to must outlive it.
struct StudySubject {
  const Study& study;
  const ModelSource& source;
  MakePointOptions make_options;
  AskStop stop{};
};

// What is wrong with a study of this model, found by asking a few of its points: a name that the model has not, a path that leads
// nowhere. A path that is absent because a point failed is no error. True if nothing is wrong.
bool check_question(const StudySubject& subject, std::optional<double> limit, Diagnostics& diagnostics);

// The question for one thread: in lanes of a register where that can be, else point by point, with the same answers to the last
// bit. In lanes no point has a time of its own: with a limit every one is asked alone.
std::unique_ptr<Question> make_question(const StudySubject& subject, bool has_limit = false);

// A few points, from the first to the last, at which a study is tried.
std::set<long> list_probes(const Study& study);

}  // namespace vinculum
