// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/functions.h"

namespace vinculum {
namespace {

using formula::expression;
using formula::kX;

TEST(Expression, KnowsItsVariables) {
  const Expression law = expression("x'*sin(t) + x*y + x*length");
  EXPECT_EQ(law.variables(), (std::vector<Variable>{formula::kT, kX, formula::kY, formula::kXRate}));
  EXPECT_TRUE(law.depends_on(VariableKind::velocity));
  EXPECT_FALSE(law.depends_on(VariableKind::surface_x));
  EXPECT_TRUE(law.depends_on(kX));
  EXPECT_FALSE(law.depends_on(Variable{VariableKind::velocity, 1}));
  EXPECT_FALSE(law.is_constant());
  EXPECT_EQ(expression("2*length").constant_value(), 1.6);
  EXPECT_EQ(Expression().constant_value(), 0);
  EXPECT_EQ(Expression(2.5).constant_value(), 2.5);
}

// Only the angle of a point that may lie left of the origin jumps.
TEST(Expression, AnglesJumpBehindTheOrigin) {
  EXPECT_TRUE(expression("asin(x) + acos(y) + atan(x*y)").is_analytic());
  const Expression angle = expression("atan2(x, y)");
  EXPECT_EQ(angle.jumps().size(), 1u);
}

TEST(Expression, IsAnalyticWithoutAbs) {
  EXPECT_TRUE(expression("sqrt(x) + 1/x").is_analytic());
  EXPECT_FALSE(expression("sin(abs(x))").is_analytic());
  EXPECT_FALSE(differentiate(expression("abs(x)"), kX).is_analytic());
}

// Written with the comparison it was read with, or one that says the same.
TEST(Expression, ChoicesReadBack) {
  for (const char* text :
       {"if(x < y, 1, 2)", "if(x < 0, -x, x^2)", "if(0 < x, y, 2)", "min(x, 2*y)", "max(min(x, y), 0)", "tanh(x)*floor(y/2)",
        "if(x < y, if(y < 1, 1, 2), 3) + 1", "asin(x)", "acos(-x*y)", "atan(x - y)^2", "asin(0.1*n)", "atan2(x, -y)"})
    EXPECT_EQ(to_text(expression(text)), text);
  EXPECT_EQ(to_text(expression("if(x >= y, 1, 2)")), "if(x < y, 2, 1)");
  EXPECT_EQ(to_text(differentiate(expression("min(x^2, y)"), kX)), "if(x^2 < y, 2*x, 0)");
  EXPECT_EQ(to_text(differentiate(expression("if(x < y, x*y, 3)"), kX)), "if(x < y, y, 0)");
  EXPECT_EQ(to_text(differentiate(expression("floor(x)"), kX)), "0");
}

// What is known is folded, and what no bit of the value depends on is written one way only. A parameter keeps its name.
TEST(Expression, Folding) {
  const struct {
    const char* text;
    const char* folded;
  } cases[] = {
      {"1 + 2*3", "7"},
      {"sin(0)", "0"},
      {"0 + x", "x"},
      {"x + 0", "x"},
      {"x - 0", "x"},
      {"0 - x", "-x"},
      {"1*x", "x"},
      {"x*1", "x"},
      {"0*x", "0"},
      {"x*0", "0"},
      {"0/x", "0"},
      {"x/1", "x"},
      {"x^1", "x"},
      {"x^0", "1"},
      {"--x", "x"},
      {"-1*x", "-x"},
      {"x + -2", "x - 2"},
      {"x - -2", "x + 2"},
      {"x + -y", "x - y"},
      {"x - -y", "x + y"},
      {"-x*-y", "x*y"},
      {"x*-2", "-x*2"},
      {"-2/x", "-2/x"},
      {"x - y*-3", "x + y*3"},
      {"2*length", "2*length"},
      {"length - length", "length - length"},
  };
  for (const auto& [text, folded] : cases) EXPECT_EQ(to_text(expression(text)), folded) << text;
}

TEST(Expression, EqualStepsAreOneStep) {
  EXPECT_EQ(expression("sin(x)*sin(x) + sin(x)").steps().size(), 4u);
  EXPECT_EQ(expression("(x + y)^2/(x + y)").steps().size(), 6u);

  Expression::Builder builder;
  const int x = builder.variable(kX, "x");
  EXPECT_EQ(builder.unary(Operation::sin, x), builder.include(expression("sin(x)")));
  EXPECT_NE(builder.parameter("a", 1), builder.parameter("b", 1));
  EXPECT_NE(builder.constant(0.0), builder.constant(-0.0));
  EXPECT_EQ(builder.known_value(builder.include(expression("2*length"))), 1.6);
  EXPECT_EQ(builder.known_value(x), std::nullopt);
}

TEST(Expression, OperandsComeBeforeTheirUseAndNothingElse) {
  Expression::Builder builder;
  builder.variable(formula::kY, "unused");
  const int result = builder.include(expression("length*x^2 + sin(t)/x'"));
  builder.unary(Operation::exp, result);
  const Expression built = builder.build(result);
  EXPECT_EQ(to_text(built), "length*x^2 + sin(t)/x'");
  EXPECT_EQ(built.steps().size(), 10u);
  EXPECT_FALSE(built.depends_on(formula::kY));
  for (std::size_t i = 0; i < built.steps().size(); ++i) {
    EXPECT_LT(built.steps()[i].left, static_cast<int>(i));
    EXPECT_LT(built.steps()[i].right, static_cast<int>(i));
  }
}

TEST(Expression, Arithmetic) {
  const Expression x = expression("x"), y = expression("y");
  EXPECT_EQ(to_text(x + y * 2), "x + y*2");
  EXPECT_EQ(to_text(x - (y - x)), "x - (y - x)");
  EXPECT_EQ(to_text(-(x + y) * x), "-(x + y)*x");
}

TEST(Expression, SplitSum) {
  const auto terms = [](const char* text) {
    std::string joined;
    for (const Expression& term : split_sum(expression(text))) joined += to_text(term) + "; ";
    return joined;
  };
  EXPECT_EQ(terms("x + y - t"), "x; y; -t; ");
  EXPECT_EQ(terms("x"), "x; ");
  EXPECT_EQ(terms("-x*y"), "-x*y; ");
  EXPECT_EQ(terms("x - (y - t)"), "x; -y; t; ");
  EXPECT_EQ(terms("-(x + y - 3)"), "-x; -y; 3; ");
  EXPECT_EQ(terms("-3*x - 0.2*x' + 2*(x + y)"), "-3*x; -0.2*x'; 2*(x + y); ");
  EXPECT_EQ(split_sum(expression("x + y - t"))[1].variables(), std::vector<Variable>{formula::kY});
}

TEST(Expression, TextHasTheFewestParentheses) {
  const char* texts[] = {
      "x + y + t",      "x + (y + t)",  "x - y - t", "x - (y - t)", "x*y*t",       "x*(y*t)",    "x/y/t",
      "x/(y/t)",        "x/(y*t)",      "x*y + t",   "x*(y + t)",   "-x",          "-x*y",       "-(x + y)",
      "-x + y",         "x^2^y",        "(x^2)^y",   "-x^2",        "(-x)^2",      "(-2)^x",     "x^-2",
      "x^-y",           "x^-y^2",       "x^(-y*2)",  "x^(y + 1)",   "x^(y*2)",     "(x + y)^2",  "(x*y)^2",
      "sin(x + y)^2",   "exp(-x^2)",    "2*x",       "-2*x",        "-2 + x",      "x - 2",      "sqrt(x)/abs(y)",
      "sign(x)*tan(y)", "log(bare)",    "3e+20*x",   "1.5e-07*x",   "x - sin(-y)", "-x^2*y - 1", "x*y^2/(t - 1)",
      "-(-x + y)",      "0.1*sin(2*t)",
  };
  for (const char* text : texts) EXPECT_EQ(to_text(expression(text)), text);
}

// Numbers are written with the fewest digits that read back to the same bits.
TEST(Expression, NumbersReadBack) {
  for (const double value : {0.1, 1.0 / 3, 1e23, 5e-324, 1.7976931348623157e308, 123456789012345680.0, -0.0, 2.0, 1e-7}) {
    const double again = expression(to_text(Expression(value))).constant_value();
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again), std::bit_cast<std::uint64_t>(value)) << value;
  }
  EXPECT_EQ(to_text(Expression(0.1)), "0.1");
  EXPECT_EQ(to_text(Expression(2)), "2");
}

