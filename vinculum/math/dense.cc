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

void Cholesky::factorize(Given A) {
  L_ = A;
  const Eigen::LLT<Eigen::Ref<MatrixXd>> factor(L_);  // in place
  positive_ = factor.info() == Eigen::Success;
}

namespace {

// Eigen looks at the first number of b, whether there is one or not.
template <class Triangle>
void solve_triangle(const Triangle& triangle, InPlace b) {
  if (b.size() > 0) triangle.solveInPlace(b);
}

}  // namespace

void Cholesky::solve_lower_in_place(InPlace b) const { solve_triangle(L_.triangularView<Eigen::Lower>(), b); }

void Cholesky::solve_upper_in_place(InPlace b) const { solve_triangle(L_.transpose().triangularView<Eigen::Upper>(), b); }

MatrixXd Cholesky::solve_lower(const MatrixXd& b) const {
  MatrixXd x = b;
  solve_lower_in_place(x);
  return x;
}

MatrixXd Cholesky::solve_upper(const MatrixXd& b) const {
  MatrixXd x = b;
  solve_upper_in_place(x);
  return x;
}

void solve_upper_in_place(Given R, InPlace b) { solve_triangle(R.triangularView<Eigen::Upper>(), b); }

void solve_upper_transposed_in_place(Given R, InPlace b) { solve_triangle(R.transpose().triangularView<Eigen::Lower>(), b); }

MatrixXd solve_upper(const MatrixXd& R, const MatrixXd& b) {
  MatrixXd x = b;
  solve_upper_in_place(R, x);
  return x;
}

MatrixXd solve_upper_transposed(const MatrixXd& R, const MatrixXd& b) {
  MatrixXd x = b;
  solve_upper_transposed_in_place(R, x);
  return x;
}

namespace {

// The lengths of the columns below a row, which fall as rows are taken away:  |a'|² = |a|² - a_k² . Where that would cancel they
// are computed again (Drmač and Bujanović 2008).
struct ColumnLengths {
  VectorMap now, exact;

  void swap(Eigen::Index i, Eigen::Index j) {
    std::swap(now[i], now[j]);
    std::swap(exact[i], exact[j]);
  }

  void take_away_row(const MatrixMap& A, Eigen::Index row, Eigen::Index column) {
    constexpr double kCancels = 0x1p-26;
    double& length = now[column];
    if (length == 0) return;
    const double part = std::abs(A(row, column)) / length, left = std::max((1 + part) * (1 - part), 0.0);
    const double of_exact = length / exact[column];
    if (left * of_exact * of_exact <= kCancels)
      length = exact[column] = A.col(column).tail(A.rows() - row - 1).norm();
    else
      length *= std::sqrt(left);
  }
};

}  // namespace

// Householder's reflections H_k = 1 - tau_k (1, u_k)(1, u_k)ᵀ, the u_k below the diagonal of R:  A P = H_0 H_1 .. R .
PivotedColumns factorize_columns(Given given, double threshold, Scratch& scratch) {
  const Eigen::Index rows = given.rows(), columns = given.cols(), size = std::min(rows, columns);
  const auto result = [&](int rank) {
    return PivotedColumns{scratch.matrix(rows, rank), scratch.matrix(rank, columns), scratch.vector(size),
                          scratch.integers(static_cast<std::size_t>(columns)), rank};
  };
  const auto in_order = [](std::span<int> order) { std::iota(order.begin(), order.end(), 0); };
  if (given.size() == 0 || !given.allFinite()) {
    PivotedColumns none = result(0);
    none.lengths.setZero();
    in_order(none.order);
    return none;
  }
  MatrixMap A = scratch.matrix(rows, columns);
  A = given;
  VectorMap tau = scratch.vector(size), row = scratch.vector(std::max(rows, columns));
  ColumnLengths lengths{scratch.vector(columns), scratch.vector(columns)};
  const std::span<int> order = scratch.integers(static_cast<std::size_t>(columns));
  in_order(order);
  for (Eigen::Index j = 0; j < columns; ++j) lengths.now[j] = lengths.exact[j] = A.col(j).norm();
  const double round_off = lengths.now.maxCoeff() * std::numeric_limits<double>::epsilon();
  Eigen::Index nonzero = size;
  double largest = 0;
  for (Eigen::Index k = 0; k < size; ++k) {
    Eigen::Index farthest = 0;
    const double length = lengths.now.tail(columns - k).maxCoeff(&farthest);
    farthest += k;
    if (nonzero == size && length * length < round_off * round_off / static_cast<double>(rows) * static_cast<double>(rows - k))
      nonzero = k;
    if (farthest != k) {
      A.col(k).swap(A.col(farthest));
      lengths.swap(k, farthest);
      std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(farthest)]);
    }
    double pivot = 0;
    A.col(k).tail(rows - k).makeHouseholderInPlace(tau[k], pivot);
    A(k, k) = pivot;
    largest = std::max(largest, std::abs(pivot));
    A.bottomRightCorner(rows - k, columns - k - 1).applyHouseholderOnTheLeft(A.col(k).tail(rows - k - 1), tau[k], row.data());
    for (Eigen::Index j = k + 1; j < columns; ++j) lengths.take_away_row(A, k, j);
  }
  int rank = 0;
  for (Eigen::Index k = 0; k < nonzero; ++k) rank += std::abs(A(k, k)) > largest * threshold ? 1 : 0;
  PivotedColumns found = result(rank);
  found.lengths = A.diagonal().cwiseAbs();
  std::ranges::copy(order, found.order.begin());
  found.R.setZero();
  for (Eigen::Index j = 0; j < columns; ++j) {
    const Eigen::Index above = std::min<Eigen::Index>(j + 1, rank);
    found.R.col(j).head(above) = A.col(j).head(above);
  }
  found.Q.setIdentity();
  for (Eigen::Index k = size; k-- > 0;)
    found.Q.bottomRows(rows - k).applyHouseholderOnTheLeft(A.col(k).tail(rows - k - 1), tau[k], row.data());
  return found;
}

