// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/period.h"

#include <cmath>
#include <vector>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

namespace {

// What is known of a step as a function of x.
struct Shape {
  enum class Kind { constant, linear, repeating, other } kind = Kind::other;
  double number = 0;   // constant: its value; linear: its slope; repeating: its rate
  bool waves = false;  // something in it goes up and down, or jumps, without end
};
using Kind = Shape::Kind;

// The rate of which both are whole multiples, if they are small ones.
std::optional<double> common_rate(double a, double b) {
  constexpr int kMost = 24;
  for (int multiple = 1; multiple <= kMost; ++multiple) {
    const double other = multiple * b / a, whole = std::nearbyint(other);
    if (whole >= 1 && whole <= kMost && std::abs(other - whole) < 1e-14 * whole) return a / multiple;
  }
  return std::nullopt;
}

Shape shape_of(const Step& step, const Shape& a, const Shape& b, const Shape& c) {
  const bool all_constant = a.kind == Kind::constant && b.kind == Kind::constant && c.kind == Kind::constant;
  if (all_constant) return {Kind::constant, apply_step(step, a.number, b.number, c.number)};
  const bool waves = a.waves || b.waves || c.waves;
  const auto slope = [](const Shape& part) { return part.kind == Kind::linear ? part.number : 0; };
  const auto is_straight = [](const Shape& part) { return part.kind == Kind::linear || part.kind == Kind::constant; };
  switch (step.operation) {
    case Operation::negate:
      if (a.kind == Kind::linear) return {Kind::linear, -a.number};
      break;
    case Operation::add:
    case Operation::subtract:
      if (is_straight(a) && is_straight(b))
        return {Kind::linear, slope(a) + (step.operation == Operation::add ? slope(b) : -slope(b))};
      break;
    case Operation::multiply:
      if (a.kind == Kind::constant && b.kind == Kind::linear) return {Kind::linear, a.number * b.number};
      if (b.kind == Kind::constant && a.kind == Kind::linear) return {Kind::linear, a.number * b.number};
      break;
    case Operation::divide:
      if (b.kind == Kind::constant && a.kind == Kind::linear) return {Kind::linear, a.number / b.number};
      break;
    case Operation::sin:
    case Operation::cos:
      if (a.kind == Kind::linear && a.number != 0) return {Kind::repeating, std::abs(a.number), true};
      if (a.kind != Kind::repeating) return {Kind::other, 0, true};
      break;
    case Operation::tan:
    case Operation::floor:
    case Operation::table:
      if (a.kind != Kind::repeating) return {Kind::other, 0, true};
      break;
    default: break;
  }
  double rate = 0;
  for (const Shape* part : {&a, &b, &c}) {
    if (part->kind == Kind::constant) continue;
    const auto both = part->kind != Kind::repeating ? std::nullopt
                      : rate == 0                   ? std::optional(part->number)
                                                    : common_rate(rate, part->number);
    if (!both) return {Kind::other, 0, waves};
    rate = *both;
  }
  return {Kind::repeating, rate, true};
}

}  // namespace

std::optional<double> find_repetition(const Expression& formula, Variable x) {
  std::vector<Shape> shapes;
  for (const Step& step : formula.steps()) {
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      shapes.push_back({Kind::constant, step.value});
    } else if (step.operation == Operation::variable) {
      shapes.push_back(step.variable == x ? Shape{Kind::linear, 1} : Shape{Kind::other, 0});
    } else {
      const Shape& a = shapes[step.left];
      shapes.push_back(shape_of(step, a, step.right < 0 ? a : shapes[step.right], step.third < 0 ? a : shapes[step.third]));
    }
  }
  const Shape& whole = shapes.back();
  if (whole.kind == Kind::repeating) return whole.number;
  return whole.waves ? std::nullopt : std::optional(0.0);
}

}  // namespace vinculum
