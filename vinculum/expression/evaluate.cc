// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/evaluate.h"

#include <array>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

double evaluate(const Expression& expression, const Bindings& bindings, std::vector<double>& scratch) {
  if (scratch.size() < expression.steps().size()) scratch.resize(expression.steps().size());
  return evaluate_steps<double>(expression, bindings, scratch);
}

double evaluate(const Expression& expression, const Bindings& bindings) {
  std::array<double, 64> usual;  // longer ones take their scratch from the heap
  if (expression.steps().size() <= usual.size()) return evaluate_steps<double>(expression, bindings, usual);
  std::vector<double> scratch;
  return evaluate(expression, bindings, scratch);
}

}  // namespace vinculum
