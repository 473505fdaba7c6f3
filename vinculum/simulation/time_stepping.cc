// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/time_stepping.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/row_quantities.h"
#include "vinculum/simulation/first_time.h"
#include "vinculum/simulation/grips.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/simulation/impact_watch.h"
#include "vinculum/simulation/implicit_steps.h"
#include "vinculum/simulation/requirements.h"

namespace vinculum {

namespace {

std::optional<Failure> check_steps(const Model& model, const State& start, const RunOptions& options) {
  const auto refuse = [](std::string what) {
    return Failure{"VN-RUN-160", fmt::format("steps of fixed length do not follow {}", what), "leave --step out"};
  };
  if (!(options.until > start.t)) return refuse("a motion backwards");
  if (const double span = options.until - start.t; !(span / options.step < 1 / std::numeric_limits<double>::epsilon()))
    return Failure{"VN-RUN-010", fmt::format("steps of {:g} s are round-off of a span of {:g} s", options.step, span),
                   "a longer --step, or a shorter --until"};
  if (!options.stop_at.empty()) return refuse("--stop-at");
  if (!model.events().empty()) return refuse("events of the model");
  if (!model.sampled_laws().empty()) return refuse("sampled controllers");
  if (options.inputs) return refuse("a table of inputs");
  if (const auto obstacle = find_obstacle_to_steps(model, options.follow, false)) return refuse(*obstacle);
  return std::nullopt;
}

constexpr long kStepsBetweenLooks = 16;

class TimeStepping {
 public:
  TimeStepping(const Model& model, const State& start, const RunOptions& options, RunListener& listener)
      : model_(model),
        options_(options),
        listener_(listener),
        steps_(model, options.follow),
        workspace_(model),
        state_(start),
        start_t_(start.t),
        outputs_(model),
        output_watch_(model, options.tolerance),
        requirements_(model, options.tolerance),
        straight_(model, options.tolerance),
        watches_(model.grips().size()) {}

  Outcome<RunResult> go() {
    if (auto failure = steps_.begin(state_)) return *failure;
    for (size_t g = 0; g < model_.grips().size(); ++g) {
      if (state_.modes[model_.grips()[g].mode] != Grip::sticks) watches_[g].first.take_if_none(state_.t);
    }
    const double span = options_.until - state_.t, start = state_.t;
    const long count = std::max(1L, std::lround(std::ceil(span / options_.step * (1 - 1e-12))));
    const double every = options_.every > 0 ? options_.every : span / 1000;
    RunResult result;
    result.integrator = "moreau";
    if (auto failure = emit(result)) return *failure;
    look_at_outputs();
    for (long k = 0; k < count; ++k) {
      const double end = k + 1 == count ? options_.until : start + span * static_cast<double>(k + 1) / static_cast<double>(count);
      const size_t first = events_.size();
      if (auto failure = steps_.step(state_, end - state_.t, [this](const ElementEvent& event) { hear(event); })) {
        result.failure = failure;
        result.end = RunResult::End::failed;
        break;
      }
      state_.t = end;
      look_at_impacts(first);
      look_at_grips();
      look_at_outputs();
      if (k % kStepsBetweenLooks == 0 || k + 1 == count) look_at_split();
      ++result.steps;
      ++result.evaluations;
      listener_.on_step(end);
      if (static_cast<double>(result.samples) * every <= end - start + 1e-9 * every || k + 1 == count) {
        if (auto failure = emit(result)) return *failure;
      }
      if (listener_.wants_to_stop()) {
        result.end = RunResult::End::interrupted;
        break;
      }
    }
    result.final = state_;
    output_watch_.list_numbers(result.outputs);
    result.events = events_;
    judge(result.verdicts);
    return result;
  }

 private:
  void hear(const ElementEvent& event) { events_.push_back({state_.t, event.name(), event.kind, event.subject, -1}); }

