// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/slip_direction.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace vinculum {

Outcome<SlipDirection> find_slip_direction(const AccelerationsOf& accelerations, Eigen::VectorXd y, double sign) {
  constexpr int kApproaches = 60, kSteps = 30;
  constexpr double kDamping = 0.3, kDifference = 1e-6;
  const Eigen::Index n = y.size();
  if (!(y.norm() > 0)) return Failure{"VN-GUIDE-009", "nothing moves the guides at this state", "apply a load"};
  y.normalize();
  double c = 0, scale = 0;  // the largest accelerations there were
  for (int i = 0; sign > 0 && i < kApproaches; ++i) {
    const auto a = accelerations(y);
    if (!a) return a.failure();
    if (a->norm() == 0) break;
    y = (y + kDamping * sign * a->normalized()).normalized();
  }
  for (int i = 0; i < kSteps; ++i) {
    const auto a = accelerations(y);
    if (!a) return a.failure();
    scale = std::max(scale, a->norm());
    c = sign * a->dot(y);
    Eigen::VectorXd residual(n + 1);
    residual << *a - sign * c * y, 0.5 * (y.squaredNorm() - 1);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n + 1, n + 1);
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto more = accelerations(y + kDifference * Eigen::VectorXd::Unit(n, k));
      const auto less = accelerations(y - kDifference * Eigen::VectorXd::Unit(n, k));
      if (!more) return more.failure();
      if (!less) return less.failure();
      J.col(k).head(n) = (*more - *less) / (2 * kDifference) - sign * c * Eigen::VectorXd::Unit(n, k);
      J(n, k) = y[k];
    }
    J.col(n).head(n) = -sign * y;
    const Eigen::VectorXd step = J.fullPivLu().solve(-residual);
    y += step.head(n) * std::min(1.0, 0.3 / std::max(step.head(n).norm(), 1e-300));
    y.normalize();
    if (step.head(n).norm() < 1e-13) break;
  }
  const auto a = accelerations(y);
  if (!a) return a.failure();
  c = sign * a->dot(y);
  if (!(c > 0) || (*a - sign * c * y).norm() > 1e-6 * scale)
    return Failure{"VN-GUIDE-009", "the direction in which the guides come to rest or break away is not found at this state",
                   "begin a little later, with a small velocity"};
  return SlipDirection{y, c};
}

}  // namespace vinculum
