// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/quadrature.h"

#include <cmath>

#include <gtest/gtest.h>

namespace vinculum {
namespace {

constexpr double kPi = 3.14159265358979323846;

// exp(-((x - c)/w)^2) and what it and its slope can be between two points.
struct Peak {
  double c, w;
  double operator()(double x) const { return std::exp(-(x - c) * (x - c) / (w * w)); }
  FunctionBounds bound(double a, double b) const {
    const double low = std::min(a, b), high = std::max(a, b), least = (*this)(c - low > high - c ? low : high);
    const double most = low <= c && c <= high ? 1 : std::max((*this)(low), (*this)(high));
    const double steep = 2 * std::max(std::abs(low - c), std::abs(high - c)) / (w * w) * most;
    return {{least, most}, {-steep, steep}};
  }
};

TEST(Quadrature, PolynomialsToDegree19AreExact) {
  for (int n = 0; n <= 19; ++n)
    EXPECT_NEAR(integrate_function([n](double x) { return std::pow(x, n); }, -0.5, 1.5),
                (std::pow(1.5, n + 1) - std::pow(-0.5, n + 1)) / (n + 1), 1e-14 * std::pow(1.5, n + 1))
        << n;
}

TEST(Quadrature, NarrowPeaksAreSeenByTheirBounds) {
  for (const double w : {0.1, 1e-3, 1e-6}) {
    for (const auto& [a, b] : {std::pair{0.0, 1.0}, std::pair{1.0, 0.0}, std::pair{-30.0, 7.0}}) {
      const Peak peak{0.5 + 0.01 * w, w};
      long evaluations = 0;
      const double found = integrate_function([&](double x) { return ++evaluations, peak(x); }, a, b, {},
                                              [&](double from, double to) { return peak.bound(from, to); });
      const double exact = w * std::sqrt(kPi) / 2 * (std::erf((b - peak.c) / w) - std::erf((a - peak.c) / w));
      // Places are round to 1e-16: that is in every value beside a peak.
      EXPECT_NEAR(found / exact, 1, 2e-14 + 5e-18 / w) << w << " from " << a;
      EXPECT_LT(evaluations, 5000) << w << " from " << a;
    }
  }
}

// Far from its peak exp is wrong in more digits than two levels agree in: halving does not help, and must end.
TEST(Quadrature, RoundOffOfSmallValuesIsNotHalvedForEver) {
  const Peak peak{0.5, 0.1};
  long evaluations = 0;
  const double found = integrate_function([&](double x) { return ++evaluations, peak(x); }, 0, -1);
  EXPECT_NEAR(found / (0.1 * std::sqrt(kPi) / 2), -std::erfc(5) + std::erfc(15), 1e-25);
  EXPECT_LT(evaluations, 1000);
}

TEST(Quadrature, KinksThatAreNotToldAreFound) {
  EXPECT_NEAR(integrate_function([](double x) { return std::abs(x - 0.3); }, 0, 1), 0.5 * (0.09 + 0.49), 1e-15);
  EXPECT_NEAR(integrate_function([](double x) { return x < 0.3 ? 1.0 : 0.0; }, 0, 1), 0.3, 1e-12);
}

}  // namespace
}  // namespace vinculum
