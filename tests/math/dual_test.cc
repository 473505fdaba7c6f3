// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "scalar_laws.h"
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

// The laws of trees in eight random directions of (q, v, forces), against central differences with an error of h².
TEST(Dual, LawsOfTreesAgainstDifferences) {
  for (int seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    Diagnostics diagnostics;
    const auto model = build_model(random_tree(random.next(), 2 + seed), diagnostics);
    ASSERT_TRUE(model);
    const Tree& tree = model->tree();
    const int n = tree.velocities, inputs = tree.coordinates + 2 * n, results = n * (2 + n);
    const State state = random_state(*model, random);

    std::vector<double> at(state.q);
    at.insert(at.end(), state.v.begin(), state.v.end());
    for (int i = 0; i < n; ++i) at.push_back(5 * random.symmetric());
    const auto laws = [&]<class S>(const std::vector<S>& in) {
      std::vector<S> out(results);
      apply_laws(tree, in.data(), in.data() + tree.coordinates, in.data() + tree.coordinates + n, out.data());
      return out;
    };

    std::vector<Dual8> x;
    for (double value : at) x.emplace_back(value);
    for (Dual8& input : x) {
      for (int k = 0; k < 8; ++k) input.derivatives.lanes[k] = random.symmetric();
    }
    const std::vector<Dual8> f = laws(x);
    const std::vector<double> value = laws(at);
    double scale = 1;
    for (const Dual8& result : f) {
      for (int k = 0; k < 8; ++k) scale = std::max(scale, std::abs(result.derivatives[k]));
    }

    constexpr double h = 1e-5;
    for (int k = 0; k < 8; ++k) {
      std::vector<double> later = at, earlier = at;
      for (int i = 0; i < inputs; ++i) later[i] += h * x[i].derivatives[k], earlier[i] -= h * x[i].derivatives[k];
      const std::vector<double> f_later = laws(later), f_earlier = laws(earlier);
      for (int i = 0; i < results; ++i) {
        EXPECT_NEAR(f[i].derivatives[k], (f_later[i] - f_earlier[i]) / (2 * h), 1e-6 * scale)
            << "seed " << seed << ", result " << i;
      }
    }
    for (int i = 0; i < results; ++i) EXPECT_EQ(f[i].value, value[i]);
  }
}

}  // namespace
}  // namespace vinculum::testing
