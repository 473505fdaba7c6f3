// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/series_laws.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/integration/events.h"
#include "vinculum/simulation/motion_system.h"
#include "vinculum/simulation/run_verdicts.h"

namespace vinculum {

namespace {

// Integrators that cannot be resumed anywhere start anew after so many steps, in every run alike: there a checkpoint is possible.
constexpr long kStepsBetweenRestarts = 500;

constexpr const char* kChosenByModel = "auto";

double sample_interval(const RunOptions& options, double start) {
  return options.every > 0 ? options.every : std::abs(options.until - start) / 1000;
}

// The one asked for, or what stands in for it.
std::string choose_integrator(const Model& model, const RunOptions& options) {
  if (options.integrator != kChosenByModel && options.integrator != "taylor") return options.integrator;
  return check_analytic(model) ? "dop853" : "taylor";
}

// One run: the integrator advances, samples and events are read off its continuous solution, monitors watch.
class Run {
 public:
  Run(const Model& model, const RunOptions& options, RunListener& listener)
      : model_(model),
        options_(options),
        listener_(listener),
        system_(model),
        workspace_(model),
        instead_(options.integrator == "taylor" ? check_analytic(model) : std::nullopt),
        integrator_(make_integrator(choose_integrator(model, options))),
        locator_(static_cast<int>(model.events().size()), system_.dimension(),
                 [this](double t, std::span<const double> y, std::span<double> g) { evaluate_events(t, y, g); }) {
    integrator_options_.relative_tolerance = options.tolerance;
    integrator_options_.absolute_tolerance = options.tolerance;
    integrator_options_.order = options.order;
    values_.resize(system_.dimension());
  }

  void start(const State& state) {
    point_.start_t = state.t;
    point_.integrator.t = state.t;
    point_.integrator.y = system_.pack(state, 0);
    point_.start_energy = compute_energy(model_, state, workspace_).total();
    integrator_->start(system_, point_.integrator, integrator_options_);
    locator_.restart(state.t, point_.integrator.y);
  }

  void resume(const Checkpoint& from) {
    point_ = from;
    integrator_->start(system_, point_.integrator, integrator_options_);
    locator_.restore(point_.integrator.t, point_.event_memory);
  }

  RunResult go() {
    RunResult result;
    State now = present();
    if (point_.next_sample == 0 && !emit_sample(now)) return finish(result, RunResult::End::failed, now);

    while (now.t != options_.until) {
      const Outcome<StepReport> step = integrator_->advance(options_.until);
      if (!step) {
        result.failure = step.failure();
        return finish(result, RunResult::End::failed, now);
      }
      ++point_.steps;
      point_.rejected += step->rejected;
      point_.evaluations += step->evaluations;

      // Events of this step; the run may end at one.
      const std::span<const double> polynomials = system_.compute_event_series(step->t0, integrator_->step_series());
      const std::vector<EventCrossing> crossings = polynomials.empty() ? locator_.locate(*integrator_, step->t0, step->t1)
                                                                       : locator_.locate(polynomials, step->t0, step->t1);
      double end_of_step = step->t1;
      bool stop = false;
      for (const EventCrossing& crossing : crossings) {
        const std::string& name = model_.events()[crossing.event].name;
        point_.events.push_back({crossing.t, name, crossing.direction});
        if (options_.stop_at != name) continue;
        end_of_step = crossing.t;
        stop = true;
        break;
      }
      if (!emit_samples_until(step->t0, end_of_step)) return finish(result, RunResult::End::failed, now);
      if (stop) {
        now = interpolated(end_of_step);
        watch_energy(now, values_);
        emit_sample(now);
        return finish(result, RunResult::End::stopped_at_event, now);
      }

      keep_on_manifold(step->t1);
      now = present();
      watch_energy(now, integrator_->state().y);
      listener_.on_step(now.t);
      offer_checkpoint();
      if (listener_.wants_to_stop()) return finish(result, RunResult::End::interrupted, now);
    }
    if (point_.last_sampled_t != now.t && !emit_sample(now)) return finish(result, RunResult::End::failed, now);
    return finish(result, RunResult::End::reached, now);
  }

 private:
  void evaluate_events(double t, std::span<const double> y, std::span<double> g) {
    const Bindings bindings{t, y.first(model_.tree().coordinates),
                            y.subspan(model_.tree().coordinates, model_.tree().velocities)};
    for (size_t i = 0; i < g.size(); ++i) g[i] = evaluate(model_.events()[i].function, bindings, expression_);
  }

  State present() const {
    const IntegratorState state = integrator_->state();
    return system_.unpack(state.t, state.y);
  }

  State interpolated(double t) {
    integrator_->interpolate(t, values_);
    system_.correct(t, values_);
    return system_.unpack(t, values_);
  }

  void keep_on_manifold(double t) {
    if (!integrator_->accepts_correction()) return;
    values_ = integrator_->state().y;
    if (system_.correct(t, values_)) integrator_->correct(values_);
  }

  // False, with a reason, if the dynamics has no answer at this state.
  bool emit_sample(const State& state) {
    Outcome<ForwardDynamics> dynamics = compute_forward_dynamics(model_, state, workspace_);
    if (!dynamics) {
      failure_ = dynamics.failure();
      return false;
    }
    if (dynamics->weakest_ratio < point_.weakest_ratio) {
      point_.weakest_ratio = dynamics->weakest_ratio;
      point_.weakest_velocity = dynamics->weakest_velocity;
      point_.weakest_t = state.t;
    }
    listener_.on_sample({point_.next_sample++, state, compute_energy(model_, state, workspace_), std::move(*dynamics)});
    point_.last_sampled_t = state.t;
    return true;
  }

