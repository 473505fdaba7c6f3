// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/series_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace vinculum {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A step must be so many units in the last place of t.
constexpr double kRoundOffOfDerivatives = 1e-9;  // at most
constexpr double kLeastUnits = 16;

constexpr int kLeastOrder = 6, kHighestOrder = 60;

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

double SeriesStepper::log_radius(const StepSeries& series, int n) const {
  const double least = options_.absolute_tolerance / options_.relative_tolerance;
  double largest = 0;
  for (int i = 0; i < series.dimension; ++i)
    largest = std::max(largest, std::abs(series(n, i)) / (std::abs(series(0, i)) + least));
  return largest > 0 ? -std::log(largest) / n : kInfinity;
}

SeriesStepper::Reach SeriesStepper::choose_step(const StepSeries& series) const {
  const int order = series.order;
  double radius = kInfinity;
  for (int n = order; n > order - kWatched; --n) radius = std::min(radius, log_radius(series, n));
  const double middle = std::min(log_radius(series, order / 2), log_radius(series, order / 2 - 1));
  const double step = std::exp(radius + std::log(options_.relative_tolerance) / order - 0.7 / (order - 1));
  return {step, !(middle < radius + std::log(3))};
}

Outcome<StepReport> SeriesStepper::advance(const StepSeries& series, System& system, double t_end) {
  assert(std::isfinite(t_end));
  StepReport report{t_, t_};
  report.evaluations = 1;
  // What the system keeps by itself (a coordinate on its law) may have changed.
  for (int i = 0; i < series.dimension; ++i) y_[i] = series(0, i);

  const double direction = t_end > t_ ? 1 : -1;
  const double distance = std::abs(t_end - t_);
  const Reach reach = choose_step(series);
  double wanted = std::min(reach.step, options_.largest_step), last_mismatch = kInfinity;
  for (;; ++report.rejected, wanted = std::min(wanted, distance) / 2) {
    const bool lands = distance <= wanted;
    report.t1 = lands ? t_end : t_ + direction * wanted;
    const double h = report.t1 - t_;
    if (!lands && std::abs(h) <= kLeastUnits * kEpsilon * std::abs(t_)) {
      if (report.rejected > 0)
        return Failure{"VN-RUN-011", fmt::format("the equations have no finite derivative beyond t = {}", t_),
                       "look for a root of a negative number, a division by zero or a singular mass matrix there"};
      return Failure{"VN-RUN-010",
                     fmt::format("singularity near t = {}: the power series converges within {:.2g} s only", t_, wanted),
                     "the solution ends there, or a law has no derivatives; if it is only stiff, choose cvode or arkode"};
    }
    sum_increments(series, h, carry_, increments_);
    if (!reach.is_polynomial) break;
    // A small mismatch that a shorter step does not make smaller is round-off of the derivatives.
    const double mismatch = mismatch_at_end(series, system, report.t1, h);
    const bool is_round_off = mismatch >= 0.5 * last_mismatch && mismatch * options_.relative_tolerance <= kRoundOffOfDerivatives;
    if (mismatch <= 1 || is_round_off) break;
    last_mismatch = mismatch;
    ++report.evaluations;
  }

  // y1 + carry1 = y0 + increment (Knuth's two-sum)
  for (int i = 0; i < series.dimension; ++i) {
    const double y0 = y_[i], increment = increments_[i];
    const double sum = y0 + increment, taken = sum - y0;
    y_[i] = sum;
    carry_[i] = (y0 - (sum - taken)) + (increment - taken);
  }
  t_ = report.t1;
  return report;
}

// At the end of its step a polynomial must still obey the equations: by how much it does not, beside what is allowed.
double SeriesStepper::mismatch_at_end(const StepSeries& series, System& system, double t1, double h) {
  for (int i = 0; i < series.dimension; ++i) trial_[i] = y_[i] + increments_[i];
  if (!system.compute_derivative(t1, trial_, derivative_)) return kInfinity;
  double largest = 0;
  for (int i = 0; i < series.dimension; ++i) {
    double slope = 0, size = 0;
    for (int n = series.order; n > 0; --n) {
      const double term = n * series(n, i);
      slope = term + h * slope;
      size = std::abs(term) + std::abs(h) * size;
    }
    const double allowed =
        std::max(options_.relative_tolerance, 1e3 * kEpsilon) * (size + std::abs(trial_[i])) + options_.absolute_tolerance;
    const double ratio = std::abs(slope - derivative_[i]) / allowed;
    if (!(ratio <= largest)) largest = ratio;
  }
  return std::isfinite(largest) ? largest : kInfinity;
}

}  // namespace vinculum
