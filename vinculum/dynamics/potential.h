// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "vinculum/expression/expression.h"

namespace vinculum {

// ∫ f between two ends, f(x) being a law of the one variable x. `evaluate_at(x)` gives its
// value and leaves those of all its steps in `steps`. Kinks of the law are ends of the pieces
// that are integrated; where points alone may miss something, bounds of the formula decide.
double integrate_law(const Expression& law, const std::function<double(double)>& evaluate_at, double from, double to,
                     const std::vector<double>& steps);

// The same from 0, of a law that repeats with this rate (0: it does not). Whole
// periods are counted, not integrated, because far away that is slow and inaccurate.
double integrate_from_zero(const Expression& law, double rate, const std::function<double(double)>& evaluate_at, double to,
                           const std::vector<double>& steps);

}  // namespace vinculum
