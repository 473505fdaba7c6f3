// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/complementarity.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace vinculum {
namespace {

using Numbers = std::vector<double>;

// How far z and w are from solving the problem, beside the largest of q.
double defect(const Numbers& M, const Numbers& q, const ComplementaritySolution& solution) {
  double worst = 0, size = 0;
  for (size_t i = 0; i < q.size(); ++i) {
    double w = q[i];
    for (size_t j = 0; j < q.size(); ++j) w += M[i * q.size() + j] * solution.z[j];
    worst =
        std::max({worst, std::abs(w - solution.w[i]), -solution.w[i], -solution.z[i], std::min(solution.w[i], solution.z[i])});
    size = std::max(size, std::abs(q[i]));
  }
  return worst / size;
}

// Both rows are pressed: z = -M⁻¹ q.
TEST(Complementarity, AllPressed) {
  const Numbers M{2, 1, 1, 2}, q{-5, -6};
  const auto solution = solve_complementarity(M, q);
  ASSERT_TRUE(solution);
  EXPECT_NEAR(solution->z[0], 4.0 / 3, 1e-15);
  EXPECT_NEAR(solution->z[1], 7.0 / 3, 1e-15);
}

// The first row alone gives z = 5/2, and then w of the second is 1 + 5/2; coupled by -1 it would be 1 - 5/2: both are pressed.
TEST(Complementarity, OneLetsGo) {
  const auto parts = solve_complementarity(Numbers{2, 1, 1, 2}, Numbers{-5, 1});
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->z[1], 0);
  EXPECT_NEAR(parts->z[0], 2.5, 1e-15);
  EXPECT_NEAR(parts->w[1], 3.5, 1e-15);
  const auto both = solve_complementarity(Numbers{2, -1, -1, 2}, Numbers{-5, 1});
  ASSERT_TRUE(both);
  EXPECT_NEAR(both->z[0], 3, 1e-15);
  EXPECT_NEAR(both->z[1], 1, 1e-15);
}

// A block on four feet at (±a, ±b) falls flat at speed u. M = 1/m + (x_i x_j)/Jy + (y_i y_j)/Jx has rank three: the impulses are
// not unique, the velocities are.
TEST(Complementarity, FourFeetAreIndeterminate) {
  const double m = 3, Jx = 0.2, Jy = 0.5, a = 0.4, b = 0.3, u = 2;
  const double x[] = {a, -a, -a, a}, y[] = {b, b, -b, -b};
  Numbers M(16), q(4, -u);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) M[4 * i + j] = 1 / m + x[i] * x[j] / Jy + y[i] * y[j] / Jx;
  }
  const auto flat = solve_complementarity(M, q);
  ASSERT_TRUE(flat);
  EXPECT_LE(defect(M, q, *flat), 1e-14);
  EXPECT_NEAR(flat->z[0] + flat->z[1] + flat->z[2] + flat->z[3], m * u, 1e-13);
  for (double w : flat->w) EXPECT_NEAR(w, 0, 1e-14);

  // Falling on the feet at +a while those at -a rise at 9 u: these part with 9 u + u (a²/Jy - 1/m)/(a²/Jy + 1/m).
  q = {-u, 9 * u, 9 * u, -u};
  const auto edge = solve_complementarity(M, q);
  ASSERT_TRUE(edge);
  EXPECT_LE(defect(M, q, *edge), 1e-14);
  const double turn = a * a / Jy;
  EXPECT_NEAR(edge->w[1], 9 * u + u * (1 / m - turn) / (1 / m + turn), 1e-13);
  EXPECT_NEAR(edge->z[0] + edge->z[3], u / (1 / m + turn), 1e-13);
}

