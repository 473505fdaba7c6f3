// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/push_round_off.h"

#include <cmath>
#include <limits>

#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {

bool is_no_push(const ConstraintSet& set, const State& state, const ConstrainedDynamics& dynamics, int row,
                Workspace& workspace) {
  constexpr double kRoundOffOfSum = 256 * std::numeric_limits<double>::epsilon();
  constexpr double kSurelyNot = 1e-8;  // beside all forces there are: no need to look closer
  const Eigen::VectorXd& multipliers = dynamics.solution.multipliers;
  const double push = std::abs(multipliers[row]), arm = scales_of(set.model, set.rows[row].index).position;
  const Scales& scales = set.model.scales();
  if (push > kSurelyNot * (multipliers.lpNorm<Eigen::Infinity>() + scales.force() * (scales.length / arm))) return false;
  const Eigen::MatrixXd& D = dynamics.rows.D;
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), D);
  if (!mass) return false;
  const Eigen::MatrixXd each = mass->factor.solve_upper(mass->factor.solve_lower(D.transpose()));  // A⁻¹Dᵀ
  const double mobility = D.row(row).dot(each.col(row));
  if (!(mobility > 0)) return true;  // no joint feels it
  double terms = scales_of(set.model, set.rows[row].index).acceleration + std::abs(dynamics.rows.gamma[row]);
  for (Eigen::Index j = 0; j < multipliers.size(); ++j)
    terms += D.row(row).cwiseAbs().dot(each.col(j).cwiseAbs()) * std::abs(multipliers[j]);
  return push * mobility <= kRoundOffOfSum * terms;
}

}  // namespace vinculum
