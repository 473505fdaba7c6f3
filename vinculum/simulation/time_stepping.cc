// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/time_stepping.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/row_quantities.h"
#include "vinculum/simulation/first_time.h"
#include "vinculum/simulation/grips.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/simulation/implicit_steps.h"
#include "vinculum/simulation/requirements.h"

namespace vinculum {

namespace {

std::optional<Failure> check_steps(const Model& model, const State& start, const RunOptions& options) {
  const auto refuse = [](std::string what) {
    return Failure{"VN-RUN-160", fmt::format("steps of fixed length do not follow {}", what), "leave --step out"};
  };
  if (!(options.until > start.t)) return refuse("a motion backwards");
  if (!options.stop_at.empty()) return refuse("--stop-at");
  if (!model.events().empty()) return refuse("events of the model");
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
        outputs_(model),
        requirements_(model, options.tolerance),
        first_slip_(model.grips().size()) {}

  Outcome<RunResult> go() {
    if (auto failure = steps_.begin(state_)) return *failure;
    look_at_slips();
    const double span = options_.until - state_.t, start = state_.t;
    const long count = std::max(1L, std::lround(std::ceil(span / options_.step * (1 - 1e-12))));
    const double every = options_.every > 0 ? options_.every : span / 1000;
    RunResult result;
    result.integrator = "moreau";
    if (auto failure = emit(result)) return *failure;
    for (long k = 0; k < count; ++k) {
      const double end = k + 1 == count ? options_.until : start + span * static_cast<double>(k + 1) / static_cast<double>(count);
      if (auto failure = steps_.step(state_, end - state_.t, [this](const ElementEvent& event) { hear(event); })) {
        result.failure = failure;
        result.end = RunResult::End::failed;
        break;
      }
      state_.t = end;
      look_at_slips();
      look_at_requirements();
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
    result.outputs = std::move(last_outputs_);
    result.events = events_;
    judge(result.verdicts);
    return result;
  }

 private:
  void hear(const ElementEvent& event) { events_.push_back({state_.t, event.name(), event.kind, event.subject, -1}); }

  // By the modes, not by events: a slip that begins with a touch-down is no event of its own, but a slip all the same.
  void look_at_slips() {
    for (size_t g = 0; g < model_.grips().size(); ++g) {
      const Grip& grip = model_.grips()[g];
      const bool is_there = grip.contact < 0 || steps_.constraints().is_there(model_.contacts()[grip.contact]);
      if (is_there && state_.modes[grip.mode] != Grip::sticks) first_slip_[g].take_if_none(state_.t);
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
      last_outputs_.clear();
      for (size_t i = 0; i < sample.outputs.size(); ++i)
        last_outputs_.push_back({model_.outputs().columns[i].name, model_.outputs().columns[i].unit, sample.outputs[i]});
    }
    listener_.on_sample(sample);
    return std::nullopt;
  }

  // At the ends of steps: as good as these steps are.
  void look_at_requirements() {
    if (model_.outputs().requirements.empty()) return;
    const auto dynamics = compute_constrained_dynamics(steps_.constraints(), state_, workspace_);
    if (!dynamics) return;
    Moment moment(steps_.constraints(), state_, workspace_, *dynamics);
    requirements_.look_at_end(moment, true);
  }

  void look_at_split() {
    if (split_first_ || options_.follow != Follow::frictional || model_.grips().size() < 2) return;
    const auto dynamics = compute_constrained_dynamics(steps_.constraints(), state_, workspace_);
    if (dynamics && dynamics->solution.friction_split > kSplits) split_first_ = state_.t;
  }

  void judge(std::vector<Verdict>& verdicts) const {
    if (split_first_) {
      Verdict split;
      split.subject = "load split";
      split.term = "statically indeterminate support";
      split.verdict = Holds::not_unique;
      split.first_violation = split_first_;
      split.why = fmt::format(
          "from t = {:.4g} s the motion hangs on how redundant supports that slide share their load, which rigid bodies do not "
          "tell: an implicit step takes the share its sweeps end with, not that of supports which are all equally stiff",
          *split_first_);
      split.hint = "leave --step out for equally stiff supports, or give them their stiffness";
      verdicts.push_back(std::move(split));
    }
    verdicts.push_back(
        {"step",
         Holds::not_checked,
         {},
         {},
         fmt::format("implicit steps of {:g} s: the error is of first order in them; halve --step to see it, or leave "
                     "it out for events and verdicts with margins",
                     options_.step)});
    requirements_.judge(state_.t, verdicts);
    const bool slips_at_all = options_.follow == Follow::frictional;
    const auto has_own = [&](const Verdict& verdict) {
      return std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& own) { return own.subject == verdict.subject; }) ||
             (slips_at_all && std::any_of(model_.grips().begin(), model_.grips().end(),
                                          [&](const Grip& grip) { return grip.judged == verdict.subject; }));
    };
    // What else could fail is named: an implicit step tells no forces at its end that a margin could be taken from.
    for (Verdict verdict : StateJudge(steps_.constraints()).judge()) {
      if (has_own(verdict)) continue;
      verdict.verdict = Holds::not_checked;
      verdict.margin = verdict.nearest_t = verdict.first_violation = std::nullopt;
      verdict.why = "implicit steps do not look at it";
      verdict.hint = "leave --step out";
      verdicts.push_back(std::move(verdict));
    }
    for (size_t g = 0; slips_at_all && g < model_.grips().size(); ++g) {
      const bool slips = first_slip_[g].happened();
      verdicts.push_back(
          {model_.grips()[g].judged,
           slips ? Holds::violated : Holds::holds,
           {},
           first_slip_[g].t,
           slips ? fmt::format("first slip in the step ending at t = {:.4g} s", *first_slip_[g].t) : "no step has a slip",
           {},
           {},
           model_.grips()[g].name});
    }
  }

  const Model& model_;
  const RunOptions& options_;
  RunListener& listener_;
  ImplicitSteps steps_;
  Workspace workspace_;
  State state_;
  std::vector<RunEvent> events_;
  std::optional<double> split_first_;  // when the shares of a load first decided the motion
  OutputValues outputs_;
  std::vector<OutputValue> last_outputs_;
  Requirements requirements_;
  std::vector<FirstTime> first_slip_;  // of Model::grips()
};

}  // namespace

Outcome<RunResult> run_by_steps(const Model& model, const State& start, const RunOptions& options, RunListener& listener) {
  if (auto failure = check_steps(model, start, options)) return *failure;
  return TimeStepping(model, start, options, listener).go();
}

}  // namespace vinculum
