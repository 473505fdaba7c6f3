// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/series_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "vinculum/math/polynomial.h"

namespace vinculum {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A step must be so many units in the last place of t.
// A mismatch, relative to the solution, that may be round-off: a larger one is a step that is too long, however it behaves.
constexpr double kRoundOffOfDerivatives = 1e-9;
constexpr double kLeastUnits = 16;

constexpr int kLeastOrder = 6, kHighestOrder = 60;

// A step shorter than this part of what the series promised is left to DOP853, which begins with this part of the last step.
constexpr double kShortest = 1e-3;
constexpr double kFirstPassingStep = 1e-2;
constexpr double kPassingTolerance = 1e-14;  // DOP853 has no smaller one

// The mismatch of an accepted step is this multiple of the tolerance.
constexpr double kGranted = 10;

// The step rests on so many last coefficients: two may be small together by accident.
constexpr int kWatched = 4;

}  // namespace

// Were the work of a step proportional to K², K = 1 - ln(ε)/2 would be best (Jorba, Zou). With rows of products it grows more
// slowly at first, and round-off grows with the step: measured, the time is flat about these orders.
int series_order(const IntegratorOptions& options) {
  if (options.order > 0) return std::clamp(options.order, kWatched, kHighestOrder);
  const double digits = -std::log(std::max(options.relative_tolerance, kEpsilon / 2));
  return std::clamp(static_cast<int>(std::ceil(8 + 0.36 * digits)), kLeastOrder, kHighestOrder);
}

Failure no_series_at(double t) {
  return {"VN-RUN-011", fmt::format("the equations have no finite derivatives at t = {}", t),
          "look for a root of a negative number, a division by zero or a singular mass matrix there"};
}

void sum_increments(const StepSeries& series, double s, std::span<const double> carry, std::span<double> increments) {
  const int dimension = series.dimension, stride = series.stride;
  const auto row = [&](int n) { return series.c + static_cast<std::size_t>(n) * dimension * stride; };
  double* const sum = increments.data();
  for (int i = 0; i < dimension; ++i) sum[i] = row(series.order)[i * stride];
  for (int n = series.order - 1; n > 0; --n) {
    const double* const x = row(n);
    for (int i = 0; i < dimension; ++i) sum[i] = x[i * stride] + s * sum[i];
  }
  for (int i = 0; i < dimension; ++i) sum[i] = carry[i] + s * sum[i];
}

void SeriesStepper::start(const IntegratorState& from, const IntegratorOptions& options) {
  assert(options.relative_tolerance >= 0 && options.absolute_tolerance > 0 && options.largest_step > 0);
  options_ = options;
  options_.relative_tolerance = std::max(options.relative_tolerance, kEpsilon / 4);
  const std::size_t n = from.y.size();
  t_ = from.t;
  y_ = from.y;
  carry_.assign(n, 0);
  if (from.memory.size() == n) carry_ = from.memory;
  next_passing_step_ = from.next_step;
  passed_ = false;
  for (auto* scratch : {&increments_, &derivative_, &trial_}) scratch->resize(n);
}

// Values that stay keep what rounding has taken from them.
void SeriesStepper::correct(std::span<const double> y) {
  assert(y.size() == y_.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != y_[i]) carry_[i] = 0;
    y_[i] = y[i];
  }
}

// In units of the time scale.
double SeriesStepper::log_radius(const StepSeries& series, int n) const {
  const double least = options_.absolute_tolerance / options_.relative_tolerance;
  double largest = 0;
  for (int i = 0; i < series.dimension; ++i)
    largest = std::max(largest, std::abs(series(n, i)) / (std::abs(series(0, i)) + least * options_.scale(i)));
  return largest > 0 ? -std::log(std::ldexp(largest, n * std::ilogb(options_.time_scale))) / n : kInfinity;
}

