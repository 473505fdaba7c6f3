// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/dense.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "tests/support/random_tree.h"

namespace vinculum {
namespace {

// Round-off of products of matrices of this size, beside numbers of size 1.
constexpr double kRoundOff = 1e-13;

Eigen::MatrixXd random_matrix(int rows, int columns, testing::Random& random) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.symmetric(); });
}

// A 6 by 4 matrix of rank 2.
Eigen::MatrixXd deficient_matrix(testing::Random& random) { return random_matrix(6, 2, random) * random_matrix(2, 4, random); }

TEST(Cholesky, SolvesAndTellsItsPivots) {
  testing::Random random(1);
  const Eigen::MatrixXd F = random_matrix(7, 5, random), A = F.transpose() * F, b = random_matrix(5, 2, random);
  const Cholesky factor(A);
  ASSERT_TRUE(factor.is_positive());
  EXPECT_LT((A * factor.solve(b) - b).norm(), kRoundOff * 10);
  EXPECT_LT((factor.solve_lower(A * factor.solve_upper(b)) - b).norm(), kRoundOff * 10);  // L⁻¹ A L⁻ᵀ = 1
  // The last pivot is 1/(A⁻¹)_nn.
  EXPECT_NEAR(factor.pivot(4) * factor.solve(Eigen::MatrixXd::Identity(5, 5))(4, 4), 1, kRoundOff * 10);
  EXPECT_FALSE(Cholesky(-A).is_positive());
}

TEST(PivotedQr, FindsRankAndOrder) {
  testing::Random random(2);
  const Eigen::MatrixXd A = deficient_matrix(random);
  const PivotedQr qr = factorize_columns(A, 1e-10);
  EXPECT_EQ(qr.rank, 2);
  EXPECT_LT((A(Eigen::all, qr.order) - qr.Q * qr.R).norm(), kRoundOff);
  EXPECT_LT((qr.Q.transpose() * qr.Q - Eigen::MatrixXd::Identity(2, 2)).norm(), kRoundOff);
  EXPECT_GT(qr.lengths[1], 1e-3);
  EXPECT_LT(qr.lengths[2], kRoundOff);
  EXPECT_LT((qr.R.leftCols(2) * solve_upper(qr.R.leftCols(2), qr.R) - qr.R).norm(), kRoundOff);
  EXPECT_EQ(factorize_columns(Eigen::MatrixXd(3, 0), 0).Q.rows(), 3);
  EXPECT_EQ(factorize_columns(Eigen::MatrixXd(0, 3), 0).order, (std::vector<int>{0, 1, 2}));
}

// Of all least squares the smallest: the error is orthogonal to the columns, the solution to the null vectors.
TEST(LeastSquares, AreLeastAndSmallest) {
  testing::Random random(3);
  const Eigen::MatrixXd A = deficient_matrix(random), b = random_matrix(6, 2, random);
  const auto [x, rank] = solve_least_squares(A, b, 1e-10);
  EXPECT_EQ(rank, 2);
  EXPECT_GT((A * x - b).norm(), 0.1);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), kRoundOff * 10);
  const SingularValues svd = find_singular_values(A);
  EXPECT_LT((svd.V.rightCols(2).transpose() * x).norm(), kRoundOff * 10);
  EXPECT_GT(x.norm(), 0.1);
}

// Of wide, tall and square matrices of every rank, in the order of the columns; orthonormal, and Q R = A P.
TEST(PivotedQr, PutsTheMatrixTogether) {
  testing::Random random(12);
  Scratch scratch;
  for (int rows = 1; rows <= 6; ++rows) {
    for (int columns = 1; columns <= 6; ++columns) {
      for (int rank = 1; rank <= std::min(rows, columns); ++rank) {
        const Scratch::Frame frame(scratch);
        const Eigen::MatrixXd A = random_matrix(rows, rank, random) * random_matrix(rank, columns, random);
        const PivotedColumns qr = factorize_columns(A, 1e-10, scratch);
        ASSERT_EQ(qr.rank, rank);
        EXPECT_LT((qr.Q.transpose() * qr.Q - Eigen::MatrixXd::Identity(rank, rank)).norm(), kRoundOff);
        const Eigen::MatrixXd product = qr.Q * qr.R;
        for (int j = 0; j < columns; ++j) EXPECT_LT((product.col(j) - A.col(qr.order[j])).norm(), kRoundOff * 10);
        for (int i = 1; i < rank; ++i) EXPECT_LE(qr.lengths[i], qr.lengths[i - 1]);
        EXPECT_GT(qr.lengths[0], 0);
      }
    }
  }
}

