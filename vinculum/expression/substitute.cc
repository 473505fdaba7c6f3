// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/substitute.h"

#include <algorithm>
#include <vector>

namespace vinculum {

Expression substitute(const Expression& formula, const std::function<std::optional<Expression>(const Variable&)>& formula_of) {
  Expression::Builder builder;
  std::vector<int> handles;
  for (const Step& step : formula.steps()) {
    switch (step.operation) {
      case Operation::constant: handles.push_back(builder.constant(step.value)); break;
      case Operation::parameter: handles.push_back(builder.parameter(formula.name(step.name), step.value)); break;
      case Operation::variable: {
        const std::optional<Expression> known = formula_of(step.variable);
        handles.push_back(known ? builder.include(*known) : builder.variable(step.variable, formula.name(step.name)));
        break;
      }
      case Operation::table: {
        const auto& tables = formula.tables();
        const auto own = std::ranges::find_if(tables, [&](const auto& table) { return table.get() == step.table; });
        handles.push_back(builder.table(*own, step.order, handles[step.left]));
        break;
      }
      default:
        handles.push_back(step.right < 0   ? builder.unary(step.operation, handles[step.left])
                          : step.third < 0 ? builder.binary(step.operation, handles[step.left], handles[step.right])
                                           : builder.choose(handles[step.left], handles[step.right], handles[step.third]));
    }
  }
  return builder.build(handles.back());
}

}  // namespace vinculum
