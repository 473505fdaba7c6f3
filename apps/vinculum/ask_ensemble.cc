// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "ask_lanes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "vinculum/simulation/check_run.h"
#include "vinculum/simulation/choose_integrator.h"
#include "vinculum/simulation/ensemble.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/study/command_line.h"
#include "vinculum/study/sample.h"

namespace vinculum::app {

namespace {

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return good ? std::optional(number) : std::nullopt;
}

// The options of `simulate`, if there are none but these and their values are bare numbers.
std::optional<RunOptions> read_plain_options(const Study& study) {
  RunOptions options;
  bool has_until = false;
  const std::vector<std::string> words = CLI::detail::split_up(study.options);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& name = words[i];
    if (name == "--no-integrals") continue;
    if (++i == words.size()) return std::nullopt;
    const std::string& value = words[i];
    if (name == "--integrator" || name == "--stop-at") {
      (name == "--integrator" ? options.integrator : options.stop_at) = value;
      continue;
    }
    const auto number = number_in(value);
    if (!number) return std::nullopt;
    if (name == "--until")
      options.until = *number, has_until = true;
    else if (name == "--tolerance" && *number > 0 && *number < 1)
      options.tolerance = *number;
    else if (name == "--every" && *number >= 0)
      options.every = *number;
    else if (name == "--order" && *number >= 4 && *number <= 60 && *number == std::floor(*number))
      options.order = static_cast<int>(*number);
    else
      return std::nullopt;
  }
  return has_until && options.integrator == "taylor" ? std::optional(options) : std::nullopt;
}

// Whoever needs more has trouble, and is asked alone.
constexpr long kMostSteps = 20'000;

// What a study may collect from an ensemble.
struct Place {
  enum class Of { time, coordinate, velocity, steps, event_time, event_direction } of = Of::time;
  int index = 0;
};

std::optional<Place> find_place(const Model& model, const std::string& path) {
  const auto rest_after = [&](std::string_view begin) {
    return path.starts_with(begin) ? std::optional(path.substr(begin.size())) : std::nullopt;
  };
  if (path == "final.t") return Place{Place::Of::time};
  if (path == "steps") return Place{Place::Of::steps};
  if (const auto name = rest_after("final.q.")) {
    if (const auto q = model.find_coordinate(*name)) return Place{Place::Of::coordinate, *q};
  }
  if (const auto name = rest_after("final.v.")) {
    if (const auto v = model.find_velocity(*name)) return Place{Place::Of::velocity, *v};
  }
  for (size_t i = 0; i < model.events().size(); ++i) {
    const std::string event = "events." + model.events()[i].name;
    if (path == event + ".t") return Place{Place::Of::event_time, static_cast<int>(i)};
    if (path == event + ".direction") return Place{Place::Of::event_direction, static_cast<int>(i)};
  }
  return std::nullopt;
}

class EnsembleQuestion : public Question {
 public:
  EnsembleQuestion(const Study& study, const ModelSource& source, RunOptions options, std::vector<Place> places)
      : study_(study), options_(std::move(options)), places_(std::move(places)), model_(source), alone_(study, source) {}

  Answer ask(std::span<const double> parameters, std::optional<double> limit) override { return alone_.ask(parameters, limit); }

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
      options.stop = is_interrupted;
      options.most_steps = kMostSteps;
      if (const auto runs = run_ensemble(*model, starts, options)) {
        for (size_t k = 0; k < runs->size(); ++k) {
          if (is_plain((*runs)[k])) answers[point_of[k]] = collect((*runs)[k]);
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

  Answer collect(const EnsembleRun& run) const {
    std::vector<StudyValue> values;
    for (const Place& place : places_) {
      const auto event =
          std::ranges::find_if(run.events, [&](const EnsembleRun::Event& each) { return each.event == place.index; });
      const bool happened = event != run.events.end();
      switch (place.of) {
        case Place::Of::time: values.emplace_back(run.final.t); break;
        case Place::Of::coordinate: values.emplace_back(run.final.q[static_cast<size_t>(place.index)]); break;
        case Place::Of::velocity: values.emplace_back(run.final.v[static_cast<size_t>(place.index)]); break;
        case Place::Of::steps: values.emplace_back(static_cast<double>(run.steps)); break;
        case Place::Of::event_time: values.push_back(happened ? StudyValue(event->t) : StudyValue()); break;
        case Place::Of::event_direction:
          values.push_back(happened ? StudyValue(static_cast<double>(event->direction)) : StudyValue());
          break;
      }
    }
    return values;
  }

  const Study& study_;
  RunOptions options_;
  std::vector<Place> places_;
  VariedModel model_;
  CommandQuestion alone_;
};

}  // namespace

std::unique_ptr<Question> make_ensemble_question(const Study& study, const ModelSource& source) {
  if (study.command != "simulate") return nullptr;
  auto options = read_plain_options(study);
  if (!options) return nullptr;
  ReadOptions read;
  const std::vector<double> first = parameters_of(study, 0);
  for (size_t i = 0; i < study.over.size(); ++i) {
    if (is_in_options(study, study.over[i])) return nullptr;
    read.overrides.push_back({study.over[i].name, shortest_text(first[i])});
  }
  Diagnostics diagnostics;
  const auto model = source.build(diagnostics, read);
  // Nothing that a run follows beside the motion itself, and nothing that ends a step: stops, jumps of laws, requirements.
  if (!model || !diagnostics.list().empty() || has_idealisations(*model) || !model->outputs().columns.empty()) return nullptr;
  for (const StudyAxis& axis : study.over) {
    if (!model->find_coordinate(axis.name) && !model->find_velocity(axis.name)) return nullptr;
  }
  const bool can_stop = options->stop_at.empty() || std::ranges::any_of(model->events(), [&](const EventDescription& event) {
                          return event.name == options->stop_at;
                        });
  if (!can_stop || !run_ensemble(*model, {}, {})) return nullptr;
  std::vector<Place> places;
  for (const StudyColumn& column : study.collect) {
    const auto place = find_place(*model, column.path);
    if (!place) return nullptr;
    places.push_back(*place);
  }
  return std::make_unique<EnsembleQuestion>(study, source, *options, std::move(places));
}

}  // namespace vinculum::app
