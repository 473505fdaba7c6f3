// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/ensemble.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/core.h>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/integration/events.h"
#include "vinculum/integration/series_step.h"
#include "vinculum/series/series_batch.h"
#include "vinculum/series/series_laws.h"
#include "vinculum/simulation/run.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

namespace {

Failure no_events() {
  return {"VN-RUN-015", "events are found on power series alone in an ensemble", "compute the motions one by one"};
}

// One thread's share of the motions.
class Lanes {
 public:
  Lanes(const Model& model, std::span<const State> starts, const EnsembleOptions& options, std::span<EnsembleRun> runs)
      : model_(model),
        starts_(starts),
        options_(options),
        until_(options.until),
        runs_(runs),
        integrator_options_{options.tolerance, options.tolerance, options.largest_step, options.order, {}},
        order_(series_order(integrator_options_)),
        series_(model, order_) {
    lanes_.resize(series_.lanes());
    for (Lane& lane : lanes_) {
      lane.system = std::make_unique<MotionSystem>(model);
      if (!model.events().empty()) {
        lane.locator = std::make_unique<EventLocator>(
            static_cast<int>(model.events().size()), lane.system->dimension(),
            [this](double t, std::span<const double> y, std::span<double> g) { evaluate_events(t, y, g); });
      }
    }
    times_.resize(lanes_.size());
    y_.resize(lanes_.size() * series_.dimension());
  }

  void go() {
    for (int k = 0; k < static_cast<int>(lanes_.size()); ++k) take_next(k);
    while (busy_ > 0) {
      if (is_stopped(options_.stop)) return give_up();
      const unsigned missing = series_.compute(times_, y_);
      for (int k = 0; k < static_cast<int>(lanes_.size()); ++k) {
        if (lanes_[k].run >= 0) advance(k, (missing >> k & 1u) != 0);
      }
    }
  }

 private:
  struct Lane {
    std::unique_ptr<MotionSystem> system;
    SeriesStepper stepper;
    std::unique_ptr<EventLocator> locator;  // none without events
    int run = -1;                           // none: it repeats what it had
  };

  void give_up() {
    for (const Lane& lane : lanes_) {
      if (lane.run >= 0) runs_[lane.run].failure = stopped_failure();
    }
    for (; next_ < static_cast<int>(starts_.size()); ++next_) {
      runs_[next_].final = starts_[next_];
      if (starts_[next_].t != until_) runs_[next_].failure = stopped_failure();
    }
  }

  // Motions that are at their end from the start need no lane.
  void take_next(int k) {
    Lane& lane = lanes_[k];
    lane.run = -1;
    while (next_ < static_cast<int>(starts_.size()) && lane.run < 0) {
      const State& start = starts_[next_];
      runs_[next_].final = start;
      if (start.t != until_) lane.run = next_;
      ++next_;
    }
    if (lane.run >= 0) {
      ++busy_;
      lane.system->expect_run(starts_[lane.run], until_, integrator_options_.relative_tolerance);
      lane.stepper.start({starts_[lane.run].t, lane.system->pack(starts_[lane.run], 0), 0, {}},
                         lane.system->in_scales(integrator_options_));
      if (lane.locator) lane.locator->restart(lane.stepper.t(), lane.stepper.y());
    }
    // A lane without a motion needs some state all the same.
    if (lane.stepper.y().empty() && !starts_.empty())
      lane.stepper.start({starts_[0].t, lane.system->pack(starts_[0], 0), 0, {}}, lane.system->in_scales(integrator_options_));
    put(k);
  }

  void put(int k) {
    const SeriesStepper& stepper = lanes_[k].stepper;
    times_[k] = stepper.t();
    for (std::size_t i = 0; i < stepper.y().size(); ++i) y_[i * lanes_.size() + k] = stepper.y()[i];
  }

  void evaluate_events(double t, std::span<const double> y, std::span<double> g) {
    const Tree& tree = model_.tree();
    const Bindings bindings{t, y.first(tree.coordinates), y.subspan(tree.coordinates, tree.velocities)};
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = evaluate(model_.events()[i].function, bindings, expression_);
  }

