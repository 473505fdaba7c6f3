// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "scalar_operations.h"
#include "tests/support/random_tree.h"
#include "vinculum/math/dual.h"

namespace vinculum::testing {
namespace {

using Dual4 = Dual<double, Pack<4>>;
using Dual8 = Dual<double, Pack<8>>;

// The variable of a direction: its derivative there is 1.
template <int N>
Dual<double, Pack<N>> variable(double value, int direction) {
  Dual<double, Pack<N>> x(value);
  x.derivatives.lanes[direction] = 1;
  return x;
}

// x = 1.3 in direction 0, y = -0.7 in direction 2; the others stay zero.
void expect_gradient(const Dual4& f, double value, double by_x, double by_y) {
  EXPECT_EQ(f.value, value);
  EXPECT_DOUBLE_EQ(f.derivatives[0], by_x);
  EXPECT_DOUBLE_EQ(f.derivatives[2], by_y);
  EXPECT_EQ(f.derivatives[1], 0);
  EXPECT_EQ(f.derivatives[3], 0);
}

TEST(Dual, ClosedForms) {
  const double a = 1.3, b = -0.7;
  const Dual4 x = variable<4>(a, 0), y = variable<4>(b, 2);
  const auto [s, c] = sincos(a);
  expect_gradient(x + y, a + b, 1, 1);
  expect_gradient(x - y, a - b, 1, -1);
  expect_gradient(-x, -a, -1, 0);
  expect_gradient(x * y, a * b, b, a);
  expect_gradient(x / y, a / b, 1 / b, -a / (b * b));
  expect_gradient(multiply_add(x, y, x), multiply_add(a, b, a), b + 1, a);
  expect_gradient(sqrt(x), std::sqrt(a), 0.5 / std::sqrt(a), 0);
  expect_gradient(exp(y), std::exp(b), 0, std::exp(b));
  expect_gradient(log(x), std::log(a), 1 / a, 0);
  expect_gradient(abs(y), -b, 0, -1);
  expect_gradient(sign(y), -1, 0, 0);
  expect_gradient(sincos(x).sin, s, c, 0);
  expect_gradient(sincos(x).cos, c, -s, 0);
  expect_gradient(pow(x, y), std::pow(a, b), b * std::pow(a, b - 1), std::pow(a, b) * std::log(a));
  expect_gradient(pow(y, Dual4(3)), b * b * b, 0, 3 * b * b);  // a negative base, and no logarithm of it
  expect_gradient(min(x, y), b, 0, 1);
  expect_gradient(max(x, y), a, 1, 0);
  expect_gradient(tanh(y), std::tanh(b), 0, 1 - std::tanh(b) * std::tanh(b));
  expect_gradient(floor(x), 1, 0, 0);
  expect_gradient(choose(x - y, x * y, y), a * b, b, a);
  expect_gradient(choose(x - y, y, sqrt(y)), b, 0, 1);  // √y is not a number, and not taken
  expect_gradient(select(x < y, x, y * y), b * b, 0, 2 * b);
}

TEST(Dual, ValuesHaveTheBitsOfDouble) {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    const double a = 4 * random.symmetric(), b = 4 * random.symmetric(), c = 4 * random.symmetric();
    double expected[kOperations];
    Dual8 results[kOperations];
    apply_operations(a, b, c, expected);
    apply_operations(variable<8>(a, 0), variable<8>(b, 1), variable<8>(c, 7), results);
    for (int i = 0; i < kOperations; ++i) {
      EXPECT_TRUE(results[i].value == expected[i] || std::isnan(expected[i])) << "operation " << i << " of " << a << ", " << b;
    }
  }
}

// A direction in each of four states, and the comparison that goes another way in each.
TEST(Dual, StatesSideBySide) {
  const double numbers[] = {-2, -0.5, 0.5, 2};
  const Dual<Pack<4>, Pack<4>> x(Pack<4>::load(numbers), Pack<4>(1)), cube = x * x * x, larger = max(x, cube);
  for (int i = 0; i < 4; ++i) {
    const double a = numbers[i];
    EXPECT_EQ(cube.derivatives[i], 3 * a * a);
    EXPECT_EQ(larger.value[i], std::max(a, a * a * a));
    EXPECT_EQ(larger.derivatives[i], a > a * a * a ? 1 : 3 * a * a);
  }
}

// Of a dual of duals: (exp(sin x))'' = (cos² x - sin x) exp(sin x)
TEST(Dual, SecondDerivative) {
  using First = Dual<double, double>;
  using Second = Dual<First, First>;
  const Second x(First(0.9, 1), First(1));
  const Second f = exp(sincos(x).sin);
  const double s = std::sin(0.9), c = std::cos(0.9);
  EXPECT_DOUBLE_EQ(f.value.derivatives, c * std::exp(s));
  EXPECT_DOUBLE_EQ(f.derivatives.derivatives, (c * c - s) * std::exp(s));
}

}  // namespace
}  // namespace vinculum::testing
