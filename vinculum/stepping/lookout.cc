// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/lookout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/expression/evaluate.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/math/find_zero.h"

namespace vinculum {

namespace {

constexpr double kRoundOffOfGuard = 32 * std::numeric_limits<double>::epsilon();  // beside its scale: a sum of a few terms
constexpr double kErrorsOfGuard = 10;                                             // local errors of a run

int count_guards(const std::vector<std::unique_ptr<Idealisation>>& idealisations) {
  int count = 0;
  for (const auto& idealisation : idealisations) count += idealisation->guard_count();
  return count;
}

// Where each guard decides, and where not.
std::vector<bool> list_deciding(const std::vector<std::unique_ptr<Idealisation>>& idealisations) {
  std::vector<bool> list;
  for (const auto& idealisation : idealisations) {
    for (int k = 0; k < idealisation->guard_count(); ++k) list.push_back(idealisation->decides(k));
  }
  return list;
}

std::vector<int> list_judged(const std::vector<bool>& decides) {
  std::vector<int> list;
  for (size_t k = 0; k < decides.size(); ++k) {
    if (!decides[k]) list.push_back(static_cast<int>(k));
  }
  return list;
}

SearchedFunction search_guard(int number) {
  SearchedFunction function;
  function.slots = {number};
  function.is_dear = true;
  function.wants_most = false;
  return function;
}

std::vector<SearchedFunction> search_guards(const std::vector<int>& numbers) {
  std::vector<SearchedFunction> functions;
  for (const int number : numbers) functions.push_back(search_guard(number));
  return functions;
}

}  // namespace

Lookout::Lookout(const Model& model, MotionSystem& system, Steps& steps,
                 std::vector<std::unique_ptr<Idealisation>>& idealisations, double tolerance, AskStop ask_stop)
    : model_(model),
      system_(system),
      steps_(steps),
      idealisations_(idealisations),
      tolerance_(tolerance),
      ask_stop_(std::move(ask_stop)),
      guard_count_(count_guards(idealisations)),
      events_name_quantities_(std::ranges::any_of(
          model.events(), [](const EventDescription& event) { return event.function.depends_on(VariableKind::quantity); })),
      guards_need_reactions_(events_name_quantities_ || !model.outputs().requirements.empty()),
      outputs_(model),
      workspace_(model),
      events_(static_cast<int>(model.events().size()), system.dimension(),
              [this](double t, std::span<const double> y, std::span<double> g) { evaluate_model_events(t, y, g); }),
      values_(
          system.constraints().model, tolerance, system.dimension(),
          [this](double t, std::span<double> y) { steps_.last().interpolate(t, y); },
          [this](double t, const std::function<void(Moment&)>& use) {
            if (end_ && end_t_ == t) return use(*end_);
            steps_.last().interpolate(t, scratch_y_);
            Moment moment = see(t, scratch_y_);
            use(moment);
          }),
      has_laws_of_time_(has_laws_of_time(model)),
      laws_(model, values_),
      guard_values_(*this),
      guards_(guard_count_),
      decides_(list_deciding(idealisations)),
      judged_(list_judged(decides_)),
      judged_watch_(search_guards(judged_)),
      scratch_y_(system.dimension()),
      scratch_g_(guard_count_),
      end_guards_(guard_count_) {
  values_.set_laws(&laws_);
  for (const EventDescription& event : model.events()) {
    event_functions_.push_back(make_function(write_out(model, event.function), values_));
    event_functions_.back().wants_most = false;
  }
}

std::optional<Guard> Lookout::guard_of(int event) const {
  int number = event - static_cast<int>(model_.events().size());
  if (number < 0) return std::nullopt;
  size_t i = 0;
  for (; number >= idealisations_[i]->guard_count(); ++i) number -= idealisations_[i]->guard_count();
  return Guard{idealisations_[i].get(), number};
}

// Constraints that depend on each other may do so on the constraints only.
Moment Lookout::see(double t, std::span<const double> y) {
  corrected_.assign(y.begin(), y.end());
  if (system_.leaves_rows_out()) system_.correct(t, corrected_);
  system_.unpack(t, corrected_, seen_);
  return look(seen_, solution_, guards_need_reactions_);
}

void Lookout::evaluate_model_events(const State& state, std::vector<double>& values) {
  values.resize(model_.events().size());
  if (!values.empty()) evaluate_model_events(state.t, system_.pack(state, 0), values);
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

// At values that are on the constraints.
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
  if (!rest_ || has_laws_of_time_) rest_ = compute_rest_dynamics(system_.constraints(), state, workspace_);
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
  judged_watch_.count(end);
  for (const auto& idealisation : idealisations_) {
    idealisation->count_looks(
        begin, end, [this](double t) { look_at(t); }, [this](double t) { return steps_.seen_at(t); });
  }
}

// The one look at (t, y), where the motion begins or continues.
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
  guards_ = end_guards_;
  std::span<double> of = guards_;
  for (const auto& idealisation : idealisations_) {
    idealisation->begin_above_zero(of.first(idealisation->guard_count()));
    of = of.subspan(idealisation->guard_count());
  }
  if (has_begun_ || guard_count_ == 0) return;
  // What is so from the start on has not happened.
  has_begun_ = true;
  guards_read_.forget();
  bool is_new = false;
  std::ranges::copy(end_guards_, guards_read_.at(t, static_cast<size_t>(guard_count_), is_new).begin());
  for (size_t i = 0; i < judged_.size(); ++i) judged_watch_.look(i, guard_values_, t);
}

