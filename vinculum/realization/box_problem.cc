// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/box_problem.h"

#include <cmath>

#include <fmt/core.h>

#include "vinculum/math/complementarity.h"
#include "vinculum/math/dense.h"

namespace vinculum {

Outcome<BoxSolution> solve_box_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& b, const Eigen::VectorXd& bounds) {
  const Eigen::Index n = b.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    if (bounds[i] > 0 && std::isfinite(bounds[i])) continue;
    return Failure{"VN-REALIZE-003", fmt::format("bound {} is {:g}: it must be a positive number", i + 1, bounds[i]), ""};
  }
  const bool symmetric = W.allFinite() && (W - W.transpose()).norm() <= 1e-12 * W.norm();
  if (!symmetric || !Cholesky(W).is_positive()) {
    return Failure{"VN-REALIZE-005", "the slip mobility W is not symmetric and positive definite",
                   "W = J P J^T of independent constraints is both; dependent constraints have no unique forces"};
  }
  // With u = R + R^i >= 0 and a multiplier m >= 0 of u <= 2 R^i:   W u + m + (b - W R^i) >= 0 with u,  2 R^i - u >= 0 with m
  const size_t size = static_cast<size_t>(2 * n);
  std::vector<double> M(size * size, 0.0), q(size);
  const Eigen::VectorXd shifted = b - W * bounds;
  for (Eigen::Index i = 0; i < n; ++i) {
    const size_t row = static_cast<size_t>(i), upper = static_cast<size_t>(i + n);
    for (Eigen::Index j = 0; j < n; ++j) M[row * size + static_cast<size_t>(j)] = W(i, j);
    M[row * size + upper] = 1;
    M[upper * size + row] = -1;
    q[row] = shifted[i];
    q[upper] = 2 * bounds[i];
  }
  const auto found = solve_complementarity(M, q);
  if (!found) return Failure{"VN-REALIZE-005", "the forces in the box were not found", "W may be too near to a singular one"};

  // Which constraints are at a bound; the others by the equations of those that stick.
  BoxSolution solution;
  solution.forces.resize(n);
  std::vector<int> sticks;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double u = found->z[static_cast<size_t>(i)], m = found->z[static_cast<size_t>(i + n)],
                 w = found->w[static_cast<size_t>(i)];
    solution.modes.push_back(m > 0 ? -1 : w > 0 ? 1 : 0);
    solution.forces[i] = m > 0 ? bounds[i] : w > 0 ? -bounds[i] : u - bounds[i];
    if (solution.modes.back() == 0) sticks.push_back(static_cast<int>(i));
  }
  if (!sticks.empty()) {
    Eigen::VectorXd slipping = solution.forces;
    slipping(sticks).setZero();
    const Eigen::VectorXd target = -(b + W * slipping)(sticks);
    solution.forces(sticks) = Cholesky(W(sticks, sticks)).solve(target);
  }
  solution.slip_accelerations = W * solution.forces + b;
  for (const int i : sticks) solution.slip_accelerations[i] = 0;
  return solution;
}

}  // namespace vinculum
