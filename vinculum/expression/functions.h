// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vinculum/expression/expression.h"

namespace vinculum {

// The functions of the language, with the number of their arguments (0: any); if(A < B, X, Y) is choose, and so is step(x), 1
// where x ≥ 0, else 0. norm(a, b, ..) = √(a² + b² + ..); distance(P, Q) is that of two points. The inverse circular functions are
// angles of points, all by atan2:
//   atan x = atan2(x, 1) ,  asin x = atan2(x, r) ,  acos x = atan2(r, x) ,  r = √((1 - x)(1 + x))
struct FunctionWord {
  std::string_view name;
  Operation operation;
  int arguments;
};
inline constexpr FunctionWord kFunctions[] = {
    {"sin", Operation::sin, 1},     {"cos", Operation::cos, 1},     {"tan", Operation::tan, 1},
    {"sqrt", Operation::sqrt, 1},   {"exp", Operation::exp, 1},     {"log", Operation::log, 1},
    {"abs", Operation::abs, 1},     {"sign", Operation::sign, 1},   {"min", Operation::min, 2},
    {"max", Operation::max, 2},     {"tanh", Operation::tanh, 1},   {"floor", Operation::floor, 1},
    {"if", Operation::choose, 3},   {"atan2", Operation::atan2, 2}, {"asin", Operation::atan2, 1},
    {"acos", Operation::atan2, 1},  {"atan", Operation::atan2, 1},  {"table", Operation::table, 2},
    {"step", Operation::choose, 1}, {"norm", Operation::sqrt, 0},   {"distance", Operation::sqrt, 2},
};

constexpr std::string_view function_name(Operation operation) {
  for (const FunctionWord& function : kFunctions) {
    if (function.operation == operation) return function.name;
  }
  return {};
}

// The step of atan2 as one of the others, where it is one: its name and the step of its argument.
struct InverseFunction {
  std::string_view name;
  int argument = -1;
};
std::optional<InverseFunction> find_inverse(std::span<const Step> steps, const Step& step);

// The function at which a formula that is not analytic has its first kink or jump: abs.
inline std::string_view kink_name(const Expression& expression) {
  for (const int kink : expression.kinks()) {
    if (expression.steps()[kink].value == 0) return function_name(expression.steps()[kink].operation);
  }
  return {};
}

}  // namespace vinculum
