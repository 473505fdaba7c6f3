// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

namespace {

constexpr double kPi = std::numbers::pi;

Interval rising(double (*function)(double), const Interval& a) { return known(function(a.low), function(a.high)); }

Interval whole_power(const Interval& a, double exponent) {
  if (exponent < 0) return Interval{1, 1} / whole_power(a, -exponent);
  const double low = std::pow(a.low, exponent), high = std::pow(a.high, exponent);
  if (std::fmod(exponent, 2) != 0) return known(low, high);
  return has_zero(a) ? known(0, std::max(low, high)) : known(std::min(low, high), std::max(low, high));
}

Interval power(const Interval& a, double exponent) {
  if (exponent == 0) return {1, 1};
  if (std::trunc(exponent) == exponent) return whole_power(a, exponent);
  if (!(a.high >= 0)) return kAllNumbers;
  const double low = std::pow(std::max(a.low, 0.0), exponent), high = std::pow(a.high, exponent);
  return known(std::min(low, high), std::max(low, high));
}

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
  if (x.low <= 0 && has_zero(y)) return {{-kPi, kPi}, kAllNumbers};
  const double corners[] = {std::atan2(y.low, x.low), std::atan2(y.low, x.high), std::atan2(y.high, x.low),
                            std::atan2(y.high, x.high)};
  if (std::any_of(std::begin(corners), std::end(corners), [](double a) { return std::isnan(a); }))
    return {{-kPi, kPi}, kAllNumbers};
  const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
  return {{*low, *high}, (x * dy - y * dx) / (power(x, 2) + power(y, 2))};
}

Interval logarithm(const Interval& a) {
  return a.high >= 0 ? known(std::log(std::max(a.low, 0.0)), std::log(a.high)) : kAllNumbers;
}

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
      if (has_zero(cos_x)) return {kAllNumbers, kAllNumbers};
      const Interval z = known(std::tan(x.low), std::tan(x.high));
      return {z, dx / power(cos_x, 2)};
    }
    case Operation::sqrt: {
      if (!(x.high >= 0)) return {kAllNumbers, kAllNumbers};
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
    case Operation::sign: return {{sign(x.low), sign(x.high)}, sign(x.low) == sign(x.high) ? Interval{0, 0} : kAllNumbers};
    case Operation::tanh: {
      const Interval z = rising(std::tanh, x);
      return {z, (Interval{1, 1} - power(z, 2)) * dx};
    }
    case Operation::floor: return {rising(std::floor, x), std::floor(x.low) == std::floor(x.high) ? Interval{0, 0} : kAllNumbers};
    case Operation::min: return smaller(a, b);
    case Operation::max: return negated(smaller(negated(a), negated(b)));
    case Operation::atan2: return angle(a, b);
    case Operation::choose:
      if (x.low > 0) return b;
      if (x.high <= 0) return c;
      return {hull(y, c.value), kAllNumbers};
    case Operation::table: {
      const auto bounded = [&](int order) {
        const auto [low, high] = step.table->values.bound(x.low, x.high, order);
        return Interval{low, high};
      };
      // A slope that jumps at a break has no bounded rate across it.
      const PiecewisePolynomial& values = step.table->values;
      const bool jumps = step.order > values.smoothness && values.find(x.low) != values.find(x.high);
      return {bounded(step.order), jumps ? kAllNumbers : bounded(step.order + 1) * dx};
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

namespace {

// A step that has no value for any of these operands.
bool has_no_value(const Step& step, const Interval& x) {
  switch (step.operation) {
    case Operation::sqrt: return x.high < 0;
    case Operation::log: return x.high <= 0;
    case Operation::power: return std::trunc(step.value) != step.value && x.high < 0;
    case Operation::table: {
      const PiecewisePolynomial& values = step.table->values;
      const int piece = values.find(x.low);
      return piece == values.find(x.high) && std::isnan(values.pieces[piece].c[0]);
    }
    default: return false;
  }
}

}  // namespace

std::optional<PlaceBounds> bound_over_place(const Expression& expression, const Interval& x, const Interval& y) {
  constexpr Interval kNone{0, 0};
  constexpr std::size_t kUsual = 128;  // longer formulas take their scratch from the heap
  const std::span<const Step> steps = expression.steps();
  std::array<PlaceBounds, kUsual> usual;
  std::vector<PlaceBounds> longer(steps.size() > kUsual ? steps.size() : 0);
  PlaceBounds* const at = longer.empty() ? usual.data() : longer.data();
  const auto is_none = [](const Interval& a) { return a.low == 0 && a.high == 0; };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      at[i] = {{step.value, step.value}, kNone, kNone};
      continue;
    }
    if (step.operation == Operation::variable) {
      const bool is_x = step.variable.kind == VariableKind::surface_x, is_y = step.variable.kind == VariableKind::surface_y;
      at[i] = {is_x ? x : is_y ? y : kAllNumbers, {1.0 * is_x, 1.0 * is_x}, {1.0 * is_y, 1.0 * is_y}};
      continue;
    }
    const PlaceBounds &a = at[step.left], &b = at[step.right < 0 ? step.left : step.right],
                      &c = at[step.third < 0 ? step.left : step.third];
    if (has_no_value(step, a.value)) return std::nullopt;
    const auto bound_along = [&](const Interval PlaceBounds::*rate) {
      return bound_step(step, {a.value, a.*rate}, {b.value, b.*rate}, {c.value, c.*rate});
    };
    const auto changes_along = [&](const Interval PlaceBounds::*rate) {
      return !is_none(a.*rate) || !is_none(b.*rate) || !is_none(c.*rate);
    };
    const bool along_x = changes_along(&PlaceBounds::by_x), along_y = changes_along(&PlaceBounds::by_y);
    const Bounds first = bound_along(along_x || !along_y ? &PlaceBounds::by_x : &PlaceBounds::by_y);
    at[i] = {first.value, along_x ? first.rate : kNone, kNone};
    if (along_y) at[i].by_y = along_x ? bound_along(&PlaceBounds::by_y).rate : first.rate;
  }
  return at[steps.size() - 1];
}

Interval bound_everywhere(const Expression& expression) {
  const std::span<const Step> steps = expression.steps();
  std::vector<Bounds> bounds(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      bounds[i] = {{step.value, step.value}, {0, 0}};
    } else if (step.operation == Operation::variable) {
      bounds[i] = {kAllNumbers, kAllNumbers};
    } else {
      bounds[i] = bound_step(step, bounds[step.left], bounds[step.right < 0 ? step.left : step.right],
                             bounds[step.third < 0 ? step.left : step.third]);
    }
  }
  return bounds.back().value;
}

}  // namespace vinculum
