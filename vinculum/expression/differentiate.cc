// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/differentiate.h"

#include <algorithm>
#include <vector>

namespace vinculum {

// One sweep in the order of the steps: the derivative of y = f(a, b) from those of a and b.
// Each rule adds a bounded number of steps, so the derivative is as long as the expression up to a factor, whatever it shares.
Expression differentiate(const Expression& expression, Variable variable) {
  Expression::Builder builder;
  const std::vector<int> handles = builder.include_steps(expression);
  const int zero = builder.constant(0), one = builder.constant(1), two = builder.constant(2);
  const auto negate = [&](int a) { return builder.unary(Operation::negate, a); };
  const auto add = [&](int a, int b) { return builder.binary(Operation::add, a, b); };
  const auto subtract = [&](int a, int b) { return builder.binary(Operation::subtract, a, b); };
  const auto multiply = [&](int a, int b) { return builder.binary(Operation::multiply, a, b); };
  const auto divide = [&](int a, int b) { return builder.binary(Operation::divide, a, b); };
  const auto power = [&](int a, int b) { return builder.binary(Operation::power, a, b); };

  std::vector<int> derivatives;
  derivatives.reserve(handles.size());
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const Step& step = expression.steps()[i];
    const int y = handles[i];
    const int a = step.left < 0 ? zero : handles[step.left], da = step.left < 0 ? zero : derivatives[step.left];
    const int b = step.right < 0 ? zero : handles[step.right], db = step.right < 0 ? zero : derivatives[step.right];
    const int dc = step.third < 0 ? zero : derivatives[step.third];

    const auto derivative = [&]() -> int {
      if (step.operation == Operation::variable) return step.variable == variable ? one : zero;
      if (da == zero && db == zero && dc == zero) return zero;
      switch (step.operation) {
        case Operation::negate: return negate(da);
        case Operation::add: return add(da, db);
        case Operation::subtract: return subtract(da, db);
        case Operation::multiply: return add(multiply(da, b), multiply(a, db));
        case Operation::divide: return divide(subtract(da, multiply(y, db)), b);
        case Operation::power: {
          // b a^(b-1) a' + y log(a) b': no logarithm unless the exponent varies, no negative power of a where the exponent is 0.
          const bool is_power_of_base = da != zero && builder.known_value(b) != 0.0;
          const int by_base = is_power_of_base ? multiply(multiply(b, da), power(a, subtract(b, one))) : zero;
          return db == zero ? by_base : add(by_base, multiply(multiply(db, y), builder.unary(Operation::log, a)));
        }
        case Operation::sin: return multiply(da, builder.unary(Operation::cos, a));
        case Operation::cos: return negate(multiply(da, builder.unary(Operation::sin, a)));
        case Operation::tan: return multiply(da, add(one, power(y, two)));
        case Operation::sqrt: return divide(da, multiply(two, y));
        case Operation::exp: return multiply(da, y);
        case Operation::log: return divide(da, a);
        case Operation::abs: return multiply(da, builder.unary(Operation::sign, a));
        case Operation::tanh: return multiply(da, subtract(one, power(y, two)));
        case Operation::min: return builder.choose(subtract(b, a), da, db);
        case Operation::max: return builder.choose(subtract(a, b), da, db);
        case Operation::atan2: return divide(subtract(multiply(da, b), multiply(a, db)), add(power(a, two), power(b, two)));
        case Operation::choose: return builder.choose(a, db, dc);
        case Operation::table: {
          const auto is_this = [&](const auto& function) { return function.get() == step.table; };
          const auto& known = expression.tables();
          return multiply(da, builder.table(*std::find_if(known.begin(), known.end(), is_this), step.order + 1, a));
        }
        case Operation::floor:
        case Operation::sign:
        case Operation::constant:
        case Operation::parameter:
        case Operation::variable: break;
      }
      return zero;
    };
    derivatives.push_back(derivative());
  }
  return builder.build(derivatives.back());
}

}  // namespace vinculum
