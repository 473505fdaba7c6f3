// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "vinculum/math/scratch.h"

namespace vinculum {

// The decompositions of dense matrices. They are Eigen's; here, because their templates cost seconds in every file that names
// them. Right-hand sides are columns: as many as there are. What takes a Scratch, or works in place, allocates nothing.
using InPlace = Eigen::Ref<Eigen::MatrixXd>;
using Given = const Eigen::Ref<const Eigen::MatrixXd>&;

// A = L Lᵀ of a symmetric positive definite matrix.
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Eigen::MatrixXd& A) { factorize(A); }
  void factorize(Given A);  // in the memory of the last one of this size

  bool is_positive() const { return positive_; }
  // L_ii², what is left of A_ii when the unknowns before are eliminated.
  double pivot(Eigen::Index i) const { return L_(i, i) * L_(i, i); }

  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const { return solve_upper(solve_lower(b)); }  // A⁻¹b
  Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& b) const;                                   // L⁻¹b
  Eigen::MatrixXd solve_upper(const Eigen::MatrixXd& b) const;                                   // L⁻ᵀb
  void solve_lower_in_place(InPlace b) const;
  void solve_upper_in_place(InPlace b) const;

 private:
  Eigen::MatrixXd L_;  // the lower triangle
  bool positive_ = false;
};

// R⁻¹b and R⁻ᵀb of an upper triangle R.
Eigen::MatrixXd solve_upper(const Eigen::MatrixXd& R, const Eigen::MatrixXd& b);
Eigen::MatrixXd solve_upper_transposed(const Eigen::MatrixXd& R, const Eigen::MatrixXd& b);
void solve_upper_in_place(Given R, InPlace b);
void solve_upper_transposed_in_place(Given R, InPlace b);

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
// The same in memory of `scratch`, for as long as its frame lives.
struct PivotedColumns {
  MatrixMap Q, R;
  VectorMap lengths;
  std::span<int> order;
  int rank = 0;
};
PivotedColumns factorize_columns(Given A, double threshold, Scratch& scratch);

// The smallest x of those with |A x - b| least; rank as above.
struct LeastSquares {
  Eigen::MatrixXd x;
  int rank = 0;
};
LeastSquares solve_least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b, double threshold);
int solve_least_squares(Given A, Given b, double threshold, Scratch& scratch, InPlace x);  // the rank

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

// Of a symmetric matrix, which is used up:  A = V diag(values) Vᵀ , in no order. By Jacobi's rotations, for small matrices.
void find_symmetric_eigenvectors(InPlace A, VectorMap values, MatrixMap V);

// A⁻¹b and det A of a square matrix, with row exchanges; a singular one gives numbers that are not finite, or very large ones.
struct SquareSolution {
  Eigen::MatrixXd x;
  double determinant = 0;
};
SquareSolution solve_square(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);
double solve_square_in_place(InPlace A, InPlace b);  // b becomes x, A is used up; det A

// x of  (shift - A) x = b ; the shift is no eigenvalue.
Eigen::VectorXcd solve_shifted(const Eigen::MatrixXd& A, std::complex<double> shift, const Eigen::VectorXcd& b);

}  // namespace vinculum