  void look_at_impacts(size_t first_event) {
    const std::vector<ImpactReport>& impacts = steps_.record().impacts;
    add_impulses(model_, impacts, std::span(events_).subspan(first_event));
    for (const ImpactReport& impact : impacts) {
      impacts_.hear_impact(impact, state_.t);
      requirements_.hear_impact(impact, state_.t);
    }
  }

  // What the step itself did: a slip that begins with a touch-down is no event of its own, but a slip all the same.
  void look_at_grips() {
    const StepRecord& record = steps_.record();
    for (size_t g = 0; g < record.grips.size(); ++g) {
      if (record.grips[g].slips) watches_[g].first.take_if_none(state_.t);
      watches_[g].pressed = watches_[g].pressed || record.grips[g].presses;
      if (record.grips[g].part > watches_[g].most) watches_[g].most = record.grips[g].part, watches_[g].most_t = state_.t;
    }
  }

  std::optional<Failure> emit(RunResult& result) {
    Sample sample;
    sample.index = result.samples++;
    sample.state = state_;
    sample.multipliers.assign(model_.rows().size() - model_.driven().size(), 0.0);
    const ConstraintSet& set = steps_.constraints();
    const auto dynamics = compute_constrained_dynamics(set, state_, workspace_);
    if (!dynamics) return dynamics.failure();
    sample.dynamics = dynamics->dynamics;
    for (size_t i = 0; i < set.rows.size(); ++i) {
      const size_t row = set.rows[i].index;
      if (row < sample.multipliers.size()) sample.multipliers[row] = dynamics->solution.multipliers[static_cast<Eigen::Index>(i)];
    }
    for (const ContactForces::Slip& slip : dynamics->forces.slips) sample.multipliers[slip.row] = slip.force;
    sample.quantities = compute_row_quantities(set, *dynamics);
    sample.energy = compute_energy(model_, state_, workspace_);
    Moment moment(steps_.constraints(), state_, workspace_, *dynamics);
    if (!model_.outputs().columns.empty() && outputs_.compute(moment)) {
      sample.outputs.assign(outputs_.columns().begin(), outputs_.columns().end());
      if (auto failure = check_outputs(model_, sample.outputs, state_.t)) return failure;
    }
    listener_.on_sample(sample);
    return std::nullopt;
  }

  // At the ends of steps, and along straight lines between them: as good as these steps are.
  void look_at_outputs() {
    if (model_.outputs().columns.empty()) return;
    const auto dynamics = compute_constrained_dynamics(steps_.constraints(), state_, workspace_);
    if (!dynamics) return;
    Moment moment(steps_.constraints(), state_, workspace_, *dynamics);
    if (straight_.go_on(outputs_, moment)) {
      std::vector<Idealisation::Found> found;
      requirements_.search_step(straight_, {}, straight_.t0(), straight_.t1(), found);
      requirements_.count_looks(straight_.t0(), straight_.t1(), {}, {});
      output_watch_.search_step(straight_, {}, straight_.t0(), straight_.t1(), found);
      output_watch_.count_looks(straight_.t0(), straight_.t1(), {}, {});
      for (const auto& [t, event] : found) events_.push_back({t, event.name(), event.kind, event.subject, -1});
    }
    requirements_.look_at_end(moment, true);
    output_watch_.look_at_end(moment, true);
  }

  void look_at_split() {
    if (options_.follow != Follow::frictional || model_.grips().size() < 2) return;
    const ConstraintSet& set = steps_.constraints();
    const auto dynamics = compute_constrained_dynamics(set, state_, workspace_);
    if (!dynamics) return;
    if (dynamics->solution.friction_split > kSplits && !split_first_.happened())
      split_first_.take_if_none(state_.t), split_ = dynamics->solution.friction_split;
    for (size_t g = 0; g < model_.grips().size(); ++g) {
      for (const int index : model_.grips()[g].rows) {
        const auto row = set.find_row(index);
        if (row && !dynamics->solution.analysis.determinate[*row]) watches_[g].undetermined = true;
      }
    }
  }

