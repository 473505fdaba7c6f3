// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/siconos.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "vinculum/math/complementarity.h"

namespace vinculum {
namespace {

// Random problems, P-matrices and others: as many solutions as Siconos finds by solving every basis by itself.
TEST(Siconos, NumberOfSolutions) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  int none = 0, one = 0, several = 0;
  for (int count = 0; count < 400; ++count) {
    const std::size_t n = 1 + count % 7;
    std::vector<double> M(n * n), q(n);
    for (double& value : M) value = normal(random);
    for (std::size_t i = 0; i < n; ++i) M[i * n + i] += count % 3;
    for (double& value : q) value = normal(random) - 0.5;
    const auto solutions = enumerate_complementarity(M, q);
    ASSERT_EQ(static_cast<int>(solutions.size()), peers::count_siconos_solutions(M, q)) << "problem " << count << ", n = " << n;
    (solutions.empty() ? none : solutions.size() == 1 ? one : several) += 1;
  }
  EXPECT_GT(none, 40);
  EXPECT_GT(one, 40);
  EXPECT_GT(several, 40);
}

}  // namespace
}  // namespace vinculum