TEST(SolveSquare, ExchangesRowsAndHasTheDeterminant) {
  testing::Random random(13);
  Eigen::MatrixXd A = random_matrix(5, 5, random);
  A(0, 0) = 0;  // without an exchange there is no first pivot
  const Eigen::MatrixXd b = random_matrix(5, 2, random);
  const auto [x, determinant] = solve_square(A, b);
  EXPECT_LT((A * x - b).norm(), kRoundOff * 100);
  double product = 1;
  for (const auto& value : find_eigenvalues_alone(A)) product *= std::abs(value);
  EXPECT_NEAR(std::abs(determinant), product, kRoundOff * 100);
  EXPECT_NEAR(solve_square(Eigen::Matrix2d{{0, 2}, {3, 0}}, Eigen::Vector2d(1, 1)).determinant, -6, kRoundOff);
  EXPECT_EQ(solve_square(Eigen::Matrix2d{{1, 2}, {2, 4}}, Eigen::Vector2d(1, 1)).determinant, 0);
}

TEST(SymmetricEigenvectors, PutTheMatrixTogether) {
  testing::Random random(14);
  for (int n = 1; n <= 6; ++n) {
    const Eigen::MatrixXd F = random_matrix(n, n, random), A = F + F.transpose();
    Eigen::MatrixXd used = A, V(n, n);
    Eigen::VectorXd values(n);
    find_symmetric_eigenvectors(used, {values.data(), n}, {V.data(), n, n});
    EXPECT_LT((V.transpose() * V - Eigen::MatrixXd::Identity(n, n)).norm(), kRoundOff);
    EXPECT_LT((V * values.asDiagonal() * V.transpose() - A).norm(), kRoundOff * 10);
    std::sort(values.begin(), values.end());
    EXPECT_LT((values - find_symmetric_eigenvalues(A)).norm(), kRoundOff * 10);
  }
}

// What a frame took is given back at its end, however large it was, and every piece begins a cache line.
TEST(Scratch, GivesBackWhatAFrameTook) {
  Scratch scratch;
  const Scratch::Frame outer(scratch);
  VectorMap kept = scratch.vector(3);
  kept.setConstant(7);
  const double *small = nullptr, *large = nullptr;
  for (int round = 0; round < 3; ++round) {
    const Scratch::Frame frame(scratch);
    VectorMap one = scratch.vector(5);
    MatrixMap two = scratch.matrix(100, 200);  // more than a block
    one.setConstant(round), two.setConstant(round);
    if (round == 1) small = one.data(), large = two.data();
    if (round == 2) EXPECT_TRUE(one.data() == small && two.data() == large);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one.data()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(two.data()) % 64, 0u);
    EXPECT_EQ(kept.minCoeff(), 7);
  }
}

TEST(SingularValues, PutTheMatrixTogether) {
  testing::Random random(4);
  for (const auto& [rows, columns] : {std::pair{6, 4}, {4, 6}, {5, 5}}) {
    const Eigen::MatrixXd A = random_matrix(rows, columns, random);
    const auto [values, U, V] = find_singular_values(A);
    EXPECT_LT((U * values.asDiagonal() * V.transpose() - A).norm(), kRoundOff);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::greater<>()));
  }
}

TEST(Eigenvalues, OfAMatrixThatTurns) {
  Eigen::MatrixXd A(2, 2);
  A << -1, 2, -2, -1;
  const auto [values, vectors] = find_eigenvalues(A);
  EXPECT_NEAR(values[0].real(), -1, kRoundOff);
  EXPECT_NEAR(std::abs(values[0].imag()), 2, kRoundOff);
  EXPECT_LT((A * vectors - vectors * values.asDiagonal()).norm(), kRoundOff);
}

}  // namespace
}  // namespace vinculum
