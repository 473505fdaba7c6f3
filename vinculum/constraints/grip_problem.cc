// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/grip_problem.h"

#include <algorithm>
#include <cmath>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr int kMostSweeps = 20000;
constexpr double kSettled = 1e-15;    // change of R, beside the largest
constexpr double kSettledAll = 1e-9;  // what is granted when the sweeps are over

// R of  x = W R + y ,  R in -rho ∂|x| ,  for one block:  it sticks, R = -W⁻¹y, if that is within rho; else R = -rho d with
// (rho W + alpha) d = y and |d| = 1, |x| = alpha: with the eigenvectors of W,  Σ (y_i / (rho w_i + alpha))² = 1 , which falls
// with alpha.
Eigen::VectorXd solve_disk(const SingularValues& W, const Eigen::VectorXd& y, double rho) {
  if (!(rho > 0)) return Eigen::VectorXd::Zero(y.size());
  const Eigen::VectorXd z = W.U.transpose() * y;
  const Eigen::VectorXd stuck = z.cwiseQuotient(W.values);
  if (stuck.norm() <= rho) return -(W.U * stuck);
  const auto length = [&](double alpha) { return z.cwiseQuotient((rho * W.values.array() + alpha).matrix()).norm(); };
  double low = 0, high = z.norm();  // length(0) > 1 ≥ length(high)
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i) {
    const double middle = (low + high) / 2;
    (length(middle) > 1 ? low : high) = middle;
  }
  const Eigen::VectorXd direction = z.cwiseQuotient((rho * W.values.array() + high).matrix());
  return -rho * (W.U * direction.normalized());
}

}  // namespace

std::optional<GripSolution> solve_grip_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                               const std::vector<GripBlock>& blocks) {
  GripSolution solution{Eigen::VectorXd::Zero(b.size()), b};
  std::vector<SingularValues> inner;
  for (const GripBlock& block : blocks) {
    const Eigen::MatrixXd own = W(block.rows, block.rows);
    for (Eigen::Index i = 0; i < own.rows(); ++i) {
      if (!(own(i, i) > 0)) return std::nullopt;
    }
    inner.push_back(find_singular_values((own + own.transpose()) / 2));
    if (!(inner.back().values.minCoeff() > 0)) return std::nullopt;
  }
  double last = 0;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0, size = 0;
    for (size_t k = 0; k < blocks.size(); ++k) {
      const GripBlock& block = blocks[k];
      const Eigen::VectorXd before = solution.R(block.rows);
      const Eigen::VectorXd y = W(block.rows, Eigen::all) * solution.R + b(block.rows) - W(block.rows, block.rows) * before;
      Eigen::VectorXd R = -(inner[k].U * (inner[k].U.transpose() * y).cwiseQuotient(inner[k].values));
      if (block.kind == GripBlock::Kind::pushes) R = R.cwiseMax(0);
      if (block.kind == GripBlock::Kind::grips) {
        const double rho = block.normal < 0 ? block.bound : block.friction * std::max(solution.R[block.normal], 0.0);
        R = solve_disk(inner[k], y, rho);
      }
      solution.R(block.rows) = R;
      change = std::max(change, (R - before).lpNorm<Eigen::Infinity>());
      size = std::max(size, R.lpNorm<Eigen::Infinity>());
    }
    last = size > 0 ? change / size : 0;
    if (!std::isfinite(last)) return std::nullopt;
    if (last <= kSettled) break;
  }
  if (last > kSettledAll) return std::nullopt;
  solution.x = W * solution.R + b;
  return solution;
}

}  // namespace vinculum
