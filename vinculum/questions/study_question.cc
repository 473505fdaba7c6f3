// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/questions/study_question.h"

#include <algorithm>
#include <chrono>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "vinculum/questions/answers.h"
#include "vinculum/questions/kept.h"
#include "vinculum/questions/lanes.h"
#include "vinculum/questions/quantity.h"
#include "vinculum/questions/simulate.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/study/collect.h"
#include "vinculum/study/command_line.h"
#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

using Clock = std::chrono::steady_clock;

class ConstantOptions : public PointOptions {
 public:
  explicit ConstantOptions(std::shared_ptr<const QuestionOptions> options) : options_(std::move(options)) {}
  Outcome<QuestionOptions> at(std::span<const double>) override { return *options_; }

 private:
  std::shared_ptr<const QuestionOptions> options_;
};

// Taken, not printed; left when there is no time any more.
class StudyReply : public Reply {
 public:
  StudyReply(const AskStop& stop, std::optional<Clock::time_point> end) : Reply(true), stop_(stop), end_(end) {}
  bool has_passed_limit() const { return end_ && Clock::now() >= *end_; }
  bool wants_to_stop() const override { return is_stopped(stop_) || has_passed_limit(); }

 private:
  const AskStop& stop_;
  std::optional<Clock::time_point> end_;
};

// Events come and go: one that has not happened yet is looked for by its name alone, among all that a run can report.
bool can_come_later(const QuestionOptions& options, const Model& model, const std::string& path) {
  constexpr std::string_view kEvents = "events.";
  const auto* const simulate = std::get_if<SimulateOptions>(&options);
  if (simulate == nullptr || !path.starts_with(kEvents)) return false;
  const std::string_view name = std::string_view(path).substr(kEvents.size());
  return std::ranges::any_of(list_run_events(model, simulate->run), [&](const Occurrence& event) {
    const std::string own = event.name();
    return name == own || (name.starts_with(own) && name[own.size()] == '.');
  });
}

// As a formula: a unit stands behind a number, "0.3 m/s", and 1/s is a division, "0.3/(1 s)".
std::string quantity_text(double value, const std::string& unit) {
  if (unit.empty()) return shortest_text(value);
  return unit.starts_with("1/") ? fmt::format("{}/(1 {})", shortest_text(value), unit.substr(2))
                                : fmt::format("{} {}", shortest_text(value), unit);
}

// Why a reply is no answer.
Failure reason_of(const StudyReply& reply, const Study& study, int ending, std::optional<double> limit) {
  if (reply.has_passed_limit()) return {"VN-STUDY-010", fmt::format("there was no answer within {:g} s", *limit), ""};
  for (const Diagnostic& diagnostic : reply.told()) {
    if (diagnostic.severity != Severity::error) continue;
    return {diagnostic.code, diagnostic.element.empty() ? diagnostic.message : diagnostic.element + ": " + diagnostic.message,
            diagnostic.hint};
  }
  return {"VN-STUDY-011", fmt::format("{} ended with exit code {} and gave no reason", study.command, ending), ""};
}

// One point after the other.
class PlainQuestion : public Question {
 public:
  explicit PlainQuestion(const StudySubject& subject)
      : subject_(subject), options_(subject_.make_options()), kept_(subject_.source) {
    for (const StudyAxis& axis : subject_.study.over) in_options_.push_back(is_in_options(subject_.study, axis));
    for (const StudyColumn& column : subject_.study.collect) {
      tells_integrals_ =
          tells_integrals_ || column.path.find("integrals") != std::string::npos || column.path.starts_with("not_watched");
    }
  }

  Answer ask(std::span<const double> parameters, std::optional<double> limit) override {
    const auto options = options_at(parameters);
    if (!options) return options.failure();
    StudyReply reply(subject_.stop, end_of(limit));
    if (const auto* const simulate = std::get_if<SimulateOptions>(&*options)) return ask_run(*simulate, reply, limit);
    const int ending = answer_question(*options, reply);
    if (ending != kDone) return reason_of(reply, subject_.study, ending, limit);
    return collect(reply.json());
  }

  // The whole answer.
  Outcome<Json> answer(std::span<const double> parameters, std::optional<double> limit) {
    const auto options = options_at(parameters);
    if (!options) return options.failure();
    StudyReply reply(subject_.stop, end_of(limit));
    const int ending = answer_question(*options, reply);
    if (ending != kDone) return reason_of(reply, subject_.study, ending, limit);
    return std::move(reply.json());
  }

