// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cmath>
#include <numbers>
#include <span>

#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/table_function.h"
#include "vinculum/math/piecewise_kernel.h"
#include "vinculum/math/sincos.h"

namespace vinculum {
inline namespace VINCULUM_REGISTERS {

// Above this a whole exponent is left to pow: the round-off of repeated multiplication grows with the exponent.
inline constexpr double kLargestRepeatedPower = 1024;

// base^exponent by repeated multiplication, from the leading bit of the exponent down: x^2 = x x and x^3 = x x x on every scalar,
// whatever the sign of x.
template <class Scalar>
Scalar whole_power(const Scalar& base, int exponent) {
  if (exponent == 0) return lift<Scalar>(1);
  if (exponent < 0) return lift<Scalar>(1) / whole_power(base, -exponent);
  int bit = 1;
  while (bit <= exponent / 2) bit *= 2;
  Scalar result = base;
  while (bit /= 2) {
    result = result * result;
    if (exponent & bit) result = result * base;
  }
  return result;
}

// One operation on its operands; the functions of other scalars than double are found beside their type.
template <class Scalar>
Scalar apply_step(const Step& step, const Scalar& left, const Scalar& right, const Scalar& third) {
  using std::abs, std::atan2, std::exp, std::floor, std::log, std::pow, std::sqrt, std::tanh;
  using vinculum::choose, vinculum::max, vinculum::min, vinculum::sign, vinculum::sincos;
  switch (step.operation) {
    case Operation::negate: return -left;
    case Operation::add: return left + right;
    case Operation::subtract: return left - right;
    case Operation::multiply: return left * right;
    case Operation::divide: return left / right;
    case Operation::power:
      if (std::trunc(step.value) == step.value && std::abs(step.value) <= kLargestRepeatedPower) {
        return whole_power(left, static_cast<int>(step.value));
      }
      return pow(left, right);
    case Operation::sin: return sincos(left).sin;
    case Operation::cos: return sincos(left).cos;
    case Operation::tan: {
      const auto [s, c] = sincos(left);
      return s / c;
    }
    case Operation::sqrt: return sqrt(left);
    case Operation::exp: return exp(left);
    case Operation::log: return log(left);
    case Operation::abs: return abs(left);
    case Operation::sign: return sign(left);
    case Operation::tanh: return tanh(left);
    case Operation::floor: return floor(left);
    case Operation::min: return min(left, right);
    case Operation::max: return max(left, right);
    case Operation::atan2: return atan2(left, right);
    case Operation::choose: return choose(left, right, third);
    case Operation::table: return evaluate_piecewise(step.table->values, left, step.order);
    case Operation::constant:
    case Operation::parameter:
    case Operation::variable: break;
  }
  assert(false && "a leaf has no operands");
  return left;
}

template <class Scalar>
Scalar bound_value(Variable variable, const BindingsOf<Scalar>& bindings) {
  switch (variable.kind) {
    case VariableKind::time: return bindings.time;
    case VariableKind::coordinate: return bindings.q[variable.index];
    case VariableKind::velocity: return bindings.v[variable.index];
    case VariableKind::surface_x: return bindings.surface_x;
    case VariableKind::surface_y: return bindings.surface_y;
    case VariableKind::quantity: break;
  }
  return bindings.quantities[variable.index];
}

// The value on any scalar; `scratch` has room for every step.
template <class Scalar>
Scalar evaluate_steps(const Expression& expression, const BindingsOf<Scalar>& bindings, std::span<Scalar> scratch) {
  const std::span<const Step> steps = expression.steps();
  assert(scratch.size() >= steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    switch (step.operation) {
      case Operation::constant:
      case Operation::parameter: scratch[i] = lift<Scalar>(step.value); break;
      case Operation::variable: scratch[i] = bound_value(step.variable, bindings); break;
      default:
        scratch[i] = apply_step(step, scratch[step.left], scratch[step.right < 0 ? step.left : step.right],
                                scratch[step.third < 0 ? step.left : step.third]);
    }
  }
  return scratch[steps.size() - 1];
}

}  // namespace VINCULUM_REGISTERS
}  // namespace vinculum
