// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/branch.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"
#include "vinculum/expression/table_function.h"

namespace vinculum::formula {
namespace {

double value(const Expression& formula, double x, double y = 0, double t = 0) {
  return evaluate(formula, Point{.t = t, .q = {x, y}}.bindings());
}

// The branch at a place, whatever lies there.
Branch branch_at(const Expression& formula, double x, double y = 0, double t = 0) {
  const Point point{.t = t, .q = {x, y}};
  std::vector<double> free(formula.kinks().size()), sides;
  for (const Branch::Switch& one : take_branch(formula, formula.kinks(), free, point.bindings()).switches)
    sides.push_back(evaluate(one.value, point.bindings()) > 0 ? 1 : -1);
  return take_branch(formula, formula.kinks(), sides, point.bindings());
}

struct Case {
  const char* formula;
  const char* on_branch;
  double x, y;  // a place on it
};
class Branches : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    All, Branches,
    ::testing::Values(Case{"abs(x - 1)", "x - 1", 2, 0}, Case{"abs(x - 1)", "1 - x", 0, 0}, Case{"x*sign(y)", "-x", 3, -1},
                      Case{"min(x, y) + 3*max(x, y)", "y + 3*x", 2, 1}, Case{"min(x, y) + 3*max(x, y)", "x + 3*y", 1, 2},
                      Case{"if(x < y, x^2, sin(x))", "x^2", 1, 2}, Case{"if(x < y, x^2, sin(x))", "sin(x)", 2, 1},
                      Case{"if(x <= y, x^2, sin(x))", "x^2", 1, 2}, Case{"step(x)*y", "y", 1, 3}, Case{"step(x)*y", "0*y", -1, 3},
                      Case{"x*floor(y)", "-2*x", 1, -1.3}, Case{"x*floor(y)", "7*x", 1, 7.9},
                      Case{"if(x < 0, 0, if(x < 1, abs(y), 5))", "-y", 0.5, -2}, Case{"abs(min(x, y))", "-y", 3, -2}));

// It is the formula on its own side, and the same everywhere else too.
TEST_P(Branches, GoesOnBeyondTheKink) {
  const auto& [text, expected, x, y] = GetParam();
  const Expression written = expression(text), smooth = expression(expected);
  const Branch branch = branch_at(written, x, y);
  EXPECT_TRUE(branch.formula.is_analytic());
  EXPECT_DOUBLE_EQ(value(branch.formula, x, y), value(written, x, y));
  for (double dx : {-9.0, -0.4, 0.3, 20.0}) {
    for (double dy : {-7.0, 0.2, 11.0})
      EXPECT_DOUBLE_EQ(value(branch.formula, x + dx, y + dy), value(smooth, x + dx, y + dy)) << x + dx << ' ' << y + dy;
  }
}

// The angle of a point goes on through π, and its switch is y.
TEST(Branch, AnglesGoOn) {
  const Expression angle = expression("atan2(x, y)");
  for (const double side : {1.0, -1.0}) {
    const Branch branch = take_branch(angle, angle.kinks(), std::vector{side}, Point{}.bindings());
    for (const double turn : {-1.5, -0.3, 0.0, 0.4, 1.5}) {
      const double theta = side * std::numbers::pi / 2 + turn;
      EXPECT_NEAR(value(branch.formula, 2 * std::sin(theta), 2 * std::cos(theta)), theta, 1e-15);
    }
    EXPECT_EQ(value(branch.switches[0].value, -0.7, 3), -0.7);
  }
}

// A floor held at n has zeros at n and n + 1 and nowhere else: one that is far beyond is not taken for another piece.
TEST(Branch, SwitchesOfPiecesHaveTwoZeros) {
  const Expression formula = expression("floor(x)");
  for (double n : {-3.0, 0.0, 4.0, 1e6}) {
    const double side = std::fmod(n, 2) == 0 ? 1 : -1;
    const Expression along = branch_at(formula, n + 0.25).switches[0].value;
    EXPECT_NEAR(side * value(along, n + 0.25), 0.25 * 0.75, 1e-9);
    EXPECT_EQ(value(along, n), 0);
    EXPECT_EQ(value(along, n + 1), 0);
    for (double beyond : {-7.5, -0.5, 1.5, 2.5, 8.5}) EXPECT_LT(side * value(along, n + beyond), 0) << n + beyond;
  }
}

NameTable with_table() {
  const std::vector<double> x{0, 1, 2, 4}, y{0, 1, 4, 16};
  NameTable table = names();
  table.tables["line"] = std::make_shared<const TableFunction>(
      TableFunction{"line", interpolate_linearly(x, y, Outside::refuse), 0, 4, std::nullopt, std::nullopt});
  table.tables["cubic"] = std::make_shared<const TableFunction>(
      TableFunction{"cubic", interpolate_by_spline(x, std::vector<double>{0, 1, 8, 64}, Outside::hold), 0, 4, {}, {}});
  return table;
}
Expression with_tables(const char* text) { return std::get<ParsedExpression>(parse_expression(text, with_table())).expression; }

// On a piece a table is its polynomial; a jump inside its argument decides which.
TEST(Branch, TablesBecomePolynomials) {
  const Expression line = with_tables("table(line, x)");
  EXPECT_DOUBLE_EQ(value(branch_at(line, 1.5).formula, 17), 1 + 3 * 16);
  EXPECT_DOUBLE_EQ(value(branch_at(line, 3).formula, -1), 4 + 6 * -3.0);
  const Expression cubic = with_tables("table(cubic, x)");
  EXPECT_NEAR(value(branch_at(cubic, 1.5).formula, 5), 125, 1e-12);
  EXPECT_DOUBLE_EQ(value(branch_at(cubic, 9).formula, 5), 64) << "held beyond its points";
  EXPECT_TRUE(branch_at(cubic, 1.5).formula.tables().empty());

  const Expression nested = with_tables("table(line, 2 + sign(x))");
  const std::vector<double> up(nested.kinks().size(), 1), down{-1, -1};
  ASSERT_EQ(nested.kinks().size(), 2u);
  EXPECT_EQ(value(take_branch(nested, nested.kinks(), std::vector{1.0, -1.0}, Point{}.bindings()).formula, 0), 10) << "of 3";

  // Where it has no value it stays a table, so that this can be told.
  EXPECT_FALSE(branch_at(line, 4.5).formula.tables().empty());
  // Zeros of the switch at both points of its piece; beyond the last one, at that.
  const Expression along = branch_at(line, 1.5).switches[0].value;
  EXPECT_EQ(value(along, 1), 0);
  EXPECT_EQ(value(along, 2), 0);
  EXPECT_GT(value(along, 1.5), 0);
  EXPECT_LT(value(along, 3), 0);
  EXPECT_LT(value(along, 100), 0);
  const Expression before = branch_at(cubic, -3).switches[0].value;
  EXPECT_NEAR(value(before, 0), 0, 1e-15);
  EXPECT_GT(value(before, -3), 0);
  EXPECT_LT(value(before, 1), 0);
  const Expression beyond = branch_at(cubic, 9).switches[0].value;
  EXPECT_NEAR(value(beyond, 4), 0, 1e-15);
  EXPECT_GT(value(beyond, 9), 0);
  EXPECT_LT(value(beyond, 3), 0);
}

// Next to a kink the side decides, not the place.
TEST(Branch, TheSideDecides) {
  const Expression line = with_tables("table(line, x)");
  const auto taken = [&](double side, double x) {
    return value(take_branch(line, line.kinks(), std::vector{side}, Point{.q = {x}}.bindings()).formula, 1.5);
  };
  EXPECT_DOUBLE_EQ(taken(-1, 1 + 1e-12), 1.5);  // piece 1, odd
  EXPECT_DOUBLE_EQ(taken(1, 1 - 1e-12), 2.5);   // piece 2
  const Expression kink = expression("abs(x)");
  EXPECT_EQ(value(take_branch(kink, kink.kinks(), std::vector{0.0}, Point{}.bindings()).formula, -2), 2) << "free";
  EXPECT_EQ(side_on_switch(kink, kink.kinks()[0], Point{}.bindings()), 1);
  const Expression jump = expression("sign(x)");
  EXPECT_EQ(side_on_switch(jump, jump.kinks()[0], Point{}.bindings()), 0);
  const Expression choice = expression("if(x > 0, 1, 2)");
  EXPECT_EQ(side_on_switch(choice, choice.kinks()[0], Point{}.bindings()), -1);
}

}  // namespace
}  // namespace vinculum::formula