  Outcome<QuestionOptions> options_at(std::span<const double> parameters) {
    auto options = options_->at(parameters);
    if (!options) return options;
    const auto complete = [&](ModelOptions& of_model) {
      of_model.kept = &kept_;
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (!in_options_[i]) of_model.sets.push_back(subject_.study.over[i].name + "=" + shortest_text(parameters[i]));
      }
    };
    std::visit(complete, *options);
    // Looking for first integrals takes longer than many a run, and changes nothing but what is said about them.
    if (auto* const simulate = std::get_if<SimulateOptions>(&*options);
        simulate != nullptr && !tells_integrals_ && !simulate->step)
      simulate->run.watch_integrals = false;
    return options;
  }

 private:
  static std::optional<Clock::time_point> end_of(std::optional<double> limit) {
    if (!limit) return std::nullopt;
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limit));
  }

  // Its values are taken from the result as it is, unless some stand in the document alone.
  Answer ask_run(const SimulateOptions& options, StudyReply& reply, std::optional<double> limit) {
    int ending = kDone;
    const auto simulation = prepare_simulation(options, reply, ending);
    if (!simulation) return reason_of(reply, subject_.study, ending, limit);
    if (!are_found_) find_quantities(*simulation->model);
    const auto result = compute_run(*simulation, reply);
    if (!result) ending = reply.fail(result.failure());
    if (result && result->failure) ending = reply.fail(*result->failure);
    if (result && result->end == RunResult::End::interrupted) ending = kFailed;
    if (ending != kDone) return reason_of(reply, subject_.study, ending, limit);
    if (quantities_ && is_all_finite(*result)) {
      std::vector<StudyValue> values;
      for (const AnswerQuantity& quantity : *quantities_) values.push_back(value_of(quantity, *result));
      return values;
    }
    add_result(reply.json(), *simulation->model, *result);
    ending = reply.finish(kDone);
    if (ending != kDone) return reason_of(reply, subject_.study, ending, limit);
    return collect(reply.json());
  }

  void find_quantities(const Model& model) {
    are_found_ = true;
    std::vector<AnswerQuantity> all;
    for (const StudyColumn& column : subject_.study.collect) {
      auto quantity = find_run_quantity(model, column.path);
      if (!quantity) return;
      all.push_back(std::move(*quantity));
    }
    quantities_ = std::move(all);
  }

  std::vector<StudyValue> collect(const Json& document) const {
    std::vector<StudyValue> values;
    for (const StudyColumn& column : subject_.study.collect) values.push_back(collect_value(document, column.path));
    return values;
  }

  const StudySubject subject_;
  std::unique_ptr<PointOptions> options_;
  Kept kept_;
  std::vector<bool> in_options_;  // of each parameter
  bool tells_integrals_ = false;
  bool are_found_ = false;
  std::optional<std::vector<AnswerQuantity>> quantities_;  // of a run; none: the document is needed
};

}  // namespace

MakePointOptions always(QuestionOptions options) {
  const auto shared = std::make_shared<const QuestionOptions>(std::move(options));
  return [shared] { return std::make_unique<ConstantOptions>(shared); };
}

std::set<long> list_probes(const Study& study) {
  const long points = count_points(study);
  return {0, points - 1, points / 2, points / 3};
}

bool check_question(const StudySubject& subject, std::optional<double> limit, Diagnostics& diagnostics) {
  const Study& study = subject.study;
  // Names and units of what is set in the model, all at once.
  ReadOptions read;
  const std::vector<double> first = parameters_of(study, 0);
  for (size_t i = 0; i < study.over.size(); ++i) {
    const StudyAxis& axis = study.over[i];
    if (!is_in_options(study, axis)) read.overrides.push_back({axis.name, quantity_text(first[i], axis.unit)});
  }
  Diagnostics of_model(diagnostics.file());
  const auto model = subject.source.build(of_model, read);
  for (const Diagnostic& diagnostic : of_model.list()) {
    // A value that the model refuses is a point that fails; a name that it has not is a wrong study.
    if (diagnostic.severity == Severity::error && diagnostic.element.starts_with("--set "))
      diagnostics.error(diagnostic.code, diagnostic.place, "over " + diagnostic.element.substr(6), diagnostic.message,
                        diagnostic.hint);
  }
  if (diagnostics.has_errors()) return false;

  PlainQuestion question(subject);
  std::vector<size_t> open;
  for (size_t i = 0; i < study.collect.size(); ++i) open.push_back(i);
  std::vector<std::optional<LostPath>> lost(study.collect.size());
  for (const long point : list_probes(study)) {
    const std::vector<double> parameters = parameters_of(study, point);
    const auto document = question.answer(parameters, limit);
    if (!document) {
      const bool is_usage = document.failure().kind() == FailureKind::usage;
      if (is_usage) diagnostics.error(document.failure().code, {}, "", document.failure().message, document.failure().hint);
      if (is_usage || is_stopped(subject.stop)) return false;
      continue;
    }
    const auto options = question.options_at(parameters);
    std::erase_if(open, [&](size_t i) {
      lost[i] = check_path(*document, study.collect[i].path);
      return !lost[i] || (model && options && can_come_later(*options, *model, study.collect[i].path));
    });
    if (open.empty()) return true;
  }
  for (const size_t i : open) {
    if (!lost[i]) continue;
    const LostPath& reason = *lost[i];
    constexpr size_t kMost = 12;
    std::vector<std::string> known(reason.known.begin(), reason.known.begin() + std::min(kMost, reason.known.size()));
    diagnostics.error("VN-STUDY-012", {}, fmt::format("collect '{}'", study.collect[i].name), reason.reason,
                      !reason.nearest.empty() ? fmt::format("did you mean '{}'?", reason.nearest)
                      : known.empty()
                          ? "see `--json` of the command"
                          : fmt::format("there are {}{}", fmt::join(known, ", "), reason.known.size() > kMost ? ", .." : ""));
  }
  return !diagnostics.has_errors();
}

std::unique_ptr<Question> make_question(const StudySubject& subject, bool has_limit) {
  std::unique_ptr<Question> alone = std::make_unique<PlainQuestion>(subject);
  const bool stands_in_options =
      std::ranges::any_of(subject.study.over, [&](const StudyAxis& axis) { return is_in_options(subject.study, axis); });
  if (has_limit || stands_in_options) return alone;
  const auto options = subject.make_options()->at(parameters_of(subject.study, 0));
  if (!options) return alone;
  if (auto runs = make_ensemble_question(subject, *options, alone)) return runs;
  if (auto evaluations = make_batch_question(subject, *options, alone)) return evaluations;
  return alone;
}

}  // namespace vinculum
