// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace vinculum {

// Homogeneous linear equations in their canonical form: each is solved for one unknown, its pivot, that enters no other.
struct ReducedRows {
  Eigen::MatrixXd rows;     // coefficient 1 at the pivot
  std::vector<int> pivots;  // the column of each matrix row
  double kept = 1;          // smallest pivot counted, beside the largest,
  double dropped = 0;       // and the largest that counted as zero: what lies between is how sure the rank is
};

// The row space of the matrix `equations`, by pivoted QR of rows of unit length at 1e-9 of the largest. Gauss-Jordan
// elimination takes pivots in the first possible columns of `order`. Entries below 1e-11 are round-off, so the columns
// should be scaled. Rows below 1e-9 of `size` are round-off too; `size` is that of their terms, at least the longest row.
ReducedRows reduce_rows(const Eigen::MatrixXd& equations, const std::vector<int>& order, double size = 0);

// Gauss and Jordan in place: pivots in the first columns of `order` that have an entry above `singular`; entries below `nothing`
// become 0. Returns the pivots' columns.
std::vector<int> reduce_in_place(Eigen::MatrixXd& rows, const std::vector<int>& order, double singular, double nothing);

// What the equations leave free: x = basis y, y some of the unknowns themselves. Those in front of `order` follow the others.
struct NullSpace {
  std::vector<int> independent;  // which unknowns y are, ascending
  Eigen::MatrixXd basis;
};
NullSpace find_null_space(const Eigen::MatrixXd& equations, const std::vector<int>& order);

// "x - 2*y", without a sum's terms that are zero; "0" if all are. The term `first` comes first.
std::string write_combination(const std::vector<std::string>& names, const Eigen::VectorXd& coefficients, int first = 0);

}  // namespace vinculum
