// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vinculum/expression/expression.h"

namespace vinculum {

// How a formula of one variable x repeats: the largest rate w > 0 such that x enters only as the sine or cosine of whole
// multiples of w x (plus a constant), so that f(x + 2π/w) = f(x). 0: nothing in it repeats. None: something does, but not the
// whole, as in x sin x; or what goes on without end is not smooth, as in tan x and floor x.
std::optional<double> find_repetition(const Expression& formula, Variable x);

}  // namespace vinculum
