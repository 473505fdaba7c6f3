// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/redundancy.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

// The null vectors of the scaled columns, [-R11⁻¹ R12; 1] in the order of the pivots, with the scaling undone, orthonormal.
void find_null_basis(const PivotedColumns& qr, const Eigen::VectorXd& scale, Scratch& scratch, Eigen::MatrixXd& Z) {
  const Eigen::Index m = scale.size(), nullity = m - qr.rank;
  Z.resize(m, nullity);
  if (nullity == 0) return;
  const Scratch::Frame frame(scratch);
  MatrixMap dependence = scratch.matrix(qr.rank, nullity), basis = scratch.matrix(m, nullity);
  dependence = qr.R.rightCols(nullity);
  solve_upper_in_place(qr.R.leftCols(qr.rank), dependence);
  basis.setZero();
  for (int i = 0; i < qr.rank; ++i) basis.row(qr.order[i]) = -dependence.row(i) / scale[qr.order[i]];
  for (Eigen::Index j = 0; j < nullity; ++j) {
    const int row = qr.order[qr.rank + j];
    basis(row, j) = scale[row] > 0 ? 1 / scale[row] : 1;
  }
  Z = factorize_columns(basis, 0, scratch).Q;
}

}  // namespace

void RowAnalysis::set_independent(size_t rows) {
  rank = static_cast<int>(rows);
  order.resize(rows);
  for (size_t i = 0; i < rows; ++i) order[i] = static_cast<int>(i);
  determinate.assign(rows, true);
  for (Eigen::MatrixXd* matrix : {&Z, &Q, &R}) matrix->resize(0, 0);
  scale.resize(0);
  inconsistency = 0;
}

RowAnalysis analyse_rows(const Cholesky& mass_factor, const ConstraintRows& rows) {
  Scratch scratch;
  RowAnalysis analysis;
  analyse_rows(mass_factor, rows.D, rows.F, rows.gamma, scratch, analysis);
  return analysis;
}

void analyse_rows(const Cholesky& mass_factor, Given D, const Eigen::VectorXd& F, const Eigen::VectorXd& gamma, Scratch& scratch,
                  RowAnalysis& analysis) {
  const Scratch::Frame frame(scratch);
  const Eigen::Index m = D.rows();
  MatrixMap W = scratch.matrix(D.cols(), m);
  W = D.transpose();
  mass_factor.solve_lower_in_place(W);
  analysis.scale.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    analysis.scale[i] = W.col(i).norm();
    if (analysis.scale[i] > 0) W.col(i) /= analysis.scale[i];
  }
  const PivotedColumns qr = factorize_columns(W, RowAnalysis::kRankTolerance, scratch);
  analysis.rank = qr.rank;
  analysis.order.assign(qr.order.begin(), qr.order.end());
  analysis.Q = qr.Q;
  analysis.R = qr.R.leftCols(qr.rank);
  find_null_basis(qr, analysis.scale, scratch, analysis.Z);
  std::sort(analysis.order.begin() + analysis.rank, analysis.order.end());
  analysis.determinate.assign(static_cast<size_t>(m), true);
  for (Eigen::Index i = 0; i < m; ++i)
    analysis.determinate[static_cast<size_t>(i)] = analysis.Z.row(i).norm() <= RowAnalysis::kNoPart;
  // |Zᵀgamma| and |ZᵀF|
  double of_gamma = 0, of_F = 0;
  for (Eigen::Index j = 0; j < analysis.Z.cols(); ++j) {
    of_gamma = std::hypot(of_gamma, analysis.Z.col(j).dot(gamma));
    of_F = std::hypot(of_F, analysis.Z.col(j).dot(F));
  }
  analysis.inconsistency = std::max(of_gamma, of_F);
}

