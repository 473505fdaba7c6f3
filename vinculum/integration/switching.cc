// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/switching.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace vinculum {

namespace {

constexpr double kUndecided = 2;
constexpr double kZeroOfSwitch =
    64 * std::numeric_limits<double>::epsilon();                           // of its value before: where a crossing was located
constexpr double kSameTime = 64 * std::numeric_limits<double>::epsilon();  // of t: times of crossings are found by bisection
constexpr double kNoRate = 1e-9;                                           // of the rate before the jump
constexpr double kShort = 1e-9;                                            // of t: steps between jumps without end
constexpr int kMostShortSteps = 100;                                       // one after the other
constexpr int kMostAttempts = 3;
constexpr int kMostTries = 8;

double sign(double x) { return (x > 0) - (x < 0); }

}  // namespace

void Switching::start(System& system, const IntegratorState& from, const IntegratorOptions& options) {
  system_ = &system;
  options_ = options;
  cut_ = false;
  short_steps_ = 0;
  const std::size_t n = system.switch_count();
  signs_.assign(n, kUndecided);
  changes_.assign(n, 0);
  if (n == 0) return inner_->start(system, from, options);

  IntegratorState inner = from;
  if (from.memory.size() >= 2 * n) {
    const auto tail = from.memory.end() - static_cast<std::ptrdiff_t>(2 * n);
    std::copy_n(tail, n, signs_.begin());
    std::copy_n(tail + static_cast<std::ptrdiff_t>(n), n, changes_.begin());
    inner.memory.resize(from.memory.size() - 2 * n);
  }
  g_.resize(n);
  for (auto* scratch : {&derivative_, &trial_}) scratch->resize(from.y.size());
  locator_.emplace(static_cast<int>(n), static_cast<int>(from.y.size()),
                   [this](double t, std::span<const double> y, std::span<double> g) { system_->evaluate_switches(t, y, g); });
  t_ = from.t;
  y_ = from.y;
  if (signs_[0] != kUndecided) system_->hold_switches(signs_, t_, y_);
  inner_->start(system, inner, options);
  cut_ = std::any_of(changes_.begin(), changes_.end(), [](double change) { return change != 0; });
}

IntegratorState Switching::state() const {
  IntegratorState state = cut_ ? IntegratorState{t_, y_, 0, {}} : inner_->state();
  state.memory.insert(state.memory.end(), signs_.begin(), signs_.end());
  state.memory.insert(state.memory.end(), changes_.begin(), changes_.end());
  return state;
}

void Switching::correct(std::span<const double> y) {
  if (!cut_) return inner_->correct(y);
  std::copy(y.begin(), y.end(), y_.begin());
}

void Switching::interpolate(double t, std::span<double> y) const {
  if (!cut_ || t != t_) return inner_->interpolate(t, y);
  std::copy(y_.begin(), y_.end(), y.begin());
}

void Switching::restart_inner() {
  cut_ = false;
  inner_->start(*system_, {t_, y_, 0, {}}, options_);
}

// A switch that is beyond zero by the round-off of its place is on the side it was found to go to.
void Switching::restart_locator() {
  locator_->restart(t_, y_);
  std::vector<double> start = locator_->memory();
  for (int k = 0; k < count(); ++k) {
    if (start[k] * signs_[k] < 0) start[k] = 0;
  }
  locator_->restore(t_, std::move(start));
}

// How far the polynomials of the switches are known: what they leave out is of the size of their last two terms.
double Switching::find_reach(std::span<const double> switches, double h) const {
  constexpr double kLeastAccuracy = 1e-13, kShorter = 0.7, kShortest = 1e-6;
  const double accuracy = std::max(options_.relative_tolerance, kLeastAccuracy);
  const std::size_t terms = switches.size() / signs_.size();
  const auto is_known = [&](int k, double way) {
    double size = 0, power = 1, last = 0, before_last = 0;
    for (std::size_t n = 0; n < terms; ++n, power *= std::abs(way)) {
      before_last = std::exchange(last, std::abs(switches[n * signs_.size() + k]) * power);
      size += last;
    }
    return last + before_last <= accuracy * size;
  };
  for (int k = 0; k < count(); ++k) {
    double reach = h;
    while (!is_known(k, reach) && std::abs(reach) > kShortest * std::abs(h)) reach *= kShorter;
    if (is_known(k, reach)) h = reach;
  }
  return h;
}

