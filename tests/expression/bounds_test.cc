// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/bounds.h"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/table_function.h"

namespace vinculum {
namespace {

// All values and rates lie in the bounds, over intervals narrow and wide.
void expect_enclosed(const Expression& law, const char* text) {
  std::vector<Bounds> scratch;
  const Expression rate = differentiate(law, {VariableKind::time});
  for (double low = -1.5; low < 3; low += 0.37) {
    for (double width : {1e-3, 0.2, 1.9}) {
      const Bounds bounds = bound_over_time(law, {low, low + width}, {}, scratch);
      for (int i = 0; i <= 50; ++i) {
        Bindings at;
        at.time = low + width * i / 50;
        const double value = evaluate(law, at), slope = evaluate(rate, at);
        if (!std::isfinite(value) || !std::isfinite(slope)) continue;
        const double room = 1e-12 * (1 + std::abs(value) + std::abs(slope));
        EXPECT_GE(value, bounds.value.low - room) << text << " at " << at.time;
        EXPECT_LE(value, bounds.value.high + room) << text << " at " << at.time;
        EXPECT_GE(slope, bounds.rate.low - room) << text << "' at " << at.time;
        EXPECT_LE(slope, bounds.rate.high + room) << text << "' at " << at.time;
      }
    }
  }
}

TEST(Bounds, HoldAllValuesAndRates) {
  const char* formulas[] = {"3*t - 2",
                            "t^2 - t",
                            "(t - 1)^3",
                            "t^-2",
                            "sin(3*t)*exp(-t)",
                            "cos(t)^2",
                            "tan(t/4)",
                            "sqrt(t^2 + 0.1)",
                            "log(2 + t)/(3+t)",
                            "abs(t - 0.5)",
                            "sign(t - 0.5)*t",
                            "2^t",
                            "(t + 3)^(t/2)",
                            "1/(t - 0.3)",
                            "t*t*t",
                            "(t+2)^1.5",
                            "exp(-((t-1)/0.01)^2)",
                            "tanh(2*t - 1)",
                            "floor(3*t)*t",
                            "min(t, 1 - t)",
                            "max(t^2, sin(t))",
                            "if(t < 0.5, t^2, 3 - t)",
                            "asin(t/5)*acos(-t/4)",
                            "atan(5*t - 1)",
                            "atan2(t - 0.5, t - 1)",
                            "atan2(1 - t, 2*t)"};
  for (const char* text : formulas) expect_enclosed(formula::expression(text), text);
}

// Of tables too: of straight lines, whose slope jumps, and of splines, whose slope does not; inside and beyond their points.
TEST(Bounds, HoldAllValuesAndRatesOfTables) {
  const std::vector<double> x{-1, 0, 0.5, 2}, y{3, -1, 4, 4.5};
  for (const Outside outside : {Outside::refuse, Outside::hold, Outside::extend}) {
    NameTable names = formula::names();
    names.tables["line"] =
        std::make_shared<const TableFunction>(TableFunction{"line", interpolate_linearly(x, y, outside), -1, 2, {}, {}});
    names.tables["curve"] =
        std::make_shared<const TableFunction>(TableFunction{"curve", interpolate_by_spline(x, y, outside), -1, 2, {}, {}});
    for (const char* text : {"table(line, t)", "table(curve, t)", "table(line, 1 - t)*t", "table(curve, 0.3*t^2)"})
      expect_enclosed(std::get<ParsedExpression>(parse_expression(text, names)).expression, text);
  }
}

// Between two points of a line the rate is the slope itself: from (0, -1) to (0.5, 4) it is 10.
TEST(Bounds, SlopeOfATable) {
  NameTable names = formula::names();
  names.tables["line"] = std::make_shared<const TableFunction>(
      TableFunction{"line",
                    interpolate_linearly(std::vector<double>{0, 0.5, 2}, std::vector<double>{-1, 4, 4.5}, Outside::hold),
                    0,
                    2,
                    {},
                    {}});
  std::vector<Bounds> scratch;
  const Expression law = std::get<ParsedExpression>(parse_expression("table(line, 2*t)", names)).expression;
  const Bounds found = bound_over_time(law, {0.1, 0.2}, {}, scratch);
  EXPECT_DOUBLE_EQ(found.value.low, 1);
  EXPECT_DOUBLE_EQ(found.value.high, 3);
  EXPECT_DOUBLE_EQ(found.rate.low, 20);
  EXPECT_DOUBLE_EQ(found.rate.high, 20);
}

// Where every operand occurs once they are the range itself.
TEST(Bounds, AreTightForSimpleFormulas) {
  std::vector<Bounds> scratch;
  const Interval wave = bound_over_time(formula::expression("2*sin(t)"), {0, 2}, {}, scratch).value;
  EXPECT_DOUBLE_EQ(wave.low, 0);
  EXPECT_DOUBLE_EQ(wave.high, 2);
  const Interval blow = bound_over_time(formula::expression("1000*exp(-((t - 5)/0.01)^2)"), {0, 10}, {}, scratch).value;
  EXPECT_DOUBLE_EQ(blow.low, 0);
  EXPECT_DOUBLE_EQ(blow.high, 1000);
}

// Kinks that something is divided by jump; so do steps and choices.
TEST(Bounds, KinksAndJumps) {
  EXPECT_EQ(formula::expression("sign(t - 1) + 2/abs(t)").jumps().size(), 2u);
  EXPECT_TRUE(formula::expression("abs(t) + 2^abs(t)/3").jumps().empty()) << "a kink is no jump";
  EXPECT_EQ(formula::expression("10*floor(t) + if(t < 2.2, t, 7) + 1/max(t, 3 - t)").jumps().size(), 3u);
  EXPECT_TRUE(formula::expression("min(t, 1) + max(t, 2)").jumps().empty()) << "a kink is no jump";
  EXPECT_TRUE(formula::expression("floor(n/2)*t + if(n < 2, t, t^2)").is_analytic()) << "of parameters alone";
}

// The switch of floor is zero at whole numbers, positive above even ones, however large.
TEST(Bounds, SwitchOfAStep) {
  const Expression law = formula::expression("floor(t)");
  for (double t : {0.25, 2.25, -1.75, 1e6 + 0.25}) {
    const double values[] = {t, std::floor(t)};
    EXPECT_NEAR(law.switch_value(1, values), std::sqrt(0.5), 1e-9) << t;
    const double next[] = {t + 1, std::floor(t + 1)};
    EXPECT_NEAR(law.switch_value(1, next), -std::sqrt(0.5), 1e-9) << t;
  }
}

}  // namespace
}  // namespace vinculum
