// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/series_on_branch.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constrained/constrained_series.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/find_zero.h"
#include "vinculum/math/polynomial.h"
#include "vinculum/math/scalar.h"
#include "vinculum/series/series_laws.h"
#include "vinculum/series/switch_series.h"

namespace vinculum {

namespace {

// Of one switch, in s.
std::vector<double> polynomial_of(std::span<const double> switches, int count, int number) {
  std::vector<double> polynomial;
  for (std::size_t i = number; i < switches.size(); i += count) polynomial.push_back(switches[i]);
  return polynomial;
}

// The side a motion goes to that begins on a switch: that of its first change.
double side_ahead(std::span<const double> polynomial) {
  const auto first = std::find_if(polynomial.begin() + 1, polynomial.end(), [](double c) { return c != 0; });
  return first == polynomial.end() ? 0 : sign(*first);
}

// How far a polynomial that stands for a series can be seen along: to where its last two terms are a thousandth of all; one that
// ends, to beyond its last zero.
double reach_of(std::span<const double> polynomial, double radius) {
  constexpr double kSeen = 1e-3, kShorter = 0.9, kBeyond = 1.01;
  std::size_t degree = polynomial.size() - 1;
  while (degree > 0 && polynomial[degree] == 0) --degree;
  if (degree == 0) return radius;
  if (degree + 2 < polynomial.size()) {
    double largest = 0;  // Cauchy's bound of all zeros
    for (std::size_t n = 0; n < degree; ++n) largest = std::max(largest, std::abs(polynomial[n] / polynomial[degree]));
    return std::min(radius, kBeyond * (1 + largest));
  }
  const auto is_seen = [&](double way) {
    double size = 0, power = 1, last = 0, before_last = 0;
    for (double c : polynomial) {
      before_last = std::exchange(last, std::abs(c) * power);
      size += last;
      power *= way;
    }
    return last + before_last <= kSeen * size;
  };
  double reach = std::isfinite(radius) ? radius : 1e6;
  while (reach > 0 && !is_seen(reach)) reach *= kShorter;
  return reach;
}

// The first zero on the way to `reach`.
std::optional<double> find_first_zero(std::span<const double> polynomial, double reach) {
  std::vector<double> scaled(polynomial.begin(), polynomial.end());
  double power = 1, size = 0;
  for (double& c : scaled) {
    c *= power;
    size += std::abs(c);
    power *= reach;
  }
  if (!std::isfinite(size) || size == 0) return std::nullopt;
  constexpr double kNoise = 1e-14;
  for (const RootInterval& root : isolate_roots(scaled, kNoise * size)) {
    if (root.touch) continue;
    return reach * find_zero([&](double x) { return evaluate_polynomial(scaled, x); }, root.low, root.value_low, root.high,
                             root.value_high);
  }
  return std::nullopt;
}

// Of floor and a table the number of the piece, of the others the side.
double side_to_tell(const LawJumps& jumps, int number, double side, const Bindings& at) {
  return find_branch_piece(jumps.law(number), jumps.kink(number), side, at).value_or(side);
}

}  // namespace

Outcome<MotionCoefficients> compute_series_on_branch(const ConstraintSet& set, const State& state, int order) {
  Model held = set.model;
  LawJumps jumps(held, HeldAt::kinks);
  const ConstraintSet held_set(held, state);
  const Bindings at{state.t, state.q, state.v};
  const int count = jumps.count();
  std::vector<double> values(count), sides(count);
  jumps.hold(sides, at);
  jumps.evaluate(at, values);
  for (int k = 0; k < count; ++k) {
    sides[k] = values[k] != 0 ? sign(values[k]) : jumps.side_on_switch(k, at);
    if (sides[k] == 0) sides[k] = 1;
  }
  const auto slides = [&](int k) {
    return Failure{"VN-RUN-110", fmt::format("the state lies on a jump of {} and leaves it to neither side", jumps.describe(k)),
                   "there the law gives no motion to be continued as a series: take a state beside it, or a smooth law"};
  };

  // Those on a zero go where the motion takes them, which may depend on the side they were taken to be on.
  for (int pass = 0;; ++pass) {
    jumps.hold(sides, at);
    if (auto refusal = check_analytic(held)) return *refusal;
    auto found = compute_motion_coefficients(held_set, state, order);
    if (!found) return found;
    std::vector<double> motion;
    for (int n = 0; n <= order; ++n) {
      for (const auto* part : {&found->q, &found->v}) {
        for (const std::vector<double>& series : *part) motion.push_back(series[n]);
      }
    }
    SwitchSeries series(held, jumps, order);
    const std::span<const double> along = series.compute(state.t, motion, static_cast<int>(found->q.size() + found->v.size()));
    bool changed = false;
    for (int k = 0; k < count; ++k) {
      if (values[k] != 0) continue;
      const double ahead = side_ahead(polynomial_of(along, count, k));
      if (ahead == 0 && jumps.side_on_switch(k, at) == 0) return slides(k);
      if (ahead == 0 || ahead == sides[k]) continue;
      if (pass > 0 && jumps.is_jump(k)) return slides(k);
      sides[k] = ahead;
      changed = true;
    }
    if (changed && pass == 0) continue;

    found->seen = found->radius;
    for (int k = 0; k < count; ++k) {
      const std::vector<double> polynomial = polynomial_of(along, count, k);
      const double reach = reach_of(polynomial, found->radius);
      found->seen = std::min(found->seen, reach);
      const std::string branch = jumps.describe_side(k, side_to_tell(jumps, k, sides[k], at));
      if (std::find(found->branches.begin(), found->branches.end(), branch) == found->branches.end())
        found->branches.push_back(branch);
      const auto zero = find_first_zero(polynomial, reach);
      if (zero && (!found->kink || *zero < found->kink->s)) found->kink = MotionCoefficients::Kink{*zero, jumps.describe(k)};
    }
    if (found->kink) found->radius = std::min(found->radius, found->kink->s);
    return found;
  }
}

}  // namespace vinculum