Switching::Zeros Switching::find_zeros(const StepReport& step) {
  const std::span<const double> series = system_->compute_switch_series(step.t0, inner_->step_series());
  const bool is_known = !series.empty() && std::all_of(series.begin(), series.end(), [](double x) { return std::isfinite(x); });
  if (!is_known) return {locator_->locate(*inner_, step.t0, step.t1), step.t1};
  const double h = step.t1 - step.t0, reach = find_reach(series, h);
  const double until = reach == h ? step.t1 : step.t0 + reach;
  return {locator_->locate(series, step.t0, until), until};
}

Outcome<StepReport> Switching::advance(double t_end) {
  if (count() == 0 || t_end == (cut_ ? t_ : inner_->state().t)) return advance_smooth(t_end);
  if (!cut_) {
    const IntegratorState now = inner_->state();
    t_ = now.t;
    y_ = now.y;
  }
  if (signs_[0] == kUndecided) {
    if (auto failure = decide_signs(t_end)) return *failure;
  }
  if (cut_) {
    if (auto failure = change_signs(t_end)) return *failure;
  }

  // A switch that left zero by itself, or stands beyond it by round-off, is on the side it goes to: the step is taken again.
  bool is_released = false;
  for (int attempt = 0;; ++attempt) {
    restart_locator();
    const std::vector<double> start = locator_->memory();
    const Outcome<StepReport> step = advance_smooth(t_end);
    if (!step) {
      if (is_released || !release_kinks(step.failure())) return step;
      is_released = true;
      continue;
    }
    const auto [crossings, looked_at] = find_zeros(*step);
    const auto first =
        std::find_if(crossings.begin(), crossings.end(), [](const EventCrossing& crossing) { return crossing.direction != 0; });
    const double until = first == crossings.end() ? looked_at : first->t;
    std::vector<double> reached(y_.size());
    inner_->interpolate(until, reached);
    system_->evaluate_switches(until, reached, g_);

    std::vector<double> mended = signs_;
    for (int k = 0; k < count(); ++k) {
      if (is_released && !system_->is_jump(k)) continue;
      const bool crosses = std::any_of(crossings.begin(), crossings.end(), [&](const EventCrossing& crossing) {
        return crossing.event == k && crossing.direction != 0;
      });
      const bool is_round_off = std::abs(g_[k]) <= kZeroOfSwitch * std::abs(start[k]);
      if (!crosses && !is_round_off && sign(g_[k]) != signs_[k]) mended[k] = sign(g_[k]);
    }
    if (mended != signs_ && attempt < kMostAttempts) {
      const std::vector<double> before = std::exchange(signs_, mended);
      system_->hold_switches(signs_, t_, y_);
      for (int k = 0; k < count(); ++k) {
        if (signs_[k] != before[k] && system_->is_jump(k) && signs_[k] * switch_rate(k, t_end) < 0) return slides(k);
      }
      restart_inner();
      continue;
    }
    if (until == step->t1 && first == crossings.end()) return step;

    StepReport report = *step;
    if (first == crossings.end()) {  // the switches are not known farther
      cut_ = true;
      report.t1 = t_ = until;
      y_ = std::move(reached);
      return report;
    }
    for (const EventCrossing& crossing : crossings) {
      if (crossing.direction != 0 && std::abs(crossing.t - until) <= kSameTime * std::abs(until)) changes_[crossing.event] = 1;
    }
    short_steps_ = std::abs(until - t_) <= kShort * std::max(std::abs(until), std::abs(t_)) ? short_steps_ + 1 : 0;
    if (short_steps_ > kMostShortSteps) return slides(first->event);
    // On the jump itself a law may have no value, as x/abs(x) has none: the next few numbers t will do.
    double end = until;
    for (int tries = 0; tries < kMostTries && end != step->t1 && !system_->compute_derivative(end, reached, derivative_);
         ++tries) {
      end = std::nextafter(end, step->t1);
      inner_->interpolate(end, reached);
    }
    cut_ = true;
    report.t1 = t_ = end;
    y_ = std::move(reached);
    return report;
  }
}

// A branch may have no value beyond its kink, as x^1.5 of abs(x)^1.5: where no step leads on, a kink is left to the law itself.
bool Switching::release_kinks(const Failure& failure) {
  if (failure.kind() != FailureKind::step_limit && failure.kind() != FailureKind::not_finite) return false;
  std::vector<double> signs = signs_;
  for (int k = 0; k < count(); ++k) {
    if (!system_->is_jump(k)) signs[k] = 0;
  }
  if (signs == signs_) return false;
  hold(signs);
  restart_inner();
  return true;
}

