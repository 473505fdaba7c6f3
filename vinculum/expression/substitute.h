// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "vinculum/expression/expression.h"

namespace vinculum {

// A formula with some of its variables replaced by what they are; those without a formula of their own stay.
Expression substitute(const Expression& formula, const std::function<std::optional<Expression>(const Variable&)>& formula_of);

}  // namespace vinculum