// Any graph: every operation on any two earlier steps.
Expression random_expression(std::mt19937& random, int operations) {
  constexpr Operation kBinary[] = {Operation::add,   Operation::subtract, Operation::multiply, Operation::divide,
                                   Operation::power, Operation::min,      Operation::max,      Operation::atan2};
  constexpr Operation kUnary[] = {Operation::sin, Operation::cos, Operation::tan,  Operation::sqrt, Operation::exp,
                                  Operation::log, Operation::abs, Operation::sign, Operation::tanh, Operation::floor};
  Expression::Builder builder;
  std::vector<int> handles{builder.include(expression("x")),
                           builder.include(expression("y")),
                           builder.include(expression("x'")),
                           builder.include(expression("length")),
                           builder.include(expression("n")),
                           builder.constant(2),
                           builder.constant(-3),
                           builder.constant(1e-9),
                           builder.constant(std::ldexp(random(), -30))};
  const auto any = [&] { return handles[random() % handles.size()]; };
  const auto recent = [&] { return handles[handles.size() - 1 - random() % std::min<std::size_t>(handles.size(), 4)]; };
  for (int i = 0; i < operations; ++i) {
    switch (random() % 5) {
      case 4: handles.push_back(builder.choose(any(), recent(), any())); break;
      case 0: handles.push_back(builder.unary(kUnary[random() % std::size(kUnary)], recent())); break;
      case 1: handles.push_back(builder.unary(Operation::negate, any())); break;
      default: handles.push_back(builder.binary(kBinary[random() % std::size(kBinary)], recent(), any()));
    }
  }
  return builder.build(handles.back());
}

