// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/redundancy.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace vinculum {

namespace {

// Beside an orthonormal basis this is round-off.
constexpr double kNoPart = 1e-9;

// The null vectors of the scaled columns, [-R11⁻¹ R12; 1] in the order of the pivots, with the scaling undone, orthonormal.
Eigen::MatrixXd null_basis(const Eigen::MatrixXd& R, const std::vector<int>& order, int rank, const Eigen::VectorXd& scale) {
  const Eigen::Index m = static_cast<Eigen::Index>(order.size()), nullity = m - rank;
  if (nullity == 0) return Eigen::MatrixXd(m, 0);
  const Eigen::MatrixXd dependence =
      R.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(R.topRightCorner(rank, nullity));
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(m, nullity);
  for (int i = 0; i < rank; ++i) basis.row(order[i]) = -dependence.row(i) / scale[order[i]];
  for (Eigen::Index j = 0; j < nullity; ++j) {
    const int row = order[rank + j];
    basis(row, j) = scale[row] > 0 ? 1 / scale[row] : 1;
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(basis);
  return qr.householderQ() * Eigen::MatrixXd::Identity(m, nullity);
}

}  // namespace

RowAnalysis analyse_rows(const Eigen::LLT<Eigen::MatrixXd>& mass_factor, const ConstraintRows& rows) {
  const Eigen::Index m = rows.D.rows(), n = rows.D.cols();
  RowAnalysis analysis;
  Eigen::MatrixXd W = mass_factor.matrixL().solve(rows.D.transpose());
  analysis.scale = W.colwise().norm();
  for (Eigen::Index i = 0; i < m; ++i) {
    if (analysis.scale[i] > 0) W.col(i) /= analysis.scale[i];
  }
  Eigen::MatrixXd R(0, m);
  if (m > 0 && n > 0) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(W);
    qr.setThreshold(RowAnalysis::kRankTolerance);
    analysis.rank = static_cast<int>(qr.rank());
    R = qr.matrixQR().topRows(analysis.rank).triangularView<Eigen::Upper>();
    analysis.Q = qr.householderQ() * Eigen::MatrixXd::Identity(n, analysis.rank);
    const auto& pivots = qr.colsPermutation().indices();
    analysis.order.assign(pivots.data(), pivots.data() + m);
  } else {
    for (int i = 0; i < m; ++i) analysis.order.push_back(i);
    analysis.Q.resize(n, 0);
  }
  analysis.R = R.leftCols(analysis.rank);
  analysis.Z = null_basis(R, analysis.order, analysis.rank, analysis.scale);
  std::sort(analysis.order.begin() + analysis.rank, analysis.order.end());
  for (Eigen::Index i = 0; i < m; ++i) analysis.determinate.push_back(analysis.Z.row(i).norm() <= kNoPart);
  if (analysis.Z.cols() > 0) {
    analysis.inconsistency = std::max((analysis.Z.transpose() * rows.gamma).norm(), (analysis.Z.transpose() * rows.F).norm());
  }
  return analysis;
}

std::optional<Failure> check_consistent(const ConstraintSet& set, const ConstraintRows& rows, const RowAnalysis& analysis) {
  const double size = 1 + std::max(rows.gamma.lpNorm<Eigen::Infinity>(), rows.F.lpNorm<Eigen::Infinity>());
  if (!(analysis.inconsistency > RowAnalysis::kContradiction * size)) return std::nullopt;

  // The combination that contradicts most, and the rows it is made of.
  const Eigen::VectorXd by_gamma = analysis.Z.transpose() * rows.gamma, by_rate = analysis.Z.transpose() * rows.F;
  const Eigen::VectorXd combination = analysis.Z * (by_gamma.norm() >= by_rate.norm() ? by_gamma : by_rate).normalized();
  const double largest = combination.lpNorm<Eigen::Infinity>();
  std::string names;
  for (Eigen::Index i = 0; i < combination.size(); ++i) {
    if (std::abs(combination[i]) < 1e-3 * largest) continue;
    const RowLabel& label = set.rows[i];
    names += (names.empty() ? "" : ", ") + label.name;
    if (label.contact >= 0) names += fmt::format(" (body '{}')", set.model.bodies()[set.contacts[label.contact].body].name);
  }
  return Failure{"VN-CONTACT-010",
                 fmt::format("the constraints contradict each other: no motion obeys {} together (they disagree by {:.6g})",
                             names, analysis.inconsistency),
                 "these supports are driven against each other; forbid one axis less, or let their motions agree"};
}

WeakestConstraint find_weakest_constraint(const ConstraintSet& set, const Eigen::LLT<Eigen::MatrixXd>& mass_factor,
                                          const ConstraintRows& rows, const RowAnalysis& analysis) {
  WeakestConstraint weakest;
  if (analysis.rank == 0) return weakest;
  Eigen::MatrixXd R = analysis.R;
  for (int i = 0; i < analysis.rank; ++i) R.col(i) *= rows.felt[analysis.order[i]];
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(R, Eigen::ComputeFullU);
  const auto& sigma = svd.singularValues();
  weakest.ratio = sigma[analysis.rank - 1] / sigma[0];
  Eigen::VectorXd motion = analysis.Q * svd.matrixU().col(analysis.rank - 1);
  mass_factor.matrixU().solveInPlace(motion);
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