void Lookout::look_again(double t, std::span<const double> y) { count_looks_at(t, y); }

std::vector<double> Lookout::memory() const {
  std::vector<double> memory = events_.memory();
  memory.insert(memory.end(), guards_.begin(), guards_.end());
  const std::vector<double> judged = judged_watch_.memory();
  memory.insert(memory.end(), judged.begin(), judged.end());
  return memory;
}

void Lookout::restore(double t, std::span<const double> y, std::span<const double> memory) {
  const auto of_events = memory.first(model_.events().size());
  memory = memory.subspan(of_events.size());
  events_.restore(t, {of_events.begin(), of_events.end()});
  std::copy_n(memory.begin(), guard_count_, guards_.begin());
  judged_watch_.restore(memory.subspan(guard_count_));
  look_again(t, y);
}

// Of judged guards the scale, of those that decide only its round-off: how far one must fall is its own matter.
double Lookout::GuardValues::noise(int number) const {
  const Guard guard = *lookout_.guard_of(number + static_cast<int>(lookout_.model_.events().size()));
  const double part = lookout_.decides_[number] ? kRoundOffOfGuard : lookout_.tolerance_;
  return part * guard.of->guard_scale(guard.number);
}

double Lookout::GuardValues::round_off(int number, double value) const {
  const Guard guard = *lookout_.guard_of(number + static_cast<int>(lookout_.model_.events().size()));
  return kRoundOffOfGuard * (guard.of->guard_scale(guard.number) + std::abs(value));
}

double Lookout::GuardValues::error(int number, double value) const {
  const Guard guard = *lookout_.guard_of(number + static_cast<int>(lookout_.model_.events().size()));
  return kErrorsOfGuard * lookout_.tolerance_ * (guard.of->guard_scale(guard.number) + std::abs(value));
}

std::span<const double> Lookout::read_guards(double t) {
  bool is_new = false;
  const std::span<double> values = guards_read_.at(t, static_cast<size_t>(guard_count_), is_new);
  if (!is_new) return values;
  is_stopped_ = is_stopped_ || (may_stop_ && is_stopped(ask_stop_));
  if (is_stopped_) {  // a search among values that are missing ends at once
    std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
  } else {
    look_at(t);
    std::ranges::copy(scratch_g_, values.begin());
  }
  return values;
}

// At the ends of the pieces no event changes its sign more often than it does there.
bool Lookout::shows_no_more(std::span<const double> before, const std::vector<EventCrossing>& found) {
  for (size_t i = 0; i < event_functions_.size(); ++i) {
    const auto is_of_event = [&](const EventCrossing& crossing) {
      return crossing.event == static_cast<int>(i) && crossing.direction != 0;
    };
    SearchedFunction& function = event_functions_[i];
    double last = before[i];  // the sign it had at the end of the last step
    long changes = 0;
    for (const double t : std::span(pieces_).subspan(1)) {
      std::vector<double> at;
      for (const int slot : function.slots) at.push_back(slot == SearchedFunction::kTime ? t : values_.read(slot, t));
      const double value = function.formula->value(at);
      if (!std::isfinite(value) || value == 0) continue;
      if (last * value < 0) ++changes;
      last = value;
    }
    if (changes > std::ranges::count_if(found, is_of_event)) return false;
  }
  return true;
}

