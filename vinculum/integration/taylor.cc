// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/taylor.h"

#include <algorithm>
#include <cassert>

namespace vinculum {

void Taylor::start(System& system, const IntegratorState& from, const IntegratorOptions& options) {
  assert(static_cast<int>(from.y.size()) == system.dimension());
  system_ = &system;
  order_ = series_order(options);
  stepper_.start(from, options);
  t0_ = from.t;
  carry0_ = stepper_.carry();
  coefficients_.assign(from.y.size() * (order_ + 1), 0);
  std::copy(from.y.begin(), from.y.end(), coefficients_.begin());
}

StepSeries Taylor::series() const { return {coefficients_.data(), static_cast<int>(stepper_.y().size()), order_}; }

// After a failure the integrator is at its last accepted state, without a step to interpolate over.
Outcome<StepReport> Taylor::advance(double t_end) {
  const double now = stepper_.t();
  if (t_end == now) return StepReport{now, now};
  t0_ = now;
  if (!system_->has_series()) return Failure{"VN-RUN-014", "the equations have no power series", "choose another integrator"};
  carry0_ = stepper_.carry();
  // Where there is no series (a root of zero) there may still be a motion.
  const bool exists = system_->compute_series(now, stepper_.y(), order_, coefficients_);
  const StepSeries here = series();
  const auto step = stepper_.advance(
      exists ? &here : nullptr, [&](double reach) { return system_->find_branch(reach); }, *system_, t_end);
  return step || exists || step.failure().kind() != FailureKind::not_finite ? step : no_series_at(now);
}

void Taylor::interpolate(double t, std::span<double> y) const {
  const std::vector<double>& present = stepper_.y();
  assert(y.size() == present.size());
  if (t == stepper_.t() || t0_ == stepper_.t()) {
    std::copy(present.begin(), present.end(), y.begin());
    return;
  }
  if (const Dop853* const passing = stepper_.passing_step()) return passing->interpolate(t, y);
  sum_increments(series(), t - t0_, carry0_, y);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = coefficients_[i] + y[i];
}

}  // namespace vinculum