  // The events of the last step, up to the one that ends the motion; true if one does, with values_ there.
  bool tell_events(Lane& lane, const StepSeries& series, const StepReport& step, std::span<const double> carry,
                   EnsembleRun& run) {
    coefficients_.resize(static_cast<std::size_t>(series.dimension) * (series.order + 1));
    for (int n = 0; n <= series.order; ++n) {
      for (int i = 0; i < series.dimension; ++i) coefficients_[static_cast<std::size_t>(n) * series.dimension + i] = series(n, i);
    }
    const std::span<const double> polynomials = lane.system->compute_event_series(step.t0, coefficients_);
    for (const EventCrossing& crossing : lane.locator->locate(polynomials, step.t0, step.t1)) {
      run.events.push_back({crossing.event, crossing.t, crossing.direction});
      if (model_.events()[crossing.event].name != options_.stop_at) continue;
      if (crossing.t == lane.stepper.t()) {
        values_ = lane.stepper.y();
      } else {
        values_.resize(lane.stepper.y().size());
        sum_increments(series, crossing.t - step.t0, carry, values_);
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = series(0, static_cast<int>(i)) + values_[i];
      }
      lane.system->correct(crossing.t, values_);
      run.final = lane.system->unpack(crossing.t, values_);
      return true;
    }
    return false;
  }

  void advance(int k, bool no_series) {
    Lane& lane = lanes_[k];
    MotionSystem& system = *lane.system;
    SeriesStepper& stepper = lane.stepper;
    EnsembleRun& run = runs_[lane.run];
    const StepSeries series{series_.coefficients() + k, system.dimension(), order_, static_cast<int>(lanes_.size())};
    const auto find_branch = [&](double reach) { return series_.find_branch(k, reach); };
    carry_ = stepper.carry();
    const Outcome<StepReport> step = stepper.advance(no_series ? nullptr : &series, find_branch, system, until_);
    bool is_over = !step;
    if (!step) {
      run.failure = step.failure();
    } else if (run.steps == options_.most_steps) {
      run.failure = Failure{"VN-RUN-015", "a motion of the ensemble needs more steps than it may take", "compute it by itself"};
      is_over = true;
    } else if (lane.locator && stepper.passing_step() != nullptr) {
      run.failure = no_events();  // between samples of that step
      is_over = true;
    } else {
      ++run.steps;
      if (lane.locator && tell_events(lane, series, *step, carry_, run)) return leave(k);
      values_ = stepper.y();
      if (system.correct(stepper.t(), values_)) stepper.correct(values_);
    }
    if (!is_over && stepper.t() != until_) return put(k);
    run.final = system.unpack(stepper.t(), stepper.y());
    leave(k);
  }

  void leave(int k) {
    --busy_;
    take_next(k);
  }

  const Model& model_;
  std::span<const State> starts_;
  const EnsembleOptions& options_;
  double until_;
  std::span<EnsembleRun> runs_;
  IntegratorOptions integrator_options_;
  int order_;
  SeriesBatch series_;
  std::vector<Lane> lanes_;
  std::vector<double> times_, y_, values_, carry_, coefficients_, expression_;
  int next_ = 0, busy_ = 0;
};

}  // namespace

Outcome<std::vector<EnsembleRun>> run_ensemble(const Model& model, std::span<const State> starts,
                                               const EnsembleOptions& options) {
  // Lanes step each at its own times, not at those of a sampled controller.
  if (!model.sampled_laws().empty())
    return Failure{"VN-RUN-015", fmt::format("sample '{}' has no place in an ensemble", model.sampled_laws()[0].name),
                   "compute the motions one by one"};
  if (!model.is_plain_tree())
    return Failure{"VN-RUN-015", fmt::format("{} has no place in an ensemble", model.rows()[0].element),
                   "compute the motions one by one"};
  if (const auto refusal = check_analytic(model)) return *refusal;
  for (const EventDescription& event : model.events()) {
    if (event.function.depends_on(VariableKind::quantity) || !event.function.is_analytic()) return no_events();
  }
  for (const State& start : starts) {
    if (const auto violation = check_state(model, start, 1e-8)) return *violation;
  }
  std::vector<EnsembleRun> runs(starts.size());
  const std::size_t threads = std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(starts.size(), 1));
  const auto work = [&](std::size_t thread) {
    const std::size_t first = starts.size() * thread / threads, last = starts.size() * (thread + 1) / threads;
    Lanes(model, starts.subspan(first, last - first), options, std::span(runs).subspan(first, last - first)).go();
  };
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
  work(0);
  others.clear();
  return runs;
}

}  // namespace vinculum
