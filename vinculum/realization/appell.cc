// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/appell.h"

#include <algorithm>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

// Columns d that pivots choose, the others i in their order, and the motions Z that the rows leave. Columns are measured by
// their inertia and rows by their length, so that neither units nor multiples of a row decide.
struct FreeMotions {
  std::vector<int> dependent, independent;
  Eigen::MatrixXd Z;
  Eigen::MatrixXd J_d;      // scaled
  Eigen::VectorXd lengths;  // of the scaled constraints
  Eigen::VectorXd units;    // of all velocities: 1/√M_kk

  // The velocities d that give the constraints these values, the others zero.
  Eigen::VectorXd reach(const Eigen::VectorXd& values) const {
    const Eigen::VectorXd scaled = values.cwiseQuotient(lengths);
    return units(dependent).cwiseProduct(solve_least_squares(J_d, scaled, RowAnalysis::kRankTolerance).x.col(0));
  }
};

FreeMotions find_free_motions(const Eigen::MatrixXd& given, const Eigen::MatrixXd& M) {
  FreeMotions motions;
  motions.units = M.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd J = given * motions.units.asDiagonal();
  motions.lengths = Eigen::VectorXd::Ones(J.rows());
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    if (const double length = J.row(i).stableNorm(); length > 0) motions.lengths[i] = length, J.row(i) /= length;
  }
  const PivotedQr qr = factorize_columns(J, RowAnalysis::kRankTolerance);
  motions.dependent.assign(qr.order.begin(), qr.order.begin() + qr.rank);
  motions.independent.assign(qr.order.begin() + qr.rank, qr.order.end());
  std::sort(motions.independent.begin(), motions.independent.end());
  motions.J_d = J(Eigen::all, motions.dependent);
  motions.Z.setZero(J.cols(), static_cast<Eigen::Index>(motions.independent.size()));
  for (Eigen::Index k = 0; k < motions.Z.cols(); ++k) {
    const int own = motions.independent[static_cast<size_t>(k)];
    motions.Z(own, k) = 1;
    if (qr.rank > 0) motions.Z(motions.dependent, k) = -motions.reach(given.col(own));
  }
  return motions;
}

}  // namespace

Outcome<AppellForm> compute_appell_form(const SlipState& at, Completion completion) {
  // The velocities that permanent constraints leave:  v' = Z u' + a , a in the others alone.
  const Eigen::Index all = at.M.rows(), g = at.J.rows();
  FreeMotions left = find_free_motions(at.Jp, at.M);
  if (at.Jp.rows() == 0) left.Z.setIdentity(all, all);
  Eigen::VectorXd a = Eigen::VectorXd::Zero(all);
  if (!left.dependent.empty()) a(left.dependent) = left.reach(at.gamp);
  const Eigen::MatrixXd M = left.Z.transpose() * at.M * left.Z, J = at.J * left.Z;
  const Eigen::VectorXd f = left.Z.transpose() * (at.f - at.M * a);
  // psi'' = J u' + c
  const Eigen::VectorXd c = at.b - at.J * at.a0 + at.J * a;

  const FreeMotions free = find_free_motions(J, M);
  const Eigen::Index m = J.cols(), n = static_cast<Eigen::Index>(free.independent.size());
  if (n != m - g)
    return Failure{"VN-REALIZE-007", "the constraints are too nearly dependent for Appell's form",
                   "choose fewer of them with --rows. A mass that is negligible beside those it carries has the same effect"};
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
