// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Eigen/Core>

#include "vinculum/model/model.h"

namespace vinculum {

// Velocities that are components of one vector, in axes that may rotate although the motion is steady: a ball in the axes of its
// body. Or translations on the ground (tx, ty, tz, or those of a free body) in fixed axes, while the body moves in a circle.
struct VelocityVector {
  bool is_ball = false;
  std::vector<int> velocities;
  int coordinate = 0;           // of a ball: the first of its quaternion
  bool stands = false;          // of a ball: its base does not turn
  Matrix3 R_WJ;                 // of a ball whose base stands: axes of its joint
  std::vector<Vector3> axes_W;  // of slides
};
std::vector<VelocityVector> list_velocity_vectors(const Model& model);

// Axes from which the velocities of a steady motion are constant:
//
//   û = S u ,  S = exp(K s) ,  û' = S (u' + K u)
//
//   slides:  axes that turn with Ω                      K = -Ω×
//   balls:   axes of the base, turning with Ω           K = (w - Ω)× , in the axes of the body; for a wheel, symmetric about w -
//   Ω
//            or the axes of the body                    K = 0
//
// Ω: the rate at which the whole motion turns about the vertical, 0 if straight.
class SteadyAxes {
 public:
  // `follows_body`: of each vector; of slides it says nothing.
  SteadyAxes(const Model& model, const State& state, std::vector<VelocityVector> vectors, std::vector<bool> follows_body,
             double turn_rate);

  double turn_rate() const { return turn_rate_; }
  const Eigen::MatrixXd& K() const { return K_; }
  Eigen::MatrixXd to_seen(double s) const;  // S

  // How v changes if everything is turned about the vertical, and if a ball is turned about its own axis: nothing else changes.
  Eigen::MatrixXd turned_velocities() const;

  // The state after a time s, if all velocities are constant as seen from these axes; or of one coordinate (a ball: of one of its
  // velocities) alone.
  State move(double s) const;
  State move_alone(int velocity, double s) const;

 private:
  bool turns(const VelocityVector& vector) const;
  int coordinate_of(int velocity) const;  // of one that is no ball's
  void move_vector(size_t k, double s, State& moved) const;

  const Model& model_;
  State state_;
  std::vector<VelocityVector> vectors_;
  std::vector<bool> follows_body_;
  double turn_rate_;
  Vector3 vertical_;
  Eigen::MatrixXd K_;
};

// The Ω that makes u' = Ω × u of vectors that do not follow their bodies, as nearly as it can; about gravity, or z where there is
// none.
double fit_turn_rate(const Model& model, const State& state, const Eigen::VectorXd& accelerations,
                     const std::vector<VelocityVector>& vectors, const std::vector<bool>& follows_body);

// The rates at which bodies turn about the vertical by themselves, on what does not turn: of balls and of joints whose axis is
// vertical. A body that spins on the spot shows no u' = Ω × u.
std::vector<double> list_vertical_rates(const Model& model, const State& state);

}  // namespace vinculum
