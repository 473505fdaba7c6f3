// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/push_round_off.h"

#include <cmath>
#include <limits>

#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {

bool is_no_push(const ConstraintSet& set, const State& state, const ConstrainedDynamics& dynamics, int row,
                Workspace& workspace) {
  // Of the sum of sizes: as many roundings as the sums over velocities and rows have, a few hundred.
  constexpr double kRoundOffOfSum = 256 * std::numeric_limits<double>::epsilon();
  constexpr double kSurelyNot = 1e-8;  // beside all forces there are: no need to look closer
  const Eigen::VectorXd& multipliers = dynamics.solution.multipliers;
  const double push = std::abs(multipliers[row]), arm = scales_of(set.model, set.rows[row].index).position;
  const Scales& scales = set.model.scales();
  if (push > kSurelyNot * (multipliers.lpNorm<Eigen::Infinity>() + scales.force() * (scales.length / arm))) return false;
  // The quick way to a solution leaves D out.
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return false;
  const Eigen::MatrixXd& D = rows->D;
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), D);
  if (!mass) return false;
  const Eigen::MatrixXd each = mass->factor.solve_upper(mass->factor.solve_lower(D.transpose()));  // A⁻¹Dᵀ
  const double mobility = D.row(row).dot(each.col(row));
  if (!(mobility > 0)) return false;
  double terms = D.row(row).cwiseAbs().dot(dynamics.solution.accelerations.cwiseAbs()) + std::abs(rows->gamma[row]);
  for (Eigen::Index j = 0; j < multipliers.size(); ++j)
    terms += D.row(row).cwiseAbs().dot(each.col(j).cwiseAbs()) * std::abs(multipliers[j]);
  return push * mobility <= kRoundOffOfSum * terms;
}

}  // namespace vinculum
