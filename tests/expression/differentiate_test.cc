// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/differentiate.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"

namespace vinculum {
namespace {

using formula::expression;
using formula::kX;

// Each operation, and their compositions: against the formula of the textbook, and against a central difference.
//
// The step cbrt(eps) = 6e-6 leaves h² f'''/6 + eps f/h, with f, f''' below 100 here: less than 100 (6e-12 + 4e-11) < 5e-9.
TEST(Differentiate, EveryOperation) {
  const double x = 0.6, y = 2.5;
  const double s = std::sin(x), c = std::cos(x);
  const struct {
    const char* text;
    double derivative;
  } cases[] = {
      {"7", 0},
      {"length", 0},
      {"y", 0},
      {"x", 1},
      {"-x", -1},
      {"x + y", 1},
      {"y - x", -1},
      {"x*y", y},
      {"x*x", 2 * x},
      {"x/y", 1 / y},
      {"y/x", -y / (x * x)},
      {"(x + y)/(x - y)", -2 * y / ((x - y) * (x - y))},
      {"x^2", 2 * x},
      {"x^n", 3 * x * x},
      {"x^zero", 0},
      {"x^-2", -2 / (x * x * x)},
      {"x^0.5", 0.5 / std::sqrt(x)},
      {"(-x)^3", -3 * x * x},
      {"x^y", y * std::pow(x, y - 1)},
      {"y^x", std::pow(y, x) * std::log(y)},
      {"x^x", std::pow(x, x) * (std::log(x) + 1)},
      {"sin(x)", c},
      {"cos(x)", -s},
      {"tan(x)", 1 / (c * c)},
      {"sqrt(x)", 0.5 / std::sqrt(x)},
      {"exp(x)", std::exp(x)},
      {"log(x)", 1 / x},
      {"abs(x)", 1},
      {"abs(-3*x)", 3},
      {"sign(x)", 0},
      {"sin(x)^2", 2 * s * c},
      {"sin(y*x)", y * std::cos(y * x)},
      {"exp(-x^2)", -2 * x * std::exp(-x * x)},
      {"log(1 + x^2)", 2 * x / (1 + x * x)},
      {"sqrt(1 + x^2)", x / std::sqrt(1 + x * x)},
      {"1/(1 + exp(-x))", std::exp(-x) / ((1 + std::exp(-x)) * (1 + std::exp(-x)))},
  };
  const double h = std::cbrt(std::numeric_limits<double>::epsilon());
  for (const auto& [text, derivative] : cases) {
    const Expression f = expression(text);
    const auto at = [y](double value) { return formula::Point{.q = {value, y}}; };
    EXPECT_NEAR(evaluate(differentiate(f, kX), at(x).bindings()), derivative, 4e-16 * (4 + 4 * std::abs(derivative))) << text;
    const double difference = (evaluate(f, at(x + h).bindings()) - evaluate(f, at(x - h).bindings())) / (2 * h);
    EXPECT_NEAR(difference, derivative, 5e-9) << text;
  }
}

// The logarithm of a negative base never enters where the exponent does not vary.
TEST(Differentiate, PowersOfNegativeBases) {
  const formula::Point point{.q = {-1.5, 3}};
  EXPECT_EQ(evaluate(differentiate(expression("x^3"), kX), point.bindings()), 3 * 1.5 * 1.5);
  EXPECT_EQ(evaluate(differentiate(expression("x^n"), kX), point.bindings()), 3 * 1.5 * 1.5);
  EXPECT_EQ(evaluate(differentiate(expression("x^-1"), kX), point.bindings()), -1 / (1.5 * 1.5));
  EXPECT_EQ(evaluate(differentiate(expression("abs(x)"), kX), point.bindings()), -1);
  EXPECT_EQ(evaluate(differentiate(expression("x^zero"), kX), {.q = std::vector<double>{0.0}}), 0);
}

TEST(Differentiate, SecondDerivatives) {
  const double x = 0.6, y = 2.5;
  const formula::Point point{.q = {x, y}};
  const struct {
    const char* text;
    Variable first, second;
    double expected;
  } cases[] = {
      {"sin(2*x)", kX, kX, -4 * std::sin(2 * x)},
      {"x^4", kX, kX, 12 * x * x},
      {"exp(x*y)", kX, formula::kY, (1 + x * y) * std::exp(x * y)},
      {"exp(x*y)", formula::kY, kX, (1 + x * y) * std::exp(x * y)},
      {"1/x", kX, kX, 2 / (x * x * x)},
      {"log(x)", kX, kX, -1 / (x * x)},
      {"sqrt(x)", kX, kX, -0.25 * std::pow(x, -1.5)},
      {"tan(x)", kX, kX, 2 * std::tan(x) / (std::cos(x) * std::cos(x))},
      {"x^y", kX, formula::kY, std::pow(x, y - 1) * (1 + y * std::log(x))},
      {"abs(x)", kX, kX, 0},
  };
  for (const auto& [text, first, second, expected] : cases) {
    const double value = evaluate(differentiate(differentiate(expression(text), first), second), point.bindings());
    EXPECT_NEAR(value, expected, 2e-15 * (1 + std::abs(expected))) << text;
  }
}

TEST(Differentiate, ByTimeAndVelocity) {
  const formula::Point point{.t = 0.3, .q = {2}, .v = {-5}};
  const Expression law = expression("x*sin(4*t) - 0.2*x'*abs(x')");
  EXPECT_EQ(evaluate(differentiate_by_time(law), point.bindings()), 2 * (4 * std::cos(4 * 0.3)));
  EXPECT_NEAR(evaluate(differentiate(law, formula::kXRate), point.bindings()), -0.2 * 2 * 5, 1e-15);
  EXPECT_TRUE(differentiate(law, formula::kY).is_constant());
}

// d^k of a function with all its parts shared: the graph grows like a polynomial of k, the written formula would like 2^k.
TEST(Differentiate, SharedStepsKeepDerivativesShort) {
  Expression f = expression("exp(sin(x))*sqrt(1 + x^2)");
  const std::size_t length = f.steps().size();
  f = differentiate(f, kX);
  EXPECT_LE(f.steps().size(), 4 * length);
  for (int order = 2; order <= 5; ++order) f = differentiate(f, kX);
  EXPECT_LE(f.steps().size(), 1000u);
}

// x (x (.. )): 4000 factors, as deep as long. d(x^n) = n x^(n-1).
TEST(Differentiate, LongChains) {
  std::string text = "x";
  for (int i = 1; i < 4000; ++i) text += "*x";
  const Expression derivative = differentiate(expression(text), kX);
  EXPECT_LE(derivative.steps().size(), 4u * 4000);
  EXPECT_NEAR(evaluate(derivative, formula::Point{.q = {0.999}}.bindings()) / (4000 * std::pow(0.999, 3999)), 1, 4000 * 4.5e-16);
}

}  // namespace
}  // namespace vinculum