SeriesStepper::Reach SeriesStepper::choose_step(const StepSeries& series) const {
  const int order = series.order;
  double radius = kInfinity;
  for (int n = order; n > order - kWatched; --n) radius = std::min(radius, log_radius(series, n));
  const double middle = std::min(log_radius(series, order / 2), log_radius(series, order / 2 - 1));
  const double step = options_.time_scale * std::exp(radius + std::log(options_.relative_tolerance) / order - 0.7 / (order - 1));
  return {step, !(middle < radius + std::log(3))};
}

Outcome<StepReport> SeriesStepper::advance(const StepSeries* series, const FindBranch& find_branch, System& system,
                                           double t_end) {
  assert(std::isfinite(t_end));
  passed_ = false;
  if (series == nullptr) return pass(system, t_end);
  // What the system keeps by itself (a coordinate on its law) may have changed.
  for (int i = 0; i < series->dimension; ++i) y_[i] = (*series)(0, i);
  if (next_passing_step_ != 0 && !(choose_step(*series).step > std::abs(next_passing_step_))) return pass(system, t_end);
  return follow(*series, find_branch, system, t_end);
}

Outcome<StepReport> SeriesStepper::follow(const StepSeries& series, const FindBranch& find_branch, System& system, double t_end) {
  StepReport report{t_, t_};
  report.evaluations = 1;
  const double direction = t_end > t_ ? 1 : -1;
  const double distance = std::abs(t_end - t_);
  const double least = kLeastUnits * kEpsilon * std::abs(t_);
  const Reach reach = choose_step(series);
  const double far = std::min({reach.step, options_.largest_step, distance});
  const double seen = std::abs(system.find_step(t_, y_, direction * far));
  const double longest = find_safe_step(series, system, direction * seen);
  const double branch = std::abs(find_branch(direction * longest));
  double wanted = std::min(branch, longest);
  if (branch < longest && branch <= std::max(least, kShortest * longest)) return pass(system, t_end);

  double last_mismatch = kInfinity;
  for (;; ++report.rejected, wanted = std::min(wanted, distance) / 2) {
    if (options_.wants_to_stop && options_.wants_to_stop()) return stopped_at(t_);
    const bool lands = distance <= wanted;
    report.t1 = lands ? t_end : t_ + direction * wanted;
    const double h = report.t1 - t_;
    if (!lands && std::abs(h) <= least && report.rejected == 0) {
      // Within round-off of a branch point there is a motion all the same.
      if (auto passed = pass(system, t_end)) return passed;
      return Failure{"VN-RUN-010",
                     fmt::format("singularity near t = {}: the power series converges within {:.2g} s only", t_, wanted),
                     "the solution ends there, or a law has no derivatives; if it is only stiff, choose cvode or arkode"};
    }
    if (report.rejected > 0 && std::abs(h) <= std::max(least, kShortest * longest)) return pass(system, t_end);
    const double largest = std::max(mismatch(series, system, t_ + h / 2, h / 2, h), mismatch(series, system, report.t1, h, h));
    report.evaluations += 2;
    // A small mismatch that a shorter step does not make smaller is round-off of the derivatives.
    const bool is_round_off = largest >= 0.5 * last_mismatch && largest * options_.relative_tolerance <= kRoundOffOfDerivatives;
    if (largest <= 1 || is_round_off) break;
    last_mismatch = largest;
  }
  next_passing_step_ = std::abs(report.t1 - t_) == branch && branch < longest ? direction * kFirstPassingStep * branch : 0;

  // y1 + carry1 = y0 + increment (Knuth's two-sum)
  sum_increments(series, report.t1 - t_, carry_, increments_);
  for (int i = 0; i < series.dimension; ++i) {
    const double y0 = y_[i], increment = increments_[i];
    const double sum = y0 + increment, taken = sum - y0;
    y_[i] = sum;
    carry_[i] = (y0 - (sum - taken)) + (increment - taken);
  }
  t_ = report.t1;
  return report;
}

