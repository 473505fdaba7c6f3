// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Interval kWhole{-kInfinity, kInfinity};
constexpr double kPi = std::numbers::pi;

// What is not a number, such as 0·∞, is nothing known.
Interval known(double low, double high) { return std::isnan(low) || std::isnan(high) ? kWhole : Interval{low, high}; }

bool has_zero(const Interval& a) { return a.low <= 0 && a.high >= 0; }

Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
Interval operator+(const Interval& a, const Interval& b) { return known(a.low + b.low, a.high + b.high); }
Interval operator-(const Interval& a, const Interval& b) { return known(a.low - b.high, a.high - b.low); }

Interval operator*(const Interval& a, const Interval& b) {
  if ((a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0)) return {0, 0};
  const double products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  if (std::any_of(std::begin(products), std::end(products), [](double x) { return std::isnan(x); })) return kWhole;
  const auto [low, high] = std::minmax_element(std::begin(products), std::end(products));
  return {*low, *high};
}

Interval operator/(const Interval& a, const Interval& b) {
  if (has_zero(b)) return kWhole;
  return a * Interval{1 / b.high, 1 / b.low};
}

Interval rising(double (*function)(double), const Interval& a) { return known(function(a.low), function(a.high)); }

// sin reaches 1 at π/2 + 2πk and -1 at π/2 + (2k + 1)π.
Interval sine(const Interval& a) {
  if (!(a.high - a.low < 2 * kPi)) return {-1, 1};
  const double low = std::sin(a.low), high = std::sin(a.high);
  const auto passes = [&](double angle) {
    return std::floor((a.high - angle) / (2 * kPi)) > std::floor((a.low - angle) / (2 * kPi));
  };
  return {passes(-kPi / 2) ? -1 : std::min(low, high), passes(kPi / 2) ? 1 : std::max(low, high)};
}
Interval cosine(const Interval& a) { return sine({a.low + kPi / 2, a.high + kPi / 2}); }

Interval whole_power(const Interval& a, double exponent) {
  if (exponent < 0) return Interval{1, 1} / whole_power(a, -exponent);
  const double low = std::pow(a.low, exponent), high = std::pow(a.high, exponent);
  if (std::fmod(exponent, 2) != 0) return known(low, high);
  return has_zero(a) ? known(0, std::max(low, high)) : known(std::min(low, high), std::max(low, high));
}

Interval power(const Interval& a, double exponent) {
  if (exponent == 0) return {1, 1};
  if (std::trunc(exponent) == exponent) return whole_power(a, exponent);
  if (!(a.high >= 0)) return kWhole;
  const double low = std::pow(std::max(a.low, 0.0), exponent), high = std::pow(a.high, exponent);
  return known(std::min(low, high), std::max(low, high));
}

Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Bounds negated(const Bounds& a) { return {-a.value, -a.rate}; }

Bounds smaller(const Bounds& a, const Bounds& b) {
  if (a.value.high <= b.value.low) return a;
  if (b.value.high <= a.value.low) return b;
  return {{std::min(a.value.low, b.value.low), std::min(a.value.high, b.value.high)}, hull(a.rate, b.rate)};
}

// The angle of a rectangle is least and largest at corners, if it does not come near to the jump.
Bounds angle(const Bounds& of_y, const Bounds& of_x) {
  const auto& [y, dy] = of_y;
  const auto& [x, dx] = of_x;
  if (x.low <= 0 && has_zero(y)) return {{-kPi, kPi}, kWhole};
  const double corners[] = {std::atan2(y.low, x.low), std::atan2(y.low, x.high), std::atan2(y.high, x.low),
                            std::atan2(y.high, x.high)};
  if (std::any_of(std::begin(corners), std::end(corners), [](double a) { return std::isnan(a); })) return {{-kPi, kPi}, kWhole};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  return {{*low, *high}, (x * dy - y * dx) / (power(x, 2) + power(y, 2))};
}

Interval logarithm(const Interval& a) { return a.high >= 0 ? known(std::log(std::max(a.low, 0.0)), std::log(a.high)) : kWhole; }

}  // namespace

