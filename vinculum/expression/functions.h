// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "vinculum/expression/expression.h"

namespace vinculum {

// The functions of the language; if(A < B, X, Y) is choose.
struct FunctionWord {
  std::string_view name;
  Operation operation;
  int arguments;
};
inline constexpr FunctionWord kFunctions[] = {
    {"sin", Operation::sin, 1},   {"cos", Operation::cos, 1}, {"tan", Operation::tan, 1},   {"sqrt", Operation::sqrt, 1},
    {"exp", Operation::exp, 1},   {"log", Operation::log, 1}, {"abs", Operation::abs, 1},   {"sign", Operation::sign, 1},
    {"min", Operation::min, 2},   {"max", Operation::max, 2}, {"tanh", Operation::tanh, 1}, {"floor", Operation::floor, 1},
    {"if", Operation::choose, 3},
};

constexpr std::string_view function_name(Operation operation) {
  for (const FunctionWord& function : kFunctions) {
    if (function.operation == operation) return function.name;
  }
  return {};
}

// The function at which a formula that is not analytic has its first kink or jump: abs.
inline std::string_view kink_name(const Expression& expression) {
  for (const int kink : expression.kinks()) {
    if (expression.steps()[kink].value == 0) return function_name(expression.steps()[kink].operation);
  }
  return {};
}

}  // namespace vinculum
