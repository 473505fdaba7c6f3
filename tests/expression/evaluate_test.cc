// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/expression/formula.h"
#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {
namespace {

using formula::expression;
using std::numbers::pi;

// What a text means, beside the same formula in C++: equal to the last bit, tan excepted (one division more).
TEST(Evaluate, TextsMeanTheirFormulas) {
  const double t = 1.5, x = -0.7, y = 2.25, x_rate = 0.3, tx = 0.01, tx_rate = -4, length = 0.8;
  const formula::Point point{t, {x, y, tx, 7}, {x_rate, 0, tx_rate}};
  const struct {
    const char* text;
    double expected;
  } cases[] = {
      {"0", 0.0},
      {"42", 42.0},
      {".5", 0.5},
      {"5.", 5.0},
      {"1e-3", 1e-3},
      {"1E5", 1e5},
      {"2.5e+2", 250.0},
      {"007", 7.0},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"5e-324", 5e-324},
      {"0e999", 0.0},
      {"pi", pi},
      {"t", t},
      {"x'", x_rate},
      {"sled.tx", tx},
      {"sled.tx'", tx_rate},
      {"größe", 7.0},
      {"length", length},
      {"1 + 2*3", 7.0},
      {"(1 + 2)*3", 9.0},
      {"1 - 2 - 3", -4.0},
      {"1 - (2 - 3)", 2.0},
      {"8/4/2", 1.0},
      {"8/(4/2)", 4.0},
      {"8/4*2", 4.0},
      {"-2^2", -4.0},
      {"(-2)^2", 4.0},
      {"2^-1", 0.5},
      {"2^3^2", 512.0},
      {"(2^3)^2", 64.0},
      {"-2^-2", -0.25},
      {"2*-3", -6.0},
      {"2--3", 5.0},
      {"+-+-3", 3.0},
      {"---x", -x},
      {"x^2", x * x},
      {"x^3", x * x * x},
      {"x^-2", 1 / (x * x)},
      {"x^n", x * x * x},
      {"x^(n - 1)", x * x},
      {"x^-n", 1 / (x * x * x)},
      {"x^zero", 1.0},
      {"x^7", (x * x * x) * (x * x * x) * x},
      {"y^0.5", std::pow(y, 0.5)},
      {"y^x", std::pow(y, x)},
      {"2^x", std::pow(2, x)},
      {"-x^2", -(x * x)},
      {"x*y/t", x * y / t},
      {"x/y*t", x / y * t},
      {"x - y + t", x - y + t},
      {"x - (y + t)", x - (y + t)},
      {"sin(x)", std::sin(x)},
      {"cos( x )", std::cos(x)},
      {"tan(x)", std::sin(x) / std::cos(x)},
      {"sqrt(y)", 1.5},
      {"exp(x)", std::exp(x)},
      {"log(y)", std::log(y)},
      {"abs(x)", 0.7},
      {"sign(x)", -1.0},
      {"sign(x - x)", 0.0},
      {"0.1*sin(2*t)", 0.1 * std::sin(2 * t)},
      {"sled.tx'*cos(x) - sled.tx*sin(x)", tx_rate * std::cos(x) - tx * std::sin(x)},
      {"length/2*(1 - cos(2*pi*t))", length / 2 * (1 - std::cos(2 * pi * t))},
      {"exp(-x^2/2)/sqrt(2*pi)", std::exp(-(x * x) / 2) / std::sqrt(2 * pi)},
      {" \t1\r\n+\n1 ", 2.0},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(evaluate(expression(text), point.bindings()), expected) << text;
  EXPECT_NEAR(evaluate(expression("tan(x)"), point.bindings()), std::tan(x), 2e-16);
}

TEST(Evaluate, SurfaceVariables) {
  NameTable table;
  table.variables = {{"x", {VariableKind::surface_x, 0}}, {"y", {VariableKind::surface_y, 0}}};
  const auto surface = std::get<ParsedExpression>(parse_expression("x^2 - 3*y", table)).expression;
  EXPECT_EQ(evaluate(surface, {.surface_x = 0.5, .surface_y = -2}), 0.25 + 6);
}

// Whole exponents beyond repeated multiplication are still whole: (-1)^n has its sign, and the value is that of pow.
TEST(Evaluate, LargeWholePowers) {
  const formula::Point point{.q = {-1.001}};
  EXPECT_EQ(evaluate(expression("x^1025"), point.bindings()), std::pow(-1.001, 1025));
  EXPECT_NEAR(evaluate(expression("x^1023"), point.bindings()) / std::pow(-1.001, 1023), 1, 1024 * 2.2e-16);
}

TEST(Evaluate, ScratchIsReusedWithoutAllocation) {
  const Expression formula = expression("sin(x)*cos(x) + x");
  std::vector<double> scratch;
  const formula::Point point{.q = {0.4}};
  EXPECT_DOUBLE_EQ(evaluate(formula, point.bindings(), scratch), std::sin(0.4) * std::cos(0.4) + 0.4);
  const double* memory = scratch.data();
  EXPECT_EQ(evaluate(expression("x"), point.bindings(), scratch), 0.4);
  EXPECT_DOUBLE_EQ(evaluate(formula, point.bindings(), scratch), std::sin(0.4) * std::cos(0.4) + 0.4);
  EXPECT_EQ(scratch.data(), memory);
}

TEST(Evaluate, NoValueIsNaNOrInfinite) {
  const formula::Point point{.q = {-1, 0}};
  EXPECT_TRUE(std::isnan(evaluate(expression("log(x)"), point.bindings())));
  EXPECT_TRUE(std::isnan(evaluate(expression("x^0.5"), point.bindings())));
  EXPECT_TRUE(std::isinf(evaluate(expression("1/y"), point.bindings())));
}

// A scalar that counts the products its value has gone through: the kernel asks of it no more than its operators and functions.
struct Counting {
  double value = 0;
  int products = 0;