Bounds bound_step(const Step& step, const Bounds& a, const Bounds& b, const Bounds& c) {
  const Interval &x = a.value, &dx = a.rate, &y = b.value, &dy = b.rate;
  switch (step.operation) {
    case Operation::negate: return {-x, -dx};
    case Operation::add: return {x + y, dx + dy};
    case Operation::subtract: return {x - y, dx - dy};
    case Operation::multiply:
      // A square is not the product of two numbers that know nothing of each other.
      if (step.left == step.right) return {power(x, 2), Interval{2, 2} * x * dx};
      return {x * y, dx * y + x * dy};
    case Operation::divide: return {x / y, (dx - (x / y) * dy) / y};
    case Operation::power:
      if (y.low == y.high) return {power(x, y.low), Interval{y.low, y.low} * power(x, y.low - 1) * dx};
      {
        const Interval exponent = y * logarithm(x), z = rising(std::exp, exponent);
        return {z, z * (dy * logarithm(x) + y * dx / x)};
      }
    case Operation::sin: return {sine(x), cosine(x) * dx};
    case Operation::cos: return {cosine(x), -sine(x) * dx};
    case Operation::tan: {
      const Interval cos_x = cosine(x);
      if (has_zero(cos_x)) return {kWhole, kWhole};
      const Interval z = known(std::tan(x.low), std::tan(x.high));
      return {z, dx / power(cos_x, 2)};
    }
    case Operation::sqrt: {
      if (!(x.high >= 0)) return {kWhole, kWhole};
      const Interval z = known(std::sqrt(std::max(x.low, 0.0)), std::sqrt(x.high));
      return {z, dx / (Interval{2, 2} * z)};
    }
    case Operation::exp: {
      const Interval z = rising(std::exp, x);
      return {z, z * dx};
    }
    case Operation::log: return {logarithm(x), dx / x};
    case Operation::abs:
      if (x.low >= 0) return a;
      if (x.high <= 0) return {-x, -dx};
      return {{0, std::max(-x.low, x.high)}, {std::min(dx.low, -dx.high), std::max(-dx.low, dx.high)}};
    case Operation::sign: return {{sign(x.low), sign(x.high)}, sign(x.low) == sign(x.high) ? Interval{0, 0} : kWhole};
    case Operation::tanh: {
      const Interval z = rising(std::tanh, x);
      return {z, (Interval{1, 1} - power(z, 2)) * dx};
    }
    case Operation::floor: return {rising(std::floor, x), std::floor(x.low) == std::floor(x.high) ? Interval{0, 0} : kWhole};
    case Operation::min: return smaller(a, b);
    case Operation::max: return negated(smaller(negated(a), negated(b)));
    case Operation::atan2: return angle(a, b);
    case Operation::choose:
      if (x.low > 0) return b;
      if (x.high <= 0) return c;
      return {hull(y, c.value), kWhole};
    case Operation::table: {
      const auto bounded = [&](int order) {
        const auto [low, high] = step.table->values.bound(x.low, x.high, order);
        return Interval{low, high};
      };
      return {bounded(step.order), bounded(step.order + 1) * dx};
    }
    case Operation::constant:
    case Operation::parameter:
    case Operation::variable: break;
  }
  return a;
}

Bounds bound_over_time(const Expression& expression, Interval time, const Bindings& at, std::vector<Bounds>& scratch) {
  const std::span<const Step> steps = expression.steps();
  if (scratch.size() < steps.size()) scratch.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const auto still = [](double x) { return Bounds{{x, x}, {0, 0}}; };
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      scratch[i] = still(step.value);
    } else if (step.operation == Operation::variable) {
      scratch[i] = step.variable.kind == VariableKind::time ? Bounds{time, {1, 1}} : still(bound_value(step.variable, at));
    } else {
      scratch[i] = bound_step(step, scratch[step.left], scratch[step.right < 0 ? step.left : step.right],
                              scratch[step.third < 0 ? step.left : step.third]);
    }
  }
  return scratch[steps.size() - 1];
}

Interval bound_everywhere(const Expression& expression) {
  const std::span<const Step> steps = expression.steps();
  std::vector<Bounds> bounds(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      bounds[i] = {{step.value, step.value}, {0, 0}};
    } else if (step.operation == Operation::variable) {
      bounds[i] = {kWhole, kWhole};
    } else {
      bounds[i] = bound_step(step, bounds[step.left], bounds[step.right < 0 ? step.left : step.right],
                             bounds[step.third < 0 ? step.left : step.third]);
    }
  }
  return bounds.back().value;
}

}  // namespace vinculum
