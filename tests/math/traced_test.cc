// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "scalar_operations.h"
#include "tests/support/random_tree.h"
#include "tests/support/tape.h"
#include "vinculum/math/dual.h"
#include "vinculum/math/tape_series.h"
#include "vinculum/math/traced.h"

namespace vinculum::testing {
namespace {

TEST(Traced, FoldsConstantsAndSharesSteps) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input(), zero = lift<Traced>(0), one = lift<Traced>(1), two = lift<Traced>(2);
  const auto steps = [&](const Traced& value) { return scope.tape_of({&value, 1}).steps.size(); };

  EXPECT_EQ(steps(sqrt(two * two) + one), 1u);      // 3
  EXPECT_EQ(steps(zero * x + one * y - zero), 1u);  // y
  EXPECT_EQ(steps(multiply_add(x, zero, multiply_add(one, y, zero))), 1u);
  EXPECT_EQ(steps(-(-x)), 1u);
  EXPECT_EQ(steps(x * y + y * x), 4u);                  // x, y, x y, sum
  EXPECT_EQ(steps((-x) * y + x * y), 1u);               // 0
  EXPECT_EQ(steps((-x) * y + x), 4u);                   // x, y, x y, difference
  EXPECT_EQ(steps(sincos(x).sin * sincos(x).cos), 4u);  // x, sin, cos, product
  EXPECT_EQ(steps(two * x + two * y), 6u);              // 2 once
  EXPECT_EQ(run<double>(scope.tape_of(std::vector{two + one, x - x}), {5, 7}), (std::vector<double>{3, 0}));
}

TEST(Traced, LeavesOutWhatIsNotNeeded) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input();
  [[maybe_unused]] const Traced unused = exp(x) / y;
  const Traced cosine = sincos(y).cos;
  const Tape tape = scope.tape_of({&cosine, 1});
  EXPECT_EQ(tape.inputs, 2);
  EXPECT_EQ(tape.steps.size(), 3u);
  EXPECT_EQ(run<double>(tape, {0.3, 0.4}).at(0), sincos(0.4).cos);
}

// Every function, the bits of double, by the tape and by C; also in packs.
TEST(Traced, ValuesAreThoseOfDouble) {
  TraceScope scope;
  const Traced a = scope.input(), b = scope.input(), c = scope.input();
  std::vector<Traced> results(kFunctions);
  apply_functions(a, b, c, results.data());
  const Tape tape = scope.tape_of(results);
  const CompiledTape compiled(tape);

  Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> in(3), in_c(kFunctions), expected(kFunctions);
    for (double& x : in) x = random.symmetric() * std::ldexp(1.0, random.below(40) - 5);
    in[0] = round % 2 == 0 ? std::abs(in[0]) : in[0];
    apply_functions(in[0], in[1], in[2], expected.data());
    const std::vector<double> out = run(tape, in);
    const std::vector<Pack<8>> in_packs = run<Pack<8>>(tape, {Pack<8>(in[0]), Pack<8>(in[1]), Pack<8>(in[2])});
    if (compiled) compiled(in.data(), in_c.data());
    for (int i = 0; i < kFunctions; ++i) {
      if (std::isnan(expected[i])) continue;
      EXPECT_EQ(out[i], expected[i]) << "function " << i << " of " << in[0] << ", " << in[1];
      EXPECT_EQ(in_packs[i][5], expected[i]) << "function " << i << " of " << in[0] << ", " << in[1];
      if (!compiled) continue;
      EXPECT_EQ(in_c[i], expected[i]) << "function " << i << " of " << in[0] << ", " << in[1];
    }
  }
  if (!compiled) GTEST_SKIP() << "no C compiler for the last part";
}

// f = x^y sin(x) / sqrt(y) + |x| exp(-y) + log(x) y²
TEST(Traced, GradientInClosedForm) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input();
  const Traced f = pow(x, y) * sincos(x).sin / sqrt(y) + abs(x) * exp(-y) + multiply_add(log(x), y * y, sign(x));
  const Tape tape = scope.tape_of({&f, 1});

  const double a = 1.7, b = 0.6, p = std::pow(a, b), s = std::sin(a), c = std::cos(a), root = std::sqrt(b);
  const double by_x = (b * p / a * s + p * c) / root + std::exp(-b) + b * b / a;
  const double by_y = p * std::log(a) * s / root - p * s / (2 * b * root) - a * std::exp(-b) + 2 * b * std::log(a);
  const std::vector<double> reverse = gradient(tape, {a, b}, {1});
  EXPECT_NEAR(reverse[0], by_x, 1e-14);
  EXPECT_NEAR(reverse[1], by_y, 1e-14);

  using Dual4 = Dual<double, Pack<4>>;
  Dual4 dual_x(a), dual_y(b);
  dual_x.derivatives.lanes[0] = dual_y.derivatives.lanes[1] = 1;
  const Dual4 forward = run<Dual4>(tape, {dual_x, dual_y}).at(0);
  EXPECT_NEAR(forward.derivatives[0], by_x, 1e-14);
  EXPECT_NEAR(forward.derivatives[1], by_y, 1e-14);
}