// Written and read again, an expression has the same value to the last bit, and the same text.
TEST(Expression, RandomExpressionsReadBack) {
  std::mt19937 random(2026);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const Expression original = random_expression(random, 1 + i % 12);
    const std::string text = to_text(original);
    const auto result = parse_expression(text, formula::names());
    if (const auto* error = std::get_if<ParseError>(&result)) {
      // The graph may contain a constant part without a value or a sum of length and angle; nothing else is wrong with it.
      EXPECT_TRUE(error->code >= "VN-EXPR-015" && error->code <= "VN-EXPR-019") << text << ": " << error->message;
      continue;
    }
    const Expression& again = std::get<ParsedExpression>(result).expression;
    EXPECT_EQ(to_text(again), text);
    for (const double x : {0.3, -1.7, 2.0}) {
      const formula::Point point{.q = {x, 1.25}, .v = {-0.4}};
      const double before = evaluate(original, point.bindings()), after = evaluate(again, point.bindings());
      EXPECT_TRUE(before == after || (std::isnan(before) && std::isnan(after))) << text << ": " << before << " " << after;
      compared += std::isfinite(before) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 4000);
}

// Of functions that are smooth and tame everywhere, so that a difference quotient can judge.
int tame(Expression::Builder& builder, std::mt19937& random, int depth) {
  const auto binary = [&](Operation operation, int a, int b) { return builder.binary(operation, a, b); };
  if (depth == 0) {
    const int x = builder.variable(kX, "x"), y = builder.variable(formula::kY, "y");
    return std::array{x, x, y, builder.constant(0.7)}[random() % 4];
  }
  const int a = tame(builder, random, depth - 1), b = tame(builder, random, depth - 1);
  const int above_one = binary(Operation::add, builder.constant(1), binary(Operation::power, a, builder.constant(2)));
  switch (random() % 12) {
    case 11: return binary(Operation::atan2, b, above_one);
    case 10: return builder.unary(Operation::tanh, a);
    case 0: return binary(Operation::add, a, b);
    case 1: return binary(Operation::subtract, a, b);
    case 2: return binary(Operation::multiply, builder.unary(Operation::sin, a), b);
    case 3: return binary(Operation::divide, b, above_one);
    case 4: return builder.unary(Operation::cos, a);
    case 5: return builder.unary(Operation::sqrt, above_one);
    case 6: return builder.unary(Operation::log, above_one);
    case 7: return builder.unary(Operation::exp, builder.unary(Operation::sin, a));
    case 8: return binary(Operation::power, above_one, builder.unary(Operation::cos, b));
    default: return builder.unary(Operation::negate, builder.unary(Operation::tan, builder.unary(Operation::sin, a)));
  }
}

