// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A run by implicit steps of one length (implicit_steps.h), for real time: the part of Run::Engine that takes them in place of an
// integrator's. They end at t0 + k h, k counted, at instants where something acts, and at the horizon. What happens within a step
// is reported at its end; the same idealisations judge it, at the ends of steps and by what each step itself needed.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/idealisations/impact_watch.h"
#include "vinculum/simulation/run_engine.h"

namespace vinculum {

namespace {

// Where friction is followed each look solves for all reactions, and the step has already told what it needed.
constexpr long kStepsBetweenLooks = 16;
constexpr double kRoundOffOfSteps = 1e-9;  // of the length of a step: no step so short is left over

}  // namespace

std::optional<Failure> check_implicit_steps(const Model& model, const State& start, const RunOptions& options) {
  const auto refuse = [](std::string what) {
    return Failure{"VN-RUN-160", fmt::format("steps of fixed length do not follow {}", what), "leave --step out"};
  };
  if (!(options.until > start.t)) return refuse("a motion backwards");
  if (const double span = options.until - start.t; !(span / options.step < 1 / std::numeric_limits<double>::epsilon()))
    return Failure{"VN-RUN-010", fmt::format("steps of {:g} s are round-off of a span of {:g} s", options.step, span),
                   "a longer --step, or a shorter --until"};
  if (const auto obstacle = find_obstacle_to_steps(model, options.follow, false)) return refuse(*obstacle);
  return std::nullopt;
}

// At the end of a step, or where something else has set the state.
void Run::Engine::take_front(const State& state) {
  front_ = now_ = state;
  system_.set_modes(state.modes);
  point_.modes = state.modes;
  lookout_.forget_rest();
  std::swap(event_values_, last_event_values_);
  lookout_.evaluate_model_events(front_, event_values_);
}

// Those whose function has passed zero within the step that ends here.
void Run::Engine::tell_model_events() {
  for (int i = 0; i < static_cast<int>(event_values_.size()); ++i) {
    const double before = last_event_values_[i], after = event_values_[i];
    if (before == 0 || after * before > 0) continue;
    tell({EventKind::model_event, {ElementKind::event, i}, model_.events()[i].name, front_.t, before < 0 ? 1 : -1});
  }
}

std::optional<Failure> Run::Engine::begin_implicit_steps(State& state) {
  system_.set_modes(state.modes);
  if (auto failure = implicit_->begin(state)) return failure;
  take_front(state);
  if (!model_.outputs().columns.empty()) straight_.go_on(outputs_, lookout_.look_at_present(front_));
  return std::nullopt;
}

double Run::Engine::end_of_implicit_step(double goal) const {
  const double h = options_.step, round_off = kRoundOffOfSteps * h;
  const double k = std::floor((front_.t - point_.start_t) / h + kRoundOffOfSteps) + 1;
  const double last = instants_.end_of_step(goal), next = point_.start_t + k * h;
  return next < last - round_off ? next : last;
}

std::optional<Stop> Run::Engine::take_implicit_step(double goal, double until) {
  const double end = end_of_implicit_step(goal);
  if (is_before(until, end)) return look_between_steps(until);
  State state = front_;
  std::vector<Occurrence> changes;
  const auto hear = [&](const Occurrence& event) { changes.push_back(event); };
  if (auto failure = implicit_->step(state, end - state.t, hear)) return fail(after_time(*failure, state.t), state);
  state.t = end;
  take_front(state);
  ++point_.steps;
  ++point_.evaluations;
  const size_t first = point_.events.size();
  for (const Occurrence& event : changes) tell(end, event, -1);
  tell_impacts(implicit_->record().impacts, end, first);
  tell_model_events();
  for (const auto& idealisation : idealisations_) idealisation->hear_use(implicit_->record().grips, end);
  watch_implicit_step(!changes.empty());
  listener_->on_step(end);
  const bool is_due = static_cast<double>(point_.next_sample) * options_.every <= end - point_.start_t + 1e-9 * options_.every;
  if ((is_due || stopped_) && !emit_sample(state)) return fail({}, state);
  if (stopped_) return Stop::event;
  const bool stop = listener_->wants_to_stop();
  if (listener_->wants_checkpoint()) listener_->on_checkpoint(here());
  return stop ? std::optional(Stop::asked) : std::nullopt;
}

void Run::Engine::watch_implicit_step(bool changed) {
  const bool each = options_.follow != Follow::frictional || !model_.outputs().columns.empty() || !model_.joint_limits().empty();
  if (!each && !changed && point_.steps % kStepsBetweenLooks != 0 && front_.t != options_.until) return;
  search_implicit_step();
  watch_dynamics(front_);
  for (const auto& idealisation : idealisations_) {
    idealisation->count_looks(
        front_.t, front_.t, [](double) {}, [this](double) { return front_; });
  }
}

// Between its ends a step is a straight line, and as good as the step is: what is read of states and outputs is searched along
// it.
void Run::Engine::search_implicit_step() {
  if (model_.outputs().columns.empty() || !straight_.go_on(outputs_, lookout_.look_at_present(front_))) return;
  const double t0 = straight_.t0(), t1 = straight_.t1();
  std::vector<Occurrence> found;
  for (const auto& idealisation : idealisations_) {
    if (!idealisation->reads_values_alone()) continue;
    idealisation->search_step(straight_, {}, t0, t1, found);
    idealisation->count_looks(t0, t1, {}, {});
  }
  for (const Occurrence& event : found) tell(t1, event, -1);
}

// Somebody looks between two steps, where modes may be others than at the end of the last one.
void Run::Engine::show_modes_of(const State& state) {
  if (!implicit_ || now_.t == front_.t) return;
  system_.set_modes(state.modes);
  lookout_.forget_rest();
}

// By a step of its own, which nothing follows from.
std::optional<Stop> Run::Engine::look_between_steps(double until) {
  if (until == front_.t) return Stop::reached;
  State state = front_;
  ImplicitSteps steps(model_, options_.follow);
  steps.resume(state, implicit_->memory());
  if (auto failure = steps.step(state, until - state.t, [](const Occurrence&) {}))
    return fail(after_time(*failure, front_.t), front_);
  state.t = until;
  now_ = state;
  return Stop::reached;
}

}  // namespace vinculum