// In pieces whose ends show what is between.
void Lookout::locate_events(double t0, double t1, std::vector<EventCrossing>& crossings) {
  pieces_.clear();
  for (SearchedFunction& function : event_functions_) {
    const std::vector<double>& times = search_.search(function, values_, t0, t1, 0).times;
    pieces_.insert(pieces_.end(), times.begin(), times.end());
  }
  std::sort(pieces_.begin(), pieces_.end(), [&](double a, double b) { return t1 > t0 ? a < b : a > b; });
  pieces_.erase(std::unique(pieces_.begin(), pieces_.end()), pieces_.end());
  // As a rule samples, or the series of the events, find all of them.
  const std::vector<double> before = events_.memory();
  const std::span<const double> polynomials = system_.compute_event_series(t0, steps_.last().step_series());
  const auto usual = polynomials.empty() ? events_.locate(steps_.last(), t0, t1) : events_.locate(polynomials, t0, t1);
  if (shows_no_more(before, usual)) {
    crossings.insert(crossings.end(), usual.begin(), usual.end());
    return;
  }
  events_.restore(t0, before);
  for (size_t k = 1; k < pieces_.size(); ++k) {
    const auto found = events_.locate(steps_.last(), pieces_[k - 1], pieces_[k]);
    crossings.insert(crossings.end(), found.begin(), found.end());
  }
}

// Those of the laws, and where an idealisation asks for a look: a gap may close between two looks that show nothing of it.
std::span<const double> Lookout::list_guard_pieces() {
  const std::span<const double> of_laws = values_.pieces();
  if (asked_for_.empty()) return of_laws;
  guard_pieces_ = asked_for_;
  guard_pieces_.insert(guard_pieces_.end(), of_laws.begin(), of_laws.end());
  std::ranges::sort(guard_pieces_, [&](double a, double b) { return is_forward_ ? a < b : a > b; });
  guard_pieces_.erase(std::unique(guard_pieces_.begin(), guard_pieces_.end()), guard_pieces_.end());
  return guard_pieces_;
}

// Its sign at the times the search has found. One that is zero keeps the sign it had.
void Lookout::locate_guard(int number, double t0, double t1, std::vector<EventCrossing>& crossings) {
  SearchedFunction function = search_guard(number);
  double before_t = t0, before = guards_[number];
  const int event = number + static_cast<int>(model_.events().size()), forward = t1 > t0 ? 1 : -1;
  for (const double t : search_.search(function, guard_values_, t0, t1, 0).times) {
    const double value = read_guard(number, t);
    if (!std::isfinite(value) || value == 0) continue;
    if (before * value < 0 && t != t0) {
      const double zero = find_zero([&](double x) { return read_guard(number, x); }, before_t, before, t, value);
      crossings.push_back({event, zero, value > 0 ? forward : -forward});
    }
    before_t = t, before = value;
  }
}

std::optional<std::vector<EventCrossing>> Lookout::locate(double t0, double t1) {
  std::vector<EventCrossing> crossings;
  const std::vector<double> before = events_.memory();
  may_stop_ = true;
  values_.forget();
  guards_read_.forget();
  if (guard_count_ > 0) look_at_end(t1, steps_.end());
  laws_.begin(values_, t0, t1, system_.at_rest());
  is_forward_ = t1 > t0;
  asked_for_.clear();
  for (const auto& idealisation : idealisations_)
    idealisation->list_looks(
        t0, t1, [this](double t) { return steps_.seen_at(t); }, asked_for_);
  if (!model_.events().empty()) locate_events(t0, t1, crossings);
  if (guard_count_ > 0) {
    bool is_new = false;
    std::ranges::copy(guards_, guards_read_.at(t0, static_cast<size_t>(guard_count_), is_new).begin());
    for (int k = 0; k < guard_count_; ++k) {
      if (decides_[k]) locate_guard(k, t0, t1, crossings);
    }
  }
  may_stop_ = false;
  if (std::exchange(is_stopped_, false)) {
    guards_read_.forget();
    end_.reset();
    end_t_.reset();
    events_.restore(t0, before);
    return std::nullopt;
  }
  guards_ = end_guards_;
  std::ranges::stable_sort(crossings,
                           [&](const EventCrossing& a, const EventCrossing& b) { return t1 > t0 ? a.t < b.t : a.t > b.t; });
  return crossings;
}

std::vector<Occurrence> Lookout::watch(double t0, double t1) {
  std::vector<Occurrence> found;
  for (const auto& idealisation : idealisations_)
    idealisation->search_step(
        values_, [this](double t) { read_guards(t); }, t0, t1, found);
  for (const LimitWatch::Begun& begun : judged_watch_.search(guard_values_, t0, t1, guards_read_.times())) {
    const Guard guard = *guard_of(judged_[begun.index] + static_cast<int>(model_.events().size()));
    auto passed = guard.of->pass(guard.number, t0, begun.t, true, [this](double t) { return steps_.on_rows_at(t); });
    if (!passed.event) continue;
    passed.event->t = begun.t;
    found.push_back(std::move(*passed.event));
  }
  std::ranges::stable_sort(found, [&](const Occurrence& a, const Occurrence& b) { return t1 > t0 ? a.t < b.t : a.t > b.t; });
  return found;
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
