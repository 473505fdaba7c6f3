// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

#include "vinculum/math/interval.h"

namespace vinculum {

// What a function and its slope can be between two points, in either order.
struct FunctionBounds {
  Interval value, slope;
};
using BoundsBetween = std::function<FunctionBounds(double, double)>;

// ∫_a^b f dx by Gauss-Legendre with ten points on pieces that are halved until two levels agree to round-off; exact for
// polynomials up to degree 19. `kinks` lie between a and b in this order: f is smooth between them.
//
// Points alone miss peaks narrower than their distance. With bounds of f a piece is also halved while f may
// differ from its values by more than they differ from each other. Then no peak is missed, however narrow.
double integrate_function(const std::function<double(double)>& f, double a, double b, std::span<const double> kinks = {},
                          const BoundsBetween& bounds = {});

}  // namespace vinculum
