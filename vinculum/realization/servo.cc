// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/servo.h"

#include <cmath>

#include <fmt/core.h>

namespace vinculum {

Outcome<Servo> compute_servo(const SlipState& at, const Eigen::MatrixXd& inputs) {
  const Eigen::Index g = at.J.rows();
  if (inputs.cols() != g) {
    return Failure{"VN-REALIZE-006", fmt::format("{} inputs for {} constraints: the numbers must be equal", inputs.cols(), g),
                   "name one input for each realized constraint; --rows chooses the constraints"};
  }
  Servo servo;
  servo.D = at.J * at.P * inputs;
  // Beside what an input could do if it had the direction of a constraint.
  Eigen::MatrixXd scaled = servo.D;
  for (Eigen::Index i = 0; i < g; ++i) {
    for (Eigen::Index j = 0; j < g; ++j) {
      const double along = std::sqrt(at.W(i, i) * inputs.col(j).dot(at.P * inputs.col(j)));
      scaled(i, j) = along > 0 ? servo.D(i, j) / along : 0;
    }
  }
  const PivotedQr qr = factorize_columns(scaled, RowAnalysis::kRankTolerance);
  if (qr.rank < g || qr.lengths[0] < RowAnalysis::kRankTolerance) {
    return Failure{"VN-REALIZE-006",
                   fmt::format("the inputs cannot move every constraint: their matrix J P B has rank {} of {}",
                               qr.lengths[0] < RowAnalysis::kRankTolerance ? 0 : qr.rank, g),
                   "the constraint is of higher index for these inputs; choose inputs that act on its acceleration"};
  }
  servo.control = -solve_least_squares(servo.D, at.b, 0).x;
  const Eigen::VectorXd force = inputs * servo.control, ideal = at.J.transpose() * at.r;
  servo.accelerations = at.a0 + at.P * force;
  const double least = std::sqrt(ideal.dot(at.P * ideal));
  servo.price = least > 0 ? std::sqrt(force.dot(at.P * force)) / least : 1;
  for (Eigen::Index i = 0; i < g; ++i) servo.reversed.push_back(servo.D(i, i) < 0);
  return servo;
}

}  // namespace vinculum
