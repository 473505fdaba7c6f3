// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "vinculum/files/varied_model.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/questions/lanes.h"
#include "vinculum/questions/quantity.h"
#include "vinculum/simulation/check_run.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/simulation/ensemble.h"
#include "vinculum/study/command_line.h"
#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

// The options of a run by power series and nothing beside it; none if they ask for more.
std::optional<RunOptions> read_plain_run(const QuestionOptions& asked) {
  const auto* const options = std::get_if<SimulateOptions>(&asked);
  if (options == nullptr || !options->until || options->until_rest || options->project || options->step || options->largest_step)
    return std::nullopt;
  if (!options->sets.empty() || !options->state.empty() || !options->inputs.empty() || !options->written.empty())
    return std::nullopt;
  RunOptions run = options->run;
  run.until = *options->until;
  const bool has_order = run.order == 0 || (run.order >= 4 && run.order <= 60);
  const bool is_plain = run.integrator == "taylor" && run.follow == Follow::bilateral && run.baumgarte == 0 && has_order &&
                        std::isfinite(run.until) && run.tolerance > 0 && run.tolerance < 1 && run.every >= 0;
  // So many samples may be refused, which each run by itself says.
  constexpr double kMostSamples = 5e7;
  const bool has_few_samples = run.every == 0 || std::abs(run.until) / run.every < kMostSamples;
  return is_plain && has_few_samples ? std::optional(run) : std::nullopt;
}

// Whoever needs more has trouble, and is asked alone.
constexpr long kMostSteps = 20'000;

class EnsembleQuestion : public Question {
 public:
  EnsembleQuestion(const StudySubject& subject, RunOptions options, std::vector<AnswerQuantity> quantities,
                   std::unique_ptr<Question> alone)
      : study_(subject.study),
        stop_(subject.stop),
        options_(std::move(options)),
        quantities_(std::move(quantities)),
        model_(subject.source),
        alone_(std::move(alone)) {}

  Answer ask(std::span<const double> parameters, std::optional<double> limit) override { return alone_->ask(parameters, limit); }

  // Some times as many as lanes, so that few lanes are idle when the last ones end.
  int together() const override { return 64; }

  std::vector<Answer> ask_together(std::span<const std::vector<double>> points, std::optional<double> limit) override {
    // In lanes no point has a time of its own.
    if (limit) return Question::ask_together(points, limit);
    std::vector<State> starts;
    std::vector<size_t> point_of;
    std::shared_ptr<const Model> model;
    for (size_t i = 0; i < points.size(); ++i) {
      ReadOptions read;
      for (size_t k = 0; k < study_.over.size(); ++k)
        read.overrides.push_back({study_.over[k].name, shortest_text(points[i][k])});
      Diagnostics diagnostics;
      model = nullptr;
      model = model_.build(diagnostics, read);
      if (!model || check_start(*model, model->initial_state(), options_)) continue;
      starts.push_back(model->initial_state());
      point_of.push_back(i);
    }
    std::vector<std::optional<Answer>> answers(points.size());
    if (model) {
      EnsembleOptions options;
      options.until = options_.until;
      options.tolerance = options_.tolerance;
      options.order = options_.order;
      options.largest_step = integrator_options(options_, {}).largest_step;
      options.stop_at = options_.stop_at;
      options.stop = stop_;
      options.most_steps = kMostSteps;
      if (const auto runs = run_ensemble(*model, starts, options)) {
        for (size_t k = 0; k < runs->size(); ++k) {
          if (is_plain((*runs)[k])) answers[point_of[k]] = collect(*model, (*runs)[k]);
        }
      }
    }
    std::vector<Answer> all;
    for (size_t i = 0; i < points.size(); ++i) all.push_back(answers[i] ? std::move(*answers[i]) : ask(points[i], limit));
    return all;
  }

 private:
  // Far from where anything beside the state could be beyond all numbers.
  static bool is_plain(const EnsembleRun& run) {
    const auto is_small = [](double x) { return std::abs(x) < 1e100; };
    return !run.failure && std::ranges::all_of(run.final.q, is_small) && std::ranges::all_of(run.final.v, is_small);
  }

  Answer collect(const Model& model, const EnsembleRun& run) const {
    std::vector<StudyValue> values;
    for (const AnswerQuantity& quantity : quantities_) values.push_back(value_of(quantity, model, run));
    return values;
  }

  const Study& study_;
  AskStop stop_;
  RunOptions options_;
  std::vector<AnswerQuantity> quantities_;
  VariedModel model_;
  std::unique_ptr<Question> alone_;
};

}  // namespace

std::unique_ptr<Question> make_ensemble_question(const StudySubject& subject, const QuestionOptions& asked,
                                                 std::unique_ptr<Question>& alone) {
  const Study& study = subject.study;
  const auto options = read_plain_run(asked);
  if (!options) return nullptr;
  ReadOptions read;
  const std::vector<double> first = parameters_of(study, 0);
  for (size_t i = 0; i < study.over.size(); ++i) read.overrides.push_back({study.over[i].name, shortest_text(first[i])});
  Diagnostics diagnostics;
  const auto model = subject.source.build(diagnostics, read);
  // Nothing that a run follows beside the motion itself, and nothing that ends a step: stops, jumps of laws, requirements.
  if (!model || !diagnostics.list().empty() || has_idealisations(*model) || !model->outputs().columns.empty()) return nullptr;
  for (const StudyAxis& axis : study.over) {
    if (!model->find_coordinate(axis.name) && !model->find_velocity(axis.name)) return nullptr;
  }
  const bool can_stop = options->stop_at.empty() || std::ranges::any_of(model->events(), [&](const EventDescription& event) {
                          return event.name == options->stop_at;
                        });
  if (!can_stop || !run_ensemble(*model, {}, {})) return nullptr;
  std::vector<AnswerQuantity> quantities;
  for (const StudyColumn& column : study.collect) {
    auto quantity = find_run_quantity(*model, column.path);
    if (!quantity || !has_value(*quantity, *model)) return nullptr;
    quantities.push_back(std::move(*quantity));
  }
  return std::make_unique<EnsembleQuestion>(subject, *options, std::move(quantities), std::move(alone));
}

}  // namespace vinculum
