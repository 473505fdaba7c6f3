// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/ensemble.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/core.h>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/series_batch.h"
#include "vinculum/dynamics/series_laws.h"
#include "vinculum/integration/series_step.h"
#include "vinculum/simulation/motion_system.h"
#include "vinculum/simulation/run.h"

namespace vinculum {

namespace {

// One thread's share of the motions.
class Lanes {
 public:
  Lanes(const Model& model, std::span<const State> starts, const EnsembleOptions& options, std::span<EnsembleRun> runs)
      : starts_(starts),
        until_(options.until),
        runs_(runs),
        integrator_options_{options.tolerance, options.tolerance, std::numeric_limits<double>::infinity(), options.order, {}},
        order_(series_order(integrator_options_)),
        series_(model, order_) {
    lanes_.resize(series_.lanes());
    for (Lane& lane : lanes_) lane.system = std::make_unique<MotionSystem>(model);
    times_.resize(lanes_.size());
    y_.resize(lanes_.size() * series_.dimension());
  }

  void go() {
    for (int k = 0; k < static_cast<int>(lanes_.size()); ++k) take_next(k);
    while (busy_ > 0) {
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
    int run = -1;  // none: it repeats what it had
  };

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
      lane.stepper.start({starts_[lane.run].t, lane.system->pack(starts_[lane.run], 0), 0, {}}, integrator_options_);
    }
    // A lane without a motion needs some state all the same.
    if (lane.stepper.y().empty() && !starts_.empty())
      lane.stepper.start({starts_[0].t, lane.system->pack(starts_[0], 0), 0, {}}, integrator_options_);
    put(k);
  }

  void put(int k) {
    const SeriesStepper& stepper = lanes_[k].stepper;
    times_[k] = stepper.t();
    for (std::size_t i = 0; i < stepper.y().size(); ++i) y_[i * lanes_.size() + k] = stepper.y()[i];
  }

  void advance(int k, bool no_series) {
    MotionSystem& system = *lanes_[k].system;
    SeriesStepper& stepper = lanes_[k].stepper;
    EnsembleRun& run = runs_[lanes_[k].run];
    const StepSeries series{series_.coefficients() + k, system.dimension(), order_, static_cast<int>(lanes_.size())};
    const auto find_branch = [&](double reach) { return series_.find_branch(k, reach); };
    const Outcome<StepReport> step = stepper.advance(no_series ? nullptr : &series, find_branch, system, until_);
    if (step) {
      ++run.steps;
      values_ = stepper.y();
      if (system.correct(stepper.t(), values_)) stepper.correct(values_);
    } else {
      run.failure = step.failure();
    }
    if (step && stepper.t() != until_) return put(k);
    run.final = system.unpack(stepper.t(), stepper.y());
    --busy_;
    take_next(k);
  }

  std::span<const State> starts_;
  double until_;
  std::span<EnsembleRun> runs_;
  IntegratorOptions integrator_options_;
  int order_;
  SeriesBatch series_;
  std::vector<Lane> lanes_;
  std::vector<double> times_, y_, values_;
  int next_ = 0, busy_ = 0;
};

}  // namespace

Outcome<std::vector<EnsembleRun>> run_ensemble(const Model& model, std::span<const State> starts,
                                               const EnsembleOptions& options) {
  if (!model.is_plain_tree())
    return Failure{"VN-RUN-015", fmt::format("{} has no place in an ensemble", model.rows()[0].element),
                   "compute the motions one by one"};
  if (const auto refusal = check_analytic(model)) return *refusal;
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