  Counting() = default;
  explicit Counting(double v, int p = 0) : value(v), products(p) {}
};
Counting only(Counting a, double value) { return Counting(value, a.products); }
Counting both(Counting a, Counting b, double value) { return Counting(value, std::max(a.products, b.products)); }
Counting operator-(Counting a) { return only(a, -a.value); }
Counting operator+(Counting a, Counting b) { return both(a, b, a.value + b.value); }
Counting operator-(Counting a, Counting b) { return both(a, b, a.value - b.value); }
Counting operator*(Counting a, Counting b) { return Counting(a.value * b.value, std::max(a.products, b.products) + 1); }
Counting operator/(Counting a, Counting b) { return both(a, b, a.value / b.value); }
SinCos<Counting> sincos(Counting a) { return {only(a, vinculum::sincos(a.value).sin), only(a, vinculum::sincos(a.value).cos)}; }
Counting sqrt(Counting a) { return only(a, std::sqrt(a.value)); }
Counting exp(Counting a) { return only(a, std::exp(a.value)); }
Counting log(Counting a) { return only(a, std::log(a.value)); }
Counting abs(Counting a) { return only(a, std::abs(a.value)); }
Counting sign(Counting a) { return only(a, vinculum::sign(a.value)); }
Counting tanh(Counting a) { return only(a, std::tanh(a.value)); }
Counting atan2(Counting a, Counting b) { return both(a, b, std::atan2(a.value, b.value)); }
Counting floor(Counting a) { return only(a, std::floor(a.value)); }
Counting min(Counting a, Counting b) { return both(a, b, std::min(a.value, b.value)); }
Counting max(Counting a, Counting b) { return both(a, b, std::max(a.value, b.value)); }
Counting choose(Counting s, Counting x, Counting y) { return s.value > 0 ? x : y; }
Counting multiply_add(Counting a, Counting b, Counting c) { return a * b + c; }
Counting pow(Counting a, Counting b) { return both(a, b, std::pow(a.value, b.value)); }

// Values as the model file promises them; what is not taken may have no value.
TEST(Evaluate, FunctionsOfSeveralArgumentsAndSteps) {
  const formula::Point point{.q = {-0.7, 2}};
  const auto value = [&](const char* text) { return evaluate(expression(text), point.bindings()); };
  EXPECT_EQ(value("min(x, y)"), -0.7);
  EXPECT_EQ(value("max(x, y)"), 2);
  EXPECT_EQ(value("min(1e20*y, 1 + x)"), 1 - 0.7);
  EXPECT_EQ(value("tanh(x)"), std::tanh(-0.7));
  EXPECT_EQ(value("atan2(y, x)"), std::atan2(2.0, -0.7));
  constexpr double kTwoRoundings = 2 * 4.5e-16;  // of values above 2
  EXPECT_NEAR(value("asin(x)"), std::asin(-0.7), kTwoRoundings / 4);
  EXPECT_NEAR(value("acos(x)"), std::acos(-0.7), kTwoRoundings);
  EXPECT_NEAR(value("acos(-1) - atan(y)"), std::acos(-1.0) - std::atan(2.0), kTwoRoundings);
  EXPECT_TRUE(std::isnan(value("asin(y)")));
  EXPECT_EQ(value("floor(x)"), -1);
  EXPECT_EQ(value("floor(y)"), 2);
  EXPECT_EQ(value("if(x < 0, sqrt(-x), sqrt(x))"), std::sqrt(0.7));
  EXPECT_EQ(value("if(x > 0, sqrt(x), 3)"), 3);
  EXPECT_EQ(value("if(y < 2, 1, 5)"), 5);
  EXPECT_EQ(value("if(y <= 2, 1, 5)"), 1);
  EXPECT_EQ(value("if(y > 2, 1, 5)"), 5);
  EXPECT_EQ(value("if(y >= 2, 1, 5)"), 1);
  EXPECT_EQ(value("if(x^2 < y - 1, if(y < 0, 1, 2), 3)"), 2);
  EXPECT_EQ(expression("if(length < 1 m, 2, 3)").constant_value(), 2);
  EXPECT_EQ(expression("min(length, 50 cm)").constant_value(), 0.5);
}

TEST(Evaluate, AnyScalar) {
  const Counting q[] = {Counting(-0.7), Counting(2)};
  Counting scratch[16];
  const BindingsOf<Counting> bindings{.q = q};
  const auto on_counting = [&](const char* text) { return evaluate_steps<Counting>(expression(text), bindings, scratch); };

  EXPECT_EQ(on_counting("x^2").products, 1);
  EXPECT_EQ(on_counting("x^n").products, 2);
  EXPECT_EQ(on_counting("x^16").products, 4);
  EXPECT_EQ(on_counting("y^0.5").products, 0);
  EXPECT_DOUBLE_EQ(on_counting("sin(x)*y + exp(x)/abs(x) - log(y)*sqrt(y)").value,
                   std::sin(-0.7) * 2 + std::exp(-0.7) / 0.7 - std::log(2.0) * std::sqrt(2.0));
}

}  // namespace
}  // namespace vinculum
