// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/least_friction.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/analysis/linear_program.h"

namespace vinculum {

namespace {

constexpr int kSides = 16;

// The reactions as sums of rays, each with a factor that is not negative: of a cone its edges n + s mu d_k, of a row that pushes
// the row, of any other the row and its opposite.
Eigen::MatrixXd list_rays(const ConstraintSet& set, const Eigen::MatrixXd& D, double s) {
  std::vector<Eigen::VectorXd> rays;
  std::vector<bool> taken(set.rows.size(), false);
  for (const Grip& grip : set.model.grips()) {
    const auto normal = grip.friction ? set.find_row(grip.normal) : std::nullopt;
    if (!normal || grip.contact < 0) continue;
    std::vector<int> tangents;
    for (const int row : grip.rows) {
      if (const auto at = set.find_row(row)) tangents.push_back(*at);
    }
    if (tangents.empty()) continue;
    taken[*normal] = true;
    for (const int tangent : tangents) taken[tangent] = true;
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2 * std::numbers::pi * k / kSides, mu = s * *grip.friction;
      Eigen::VectorXd ray = D.row(*normal);
      ray += mu * std::cos(angle) * D.row(tangents[0]).transpose();
      if (tangents.size() > 1) ray += mu * std::sin(angle) * D.row(tangents[1]).transpose();
      rays.push_back(std::move(ray));
    }
  }
  for (const OneSided& element : set.model.one_sided()) {
    const auto row = set.find_row(element.row);
    if (!row || taken[*row]) continue;
    taken[*row] = true;
    rays.emplace_back(D.row(*row));
  }
  for (size_t i = 0; i < taken.size(); ++i) {
    if (taken[i]) continue;
    rays.emplace_back(D.row(static_cast<Eigen::Index>(i)));
    rays.emplace_back(-D.row(static_cast<Eigen::Index>(i)));
  }
  Eigen::MatrixXd all(D.cols(), static_cast<Eigen::Index>(rays.size()));
  for (size_t i = 0; i < rays.size(); ++i) {
    // Round-off beside a ray would spoil the scaling of the simplex method.
    const double round_off = 1e-12 * rays[i].lpNorm<Eigen::Infinity>();
    all.col(static_cast<Eigen::Index>(i)) = (rays[i].array().abs() > round_off).select(rays[i], 0.0);
  }
  return all;
}

}  // namespace

std::optional<double> find_least_friction(const ConstraintSet& set, const ConstrainedDynamics& dynamics, double known) {
  constexpr double kMost = 1e3, kEnough = 1e-6;
  const Eigen::MatrixXd& D = dynamics.rows.D;
  const Eigen::VectorXd pushed = D.transpose() * dynamics.solution.multipliers;
  const double size = pushed.lpNorm<Eigen::Infinity>();
  if (size == 0) return known;
  const auto is_enough = [&](double s) {
    LinearProgram program;
    program.equations = list_rays(set, D, s);
    program.right = pushed / size;
    program.upper = Eigen::VectorXd::Constant(program.equations.cols(), std::numeric_limits<double>::infinity());
    program.cost = Eigen::VectorXd::Ones(program.equations.cols());
    const auto found = solve_linear_program(program);
    return found && found->feasible;
  };
  if (is_enough(known)) return known;
  double low = known, high = std::max(2 * known, 1e-3);
  while (!is_enough(high)) {
    low = high;
    high *= 2;
    if (high > kMost) return std::nullopt;
  }
  while (high - low > kEnough * high) {
    const double middle = (low + high) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace vinculum