// Two contacts that press against each other from both sides of the same row: M is singular and nothing can obey both.
TEST(Complementarity, NoSolutionIsTold) {
  EXPECT_FALSE(solve_complementarity(Numbers{1, -1, -1, 1}, Numbers{-2, -1}));
  EXPECT_TRUE(solve_complementarity(Numbers{1, -1, -1, 1}, Numbers{-2, 2}));
  EXPECT_FALSE(solve_complementarity(Numbers{0}, Numbers{-1}));
}

// Random problems that have a solution: M = G Gᵀ, singular where G has fewer columns than rows, q = G r + (something not
// negative), in units of all sizes; and matrices with a positive definite symmetric part.
TEST(Complementarity, RandomProblems) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 12, rank = 1 + trial % 7;
    Numbers G(n * rank), M(n * n), q(n), unit(n);
    for (double& g : G) g = normal(random);
    for (double& u : unit) u = std::exp(3 * normal(random));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < rank; ++k) M[i * n + j] += unit[i] * unit[j] * G[i * rank + k] * G[j * rank + k];
      }
      // q in the range of G, plus what makes it feasible.
      for (int k = 0; k < rank; ++k) q[i] += unit[i] * G[i * rank + k] * ((k % 3) - 1.2);
      if (i % 3 == 0) q[i] += unit[i] * std::abs(normal(random));
    }
    const auto solution = solve_complementarity(M, q);
    ASSERT_TRUE(solution) << trial;
    for (int i = 0; i < n; ++i) {
      double w = q[i], size = std::abs(q[i]);
      for (int j = 0; j < n; ++j) {
        w += M[i * n + j] * solution->z[j];
        size += std::abs(M[i * n + j] * solution->z[j]);
      }
      EXPECT_NEAR(w, solution->w[i], 1e-9 * size) << trial;
      EXPECT_GE(solution->w[i], 0) << trial;
      EXPECT_GE(solution->z[i], 0) << trial;
      EXPECT_EQ(solution->w[i] * solution->z[i], 0) << trial;
    }
  }
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 1 + trial % 10;
    Numbers M(n * n), q(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) {
        M[i * n + j] = 3 * normal(random);
        M[j * n + i] = -M[i * n + j];
      }
      M[i * n + i] = 1;
      q[i] = normal(random);
    }
    const auto solution = solve_complementarity(M, q);
    ASSERT_TRUE(solution) << trial;
    EXPECT_LE(defect(M, q, *solution), 1e-11) << trial;
  }
}

// One row, w = M z + q: one solution for M > 0; for M < 0 none or two, by the sign of q.
TEST(Complementarity, AllSolutions) {
  const auto solutions = [](double M, double q) { return enumerate_complementarity(std::vector{M}, std::vector{q}); };
  ASSERT_EQ(solutions(2, -3).size(), 1u);
  EXPECT_EQ(solutions(2, -3)[0].z[0], 1.5);
  ASSERT_EQ(solutions(2, 3).size(), 1u);
  EXPECT_EQ(solutions(2, 3)[0].w[0], 3);
  EXPECT_EQ(solutions(-2, -3).size(), 0u);
  EXPECT_EQ(solutions(-2, 3).size(), 2u);
  EXPECT_EQ(solutions(0, -3).size(), 0u);
  EXPECT_EQ(solutions(0, 3).size(), 1u);
  EXPECT_EQ(solutions(1, 0).size(), 1u);
}

// Kostreva's P-matrix (Mathematical Programming 16, 1979, p. 127) and its transpose: all ratios tie at first, and pivots that
// take the first of equals, or the last, go round for ever.
TEST(Complementarity, DegenerateProblemsEnd) {
  const Numbers q{-1, -1, -1};
  for (const Numbers& M : {Numbers{1, 2, 0, 0, 1, 2, 2, 0, 1}, Numbers{1, 0, 2, 2, 1, 0, 0, 2, 1}}) {
    const auto solution = solve_complementarity(M, q);
    ASSERT_TRUE(solution);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(solution->z[i], 1.0 / 3, 1e-14);
  }
}

}  // namespace
}  // namespace vinculum
