// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/ignorable.h"

#include <cmath>
#include <numeric>

#include "vinculum/analysis/row_reduction.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Orthonormal columns: of c with |M c| at most `nothing`, and of those across.
struct Kernel {
  MatrixXd inside, across;
};
Kernel find_kernel(const MatrixXd& M, double nothing) {
  const Index n = M.cols();
  if (n == 0) return {MatrixXd(0, 0), MatrixXd(0, 0)};
  // A square matrix has all n directions.
  MatrixXd square = MatrixXd::Zero(std::max(M.rows(), n), n);
  square.topRows(M.rows()) = M;
  const SingularValues svd = find_singular_values(square);
  Index rank = 0;
  while (rank < n && svd.values[rank] > nothing) ++rank;
  return {svd.V.rightCols(n - rank), svd.V.leftCols(rank)};
}

}  // namespace

MatrixXd side_by_side(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd both(a.rows(), a.cols() + b.cols());
  both.leftCols(a.cols()) = a;
  both.rightCols(b.cols()) = b;
  return both;
}

// U ← { x in U : A x in U } until nothing changes.
IgnorableDirections find_ignorable_directions(const MatrixXd& A, const MatrixXd& velocities, const MatrixXd& turned,
                                              double nothing) {
  if (A.rows() == 0) return {};
  const MatrixXd T = factorize_columns(turned, 1e-10).Q, changes = velocities - T * (T.transpose() * velocities);
  MatrixXd U = find_kernel(changes, nothing * velocities.cwiseAbs().maxCoeff()).inside;
  const double no_entry = nothing * A.cwiseAbs().maxCoeff();
  for (Index before = -1; U.cols() != before && U.cols() > 0;) {
    before = U.cols();
    const MatrixXd moved = A * U, leaving = moved - U * (U.transpose() * moved);
    U = (U * find_kernel(leaving, no_entry).inside).eval();
  }
  const MatrixXd across = find_kernel(U.transpose(), 0.5).inside, A_across = across.transpose() * A * across;
  const Kernel stays = find_kernel(A_across, no_entry);
  return {U, across * stays.inside, across * stays.across};
}

// Kernel after kernel, each in what the ones before have left.
ZeroDirections split_ignorable(const MatrixXd& A, const MatrixXd& ignorable, double nothing) {
  ZeroDirections split{MatrixXd(A.rows(), 0), ignorable};
  while (split.turning.cols() > 0) {
    const Kernel kernel = find_kernel(split.turning.transpose() * A * split.turning, nothing * A.cwiseAbs().maxCoeff());
    if (kernel.inside.cols() == 0) break;
    split.zero = side_by_side(split.zero, split.turning * kernel.inside);
    split.turning = (split.turning * kernel.across).eval();
  }
  return split;
}

MatrixXd canonical_directions(const MatrixXd& directions) {
  if (directions.cols() == 0) return directions;
  constexpr double kPivot = 1e-6, kNothing = 1e-11;
  MatrixXd rows = directions.transpose();
  std::vector<int> order(rows.cols());
  std::iota(order.begin(), order.end(), 0);
  reduce_in_place(rows, order, kPivot, kNothing);
  return rows.transpose();
}

std::vector<std::string> name_directions(const std::vector<std::string>& states, const MatrixXd& directions) {
  std::vector<std::string> names;
  const MatrixXd canonical = canonical_directions(directions);
  for (const auto& column : canonical.colwise()) {
    const Eigen::VectorXd rounded = column.unaryExpr([](double x) { return std::round(x * 1e6) / 1e6; });
    names.push_back(write_combination(states, rounded));
  }
  return names;
}

}  // namespace vinculum
