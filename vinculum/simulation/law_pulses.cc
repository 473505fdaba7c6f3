// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/law_pulses.h"

#include <algorithm>
#include <cmath>

#include "vinculum/expression/evaluate.h"

namespace vinculum {

LawPulses::LawPulses(const Model& model) {
  const auto add = [&](const Expression& law) {
    if (law.depends_on(VariableKind::time)) laws_.push_back(law);
  };
  for (const JointForceLaw& law : model.joint_forces()) add(law.law);
  for (const BodyForceLaw& law : model.body_forces()) {
    for (const Expression& component : law.force_law) add(component);
    for (const Expression& component : law.torque_law) add(component);
  }
  for (const DrivenCoordinate& driven : model.driven()) add(driven.acceleration);
  for (const EnvironmentBody& body : model.environment()) {
    for (const Expression& component : body.acceleration) add(component);
    for (const EnvironmentBody::TurnLaw& turn : body.turns) add(turn.acceleration);
  }
}

std::vector<double> LawPulses::find(double t0, double t1, double spacing, const State& state) {
  constexpr int kIntervals = 8, kMost = 64;
  constexpr double kPulse = 0.1;
  std::vector<double> times;
  const double length = (t1 - t0) / kIntervals;
  const int samples = static_cast<int>(std::clamp(std::ceil(std::abs(length) / spacing), 1.0, 1.0 * kMost));
  for (const Expression& law : laws_) {
    const auto value_at = [&](double t) { return evaluate(law, Bindings{t, state.q, state.v}, scratch_); };
    const auto bound = [&](double begin, double end) {
      return bound_over_time(law, {std::min(begin, end), std::max(begin, end)}, Bindings{begin, state.q, state.v}, bounds_);
    };
    // What only rises or only falls does not leave the range of its ends.
    const auto is_monotone = [](const Interval& rate) {
      return (rate.low >= 0 && std::isfinite(rate.high)) || (rate.high <= 0 && std::isfinite(rate.low));
    };
    if (samples == 1 || is_monotone(bound(t0, t1).rate)) continue;
    double before = value_at(t0);
    for (int j = 0; j < kIntervals; ++j) {
      const double begin = t0 + j * length, end = j + 1 == kIntervals ? t1 : begin + length, after = value_at(end);
      const double low = std::min(before, after), high = std::max(before, after);
      double farthest = 0, size = std::max(std::abs(low), std::abs(high)), at = begin;
      before = after;
      const Bounds bounds = bound(begin, end);
      const bool stays_near = bounds.value.high - high <= kPulse * size && low - bounds.value.low <= kPulse * size;
      if (stays_near || is_monotone(bounds.rate)) continue;
      for (int k = 1; k < samples; ++k) {
        const double t = begin + (end - begin) * k / samples, value = value_at(t);
        const double outside = std::max({value - high, low - value, 0.0});
        size = std::max(size, std::abs(value));
        if (outside > farthest) farthest = outside, at = t;
      }
      if (farthest > kPulse * size) {
        const double step = (end - begin) / samples;
        times.insert(times.end(), {at - step, at, at + step});
      }
    }
  }
  std::sort(times.begin(), times.end(), [&](double a, double b) { return t1 >= t0 ? a < b : a > b; });
  std::erase_if(times, [&](double t) { return (t - t0) * (t - t1) >= 0; });
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace vinculum
