// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/expression/expression.h"

namespace vinculum {

// ∂ expression / ∂ variable, exact. abs' = sign; sign' = 0.
Expression differentiate(const Expression& expression, Variable variable);

inline Expression differentiate_by_time(const Expression& expression) {
  return differentiate(expression, {VariableKind::time, 0});
}

}  // namespace vinculum