// f = tanh(x) y + min(x, y²) - max(x, y) + choose(x - y, x², y) + floor(x) y, and the series of tanh.
TEST(Traced, GradientOfStepsAndChoices) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input();
  const Traced f = tanh(x) * y + min(x, y * y) - max(x, y) + choose(x - y, x * x, y) + floor(x) * y;
  const Tape tape = scope.tape_of({&f, 1});
  for (const auto& [a, b] : {std::pair{2.3, 0.6}, {0.4, 0.9}, {-1.2, -3.5}}) {
    const double t = std::tanh(a);
    const std::vector<double> reverse = gradient(tape, {a, b}, {1});
    EXPECT_NEAR(reverse[0], (1 - t * t) * b + (a < b * b) - (a > b) + (a > b ? 2 * a : 0), 1e-14);
    EXPECT_NEAR(reverse[1], t + (a < b * b ? 0 : 2 * b) - (a > b ? 0 : 1) + (a > b ? 0 : 1) + std::floor(a), 1e-14);
  }
}

// tanh s = s - s³/3 + 2 s⁵/15 - .. , and its derivative 1 - tanh² at another place.
TEST(Traced, SeriesOfTanh) {
  TraceScope scope;
  const Traced x = scope.input(), f = tanh(x);
  TapeSeries series(scope.tape_of({&f, 1}), 5);
  series.set_input(0, 1, 1);
  for (int n = 0; n <= 5; ++n) series.compute_order(n);
  const double expected[] = {0, 1, 0, -1.0 / 3, 0, 2.0 / 15};
  for (int n = 0; n <= 5; ++n) EXPECT_NEAR(series.output(0, n), expected[n], 1e-16) << n;
  series.set_input(0, 0, 0.8);
  for (int n = 0; n <= 5; ++n) series.compute_order(n);
  const double t = std::tanh(0.8);
  EXPECT_NEAR(series.output(0, 1), 1 - t * t, 1e-15);
  EXPECT_NEAR(series.output(0, 2), -t * (1 - t * t), 1e-15);
}

// √(x²) is |x|, its series about x > 0 is x: with x = 1 - s it leaves the function at s = 1, with x = 2 - s not before 2.
TEST(Traced, SeriesOfARootEndsWhereItRunsThroughZero) {
  for (const double zero : {1.0, 2.0}) {
    TraceScope scope;
    const Traced x = scope.input(), f = sqrt(x * x);
    TapeSeries series(scope.tape_of({&f, 1}), 5);
    series.set_input(0, 0, zero);
    series.set_input(0, 1, -1);
    for (int n = 0; n <= 5; ++n) series.compute_order(n);
    EXPECT_EQ(series.output(0, 1), -1);
    EXPECT_NEAR(series.find_branch(1.5), std::min(zero, 1.5), 1e-15);
    EXPECT_NEAR(series.find_branch(0.9), 0.9, 1e-15);
  }
}

// asin s = s + s³/6 + 3 s⁵/40 + .. , as the angle of the point (√(1 - s²), s); and the gradient y/r², -x/r² of an angle.
TEST(Traced, AnglesOfPoints) {
  TraceScope scope;
  const Traced x = scope.input(), y = scope.input(), f = atan2(x, sqrt(Traced(1) - x * x)), angle = atan2(y, x);
  TapeSeries series(scope.tape_of({&f, 1}), 5);
  series.set_input(0, 1, 1);
  for (int n = 0; n <= 5; ++n) series.compute_order(n);
  const double expected[] = {0, 1, 0, 1.0 / 6, 0, 3.0 / 40};
  for (int n = 0; n <= 5; ++n) EXPECT_NEAR(series.output(0, n), expected[n], 1e-16) << n;
  const std::vector<double> reverse = gradient(scope.tape_of({&angle, 1}), {-3, 4}, {1});
  EXPECT_NEAR(reverse[0], -4.0 / 25, 1e-16);
  EXPECT_NEAR(reverse[1], -3.0 / 25, 1e-16);
}

// The gradient traced in turn: a tape of derivatives. (x³ y)'' = 6 x y by x twice, 3 x² by x and y.
TEST(Traced, TapeOfATape) {
  TraceScope inner, outer;
  const Traced x = inner.input(), y = inner.input(), f = x * x * x * y;
  const Tape tape = inner.tape_of({&f, 1});

  const std::vector<Traced> in{outer.input(), outer.input()}, one{lift<Traced>(1)};
  std::vector<Traced> out(1), values(tape.steps.size()), result(2), scratch(tape.steps.size());
  evaluate(tape, in.data(), out.data(), values.data());
  pull_back(tape, values.data(), one.data(), result.data(), scratch.data());
  const Tape slope = outer.tape_of(result);

  EXPECT_DOUBLE_EQ(run<double>(slope, {2, 5})[0], 3 * 2 * 2 * 5);
  EXPECT_DOUBLE_EQ(gradient(slope, {2, 5}, {1, 0})[0], 6 * 2 * 5);
  EXPECT_DOUBLE_EQ(gradient(slope, {2, 5}, {1, 0})[1], 3 * 2 * 2);
}

}  // namespace
}  // namespace vinculum::testing
