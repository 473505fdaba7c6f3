// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/piecewise.h"

#include <cmath>

#include <gtest/gtest.h>

#include "vinculum/math/piecewise_kernel.h"

namespace vinculum {
namespace {

const std::vector<double> kX{0, 1, 1.5, 3, 4, 6};

std::vector<double> cubic_values() {
  std::vector<double> y;
  for (double x : kX) y.push_back(2 - x + 0.5 * x * x - 0.25 * x * x * x);
  return y;
}

// A spline with not-a-knot ends is the cubic itself, with all its derivatives.
TEST(Piecewise, SplineIsExactForCubics) {
  const PiecewisePolynomial f = interpolate_by_spline(kX, cubic_values(), Outside::refuse);
  EXPECT_EQ(f.smoothness, 2);
  for (double x = 0; x <= 6; x += 0.125) {
    EXPECT_NEAR(evaluate_piecewise(f, x, 0), 2 - x + 0.5 * x * x - 0.25 * x * x * x, 4e-14) << x;
    EXPECT_NEAR(evaluate_piecewise(f, x, 1), -1 + x - 0.75 * x * x, 4e-14) << x;
    EXPECT_NEAR(evaluate_piecewise(f, x, 2), 1 - 1.5 * x, 1e-13) << x;
    EXPECT_NEAR(evaluate_piecewise(f, x, 3), -1.5, 1e-12) << x;
  }
}

TEST(Piecewise, LinesBetweenPoints) {
  const PiecewisePolynomial f = interpolate_linearly(kX, std::vector<double>{0, 2, 1, 1, -3, 5}, Outside::refuse);
  EXPECT_EQ(evaluate_piecewise(f, 0.25, 0), 0.5);
  EXPECT_EQ(evaluate_piecewise(f, 1.0, 0), 2);
  EXPECT_EQ(evaluate_piecewise(f, 3.5, 0), -1);
  EXPECT_EQ(evaluate_piecewise(f, 5.0, 1), 4);
  EXPECT_EQ(evaluate_piecewise(f, 5.0, 2), 0);
}

TEST(Piecewise, OutsideAsSaid) {
  const std::vector<double> y{0, 2, 1, 1, -3, 5};
  EXPECT_TRUE(std::isnan(evaluate_piecewise(interpolate_linearly(kX, y, Outside::refuse), 6.1, 0)));
  EXPECT_TRUE(std::isnan(evaluate_piecewise(interpolate_linearly(kX, y, Outside::refuse), -0.1, 0)));
  EXPECT_EQ(evaluate_piecewise(interpolate_linearly(kX, y, Outside::refuse), 6.0, 0), 5);
  EXPECT_EQ(evaluate_piecewise(interpolate_linearly(kX, y, Outside::hold), 8.0, 0), 5);
  EXPECT_EQ(evaluate_piecewise(interpolate_linearly(kX, y, Outside::hold), 8.0, 1), 0);
  EXPECT_EQ(evaluate_piecewise(interpolate_linearly(kX, y, Outside::extend), 8.0, 0), 13);
  EXPECT_EQ(evaluate_piecewise(interpolate_linearly(kX, y, Outside::extend), -1.0, 0), -2);
  const PiecewisePolynomial spline = interpolate_by_spline(kX, cubic_values(), Outside::extend);
  EXPECT_EQ(spline.smoothness, 1);
  EXPECT_NEAR(evaluate_piecewise(spline, 7.0, 0), 2 - 6 + 18 - 54 + (-1 + 6 - 27), 1e-12);
}

// Held at even or odd pieces it goes on beyond them, and its switch changes sign at every break.
TEST(Piecewise, HeldPiecesGoOn) {
  const PiecewisePolynomial f = interpolate_linearly(kX, std::vector<double>{0, 2, 1, 1, -3, 5}, Outside::refuse);
  EXPECT_EQ(f.find(1.25), 2);
  EXPECT_EQ(f.find(1.25, 1), 2);
  EXPECT_EQ(f.find(0.9, 1), 2);   // piece 1 is odd: piece 2 goes on
  EXPECT_EQ(f.find(1.1, -1), 1);  // piece 1 goes on
  for (size_t k = 1; k + 1 < kX.size(); ++k) {
    EXPECT_NEAR(f.switch_value(kX[k]), 0, 1e-15);
    EXPECT_LT(f.switch_value(kX[k] - 0.01) * f.switch_value(kX[k] + 0.01), 0) << k;
  }
  EXPECT_GT(f.switch_value(1.25), 0);
}

TEST(Piecewise, BoundsHoldAllValues) {
  const PiecewisePolynomial f = interpolate_by_spline(kX, std::vector<double>{0, 2, 1, 1, -3, 5}, Outside::hold);
  for (const auto& [low, high] : {std::pair(-1.0, 0.5), std::pair(0.2, 3.7), std::pair(5.0, 9.0), std::pair(2.0, 2.0)}) {
    for (int order = 0; order <= 2; ++order) {
      const auto range = f.bound(low, high, order);
      for (int k = 0; k <= 100; ++k) {
        const double y = evaluate_piecewise(f, low + (high - low) * k / 100, order);
        EXPECT_LE(range.low, y + 1e-12) << low << " order " << order;
        EXPECT_GE(range.high, y - 1e-12) << low << " order " << order;
      }
    }
  }
  EXPECT_EQ(interpolate_linearly(kX, std::vector<double>{0, 2, 1, 1, -3, 5}, Outside::refuse).bound(5, 7, 0).high, INFINITY);
}

TEST(Piecewise, DualsCarryTheSlope) {
  using D = Dual<double, double>;
  const PiecewisePolynomial f = interpolate_by_spline(kX, std::vector<double>{0, 2, 1, 1, -3, 5}, Outside::refuse);
  const D y = evaluate_piecewise(f, D(2.2, 3.0), 0);
  EXPECT_EQ(y.value, evaluate_piecewise(f, 2.2, 0));
  EXPECT_NEAR(y.derivatives, 3 * evaluate_piecewise(f, 2.2, 1), 1e-14);
  const double lanes[] = {0.5, 1.2, 2.2, 5.5};
  const Pack<4> packed = evaluate_piecewise(f, Pack<4>::load(lanes), 0);
  EXPECT_EQ(packed[2], y.value);
  EXPECT_EQ(packed[3], evaluate_piecewise(f, 5.5, 0));
}

}  // namespace
}  // namespace vinculum