// Ten thousand steps at whose pace the end would take a billion more will not come to anything.
Outcome<StepReport> Switching::advance_smooth(double t_end) {
  constexpr int kWatched = 10000;
  constexpr double kMostSteps = 1e9;
  const Outcome<StepReport> step = inner_->advance(t_end);
  if (!step) return step;
  if (counted_steps_ == 0) counted_from_ = step->t0;
  if (++counted_steps_ < kWatched) return step;
  counted_steps_ = 0;
  const double pace = std::abs(step->t1 - counted_from_) / kWatched, rest = std::abs(t_end - step->t1);
  if (pace * kMostSteps >= rest) return step;
  return Failure{"VN-RUN-113",
                 fmt::format("at t = {:.9g} s the steps of {} have fallen to {:.2g} s: the end would take {:.1g} more", step->t1,
                             name(), pace, std::min(rest / pace, std::numeric_limits<double>::max())),
                 "a force grows very steeply or oscillates very fast: look at the motion just before. For stiff springs and "
                 "dampers choose cvode or arkode, or a larger tolerance"};
}

// The sign a switch has, or gets: one that is zero goes where it is pushed; one that is not pushed is where the law says.
std::optional<Failure> Switching::decide_signs(double t_end) {
  std::vector<double> signs(signs_.size(), 0);
  hold(signs);
  system_->evaluate_switches(t_, y_, g_);
  for (int k = 0; k < count(); ++k) signs[k] = sign(g_[k]);
  hold(signs);
  const std::vector<double> values = g_;
  for (int k = 0; k < count(); ++k) {
    if (values[k] != 0) continue;
    const double free_rate = switch_rate(k, t_end);
    const bool is_pushed = free_rate != 0 && std::isfinite(free_rate);
    signs[k] = is_pushed ? sign(free_rate) : system_->side_on_switch(k, t_, y_);
    hold(signs);
    if (is_pushed && system_->is_jump(k) && signs[k] * switch_rate(k, t_end) < -kNoRate * std::abs(free_rate)) return slides(k);
  }
  restart_inner();
  return std::nullopt;
}

std::optional<Failure> Switching::change_signs(double t_end) {
  std::vector<double> before(signs_.size()), signs = signs_;
  for (int k = 0; k < count(); ++k) {
    if (changes_[k] == 0) continue;
    before[k] = switch_rate(k, t_end);
    signs[k] = sign(before[k]) != 0 ? sign(before[k]) : -signs[k];
  }
  if (auto failure = system_->check_jump(t_, signs)) return failure;
  hold(signs);
  // One that is pushed back by what changed with it, as that of abs(t - 1) < 1e-17 by the kink of abs, only touches zero: the
  // side it came from leads on. Where neither side does, the motion slides.
  const auto is_pushed_back = [&](int k) { return signs_[k] * switch_rate(k, t_end) < -kNoRate * std::abs(before[k]); };
  for (int k = 0; k < count(); ++k) {
    if (changes_[k] == 0 || !system_->is_jump(k) || !is_pushed_back(k)) continue;
    signs = signs_;
    signs[k] = -signs[k];
    hold(signs);
    if (is_pushed_back(k)) return slides(k);
  }
  std::fill(changes_.begin(), changes_.end(), 0);
  restart_inner();
  return std::nullopt;
}

void Switching::hold(const std::vector<double>& signs) {
  signs_ = signs;
  system_->hold_switches(signs_, t_, y_);
}

// How fast a switch changes on the way to t_end, by the equations held at present.
double Switching::switch_rate(int k, double t_end) {
  constexpr double kWay = 1e-6;
  if (!system_->compute_derivative(t_, y_, derivative_)) return std::numeric_limits<double>::quiet_NaN();
  const double delta = sign(t_end - t_) * kWay * std::min(options_.time_scale, std::abs(t_end - t_));
  const auto value_at = [&](double s) {
    for (std::size_t i = 0; i < y_.size(); ++i) trial_[i] = y_[i] + s * derivative_[i];
    system_->evaluate_switches(t_ + s, trial_, g_);
    return g_[k];
  };
  return (value_at(delta) - value_at(-delta)) / std::abs(2 * delta);
}

Failure Switching::slides(int k) const {
  return {
      "VN-RUN-110",
      fmt::format("at t = {:.9g} s the motion reaches a jump of {} and is pushed back to it from both sides", t_,
                  system_->describe_switch(k)),
      "what holds it there the law does not say; let it rise steeply instead, x/sqrt(x^2 + small^2) for sign(x), or model the "
      "rubbing as a contact with `sliding_friction`"};
}

}  // namespace vinculum
