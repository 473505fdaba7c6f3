// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum {

// The zero of g between two points of opposite sign, to round-off of t, by inverse quadratic interpolation where it is safe and
// bisection where not (T. R. Chandrupatla 1997). Of the last two points, it returns the one on the side of `after`.
template <class Function>
double find_zero(Function&& g, double before, double g_before, double after, double g_after) {
  const double tolerance = std::numeric_limits<double>::epsilon() * std::max(std::abs(before), std::abs(after));
  double x1 = after, g1 = g_after, x2 = before, g2 = g_before;
  double fraction = 0.5;
  for (int iteration = 0; iteration < 200 && g1 != 0 && std::abs(x2 - x1) > 2 * tolerance; ++iteration) {
    const double x = x1 + fraction * (x2 - x1);
    const double gx = g(x);
    double x3 = x2, g3 = g2;
    if ((gx > 0) == (g1 > 0) && (gx < 0) == (g1 < 0)) {
      x3 = x1, g3 = g1;
    } else {
      x2 = x1, g2 = g1;
    }
    x1 = x, g1 = gx;

    const double xi = (x1 - x2) / (x3 - x2), phi = (g1 - g2) / (g3 - g2);
    const bool safe = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
    fraction = safe ? g1 / (g2 - g1) * g3 / (g2 - g3) + (x3 - x1) / (x2 - x1) * g1 / (g3 - g1) * g2 / (g3 - g2) : 0.5;
    const double least = tolerance / std::abs(x2 - x1);
    fraction = std::clamp(fraction, std::min(least, 0.5), std::max(1 - least, 0.5));
  }
  if (g1 == 0) return x1;
  return std::abs(x1 - after) <= std::abs(x2 - after) ? x1 : x2;
}

}  // namespace vinculum
