// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/random_tree.h"
#include "vinculum/math/sincos.h"

namespace vinculum::testing {
namespace {

// Distance from the true value, in units of its last place as a double.
double error_in_ulp(double value, long double exact) {
  int exponent;
  std::frexp(static_cast<double>(exact), &exponent);
  return static_cast<double>(std::fabs(value - exact)) / std::ldexp(1.0, exponent - 53);
}

struct WorstError {
  double sin = 0, cos = 0;

  void add(double x) {
    const auto [s, c] = sincos(x);
    sin = std::max(sin, error_in_ulp(s, std::sin(static_cast<long double>(x))));
    cos = std::max(cos, error_in_ulp(c, std::cos(static_cast<long double>(x))));
  }
};

class SincosUpTo : public ::testing::TestWithParam<double> {};

TEST_P(SincosUpTo, IsGoodToTheLastPlace) {
  Random random(7);
  WorstError worst;
  for (int i = 0; i < 200000; ++i) worst.add(GetParam() * random.symmetric());
  EXPECT_LT(worst.sin, 0.8);
  EXPECT_LT(worst.cos, 0.8);
  EXPECT_GT(worst.sin + worst.cos, 0.9);  // the measure sees the half place that rounding costs
}

INSTANTIATE_TEST_SUITE_P(Ranges, SincosUpTo, ::testing::Values(1e-3, 0.8, 4.0, 100.0, 1e5, 1e9, 1e15, 1e300));

// Where the result is tiny, all of it comes from the parts of π/2: the doubles around each multiple.
TEST(Sincos, AroundMultiplesOfHalfPi) {
  constexpr long double kHalfPi = 1.57079632679489661923132169163975144L;
  WorstError worst;
  for (int n = 1; n < 200000; n += 1 + n / 100) {
    const double x = static_cast<double>(n * kHalfPi);
    for (double y : {x, std::nextafter(x, 0), std::nextafter(x, 1e9)}) worst.add(y), worst.add(-y);
  }
  EXPECT_LT(worst.sin, 0.51);
  EXPECT_LT(worst.cos, 0.51);
}

TEST(Sincos, IsOddAndEven) {
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const double x = 1e4 * random.symmetric();
    EXPECT_EQ(sincos(-x).sin, -sincos(x).sin);
    EXPECT_EQ(sincos(-x).cos, sincos(x).cos);
  }
}

TEST(Sincos, SpecialValues) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (double tiny : {0.0, 5e-324, 1e-310, 1e-200, 1e-20}) {
    for (double x : {tiny, -tiny}) {
      EXPECT_EQ(sincos(x).sin, x);
      EXPECT_EQ(std::signbit(sincos(x).sin), std::signbit(x));
      EXPECT_EQ(sincos(x).cos, 1);
    }
  }
  for (double none : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(std::isnan(sincos(none).sin));
    EXPECT_TRUE(std::isnan(sincos(none).cos));
  }
  // sin(π) of the double nearest to π is what that double lacks.
  EXPECT_EQ(sincos(M_PI).sin, 0x1.1a62633145c07p-53);
  EXPECT_EQ(sincos(M_PI).cos, -1);
  EXPECT_EQ(sincos(M_PI_2).sin, 1);
  EXPECT_EQ(sincos(-M_PI_2).sin, -1);
  EXPECT_EQ(sincos(3 * M_PI_2).sin, -1);
}

// The two sides of the end of the range meet.
TEST(Sincos, AtTheEndOfTheRange) {
  WorstError worst;
  double x = kSincosRange;
  for (int i = 0; i < 100; ++i) worst.add(x), x = std::nextafter(x, 0);
  x = kSincosRange;
  for (int i = 0; i < 100; ++i) worst.add(x), x = std::nextafter(x, 1e300);
  EXPECT_LT(worst.sin, 0.8);
  EXPECT_LT(worst.cos, 0.8);
}

}  // namespace
}  // namespace vinculum::testing
