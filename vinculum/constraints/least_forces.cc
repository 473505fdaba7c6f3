// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/least_forces.h"

#include <limits>

#include <Eigen/Cholesky>

namespace vinculum {

namespace {

constexpr double kDependentPivot = 1e-10;

// Pivots of W beside its diagonal: a small one is a row that others say.
Eigen::VectorXd find_scaled_pivots(const Eigen::MatrixXd& W) {
  const Eigen::VectorXd unit = W.diagonal().cwiseMax(0).cwiseSqrt().cwiseMax(std::numeric_limits<double>::min()).cwiseInverse();
  const Eigen::MatrixXd scaled = unit.asDiagonal() * ((W + W.transpose()) / 2) * unit.asDiagonal();
  return scaled.ldlt().vectorD();
}

}  // namespace

bool has_redundant_rows(const Eigen::MatrixXd& W) { return !(find_scaled_pivots(W).minCoeff() > kDependentPivot); }

std::optional<GripSolution> solve_with_least_forces(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                                    const std::vector<GripBlock>& blocks, const Eigen::VectorXd* start) {
  constexpr double kCompliance = 1e-3, kTaken = 1e-13;
  constexpr int kMostRounds = 60;
  if (b.size() == 0) return GripSolution{b, b};
  const Eigen::VectorXd pivots = find_scaled_pivots(W);
  if (pivots.minCoeff() > kDependentPivot) return solve_grip_problem(W, b, blocks);
  // From where it was, or from zero, by Newton's steps; compliance only where these do not settle.
  if (start != nullptr) {
    if (auto solution = settle_least_forces(W, b, blocks, *start)) return solution;
  }
  if (auto solution = settle_least_forces(W, b, blocks, Eigen::VectorXd::Zero(b.size()))) return solution;
  // Compliance of the size of the least mobility that is not round-off, so that the rounds converge quickly.
  double least = 1;
  for (const double pivot : pivots) least = pivot > kDependentPivot ? std::min(least, pivot) : least;
  const double epsilon = kCompliance * least * W.diagonal().maxCoeff();
  const Eigen::MatrixXd regular = W + epsilon * Eigen::MatrixXd::Identity(W.rows(), W.cols());
  Eigen::VectorXd last = Eigen::VectorXd::Zero(b.size());
  for (int round = 0; round < kMostRounds; ++round) {
    auto solution = solve_grip_problem(regular, b - epsilon * last, blocks);
    if (!solution) return std::nullopt;
    const double change = (solution->R - last).lpNorm<Eigen::Infinity>(), size = solution->R.lpNorm<Eigen::Infinity>();
    last = solution->R;
    if (change <= kTaken * size) break;
  }
  return GripSolution{last, W * last + b};
}

}  // namespace vinculum
