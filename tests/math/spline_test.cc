// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/spline.h"

#include <cmath>

#include <gtest/gtest.h>

namespace vinculum {
namespace {

// Ends that are not knots make the spline of a cubic the cubic itself, on any grid: here every interval has another length.
TEST(Spline, IsExactForCubicsOnUnevenGrids) {
  for (const std::vector<double>& x :
       {std::vector<double>{-1, -0.7, 0.1, 0.35}, {0, 0.5, 0.6, 1.7, 2, 4.5}, {3, 4, 9, 9.5, 9.6}}) {
    std::vector<double> y;
    for (double at : x) y.push_back(2 * at * at * at - 3 * at * at + at - 5);
    const SplineDerivatives result = differentiate_by_spline(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(result.first[i], 6 * x[i] * x[i] - 6 * x[i] + 1, 1e-10) << "at " << x[i];
      EXPECT_NEAR(result.second[i], 12 * x[i] - 6, 1e-10) << "at " << x[i];
    }
  }
}

}  // namespace
}  // namespace vinculum
