// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/table_function.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"
#include "vinculum/expression/bounds.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/period.h"

namespace vinculum::formula {
namespace {

NameTable with_tables() {
  const std::vector<double> x{0, 1, 2, 4}, y{0, 1, 4, 16};
  NameTable table = names();
  table.tables["line"] = std::make_shared<const TableFunction>(
      TableFunction{"line", interpolate_linearly(x, y, Outside::refuse), 0, 4, kLength, kForce});
  table.tables["square"] = std::make_shared<const TableFunction>(
      TableFunction{"square", interpolate_by_spline(x, y, Outside::extend), 0, 4, std::nullopt, std::nullopt});
  return table;
}

ParsedExpression parsed_with_tables(std::string_view text) {
  const auto result = parse_expression(text, with_tables());
  if (const auto* error = std::get_if<ParseError>(&result)) throw std::runtime_error(error->message);
  return std::get<ParsedExpression>(result);
}

TEST(TableInFormula, HasValuesSlopesAndAPrintedForm) {
  const Expression f = parsed_with_tables("3*table(square, 0.5*y) + x").expression;
  const Point point{.q = {-0.7, 3}};
  EXPECT_NEAR(evaluate(f, point.bindings()), 3 * 1.5 * 1.5 - 0.7, 1e-14);
  EXPECT_NEAR(evaluate(differentiate(f, kY), point.bindings()), 3 * 2 * 1.5 * 0.5, 1e-13);
  EXPECT_NEAR(evaluate(differentiate(differentiate(f, kY), kY), point.bindings()), 3 * 2 * 0.25, 1e-13);
  EXPECT_EQ(to_text(f), "3*table(square, 0.5*y) + x");
  EXPECT_FALSE(f.is_analytic());
  EXPECT_TRUE(f.jumps().empty());        // a spline has corners of higher derivatives only
  EXPECT_FALSE(find_repetition(f, kY));  // no potential: its work is counted
  EXPECT_EQ(parsed_with_tables("table(line, 3 m)").expression.constant_value(), 10);
}

// The slope of lines jumps at their points.
TEST(TableInFormula, SlopesOfLinesJump) {
  const Expression slope = differentiate(parsed_with_tables("table(line, y)").expression, kY);
  ASSERT_EQ(slope.jumps().size(), 1u);
  EXPECT_EQ(evaluate(slope, Point{.q = {0, 0.9}}.bindings()), 1);
  EXPECT_EQ(evaluate(slope, Point{.q = {0, 1.1}}.bindings()), 3);
}

TEST(TableInFormula, IsBoundedOverTime) {
  const Expression f = parsed_with_tables("table(square, 2 + sin(t))").expression;
  std::vector<Bounds> scratch;
  const Bounds bounds = bound_over_time(f, {0, 3}, {}, scratch);
  for (double t = 0; t <= 3; t += 0.01) {
    const double value = evaluate(f, {.time = t}), rate = evaluate(differentiate(f, kT), {.time = t});
    EXPECT_TRUE(bounds.value.low <= value && value <= bounds.value.high) << t;
    EXPECT_TRUE(bounds.rate.low <= rate && rate <= bounds.rate.high) << t;
  }
  EXPECT_LT(bounds.value.high, 40);
}

TEST(TableInFormula, WrongOnesAreTold) {
  const auto code = [](std::string_view text) {
    const auto result = parse_expression(text, with_tables());
    const auto* error = std::get_if<ParseError>(&result);
    return error == nullptr ? std::string() : std::string(error->code);
  };
  EXPECT_EQ(code("table(lin, x)"), "VN-EXPR-030");
  EXPECT_EQ(code("table(line, 2 s)"), "VN-EXPR-018");
  EXPECT_EQ(code("table(line, 5)"), "VN-EXPR-032");
  EXPECT_EQ(code("table(line)"), "VN-EXPR-210");
  EXPECT_EQ(code("table(line, 1 m) + 2 m"), "VN-EXPR-018");
  EXPECT_EQ(code("distance(a, b)"), "VN-EXPR-031");
  EXPECT_EQ(code("norm(1 m, 2 s)"), "VN-EXPR-018");
}

TEST(TableInFormula, StepAndNorm) {
  const Point point{.q = {-0.7, 2}};
  const auto value = [&](const char* text) { return evaluate(expression(text), point.bindings()); };
  EXPECT_EQ(value("step(x)"), 0);
  EXPECT_EQ(value("step(y)"), 1);
  EXPECT_EQ(value("step(y - 2)"), 1);  // at zero it is there
  EXPECT_EQ(value("3*step(x + 1)"), 3);
  EXPECT_NEAR(value("norm(x, y)"), std::hypot(0.7, 2), 4e-16);
  EXPECT_NEAR(value("norm(x, y, 1)"), std::sqrt(0.49 + 5), 5e-16);
  EXPECT_EQ(parsed("norm(3 m, 4 m)").dimension, kLength);
  EXPECT_EQ(expression("step(x)").jumps().size(), 1u);
}

}  // namespace
}  // namespace vinculum::formula
