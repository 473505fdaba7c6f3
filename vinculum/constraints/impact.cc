// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/impact.h"

#include <cmath>

#include <Eigen/QR>

#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {

namespace {

constexpr double kPull = 1e-9;  // of the largest multiplier: below it is round-off

// The contact that would have to pull hardest, or -1.
int find_pulling_contact(const ConstraintSet& set, const Eigen::VectorXd& multipliers, const std::vector<bool>& determinate) {
  int worst = -1;
  double lowest = multipliers.size() == 0 ? 0 : -kPull * (1 + multipliers.lpNorm<Eigen::Infinity>());
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const RowLabel& row = set.rows[i];
    if (row.contact < 0 || row.axis != ContactAxis::normal || !set.contacts[row.contact].can_lift_off()) continue;
    const double pushed = multipliers[static_cast<Eigen::Index>(i)];
    if (!determinate[i] || pushed >= lowest) continue;
    lowest = pushed;
    worst = row.contact;
  }
  return worst;
}

// The impulses of a plastic impact, Λ = -(D A⁻¹ Dᵀ)⁺ (D v - F), and the change of v.
struct Impact {
  Eigen::VectorXd impulses, change;
  std::vector<bool> determinate;
};

Outcome<Impact> compute_impact(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), rows->D);
  if (!mass) return mass.failure();
  Impact impact;
  impact.determinate = analyse_rows(mass->factor, *rows).determinate;
  impact.impulses = Eigen::VectorXd::Zero(rows->D.rows());
  impact.change = Eigen::VectorXd::Zero(rows->D.cols());
  if (rows->D.rows() == 0) return impact;
  const Eigen::MatrixXd W = mass->factor.matrixL().solve(rows->D.transpose());
  const Eigen::MatrixXd G = W.transpose() * W;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(G);
  decomposition.setThreshold(RowAnalysis::kRankTolerance);
  impact.impulses = decomposition.solve(-rows->rate);
  impact.change = mass->factor.matrixU().solve(W * impact.impulses);
  return impact;
}

}  // namespace

std::optional<Failure> settle_contacts(ConstraintSet& set, std::vector<bool>& holding, State& state, Workspace& workspace) {
  // The impact; at most all contacts let go.
  for (;;) {
    set.hold(holding);
    const auto impact = compute_impact(set, state, workspace);
    if (!impact) return impact.failure();
    const int pulling = find_pulling_contact(set, impact->impulses, impact->determinate);
    if (pulling >= 0) {
      holding[pulling] = false;
      continue;
    }
    for (Eigen::Index i = 0; i < impact->change.size(); ++i) state.v[i] += impact->change[i];
    break;
  }
  keep_on_constraints(set, state, workspace);

  // Then the forces.
  for (;;) {
    const auto dynamics = compute_constrained_dynamics(set, state, workspace);
    if (!dynamics) return dynamics.failure();
    const int pulling = find_pulling_contact(set, dynamics->solution.multipliers, dynamics->solution.analysis.determinate);
    if (pulling < 0) return std::nullopt;
    holding[pulling] = false;
    set.hold(holding);
  }
}

}  // namespace vinculum