// The longest part of a step, with its sign, in which laws do what the series knows of them. Nothing is evaluated anew: the
// series holds for every part of the step. Returns its length without the sign.
//
//   radius: the last two terms, what the series leaves out                                              theory 8, section 1.3
double SeriesStepper::find_safe_step(const StepSeries& series, System& system, double step) {
  const std::span<const int> components = system.checked_components();
  if (components.empty() || step == 0) return std::abs(step);
  const int order = series.order;
  polynomial_.sees = StepPolynomial::Sees::series;
  polynomial_.t0 = t_;
  polynomial_.dimension = series.dimension;
  if (series.stride == 1) {
    polynomial_.series = {series.c, static_cast<std::size_t>(series.dimension) * (order + 1)};
  } else {
    together_.resize(static_cast<std::size_t>(series.dimension) * (order + 1));
    for (std::size_t i = 0; i < together_.size(); ++i) together_[i] = series.c[i * series.stride];
    polynomial_.series = together_;
  }
  powers_.resize(order + 1);
  constexpr int kMostAttempts = 40;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    polynomial_.reserve(components, order);
    polynomial_.t1 = t_ + step;
    for (std::size_t k = 0; k < components.size(); ++k) {
      double power = 1;
      for (int n = 0; n <= order; ++n, power *= step) powers_[n] = power * series(n, components[k]);
      to_bernstein(powers_, polynomial_.bernstein(k));
      polynomial_.radius(k) = std::abs(powers_[order]) + std::abs(powers_[order - 1]);
    }
    const double safe = system.check_step(polynomial_);
    if (safe >= 1) break;
    step *= part_to_keep(safe);
  }
  return std::abs(step);
}

// Begun anew at every step, so that a state tells all of it; what rounding takes goes with it from the one to the other.
Outcome<StepReport> SeriesStepper::pass(System& system, double t_end) {
  IntegratorOptions options = options_;
  options.relative_tolerance = std::max(options.relative_tolerance, kPassingTolerance);
  options.absolute_tolerance = std::max(options.absolute_tolerance, kPassingTolerance / 10);
  const bool goes_on = next_passing_step_ * (t_end - t_) > 0;
  passing_.start(system, {t_, y_, goes_on ? next_passing_step_ : 0, Dop853::first_memory(carry_)}, options);
  const Outcome<StepReport> step = passing_.advance(t_end);
  if (!step) return step.failure();
  const IntegratorState reached = passing_.state();
  t_ = reached.t;
  y_ = reached.y;
  carry_.assign(reached.memory.end() - static_cast<std::ptrdiff_t>(y_.size()), reached.memory.end());
  next_passing_step_ = reached.next_step;
  passed_ = true;
  return *step;
}

// By how much the series does not obey the equations a way s from the beginning of a step h, beside what is allowed: an error of
// the order of the tolerance in the last term shows K times over in the slope.
double SeriesStepper::mismatch(const StepSeries& series, System& system, double t, double s, double h) {
  sum_increments(series, s, carry_, increments_);
  for (int i = 0; i < series.dimension; ++i) trial_[i] = y_[i] + increments_[i];
  if (!system.compute_derivative(t, trial_, derivative_)) return kInfinity;
  double largest = 0;
  for (int i = 0; i < series.dimension; ++i) {
    double slope = 0, size = 0;
    for (int n = series.order; n > 0; --n) {
      const double term = n * series(n, i);
      slope = term + s * slope;
      size = std::abs(term) + std::abs(s) * size;
    }
    const double tolerance = std::max(options_.relative_tolerance, 1e3 * kEpsilon);
    const double error = tolerance * std::abs(trial_[i]) + options_.absolute_tolerance * options_.scale(i);
    const double allowed = tolerance * size + error / options_.time_scale + kGranted * series.order * error / std::abs(h);
    const double ratio = std::abs(slope - derivative_[i]) / allowed;
    if (!(ratio <= largest)) largest = ratio;
  }
  return std::isfinite(largest) ? largest : kInfinity;
}

}  // namespace vinculum