// Richardson: the differences D(h), D(h/2) give D = (4 D(h/2) - D(h))/3 + O(h⁴), and |D(h/2) - D(h)| bounds what h² leaves.
TEST(Differentiate, RandomExpressionsAgainstDifferences) {
  std::mt19937 random(17);
  int variable = 0;
  for (int i = 0; i < 400; ++i) {
    Expression::Builder builder;
    const Expression f = builder.build(tame(builder, random, 1 + i % 4));
    const double x = 0.2 + 0.003 * i, h = 1e-3;
    const auto at = [&f](double value) { return evaluate(f, formula::Point{.q = {value, -0.6}}.bindings()); };
    const auto difference = [&](double step) { return (at(x + step) - at(x - step)) / (2 * step); };
    const double coarse = difference(h), fine = difference(h / 2);
    const double derivative = evaluate(differentiate(f, kX), formula::Point{.q = {x, -0.6}}.bindings());
    EXPECT_NEAR(derivative, (4 * fine - coarse) / 3, 0.1 * std::abs(fine - coarse) + 1e-10 * (1 + std::abs(at(x)))) << to_text(f);
    variable += derivative != 0 ? 1 : 0;
  }
  EXPECT_GT(variable, 200);
}

// As deep as it is long: nothing recurses on the depth of a graph.
TEST(Expression, SumsOfThousandsOfTerms) {
  constexpr int kTerms = 5000;
  std::string text = "x";
  for (int i = 1; i < kTerms; ++i) text += i % 2 == 0 ? "-y" : "+x";
  const Expression sum = expression(text);
  const formula::Point point{.q = {0.5, 0.25}};
  EXPECT_EQ(evaluate(sum, point.bindings()), 0.5 * (1 + kTerms / 2) - 0.25 * (kTerms / 2 - 1));
  EXPECT_EQ(evaluate(differentiate(sum, kX), point.bindings()), 1 + kTerms / 2);
  EXPECT_EQ(split_sum(sum).size(), static_cast<std::size_t>(kTerms));

  std::string spaceless;
  for (const char c : to_text(sum)) {
    if (c != ' ') spaceless += c;
  }
  EXPECT_EQ(spaceless, text);
}

// 0/0 is not a number, though 0/x is 0 wherever x is not.
TEST(Expression, ZeroByZeroIsNotZero) {
  Expression::Builder builder;
  const int zero = builder.constant(0);
  EXPECT_TRUE(std::isnan(evaluate(builder.build(builder.binary(Operation::divide, zero, zero)), {})));
}

}  // namespace
}  // namespace vinculum
