// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/taylor.h"

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
constexpr double kLeastUnits = 16;

constexpr int kLeastOrder = 6, kHighestOrder = 60;

// The step rests on so many last coefficients: two may be small together by accident.
constexpr int kWatched = 4;

}  // namespace

int series_order(double relative_tolerance) {
  const double digits = -std::log(std::max(relative_tolerance, kEpsilon / 2));
  return std::clamp(static_cast<int>(std::ceil(1 + 0.55 * digits)), kLeastOrder, kHighestOrder);
}

void Taylor::start(System& system, const IntegratorState& from, const IntegratorOptions& options) {
  const std::size_t n = from.y.size();
  assert(static_cast<int>(n) == system.dimension());
  assert(options.relative_tolerance >= 0 && options.absolute_tolerance > 0 && options.largest_step > 0);
  system_ = &system;
  options_ = options;
  options_.relative_tolerance = std::max(options.relative_tolerance, kEpsilon / 4);
  order_ = options.order > 0 ? std::clamp(options.order, kWatched, kHighestOrder) : series_order(options.relative_tolerance);

  t_ = t0_ = from.t;
  y_ = from.y;
  carry_.assign(n, 0);
  if (from.memory.size() == n) carry_ = from.memory;
  carry0_ = carry_;
  coefficients_.assign(n * (order_ + 1), 0);
  std::copy(y_.begin(), y_.end(), coefficients_.begin());
  for (auto* scratch : {&increments_, &derivative_, &scratch_}) scratch->resize(n);
}

IntegratorState Taylor::state() const { return {t_, y_, 0, carry_}; }

// Values that stay keep what rounding has taken from them.
void Taylor::correct(std::span<const double> y) {
  assert(y.size() == y_.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != y_[i]) carry_[i] = 0;
    y_[i] = y[i];
  }
}

double Taylor::radius(int n) const {
  const std::size_t dimension = y_.size();
  const double* x = coefficients_.data() + n * dimension;
  const double least = options_.absolute_tolerance / options_.relative_tolerance;
  double largest = 0;
  for (std::size_t i = 0; i < dimension; ++i) largest = std::max(largest, std::abs(x[i]) / (std::abs(coefficients_[i]) + least));
  return largest > 0 ? std::pow(largest, -1.0 / n) : kInfinity;
}

Taylor::Reach Taylor::choose_step() const {
  double rho = kInfinity;
  for (int n = order_; n > order_ - kWatched && n > 0; --n) rho = std::min(rho, radius(n));
  const double middle = std::min(radius(order_ / 2), radius(order_ / 2 - 1));
  return {rho * std::pow(options_.relative_tolerance, 1.0 / order_) * std::exp(-0.7 / (order_ - 1)), !(middle < 3 * rho)};
}

// carry + Σ_{n>0} c_n sⁿ, small terms first.
void Taylor::sum_increments(double s, std::vector<double>& increments) const {
  const std::size_t dimension = y_.size();
  double* const sum = increments.data();
  const double* const carry = carry0_.data();
  std::copy_n(coefficients_.data() + order_ * dimension, dimension, sum);
  for (int n = order_ - 1; n > 0; --n) {
    const double* const x = coefficients_.data() + n * dimension;
    for (std::size_t i = 0; i < dimension; ++i) sum[i] = x[i] + s * sum[i];
  }
  for (std::size_t i = 0; i < dimension; ++i) sum[i] = carry[i] + s * sum[i];
}

Outcome<StepReport> Taylor::advance(double t_end) {
  assert(std::isfinite(t_end));
  StepReport report{t_, t_};
  if (t_end == t_) return report;
  if (!system_->has_series()) {
    return give_up("VN-RUN-014", "the equations have no power series", "choose another integrator");
  }
  const std::size_t dimension = y_.size();
  report.evaluations = 1;
  if (!system_->compute_series(t_, y_, order_, coefficients_)) {
    return give_up("VN-RUN-011", fmt::format("the equations have no finite derivatives at t = {}", t_),
                   "look for a root of a negative number, a division by zero or a singular mass matrix there");
  }
  // What the system keeps by itself (a coordinate on its law) may have changed.
  std::copy_n(coefficients_.begin(), dimension, y_.begin());
  carry0_ = carry_;

  const double direction = t_end > t_ ? 1 : -1;
  const double distance = std::abs(t_end - t_);
  const Reach reach = choose_step();
  double wanted = std::min(reach.step, options_.largest_step);
  for (;; ++report.rejected, wanted = std::min(wanted, distance) / 2) {
    const bool lands = distance <= wanted;
    report.t1 = lands ? t_end : t_ + direction * wanted;
    const double h = report.t1 - t_;
    if (!lands && std::abs(h) <= kLeastUnits * kEpsilon * std::abs(t_)) {
      if (report.rejected > 0)
        return give_up("VN-RUN-011", fmt::format("the equations have no finite derivative beyond t = {}", t_),
                       "look for a root of a negative number, a division by zero or a singular mass matrix there");
      return give_up("VN-RUN-010", fmt::format("singularity near t = {}: the power series converges within {:.2g} s only", t_, wanted),
                     "the solution ends there, or a law has no derivatives; if it is only stiff, choose cvode or arkode");
    }
    sum_increments(h, increments_);
    if (!reach.is_polynomial || ends_where_it_holds(report.t1, h)) break;
    ++report.evaluations;
  }

  // y1 + carry1 = y0 + increment (Knuth's two-sum)
  for (std::size_t i = 0; i < dimension; ++i) {
    const double y0 = y_[i], increment = increments_[i];
    const double sum = y0 + increment, taken = sum - y0;
    y_[i] = sum;
    carry_[i] = (y0 - (sum - taken)) + (increment - taken);
  }
  t0_ = std::exchange(t_, report.t1);
  return report;
}

// At the end of its step a polynomial must still obey the equations.
bool Taylor::ends_where_it_holds(double t1, double h) {
  const std::size_t dimension = y_.size();
  for (std::size_t i = 0; i < dimension; ++i) scratch_[i] = y_[i] + increments_[i];
  if (!system_->compute_derivative(t1, scratch_, derivative_)) return false;
  for (std::size_t i = 0; i < dimension; ++i) {
    double slope = 0, size = 0;
    for (int n = order_; n > 0; --n) {
      const double term = n * coefficients_[n * dimension + i];
      slope = term + h * slope;
      size = std::abs(term) + std::abs(h) * size;
    }
    const double allowed =
        std::max(options_.relative_tolerance, 1e3 * kEpsilon) * (size + std::abs(scratch_[i])) + options_.absolute_tolerance;
    if (!(std::abs(slope - derivative_[i]) <= allowed)) return false;
  }
  return true;
}

// Leaves the integrator at its last accepted state, without a step to interpolate over.
Failure Taylor::give_up(std::string_view code, std::string message, std::string hint) {
  t0_ = t_;
  return {code, std::move(message), std::move(hint)};
}

void Taylor::interpolate(double t, std::span<double> y) const {
  assert(y.size() == y_.size());
  if (t == t_ || t0_ == t_) {
    std::copy(y_.begin(), y_.end(), y.begin());
    return;
  }
  sum_increments(t - t0_, increments_);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = coefficients_[i] + increments_[i];
}

}  // namespace vinculum
