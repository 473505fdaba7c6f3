// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/appell.h"

#include <algorithm>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

// Columns d that pivots choose, the others i in their order, and the motions Z that the rows leave.
struct FreeMotions {
  std::vector<int> dependent, independent;
  Eigen::MatrixXd Z;
  Eigen::MatrixXd J_d;
};

FreeMotions find_free_motions(const Eigen::MatrixXd& J) {
  const PivotedQr qr = factorize_columns(J, RowAnalysis::kRankTolerance);
  FreeMotions motions;
  motions.dependent.assign(qr.order.begin(), qr.order.begin() + qr.rank);
  motions.independent.assign(qr.order.begin() + qr.rank, qr.order.end());
  std::sort(motions.independent.begin(), motions.independent.end());
  motions.J_d = J(Eigen::all, motions.dependent);
  motions.Z.setZero(J.cols(), static_cast<Eigen::Index>(motions.independent.size()));
  if (motions.Z.cols() == 0) return motions;
  for (size_t k = 0; k < motions.independent.size(); ++k) motions.Z(motions.independent[k], static_cast<Eigen::Index>(k)) = 1;
  if (qr.rank > 0) {
    const Eigen::MatrixXd others = J(Eigen::all, motions.independent);
    motions.Z(motions.dependent, Eigen::all) = -solve_least_squares(motions.J_d, others, RowAnalysis::kRankTolerance).x;
  }
  return motions;
}

}  // namespace

AppellForm compute_appell_form(const SlipState& at, Completion completion) {
  // The velocities that permanent rows leave:  v' = Z u' + a , a in the others alone.
  const Eigen::Index all = at.M.rows(), g = at.J.rows();
  FreeMotions left = find_free_motions(at.Jp);
  if (at.Jp.rows() == 0) left.Z.setIdentity(all, all);
  Eigen::VectorXd a = Eigen::VectorXd::Zero(all);
  if (!left.dependent.empty()) a(left.dependent) = solve_least_squares(left.J_d, at.gamp, RowAnalysis::kRankTolerance).x;
  const Eigen::MatrixXd M = left.Z.transpose() * at.M * left.Z, J = at.J * left.Z;
  const Eigen::VectorXd f = left.Z.transpose() * (at.f - at.M * a);
  // psi'' = J u' + c
  const Eigen::VectorXd c = at.b - at.J * at.a0 + at.J * a;

  const FreeMotions free = find_free_motions(J);
  const Eigen::Index m = J.cols(), n = m - g;
  Eigen::MatrixXd F = Eigen::MatrixXd::Zero(m, m);
  F.bottomRows(g) = J;
  switch (completion) {
    case Completion::partition:
      for (Eigen::Index k = 0; k < n; ++k) F(k, free.independent[static_cast<size_t>(k)]) = 1;
      break;
    case Completion::orthogonal: F.topRows(n) = free.Z.transpose(); break;
    case Completion::mass: F.topRows(n) = free.Z.transpose() * M; break;
  }
  const Eigen::MatrixXd B = solve_least_squares(F, Eigen::MatrixXd::Identity(m, m), 0).x;
  AppellForm form;
  form.u = B.transpose() * M * B;
  Eigen::VectorXd rate = Eigen::VectorXd::Zero(m);
  rate.tail(g) = c;
  const Eigen::VectorXd force = B.transpose() * f + form.u * rate;
  const Eigen::MatrixXd u_psiphi = form.u.bottomLeftCorner(g, n);
  const Cholesky u_phiphi(form.u.topLeftCorner(n, n));
  form.reactions = -force.tail(g);
  form.sigma = form.u.bottomRightCorner(g, g);
  if (n > 0) {
    form.reactions += u_psiphi * u_phiphi.solve(force.head(n));
    form.sigma -= u_psiphi * u_phiphi.solve(u_psiphi.transpose());
  }
  std::vector<int> reduced = left.independent;
  if (at.Jp.rows() == 0) {
    reduced.clear();
    for (int k = 0; k < static_cast<int>(all); ++k) reduced.push_back(k);
  }
  for (const int k : free.independent) form.kept.push_back(reduced[static_cast<size_t>(k)]);
  return form;
}

}  // namespace vinculum