namespace {

// z · gamma beside Σ|z_i| (|gamma_i| + its scale), and z · F likewise: accelerations and velocities apart.
bool contradicts(const ConstraintSet& set, const ConstraintRows& rows, const RowAnalysis& analysis, Eigen::Index combination) {
  double by_gamma = 0, by_rate = 0, of_gamma = 0, of_rate = 0;
  for (Eigen::Index i = 0; i < analysis.Z.rows(); ++i) {
    const RowScales scale = scales_of(set.model.scales(), set.rows[static_cast<size_t>(i)]);
    const double part = analysis.Z(i, combination);
    by_gamma += part * rows.gamma[i], of_gamma += std::abs(part) * (std::abs(rows.gamma[i]) + scale.acceleration);
    by_rate += part * rows.F[i], of_rate += std::abs(part) * (std::abs(rows.F[i]) + scale.velocity);
  }
  constexpr double kAllowed = RowAnalysis::kContradiction;
  return std::abs(by_gamma) - kAllowed * of_gamma > 0 || std::abs(by_rate) - kAllowed * of_rate > 0;
}

}  // namespace

std::optional<Failure> check_consistent(const ConstraintSet& set, const ConstraintRows& rows, const RowAnalysis& analysis) {
  bool agree = true;
  for (Eigen::Index j = 0; j < analysis.Z.cols(); ++j) agree = agree && !contradicts(set, rows, analysis, j);
  if (agree) return std::nullopt;

  // The combination that contradicts most, and the rows it is made of.
  const Eigen::VectorXd by_gamma = analysis.Z.transpose() * rows.gamma, by_rate = analysis.Z.transpose() * rows.F;
  const Eigen::VectorXd combination = analysis.Z * (by_gamma.norm() >= by_rate.norm() ? by_gamma : by_rate).normalized();
  const double largest = combination.lpNorm<Eigen::Infinity>();
  constexpr int kMostNamed = 8;
  std::string names;
  bool typed = true;
  int count = 0;
  for (Eigen::Index i = 0; i < combination.size(); ++i) {
    if (std::abs(combination[i]) < 1e-3 * largest) continue;
    typed = typed && set.rows[i].from<EquationRow>() != nullptr;
    if (++count > kMostNamed) continue;
    const RowAt& at = rows.all[set.rows[i].index];
    names += (names.empty() ? "" : ", ") + set.rows[i].name;
    if (at.is_wrench) names += fmt::format(" (body '{}')", set.model.bodies()[at.on].name);
  }
  if (count > kMostNamed) names += fmt::format(" and {} others", count - kMostNamed);
  return Failure{"VN-CONTACT-010",
                 fmt::format("the constraints contradict each other: no motion obeys {} together (they disagree by {:.6g})",
                             names, analysis.inconsistency),
                 typed
                     ? "their left sides are multiples of each other and their right sides are not: correct one, or leave it out"
                     : "these supports are driven against each other; forbid one axis less, or let their motions agree"};
}

WeakestConstraint find_weakest_constraint(const ConstraintSet& set, const Cholesky& mass_factor, const ConstraintRows& rows,
                                          const RowAnalysis& analysis) {
  WeakestConstraint weakest;
  if (analysis.rank == 0) return weakest;
  Eigen::MatrixXd R = analysis.R;
  for (int i = 0; i < analysis.rank; ++i) R.col(i) *= rows.felt[analysis.order[i]];
  const auto [sigma, U, V] = find_singular_values(R);
  weakest.ratio = sigma[analysis.rank - 1] / sigma[0];
  Eigen::VectorXd motion = mass_factor.solve_upper(analysis.Q * U.col(analysis.rank - 1));
  Eigen::Index largest = 0;
  motion.cwiseAbs().maxCoeff(&largest);
  motion /= motion[largest];
  for (Eigen::Index i = 0; i < motion.size(); ++i) {
    if (std::abs(motion[i]) < 0.02) continue;
    weakest.motion +=
        fmt::format("{}{:.3g} {}", weakest.motion.empty() ? (motion[i] < 0 ? "-" : "") : (motion[i] < 0 ? " - " : " + "),
                    std::abs(motion[i]), set.model.velocity_names()[i]);
  }
  return weakest;
}

}  // namespace vinculum
