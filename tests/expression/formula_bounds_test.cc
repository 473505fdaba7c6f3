// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/formula_bounds.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"

namespace vinculum {
namespace {

// One variable, t, as a cubic in Bernstein form over a piece of the given width.
struct Cubic {
  std::vector<double> b;
  std::vector<double> radius{0};
  double width = 1;

  PolynomialArguments arguments() const { return {3, width, b, radius}; }
  double at(double s) const {
    const double r = 1 - s;
    return r * r * r * b[0] + 3 * s * r * r * b[1] + 3 * s * s * r * b[2] + s * s * s * b[3];
  }
};

TEST(FormulaBounds, HoldAllValuesAlongACubic) {
  const Cubic cubics[] = {{{0, 1, 2, 3}}, {{-1, 2, -2, 1.5}, {0}, -0.7}, {{0.5, 0.4, 0.9, 0.2}, {0.01}, 2}};
  for (const char* text : {"3*t - 2", "t^2 - t", "exp(-((t - 1)/0.1)^2)", "sin(3*t)*t", "sqrt(t + 2)", "max(t, 1 - t)",
                           "(2*t - 1)/4 - (t - 3)*0.5", "tanh(5*t - 1)"}) {
    FormulaBounds formula(formula::expression(text));
    for (const Cubic& cubic : cubics) {
      const Bounds bounds = formula.bound(cubic.arguments());
      double last = 0;
      for (int i = 0; i <= 100; ++i) {
        for (const int side : {-1, 1, 0}) {
          const double off = side * cubic.radius[0];
          Bindings at;
          at.time = cubic.at(i / 100.) + off;
          const double value = evaluate(formula.formula(), at);
          EXPECT_GE(value, bounds.value.low) << text;
          EXPECT_LE(value, bounds.value.high) << text;
          if (side != 0) continue;
          const double slope = (value - last) / (cubic.width / 100);
          if (i > 0) EXPECT_GE(slope, bounds.rate.low - 1e-9 * (1 + std::abs(slope))) << text;
          if (i > 0) EXPECT_LE(slope, bounds.rate.high + 1e-9 * (1 + std::abs(slope))) << text;
          last = value;
        }
      }
      EXPECT_DOUBLE_EQ(formula.value_at(cubic.arguments(), 3), [&] {
        Bindings at;
        at.time = cubic.b[3];
        return evaluate(formula.formula(), at);
      }());
    }
  }
}

// t - (t - 1) is 1 wherever t is, and its rate 0: sums are taken before intervals are.
TEST(FormulaBounds, SumsOfVariablesKnowEachOther) {
  FormulaBounds formula(formula::expression("exp(2*t - (t + t - 1)*1)"));
  const Cubic cubic{{0, 100, 200, 300}};
  const Bounds bounds = formula.bound(cubic.arguments());
  EXPECT_NEAR(bounds.value.low, std::exp(1), 1e-9);
  EXPECT_NEAR(bounds.value.high, std::exp(1), 1e-9);
  EXPECT_NEAR(bounds.rate.high, 0, 1e-9);
}

TEST(FormulaBounds, DegreesOfPolynomials) {
  const auto degree = [](const char* text) { return polynomial_degree(formula::expression(text)); };
  EXPECT_EQ(degree("4"), 0);
  EXPECT_EQ(degree("sin(2) + 3"), 0);
  EXPECT_EQ(degree("2*t - 1"), 1);
  EXPECT_EQ(degree("t*(t - 1)/3 - t"), 2);
  EXPECT_EQ(degree("t^3*t^2"), 5);
  EXPECT_EQ(degree("1/t"), -1);
  EXPECT_EQ(degree("t^0.5"), -1);
  EXPECT_EQ(degree("abs(t)"), -1);
}

}  // namespace
}  // namespace vinculum
