// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

namespace vinculum {

// The decompositions of dense matrices. They are Eigen's; here, because their templates cost seconds in every file that names
// them. Right-hand sides are columns: as many as there are.

// A = L Lᵀ of a symmetric positive definite matrix.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Eigen::MatrixXd& A);

  bool is_positive() const { return positive_; }
  // L_ii², what is left of A_ii when the unknowns before are eliminated.
  double pivot(Eigen::Index i) const { return L_(i, i) * L_(i, i); }

  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const { return solve_upper(solve_lower(b)); }  // A⁻¹b
  Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& b) const;                                   // L⁻¹b
  Eigen::MatrixXd solve_upper(const Eigen::MatrixXd& b) const;                                   // L⁻ᵀb

 private:
  Eigen::MatrixXd L_;  // the lower triangle
  bool positive_ = false;
};

// R⁻¹b and R⁻ᵀb of an upper triangle R.
Eigen::MatrixXd solve_upper(const Eigen::MatrixXd& R, const Eigen::MatrixXd& b);
Eigen::MatrixXd solve_upper_transposed(const Eigen::MatrixXd& R, const Eigen::MatrixXd& b);

// The columns of A in an order in which each is the one farthest from those before it:  A(:, order) = Q R . Columns nearer than
// `threshold` of the first one's length depend on the others; Q and R are of the independent ones. Of a matrix with numbers that
// are not finite, none is independent.
struct PivotedQr {
  Eigen::MatrixXd Q;        // rows by rank, orthonormal
  Eigen::MatrixXd R;        // rank by columns in that order, upper
  Eigen::VectorXd lengths;  // |R_ii|, of the dependent ones too
  std::vector<int> order;
  int rank = 0;
};
PivotedQr factorize_columns(const Eigen::MatrixXd& A, double threshold);

// The smallest x of those with |A x - b| least; rank as above.
struct LeastSquares {
  Eigen::MatrixXd x;
  int rank = 0;
};
LeastSquares solve_least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b, double threshold);

// A = U diag(values) Vᵀ, the values falling; min(rows, columns of A) columns. Of a symmetric matrix
// without negative eigenvalues these are its eigenvalues and U its eigenvectors.
struct SingularValues {
  Eigen::VectorXd values;
  Eigen::MatrixXd U, V;
};
// Of a matrix that is not finite they are NaN.
SingularValues find_singular_values(const Eigen::MatrixXd& A);

// A vector = value vector; all NaN where A is not finite, or its iterations do not converge.
struct Eigenvalues {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
Eigenvalues find_eigenvalues(const Eigen::MatrixXd& A);
// Without the vectors, in less than half the time.
Eigen::VectorXcd find_eigenvalues_alone(const Eigen::MatrixXd& A);
// Of a symmetric matrix, ascending; its lower triangle counts.
Eigen::VectorXd find_symmetric_eigenvalues(const Eigen::MatrixXd& A);

// A⁻¹b and det A of a square matrix, with row exchanges; a singular one gives numbers that are not finite, or very large ones.
struct SquareSolution {
  Eigen::MatrixXd x;
  double determinant = 0;
};
SquareSolution solve_square(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);

// x of  (shift - A) x = b ; the shift is no eigenvalue.
Eigen::VectorXcd solve_shifted(const Eigen::MatrixXd& A, std::complex<double> shift, const Eigen::VectorXcd& b);

}  // namespace vinculum
