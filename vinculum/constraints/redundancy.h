// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/math/dense.h"

namespace vinculum {

// Dependence of the constraints at a state.                                                        theory 1, section 8
//
// Rank by pivoted QR of L⁻¹Dᵀ with unit columns, A = L Lᵀ, at 1e-10 of the largest: so it does not depend on units. Z is
// an orthonormal basis of the reactions without effect, DᵀZ = 0: a reaction is determinate if its entries in Z are zero.
struct RowAnalysis {
  static constexpr double kRankTolerance = 1e-10;
  static constexpr double kContradiction = 1e-8;  // beside the terms, each with the scale of its constraint
  // The part of a constraint in the orthonormal basis Z: the undetermined part of the reactions changes its own reaction by this
  // fraction of the largest change. Constraints that coincide at one instant only have small parts right after.
  static constexpr double kNoPart = 1e-6;

  int rank = 0;
  std::vector<int> order;  // independent constraints first, then the redundant ones
  std::vector<bool> determinate;
  Eigen::MatrixXd Z;         // constraints by (constraints - rank)
  Eigen::VectorXd scale;     // |L⁻¹d| of each constraint
  Eigen::MatrixXd Q, R;      // of the scaled independent columns: L⁻¹dᵀ/scale = Q R
  double inconsistency = 0;  // max(|Zᵀgamma|, |ZᵀF|): above round-off, no motion obeys all constraints

  // All of so many constraints are independent, and nothing more is known of them; in the memory that is there.
  void set_independent(size_t rows);
  bool is_independent() const { return rank == static_cast<int>(order.size()); }
};

RowAnalysis analyse_rows(const Cholesky& mass_factor, const ConstraintRows& rows);
void analyse_rows(const Cholesky& mass_factor, Given D, const Eigen::VectorXd& F, const Eigen::VectorXd& gamma, Scratch& scratch,
                  RowAnalysis& analysis);  // memory of the caller

// Constraints that contradict each other, as a refusal that names them; none if they agree.
std::optional<Failure> check_consistent(const ConstraintSet& set, const ConstraintRows& rows, const RowAnalysis& analysis);

// The motion that the constraints forbid least. `ratio` is the smallest singular value of the independent constraints relative
// to the largest, each scaled by its effect. Near zero the position is almost singular and this motion is almost free.
struct WeakestConstraint {
  double ratio = 1;
  std::string motion;  // "crank' - 2 rocker'"
};
WeakestConstraint find_weakest_constraint(const ConstraintSet& set, const Cholesky& mass_factor, const ConstraintRows& rows,
                                          const RowAnalysis& analysis);

}  // namespace vinculum