PivotedQr factorize_columns(const MatrixXd& A, double threshold) {
  Scratch scratch;
  const PivotedColumns found = factorize_columns(A, threshold, scratch);
  return {found.Q, found.R, found.lengths, {found.order.begin(), found.order.end()}, found.rank};
}

// With A P = Q R and, of full rank, Rᵀ P₂ = Q₂ R₂ :   x = P Q₂ R₂⁻ᵀ P₂ᵀ Qᵀ b . Where numbers are so small that R loses its rank
// by underflow, what is left of it counts.
int solve_least_squares(Given A, Given b, double threshold, Scratch& scratch, InPlace x) {
  const Scratch::Frame frame(scratch);
  const PivotedColumns columns = factorize_columns(A, threshold, scratch);
  MatrixMap transposed = scratch.matrix(A.cols(), columns.rank), parts = scratch.matrix(columns.rank, b.cols());
  transposed = columns.R.transpose();
  const PivotedColumns rows = factorize_columns(transposed, 0, scratch);
  parts.noalias() = columns.Q.transpose() * b;
  MatrixMap ordered = scratch.matrix(rows.rank, b.cols()), smallest = scratch.matrix(A.cols(), b.cols());
  for (int i = 0; i < rows.rank; ++i) ordered.row(i) = parts.row(rows.order[static_cast<std::size_t>(i)]);
  solve_upper_transposed_in_place(rows.R.leftCols(rows.rank), ordered);
  smallest.noalias() = rows.Q * ordered;
  for (Eigen::Index j = 0; j < A.cols(); ++j) x.row(columns.order[static_cast<std::size_t>(j)]) = smallest.row(j);
  return rows.rank;
}

LeastSquares solve_least_squares(const MatrixXd& A, const MatrixXd& b, double threshold) {
  Scratch scratch;
  LeastSquares result{MatrixXd(A.cols(), b.cols()), 0};
  result.rank = solve_least_squares(A, b, threshold, scratch, result.x);
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

// Each rotation takes one entry off the diagonal away, with  t = tan φ  the smaller root of  t² + 2 t (a_jj - a_ii)/(2 a_ij) = 1
// .
void find_symmetric_eigenvectors(InPlace A, VectorMap values, MatrixMap V) {
  constexpr int kMostSweeps = 60;
  const Eigen::Index n = A.rows();
  V.setIdentity();
  bool turns = true;
  for (int sweep = 0; turns && sweep < kMostSweeps; ++sweep) {
    turns = false;
    for (Eigen::Index j = 1; j < n; ++j) {
      for (Eigen::Index i = 0; i < j; ++i) {
        if (!(std::abs(A(i, j)) > 0x1p-54 * std::sqrt(std::abs(A(i, i) * A(j, j))))) continue;
        turns = true;
        const double half = (A(j, j) - A(i, i)) / (2 * A(i, j));
        const double t = std::copysign(1.0, half) / (std::abs(half) + std::hypot(half, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        for (Eigen::Index k = 0; k < n; ++k) {
          const double a = A(k, i), b = A(k, j);
          A(k, i) = c * a - s * b, A(k, j) = s * a + c * b;
        }
        for (Eigen::Index k = 0; k < n; ++k) {
          const double a = A(i, k), b = A(j, k), u = V(k, i), v = V(k, j);
          A(i, k) = c * a - s * b, A(j, k) = s * a + c * b;
          V(k, i) = c * u - s * v, V(k, j) = s * u + c * v;
        }
        A(i, j) = A(j, i) = 0;
      }
    }
  }
  values = A.diagonal();
}

// Rows are exchanged so that each pivot is the largest of its column.
double solve_square_in_place(InPlace A, InPlace b) {
  const Eigen::Index n = A.rows();
  double determinant = 1;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = 0;
    A.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    if (pivot != k) {
      A.row(k).swap(A.row(pivot));
      b.row(k).swap(b.row(pivot));
      determinant = -determinant;
    }
    determinant *= A(k, k);
    for (Eigen::Index i = k + 1; i < n; ++i) {
      if (A(i, k) == 0) continue;  // all of them, where the matrix is singular
      const double factor = A(i, k) / A(k, k);
      A.row(i).tail(n - k - 1) -= factor * A.row(k).tail(n - k - 1);
      b.row(i) -= factor * b.row(k);
    }
  }
  solve_triangle(A.triangularView<Eigen::Upper>(), b);
  return determinant;
}

SquareSolution solve_square(const MatrixXd& A, const MatrixXd& b) {
  MatrixXd used = A;
  SquareSolution result{b, 0};
  result.determinant = solve_square_in_place(used, result.x);
  return result;
}

Eigen::VectorXcd solve_shifted(const MatrixXd& A, std::complex<double> shift, const Eigen::VectorXcd& b) {
  Eigen::MatrixXcd matrix = -A.cast<std::complex<double>>();
  matrix.diagonal().array() += shift;
  return matrix.partialPivLu().solve(b);
}

}  // namespace vinculum
