// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/lookout.h"

#include <algorithm>
#include <cmath>

#include "vinculum/expression/evaluate.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"

namespace vinculum {

namespace {

constexpr double kLocatedPieces = 125;   // of eight looks each, where zeros are located
constexpr double kSamplesOfRun = 64000;  // of laws of time
constexpr double kStretchesOfRun = 333;  // of three looks each, where a law of force may do what no step shows
constexpr double kLooks[] = {3.0 / 8, 5.0 / 8};

int count_guards(const std::vector<std::unique_ptr<Idealisation>>& idealisations) {
  int count = 0;
  for (const auto& idealisation : idealisations) count += idealisation->guard_count();
  return count;
}

// Sums and products of coordinates and velocities change no faster than these do.
bool is_polynomial(const Expression& law) {
  return std::ranges::all_of(law.steps(), [&](const Step& step) {
    switch (step.operation) {
      case Operation::constant:
      case Operation::parameter:
      case Operation::variable:
      case Operation::negate:
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply: return true;
      case Operation::power: return step.value >= 0 && step.value == std::floor(step.value);
      default: return false;
    }
  });
}

bool has_law_of_state(const Model& model) {
  const auto is_of_state = [](const Expression& law) {
    return (law.depends_on(VariableKind::coordinate) || law.depends_on(VariableKind::velocity)) && !is_polynomial(law);
  };
  return std::ranges::any_of(model.joint_forces(), [&](const JointForceLaw& law) { return is_of_state(law.law); }) ||
         std::ranges::any_of(model.body_forces(), [&](const BodyForceLaw& law) {
           return std::ranges::any_of(law.force_law, is_of_state) || std::ranges::any_of(law.torque_law, is_of_state);
         });
}

}  // namespace

Lookout::Lookout(const Model& model, MotionSystem& system, Steps& steps,
                 std::vector<std::unique_ptr<Idealisation>>& idealisations, double start, double until)
    : model_(model),
      system_(system),
      steps_(steps),
      idealisations_(idealisations),
      span_(std::abs(until - start)),
      guard_count_(count_guards(idealisations)),
      events_name_quantities_(std::ranges::any_of(
          model.events(), [](const EventDescription& event) { return event.function.depends_on(VariableKind::quantity); })),
      guards_need_reactions_(events_name_quantities_ || !model.outputs().requirements.empty()),
      is_resolved_(std::ranges::all_of(idealisations, [](const auto& idealisation) { return idealisation->follows_motion(); })),
      has_laws_of_state_(has_law_of_state(model)),
      pulses_(model),
      outputs_(model),
      workspace_(model),
      events_(static_cast<int>(model.events().size()), system.dimension(),
              [this](double t, std::span<const double> y, std::span<double> g) { evaluate_model_events(t, y, g); }),
      guards_(guard_count_, system.dimension(),
              [this](double t, std::span<const double> y, std::span<double> g) { evaluate_guards(t, y, g); }),
      scratch_y_(system.dimension()),
      scratch_g_(guard_count_),
      lowest_(guard_count_),
      highest_(guard_count_),
      end_guards_(guard_count_) {}

std::optional<Guard> Lookout::guard_of(int event) const {
  int number = event - static_cast<int>(model_.events().size());
  if (number < 0) return std::nullopt;
  size_t i = 0;
  for (; number >= idealisations_[i]->guard_count(); ++i) number -= idealisations_[i]->guard_count();
  return Guard{idealisations_[i].get(), number};
}

// Rows that depend on each other may do so on the constraints only.
Moment Lookout::see(double t, std::span<const double> y) {
  corrected_.assign(y.begin(), y.end());
  if (system_.leaves_rows_out()) system_.correct(t, corrected_);
  system_.unpack(t, corrected_, seen_);
  return look(seen_, solution_, guards_need_reactions_);
}

void Lookout::evaluate_model_events(double t, std::span<const double> y, std::span<double> g) {
  Bindings bindings{t, y.first(model_.tree().coordinates), y.subspan(model_.tree().coordinates, model_.tree().velocities)};
  bool known = false;
  if (events_name_quantities_) {
    Moment moment = see(t, y);
    known = outputs_.compute(moment);
    bindings.quantities = outputs_.quantities();
  }
  for (size_t i = 0; i < g.size(); ++i) {
    const Expression& function = model_.events()[i].function;
    const bool has_value = known || !function.depends_on(VariableKind::quantity);
    g[i] = has_value ? evaluate(function, bindings, expression_) : 1;
  }
}

void Lookout::evaluate_guards(Moment& moment, std::span<double> g) {
  for (const auto& idealisation : idealisations_) {
    idealisation->evaluate_guards(moment, g.first(idealisation->guard_count()));
    g = g.subspan(idealisation->guard_count());
  }
}

void Lookout::evaluate_guards(double t, std::span<const double> y, std::span<double> g) {
  if (t == end_t_) {
    std::ranges::copy(end_guards_, g.begin());
    return;
  }
  Moment moment = see(t, y);
  evaluate_guards(moment, g);
}

// At values that are on the rows.
void Lookout::look_at_end(double t, std::span<const double> y) {
  system_.unpack(t, y, end_state_);
  end_.emplace(look(end_state_, end_solution_, guards_need_reactions_));
  if (!system_.is_plain_tree() && !system_.at_rest() && !system_.sticks()) {
    if (const ConstrainedDynamics* solved = end_->solution()) system_.remember(end_state_, *solved);
  }
  evaluate_guards(*end_, end_guards_);
  end_t_ = t;
  // Its solution will be another one, if a law of time has it so; or where reactions are shared out.
  if (system_.at_rest() || system_.sticks()) end_.reset();
}

const Outcome<ConstrainedDynamics>& Lookout::rest_dynamics(const State& state) {
  if (!rest_ || pulses_.has_laws()) rest_ = compute_rest_dynamics(system_.constraints(), state, workspace_);
  return *rest_;
}

// At rest, where guides hold everything, the reactions are those of the rest: the same ones while no law of time changes them.
// Where they hold some bodies only, theirs are shared out, if someone asks for reactions.
Moment Lookout::look(const State& state, ConstrainedDynamics& memory, bool with_reactions) {
  if (system_.at_rest() && rest_dynamics(state)) return {system_.constraints(), state, workspace_, **rest_};
  if (system_.sticks() && with_reactions) {
    held_ = compute_held_dynamics(system_.constraints(), state, workspace_);
    if (*held_) return {system_.constraints(), state, workspace_, **held_};
  }
  return {system_.constraints(), state, workspace_, &system_.sparse_constraints(), memory};
}

Moment& Lookout::look_at_present(const State& state) {
  const bool is_known = end_ && !system_.sticks() && end_state_.t == state.t && end_state_.q == state.q &&
                        end_state_.v == state.v && end_state_.memory == state.memory && end_state_.modes == state.modes;
  if (!is_known) {
    end_state_ = state;
    end_.emplace(look(end_state_, end_solution_));
  }
  return *end_;
}

void Lookout::look_at(double t) {
  steps_.last().interpolate(t, scratch_y_);
  evaluate_guards(t, scratch_y_, scratch_g_);
}

void Lookout::count_looks(double begin, double end) {
  for (const auto& idealisation : idealisations_) {
    idealisation->count_looks(
        begin, end, [this](double t) { look_at(t); }, [this](double t) { return steps_.seen_at(t); });
  }
}

// The one look at (t, y), where the motion begins or goes on.
void Lookout::count_looks_at(double t, std::span<const double> y) {
  look_at_end(t, y);
  for (const auto& idealisation : idealisations_) {
    idealisation->count_looks(
        t, t, [](double) {}, [&](double) { return system_.unpack(t, y); });
  }
}

void Lookout::restart(double t, std::span<const double> y) {
  events_.restart(t, y);
  count_looks_at(t, y);
  std::vector<double> guards = end_guards_;
  std::span<double> of = guards;
  for (const auto& idealisation : idealisations_) {
    idealisation->begin_above_zero(of.first(idealisation->guard_count()));
    of = of.subspan(idealisation->guard_count());
  }
  guards_.restore(t, std::move(guards));
}

void Lookout::look_again(double t, std::span<const double> y) { count_looks_at(t, y); }

std::vector<double> Lookout::memory() const {
  std::vector<double> memory = events_.memory();
  memory.insert(memory.end(), guards_.memory().begin(), guards_.memory().end());
  return memory;
}

void Lookout::restore(double t, std::span<const double> y, std::span<const double> memory) {
  const auto of_events = memory.first(model_.events().size()), of_guards = memory.subspan(model_.events().size());
  events_.restore(t, {of_events.begin(), of_events.end()});
  guards_.restore(t, {of_guards.begin(), of_guards.end()});
  look_again(t, y);
}

// Pieces short enough that guards would be looked at a thousand times a run, and the times around pulses of laws.
void Lookout::list_pieces(double t0, double t1) {
  pieces_.clear();
  pulse_times_.clear();
  const double count = std::ceil(std::abs(t1 - t0) * kLocatedPieces / span_);
  double begin = t0;
  for (double k = 1; k <= count; ++k) {
    const double end = k == count ? t1 : t0 + (t1 - t0) * k / count;
    if (pulses_.has_laws()) {
      for (double t : pulses_.find(begin, end, span_ / kSamplesOfRun, steps_.seen_at(begin))) {
        pieces_.push_back(t);
        pulse_times_.push_back(t);
      }
    }
    pieces_.push_back(end);
    begin = end;
  }
  std::vector<double> asked_for;
  for (const auto& idealisation : idealisations_)
    idealisation->list_looks(
        t0, t1, [this](double t) { return steps_.seen_at(t); }, asked_for);
  if (asked_for.empty()) return;
  for (std::vector<double>* list : {&pieces_, &pulse_times_}) {
    list->insert(list->end(), asked_for.begin(), asked_for.end());
    std::ranges::sort(*list, [&](double a, double b) { return t1 > t0 ? a < b : a > b; });
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

// Every guard is farther from zero than it varies among a few looks.
bool Lookout::are_guards_clear(double t0, double t1) {
  lowest_ = highest_ = guards_.memory();
  const auto take = [&](std::span<const double> g) {
    for (int k = 0; k < guard_count_; ++k) {
      if (!std::isfinite(g[k])) return false;
      lowest_[k] = std::min(lowest_[k], g[k]);
      highest_[k] = std::max(highest_[k], g[k]);
      const double nearest = std::max(lowest_[k], -highest_[k]);
      if (!(nearest > highest_[k] - lowest_[k])) return false;
    }
    return true;
  };
  look_at_end(t1, steps_.end());
  if (!is_resolved_ || !take(end_guards_)) return false;
  const auto take_at = [&](double t) {
    look_at(t);
    return take(scratch_g_);
  };
  const double stretches = has_laws_of_state_ ? std::ceil(std::abs(t1 - t0) * kStretchesOfRun / span_) : 1;
  for (double k = 0; k < stretches; ++k) {
    for (const double part : kLooks) {
      if (!take_at(t0 + (t1 - t0) * (k + part) / stretches)) return false;
    }
    if (k + 1 < stretches && !take_at(t0 + (t1 - t0) * (k + 1) / stretches)) return false;
  }
  return std::ranges::all_of(pulse_times_, take_at);
}

std::vector<EventCrossing> Lookout::locate(double t0, double t1) {
  if (guard_count_ == 0) {
    const std::span<const double> polynomials = system_.compute_event_series(t0, steps_.last().step_series());
    return polynomials.empty() ? events_.locate(steps_.last(), t0, t1) : events_.locate(polynomials, t0, t1);
  }
  std::vector<EventCrossing> crossings;
  const auto locate_by = [&](EventLocator& locator, int first) {
    double begin = t0;
    for (const double end : pieces_) {
      for (EventCrossing crossing : locator.locate(steps_.last(), begin, end)) {
        crossing.event += first;
        crossings.push_back(crossing);
      }
      begin = end;
    }
  };
  list_pieces(t0, t1);
  const int events = static_cast<int>(model_.events().size());
  if (events > 0) locate_by(events_, 0);
  if (are_guards_clear(t0, t1)) {
    guards_.restore(t1, end_guards_);
    return crossings;
  }
  locate_by(guards_, events);
  std::ranges::stable_sort(crossings,
                           [&](const EventCrossing& a, const EventCrossing& b) { return t1 > t0 ? a.t < b.t : a.t > b.t; });
  return crossings;
}

double Lookout::refine(const EventCrossing& crossing, double t0, double t1) {
  constexpr int kMost = 3;
  end_t_.reset();
  const int guard = crossing.event - static_cast<int>(model_.events().size());
  const auto value = [&](double t, std::span<const double> y) {
    evaluate_guards(t, y, scratch_g_);
    return scratch_g_[guard];
  };
  const double small = (t1 - t0) / 1024, before = crossing.t - small;
  if ((before - t0) * (t1 - t0) <= 0) return crossing.t;
  steps_.last().interpolate(before, scratch_y_);
  const double g_before = value(before, scratch_y_);
  steps_.last().interpolate(crossing.t, scratch_y_);
  const double slope = (value(crossing.t, scratch_y_) - g_before) / small;
  double t = crossing.t;
  for (int i = 0; slope != 0 && i < kMost; ++i) {
    steps_.reach(t);
    const double shift = -value(t, steps_.values()) / slope;
    // A guard that jumps has no slope: from its other side it would lead all the way to `small`.
    if (!(std::abs(shift) <= 0.5 * std::abs(small))) return crossing.t;
    if (t + shift == t) break;
    t += shift;
    if ((t - t0) * (t1 - t) < 0) return crossing.t;
  }
  return t;
}

}  // namespace vinculum
