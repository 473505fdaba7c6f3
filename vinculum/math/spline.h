// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace vinculum {

// First and second derivatives at the points of the cubic spline through (x_i, y_i), x ascending, not-a-knot ends (the outer two
// pieces are one cubic): exact for cubics. Errors O(h³) and O(h²). Through two or three points goes a line or a parabola.
struct SplineDerivatives {
  std::vector<double> first;
  std::vector<double> second;
};
SplineDerivatives differentiate_by_spline(std::span<const double> x, std::span<const double> y);

}  // namespace vinculum