  bool emit_samples_until(double t0, double t1) {
    const double direction = t1 >= t0 ? 1 : -1;
    const double interval = sample_interval(options_, point_.start_t);
    for (;;) {
      double t = point_.start_t + direction * static_cast<double>(point_.next_sample) * interval;
      if (std::abs(t - options_.until) < 1e-9 * interval) t = options_.until;
      if (direction * (t1 - t) < 0 || t == point_.last_sampled_t) return true;
      if (!emit_sample(interpolated(t))) return false;
    }
  }

  void watch_energy(const State& state, std::span<const double> y) {
    const Energy energy = compute_energy(model_, state, workspace_);
    point_.drift = std::max(point_.drift, std::abs(energy.total() - system_.work(y) - point_.start_energy));
    point_.energy_scale = std::max({point_.energy_scale, energy.kinetic, std::abs(system_.work(y))});
  }

  void offer_checkpoint() {
    const bool restart = !integrator_->resumable_anywhere() && point_.steps % kStepsBetweenRestarts == 0;
    if (restart) {
      IntegratorState state = integrator_->state();
      system_.correct(state.t, state.y);
      integrator_->start(system_, state, integrator_options_);
    }
    if (!restart && !integrator_->resumable_anywhere()) return;
    if (!listener_.wants_checkpoint()) return;
    point_.integrator = integrator_->state();
    point_.event_memory = locator_.memory();
    listener_.on_checkpoint(point_);
  }

  RunResult finish(RunResult& result, RunResult::End end, const State& final) {
    result.end = end;
    if (failure_) result.failure = failure_;
    result.integrator = integrator_->name();
    result.instead = instead_;
    result.final = final;
    result.samples = point_.next_sample;
    result.steps = point_.steps;
    result.rejected = point_.rejected;
    result.evaluations = point_.evaluations;
    result.events = point_.events;
    result.integrals = {{system_.counts_work() ? "E - W" : "E", point_.start_energy, point_.drift}};
    result.verdicts = judge_run(model_, options_, point_);
    return std::move(result);
  }

  const Model& model_;
  const RunOptions& options_;
  RunListener& listener_;
  MotionSystem system_;
  Workspace workspace_;
  std::optional<Failure> instead_;  // why the integrator asked for cannot do it
  std::unique_ptr<Integrator> integrator_;
  IntegratorOptions integrator_options_;
  EventLocator locator_;
  Checkpoint point_;
  std::optional<Failure> failure_;
  std::vector<double> values_, expression_;
};

}  // namespace

std::optional<Failure> check_supported(const Model& model) {
  const std::vector<std::string> elements = model.unsupported();
  if (elements.empty()) return std::nullopt;
  std::string list = elements[0];
  for (size_t i = 1; i < std::min<size_t>(elements.size(), 5); ++i) list += ", " + elements[i];
  if (elements.size() > 5) list += fmt::format(" and {} more", elements.size() - 5);
  return Failure{"VN-RUN-001", fmt::format("not supported yet in the equations of motion: {}", list),
                 "the model file itself is sound; leave these elements out to compute the tree without them"};
}

std::vector<ConstraintResidual> compute_residuals(const Model& model, const State& state) {
  Bindings bindings;
  bindings.time = state.t;
  std::vector<ConstraintResidual> residuals;
  for (const DrivenCoordinate& driven : model.driven()) {
    residuals.push_back({"motion:" + model.coordinate_names()[driven.q], state.q[driven.q] - evaluate(driven.law, bindings),
                         state.v[driven.v] - evaluate(driven.rate, bindings)});
  }
  return residuals;
}

std::optional<Failure> check_residuals(const std::vector<ConstraintResidual>& residuals, double tolerance) {
  for (const ConstraintResidual& residual : residuals) {
    const bool good = std::abs(residual.position) <= tolerance && std::abs(residual.velocity) <= tolerance;
    if (good) continue;
    return Failure{"VN-RUN-004",
                   fmt::format("the state violates the constraint {}: position by {:g}, velocity by {:g} (allowed {:g})",
                               residual.row, residual.position, residual.velocity, tolerance),
                   "start on the given law: leave the coordinate and its velocity out of the start state, or correct them"};
  }
  return std::nullopt;
}

Outcome<RunResult> run_simulation(const Model& model, const State& start, const RunOptions& options, RunListener& listener,
                                  const Checkpoint* from) {
  if (const auto refusal = check_supported(model)) return *refusal;
  std::vector<std::string> names = integrator_names();
  names.insert(names.begin(), kChosenByModel);
  if (std::find(names.begin(), names.end(), options.integrator) == names.end()) {
    const std::string nearest = nearest_name(options.integrator, names);
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    return Failure{"VN-RUN-005", fmt::format("there is no integrator '{}'", options.integrator),
                   nearest.empty() ? "known are " + known : fmt::format("did you mean '{}'?", nearest)};
  }
  if (!options.stop_at.empty()) {
    const auto& events = model.events();
    const bool known =
        std::any_of(events.begin(), events.end(), [&](const EventDescription& e) { return e.name == options.stop_at; });
    if (!known)
      return Failure{"VN-RUN-006", fmt::format("there is no event '{}' to stop at", options.stop_at),
                     "define it under `events:` in the model file"};
  }
  Run run(model, options, listener);
  if (from != nullptr) {
    run.resume(*from);
  } else {
    if (const auto violation = check_residuals(compute_residuals(model, start), 1e-8)) return *violation;
    Workspace workspace(model);
    if (const auto dynamics = compute_forward_dynamics(model, start, workspace); !dynamics) return dynamics.failure();
    run.start(start);
  }
  return run.go();
}

}  // namespace vinculum
