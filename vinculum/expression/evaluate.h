// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/expression/expression.h"

namespace vinculum {

// Where an expression finds its variables.
template <class Scalar>
struct BindingsOf {
  Scalar time{};
  std::span<const Scalar> q{};
  std::span<const Scalar> v{};
  Scalar surface_x{};
  Scalar surface_y{};
  std::span<const Scalar> quantities{};
};

using Bindings = BindingsOf<double>;

// The value on double. `scratch` is grown once and then reused: no allocation in a step. The value may be infinite or NaN where
// the formula has none (log of a negative number): callers that hand it on must check.
double evaluate(const Expression& expression, const Bindings& bindings, std::vector<double>& scratch);
double evaluate(const Expression& expression, const Bindings& bindings);

}  // namespace vinculum
