// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/redundancy.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

// The null vectors of the scaled columns, [-R11⁻¹ R12; 1] in the order of the pivots, with the scaling undone, orthonormal.
Eigen::MatrixXd null_basis(const Eigen::MatrixXd& R, const std::vector<int>& order, int rank, const Eigen::VectorXd& scale) {
  const Eigen::Index m = static_cast<Eigen::Index>(order.size()), nullity = m - rank;
  if (nullity == 0) return Eigen::MatrixXd(m, 0);
  const Eigen::MatrixXd dependence = solve_upper(R.leftCols(rank), R.rightCols(nullity));
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(m, nullity);
  for (int i = 0; i < rank; ++i) basis.row(order[i]) = -dependence.row(i) / scale[order[i]];
  for (Eigen::Index j = 0; j < nullity; ++j) {
    const int row = order[rank + j];
    basis(row, j) = scale[row] > 0 ? 1 / scale[row] : 1;
  }
  return factorize_columns(basis, 0).Q;
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
  const Eigen::Index m = rows.D.rows();
  RowAnalysis analysis;
  Eigen::MatrixXd W = mass_factor.solve_lower(rows.D.transpose());
  analysis.scale = W.colwise().norm();
  for (Eigen::Index i = 0; i < m; ++i) {
    if (analysis.scale[i] > 0) W.col(i) /= analysis.scale[i];
  }
  PivotedQr qr = factorize_columns(W, RowAnalysis::kRankTolerance);
  analysis.rank = qr.rank;
  analysis.order = std::move(qr.order);
  analysis.Q = std::move(qr.Q);
  analysis.R = qr.R.leftCols(qr.rank);
  analysis.Z = null_basis(qr.R, analysis.order, analysis.rank, analysis.scale);
  std::sort(analysis.order.begin() + analysis.rank, analysis.order.end());
  for (Eigen::Index i = 0; i < m; ++i) analysis.determinate.push_back(analysis.Z.row(i).norm() <= RowAnalysis::kNoPart);
  if (analysis.Z.cols() > 0) {
    analysis.inconsistency = std::max((analysis.Z.transpose() * rows.gamma).norm(), (analysis.Z.transpose() * rows.F).norm());
  }
  return analysis;
}

std::optional<Failure> check_consistent(const ConstraintSet& set, const ConstraintRows& rows, const RowAnalysis& analysis) {
  if (analysis.is_independent()) return std::nullopt;
  // z · gamma beside Σ|z_i| (|gamma_i| + its scale), and z · F likewise: accelerations and velocities apart.
  Eigen::VectorXd of_gamma = rows.gamma.cwiseAbs(), of_rate = rows.F.cwiseAbs();
  for (Eigen::Index i = 0; i < of_gamma.size(); ++i) {
    const RowScales scale = scales_of(set.model.scales(), set.rows[static_cast<size_t>(i)]);
    of_gamma[i] += scale.acceleration;
    of_rate[i] += scale.velocity;
  }
  const Eigen::MatrixXd sizes = analysis.Z.transpose().cwiseAbs();
  const Eigen::VectorXd by_gamma = analysis.Z.transpose() * rows.gamma, by_rate = analysis.Z.transpose() * rows.F;
  const auto disagrees = [&](const Eigen::VectorXd& sum, const Eigen::VectorXd& terms) {
    return ((sum.cwiseAbs() - RowAnalysis::kContradiction * (sizes * terms)).array() > 0).any();
  };
  if (!disagrees(by_gamma, of_gamma) && !disagrees(by_rate, of_rate)) return std::nullopt;

  // The combination that contradicts most, and the constraints it is made of.
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