  void judge(std::vector<Verdict>& verdicts) const {
    if (split_first_.happened()) verdicts.push_back(judge_load_split(*split_first_.t, split_, *split_first_.t));
    verdicts.push_back(
        {"step",
         Holds::not_checked,
         {},
         {},
         fmt::format("implicit steps of {:g} s: the error is of first order in them; halve --step to see it, or leave "
                     "it out for events and verdicts with margins",
                     options_.step)});
    requirements_.judge(state_.t, verdicts);
    impacts_.judge(state_.t, verdicts);
    const bool slips_at_all = options_.follow == Follow::frictional;
    const auto has_own = [&](const Verdict& verdict) {
      return std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& own) { return own.subject == verdict.subject; }) ||
             (slips_at_all && std::any_of(model_.grips().begin(), model_.grips().end(),
                                          [&](const Grip& grip) { return grip.judged == verdict.subject; }));
    };
    // What else could fail is named.
    for (Verdict verdict : StateJudge(steps_.constraints()).judge()) {
      if (has_own(verdict)) continue;
      verdict.verdict = Holds::not_checked;
      verdict.margin = verdict.nearest_t = verdict.first_violation = std::nullopt;
      verdict.why = "not evaluated with --step";
      verdict.hint = "leave --step out";
      verdicts.push_back(std::move(verdict));
    }
    for (size_t g = 0; slips_at_all && g < model_.grips().size(); ++g) verdicts.push_back(judge_grip(g));
  }

  Verdict judge_grip(size_t g) const {
    const Watch& watch = watches_[g];
    Verdict verdict;
    verdict.subject = model_.grips()[g].judged;
    verdict.element = model_.grips()[g].name;
    verdict.term = model_.grips()[g].friction ? "friction demand" : "limited force";
    verdict.first_violation = watch.first.t;
    if (watch.most > 0) verdict.nearest_t = watch.most_t;
    if (watch.first.happened()) {
      verdict.verdict = Holds::violated;
      verdict.why = *watch.first.t == start_t_ ? fmt::format("slips from the start, t = {:.4g} s", start_t_)
                                               : fmt::format("first slip in the step ending at t = {:.4g} s", *watch.first.t);
    } else if (!watch.pressed) {
      verdict.why = "nothing pressed it at the end of any step";
    } else if (watch.undetermined) {
      verdict.verdict = Holds::not_unique;
      verdict.nearest_t.reset();
      verdict.why = "no step has a slip; its reaction is not determined by the motion, so that no margin is";
      verdict.hint = "leave --step out: all distributions of the reactions are compared then";
    } else {
      verdict.verdict = Holds::holds;
      if (watch.most > 0) verdict.margin = 1 / watch.most;
      verdict.why =
          fmt::format("no step has a slip; uses at most {:.3g} of its limit, at t = {:.4g} s", watch.most, watch.most_t);
    }
    return verdict;
  }

  const Model& model_;
  const RunOptions& options_;
  RunListener& listener_;
  ImplicitSteps steps_;
  Workspace workspace_;
  State state_;
  double start_t_;
  std::vector<RunEvent> events_;
  FirstTime split_first_;  // when the shares of a load first decided the motion,
  double split_ = 0;       // and how much
  OutputValues outputs_;
  OutputWatch output_watch_;
  Requirements requirements_;
  StraightValues straight_;
  ImpactWatcher impacts_;
  struct Watch {
    FirstTime first;              // slip
    double most = 0, most_t = 0;  // part of the limit needed, at the ends of steps, and when
    bool pressed = false, undetermined = false;
  };
  std::vector<Watch> watches_;  // of Model::grips()
};

}  // namespace

Outcome<RunResult> run_by_steps(const Model& model, const State& start, const RunOptions& options, RunListener& listener) {
  if (auto failure = check_steps(model, start, options)) return *failure;
  return TimeStepping(model, start, options, listener).go();
}

}  // namespace vinculum
