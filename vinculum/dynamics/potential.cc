// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/potential.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "vinculum/expression/formula_bounds.h"
#include "vinculum/math/find_zero.h"
#include "vinculum/math/quadrature.h"

namespace vinculum {

namespace {

// Where a law has a kink or a jump between two ends: zeros of the switches of abs, sign and the like, in order. Each is looked
// for between 256 points.
std::vector<double> find_kinks(const Expression& law, const std::function<double(double)>& evaluate_at, double begin, double end,
                               const std::vector<double>& steps) {
  constexpr int kIntervals = 256;
  std::vector<double> kinks;
  if (law.is_analytic() || begin == end) return kinks;
  for (const int kink : law.kinks()) {
    const auto argument = [&](double x) {
      evaluate_at(x);
      return law.switch_value(kink, steps);
    };
    double before = begin, value_before = argument(begin);
    for (int k = 1; k <= kIntervals; ++k) {
      const double x = k == kIntervals ? end : begin + (end - begin) * k / kIntervals, value = argument(x);
      if (value_before * value < 0) kinks.push_back(find_zero(argument, before, value_before, x, value));
      if (value == 0) kinks.push_back(x);
      before = x, value_before = value;
    }
  }
  std::sort(kinks.begin(), kinks.end(), [&](double a, double b) { return std::abs(a - begin) < std::abs(b - begin); });
  return kinks;
}

}  // namespace

double integrate_law(const Expression& law, const std::function<double(double)>& evaluate_at, double from, double to,
                     const std::vector<double>& steps) {
  std::optional<FormulaBounds> bounds;  // points integrate polynomials exactly
  if (polynomial_degree(law) < 0 && law.variables().size() == 1) bounds.emplace(law);
  const auto bound_between = [&](double a, double b) {
    const double ends[] = {a, b}, radius[] = {0};
    const Bounds found = bounds->bound({1, b - a, ends, radius});
    return FunctionBounds{found.value, found.rate};
  };
  return integrate_function(evaluate_at, from, to, find_kinks(law, evaluate_at, from, to, steps),
                            bounds ? BoundsBetween(bound_between) : nullptr);
}

double integrate_from_zero(const Expression& law, double rate, const std::function<double(double)>& evaluate_at, double to,
                           const std::vector<double>& steps) {
  const auto integrate_to = [&](double end) { return integrate_law(law, evaluate_at, 0, end, steps); };
  constexpr double kTurn = 2 * std::numbers::pi, kRestOfTurn = 2.4492935982947064e-16, kFewTurns = 4;
  const double turns = std::nearbyint(to * rate / kTurn);
  if (std::abs(turns) <= kFewTurns) return integrate_to(to);
  const double rest = std::fma(-turns, kTurn, to * rate) - turns * kRestOfTurn;
  return turns * integrate_to(kTurn / rate) + integrate_to(rest / rate);
}

}  // namespace vinculum
