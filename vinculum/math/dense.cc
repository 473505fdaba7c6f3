// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace vinculum {

using Eigen::MatrixXd;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Cholesky::Cholesky(const MatrixXd& A) : L_(A) {
  const Eigen::LLT<Eigen::Ref<MatrixXd>> factor(L_);  // in place
  positive_ = factor.info() == Eigen::Success;
}

namespace {

// Eigen looks at the first number of b, whether there is one or not.
template <class Triangle>
MatrixXd solve_triangle(const Triangle& triangle, const MatrixXd& b) {
  if (b.size() == 0) return b;
  return triangle.solve(b);
}

}  // namespace

MatrixXd Cholesky::solve_lower(const MatrixXd& b) const { return solve_triangle(L_.triangularView<Eigen::Lower>(), b); }

MatrixXd Cholesky::solve_upper(const MatrixXd& b) const {
  return solve_triangle(L_.transpose().triangularView<Eigen::Upper>(), b);
}

MatrixXd solve_upper(const MatrixXd& R, const MatrixXd& b) { return solve_triangle(R.triangularView<Eigen::Upper>(), b); }

MatrixXd solve_upper_transposed(const MatrixXd& R, const MatrixXd& b) {
  return solve_triangle(R.transpose().triangularView<Eigen::Lower>(), b);
}

PivotedQr factorize_columns(const MatrixXd& A, double threshold) {
  PivotedQr result{MatrixXd(A.rows(), 0), MatrixXd(0, A.cols()), {}, std::vector<int>(A.cols()), 0};
  std::iota(result.order.begin(), result.order.end(), 0);
  if (A.size() == 0) return result;
  if (!A.allFinite()) {
    result.lengths.setZero(std::min(A.rows(), A.cols()));
    return result;
  }
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  qr.setThreshold(threshold);
  result.rank = static_cast<int>(qr.rank());
  result.Q = qr.householderQ() * MatrixXd::Identity(A.rows(), result.rank);
  result.R = qr.matrixQR().topRows(result.rank).triangularView<Eigen::Upper>();
  result.lengths = qr.matrixQR().diagonal().cwiseAbs();
  const auto& order = qr.colsPermutation().indices();
  result.order.assign(order.begin(), order.end());
  return result;
}

// With A P = Q R and, of full rank, Rᵀ P₂ = Q₂ R₂ :   x = P Q₂ R₂⁻ᵀ P₂ᵀ Qᵀ b . Where numbers are so small that R loses its rank
// by underflow, what is left of it counts.
LeastSquares solve_least_squares(const MatrixXd& A, const MatrixXd& b, double threshold) {
  const PivotedQr columns = factorize_columns(A, threshold), rows = factorize_columns(columns.R.transpose(), 0);
  const MatrixXd parts = columns.Q.transpose() * b, ordered = parts(rows.order, Eigen::all);
  LeastSquares result{MatrixXd(A.cols(), b.cols()), rows.rank};
  result.x(columns.order, Eigen::all) = rows.Q * solve_upper_transposed(rows.R.leftCols(rows.rank), ordered.topRows(rows.rank));
  return result;
}

SingularValues find_singular_values(const MatrixXd& A) {
  const Eigen::Index count = std::min(A.rows(), A.cols());
  if (!A.allFinite())
    return {Eigen::VectorXd::Constant(count, kNone), MatrixXd::Constant(A.rows(), count, kNone),
            MatrixXd::Constant(A.cols(), count, kNone)};
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.singularValues(), svd.matrixU(), svd.matrixV()};
}

namespace {

// Beside the largest, entries near the end of the range of doubles are zero: their products would underflow to 0/0.
MatrixXd without_underflow(const MatrixXd& A) {
  constexpr double kNothing = 1e-290;
  const double largest = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0;
  return A.unaryExpr([&](double value) { return std::abs(value) <= kNothing * largest ? 0.0 : value; });
}

}  // namespace

namespace {

// The QR iterations fail on few matrices, and on those not after a shift: A + c has the eigenvalues of A, plus c.
Eigenvalues find_eigenvalues(const MatrixXd& A, bool with_vectors) {
  const MatrixXd matrix = without_underflow(A);
  const double size = A.size() > 0 ? matrix.cwiseAbs().maxCoeff() : 0;
  for (const double shift : {0.0, 0.3719 * size, -0.6143 * size}) {
    const Eigen::EigenSolver<MatrixXd> solver(
        shift == 0 ? matrix : MatrixXd(matrix + shift * MatrixXd::Identity(A.rows(), A.rows())), with_vectors);
    if (solver.info() != Eigen::Success) continue;
    const Eigen::VectorXcd values = solver.eigenvalues().array() - shift;
    return {values, with_vectors ? Eigen::MatrixXcd(solver.eigenvectors()) : Eigen::MatrixXcd()};
  }
  return {Eigen::VectorXcd::Constant(A.rows(), kNone), Eigen::MatrixXcd::Constant(A.rows(), A.rows(), kNone)};
}

}  // namespace

Eigenvalues find_eigenvalues(const MatrixXd& A) { return find_eigenvalues(A, true); }

Eigen::VectorXcd find_eigenvalues_alone(const MatrixXd& A) { return find_eigenvalues(A, false).values; }

Eigen::VectorXd find_symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SquareSolution solve_square(const MatrixXd& A, const MatrixXd& b) {
  const Eigen::PartialPivLU<MatrixXd> lu(A);
  return {lu.solve(b), lu.determinant()};
}

Eigen::VectorXcd solve_shifted(const MatrixXd& A, std::complex<double> shift, const Eigen::VectorXcd& b) {
  Eigen::MatrixXcd matrix = -A.cast<std::complex<double>>();
  matrix.diagonal().array() += shift;
  return matrix.partialPivLu().solve(b);
}

}  // namespace vinculum
