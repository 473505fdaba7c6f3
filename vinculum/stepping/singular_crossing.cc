// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/singular_crossing.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

namespace {

constexpr int kSamples = 16;
constexpr double kCloseToZero = 0.2;  // of the regularity, where it could reach zero in the next step
constexpr double kNone = 1e-5;        // of the largest in the step: the constraints have lost rank
constexpr double kFarthest = 2;       // steps to the position, to be near it
constexpr double kBeside = 0.02;      // of the largest regularity: near it even where round-off has made the steps short
constexpr double kTooNear = 1e-7;     // a regularity from which round-off alone decides the branch

// Where in the step the singular position is put: in the widest gap between the stages of dop853, at 1/3 and 3/5.
constexpr double kFraction = 7.0 / 15;

}  // namespace

// On a line through zero the least of a step's evaluations is less than half of that at either end; near zero the regularity
// falls by more in a step than is left of it. A step by series evaluates nothing inside.
bool SingularCrossing::comes_near(const Integrator& stepper, double t0, double t1, double at_end) {
  at_end_ = at_end;
  double least = system_.least_regularity();
  if (!stepper.step_series().empty()) {
    for (int k = 1; k < kSamples; ++k) least = std::min(least, regularity_at(stepper, t0 + (t1 - t0) * k / kSamples));
  }
  const bool goes_through = least < kCloseToZero && least < 0.5 * std::min(regularity_, at_end_);
  const bool could_reach_zero = at_end_ < std::min(kCloseToZero, regularity_ - at_end_);
  return goes_through || could_reach_zero;
}

double SingularCrossing::regularity_at(const Integrator& stepper, double t) {
  values_.resize(system_.dimension());
  stepper.interpolate(t, values_);
  return system_.compute_regularity(t, values_);
}

std::optional<double> SingularCrossing::foresee(const IntegratorState& from, double span) {
  std::vector<double> slope(from.y.size());
  if (!system_.compute_derivative(from.t, from.y, slope)) return std::nullopt;
  const double here = system_.compute_regularity(from.t, from.y);
  double distance = span;
  for (int pass = 0; pass < 2; ++pass) {
    const double ahead = 0.01 * distance;
    values_ = from.y;
    for (size_t i = 0; i < slope.size(); ++i) values_[i] += ahead * slope[i];
    const double there = system_.compute_regularity(from.t + ahead, values_);
    if (!(there < here)) return std::nullopt;
    distance = ahead * here / (here - there);
  }
  return distance;
}

std::optional<StepReport> SingularCrossing::cross(const IntegratorState& from, double t_end, double span, double tolerance) {
  if (regularity_ < kTooNear) return std::nullopt;
  const auto foreseen = foresee(from, span);
  if (!foreseen) return std::nullopt;
  if (std::abs(*foreseen) > kFarthest * std::abs(span) && regularity_ > kBeside * largest_) return std::nullopt;
  const double distance = *foreseen, left = t_end - from.t;
  IntegratorOptions options = system_.in_scales({});
  // Across in one step, if its error allows; else a part of the way, so short that no distance is left out from which the
  // error of the method and round-off both allow it.
  for (double length : {distance / kFraction, 0.3 * distance}) {
    if (std::abs(length) > std::abs(left)) length = left;
    const bool crosses = std::abs(length) > std::abs(distance);
    options.relative_tolerance = crosses ? allowed_error(tolerance) : tolerance;
    // Round-off there comes from all coordinates: beside their whole scales.
    options.absolute_tolerance = options.relative_tolerance / (crosses ? MotionSystem::kPartOfScale : 1);
    stepper_->start(system_, {from.t, from.y, length, {}}, options);
    const Outcome<StepReport> step = stepper_->advance(from.t + length);
    if (!step) continue;
    if (crosses && step->t1 != from.t + length) continue;
    const std::vector<double> end = stepper_->state().y;
    at_end_ = system_.compute_regularity(step->t1, end);
    return *step;
  }
  return std::nullopt;
}

std::optional<double> SingularCrossing::find_singular_time(const Integrator& stepper, double t0, double t1) {
  const auto time = [&](int k) { return t0 + (t1 - t0) * k / kSamples; };
  int least = 0;
  double smallest = HUGE_VAL, largest = 0;
  for (int k = 0; k <= kSamples; ++k) {
    const double value = regularity_at(stepper, time(k));
    largest = std::max(largest, value);
    if (value < smallest) smallest = value, least = k;
  }
  // Golden section between the neighbours of the least: the regularity falls to its zero and rises again on straight lines.
  const double kGolden = 0.5 * (std::sqrt(5.0) - 1);
  double a = time(std::max(least - 1, 0)), b = time(std::min(least + 1, kSamples));
  double c = b - kGolden * (b - a), d = a + kGolden * (b - a);
  double at_c = regularity_at(stepper, c), at_d = regularity_at(stepper, d);
  for (int i = 0; i < 60 && c != d; ++i) {
    if (at_c < at_d) {
      b = d, d = c, at_d = at_c;
      c = b - kGolden * (b - a), at_c = regularity_at(stepper, c);
    } else {
      a = c, c = d, at_c = at_d;
      d = a + kGolden * (b - a), at_d = regularity_at(stepper, d);
    }
  }
  if (!(std::min(at_c, at_d) <= kNone * largest)) return std::nullopt;
  return at_c < at_d ? c : d;
}

}  // namespace vinculum
