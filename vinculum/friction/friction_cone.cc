// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/friction_cone.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr double kNoDirection = 1e-12;  // of the other one: the face cannot slide that way

}  // namespace

FrictionCone::FrictionCone(const RestFace& face) : friction_(face.friction), pressure_(face.pressure) {
  const double size = face.push.size() == 0 ? 0 : face.push.cwiseAbs().maxCoeff();
  if (friction_ == 0) {
    columns_.resize(face.push.size(), 0);
    return;
  }
  // Along the direction that moves the mechanism most, and at right angles to it where that moves it too.
  const SingularValues shear = find_singular_values(face.shear);
  const Eigen::MatrixXd turned = face.shear * shear.V;
  for (Eigen::Index k = 0; k < 2; ++k) {
    if (shear.values[k] > kNoDirection * std::max(shear.values[0], size)) ++shears_;
  }
  const double spin = face.radius > 0 ? face.spin.cwiseAbs().maxCoeff() * face.radius : 0;
  spins_ = spin > kNoDirection * std::max(shear.values[0], size);
  columns_.resize(face.push.size(), shears_ + (spins_ ? 1 : 0));
  columns_.leftCols(shears_) = turned.leftCols(shears_);
  turn_ = shear.V.leftCols(shears_);
  radius_ = face.radius;
  if (spins_) columns_.col(shears_) = face.spin * face.radius;
  if (spins_) table_ = find_pad_table(pressure_);
}

Eigen::Vector3d FrictionCone::on_face(const Eigen::VectorXd& x) const {
  Eigen::Vector3d forces = Eigen::Vector3d::Zero();
  if (shears_ > 0) forces.head(2) = turn_ * x.head(shears_);
  if (spins_) forces[2] = radius_ * x[shears_];
  return forces;
}

Eigen::VectorXd FrictionCone::from_face(const Eigen::Vector3d& forces) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(unknowns());
  if (shears_ > 0) x.head(shears_) = turn_.transpose() * forces.head(2);
  if (spins_) x[shears_] = forces[2] / radius_;
  return x;
}

double FrictionCone::mean_distance(double c, double w) const {
  if (!(w > 1e-300 * c)) return c;
  const double beta = c / w;
  return w * (table_ ? table_->at(beta).D : compute_pad(pressure_, beta).D);
}

double FrictionCone::support(const Eigen::VectorXd& direction) const {
  const double w = spins_ ? std::abs(direction[shears_]) : 0;
  return friction_ * mean_distance(direction.head(shears_).norm(), w);
}

std::vector<Eigen::VectorXd> FrictionCone::first_directions() const {
  std::vector<Eigen::VectorXd> directions;
  const Eigen::Index n = unknowns();
  if (shears_ == 2) {
    for (int k = 0; k < 8; ++k) {
      Eigen::VectorXd direction = Eigen::VectorXd::Zero(n);
      direction.head(2) << std::cos(k * std::numbers::pi / 4), std::sin(k * std::numbers::pi / 4);
      directions.push_back(direction);
    }
  }
  for (Eigen::Index k = shears_ == 2 ? 2 : 0; k < n; ++k) {
    directions.push_back(Eigen::VectorXd::Unit(n, k));
    directions.push_back(-Eigen::VectorXd::Unit(n, k));
  }
  return directions;
}

FrictionCone::Violation FrictionCone::find_violation(const Eigen::VectorXd& x, double load) const {
  const Eigen::VectorXd shear = x.head(shears_);
  const double force = shear.norm(), moment = spins_ ? x[shears_] : 0;
  Eigen::VectorXd along = Eigen::VectorXd::Zero(unknowns());
  if (force > 0) along.head(shears_) = shear / force;
  // h(angle) = force cos + |moment| sin - load f Dhat(cos, sin) has one maximum where it is positive.
  const auto excess = [&](double angle) {
    return force * std::cos(angle) + std::abs(moment) * std::sin(angle) -
           load * friction_ * mean_distance(std::cos(angle), std::sin(angle));
  };
  double angle = 0;
  if (spins_) {
    constexpr double kGolden = 0.6180339887498949;
    double low = 0, high = std::numbers::pi / 2;
    double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    double ha = excess(a), hb = excess(b);
    while (high - low > 1e-9) {
      if (ha > hb) {
        high = b, b = a, hb = ha, a = high - kGolden * (high - low), ha = excess(a);
      } else {
        low = a, a = b, ha = hb, b = low + kGolden * (high - low), hb = excess(b);
      }
    }
    angle = 0.5 * (low + high);
    for (const double end : {0.0, std::numbers::pi / 2}) {
      if (excess(end) > excess(angle)) angle = end;
    }
  }
  Violation violation{std::cos(angle) * along, excess(angle)};
  if (spins_) violation.direction[shears_] = std::copysign(std::sin(angle), moment);
  return violation;
}

Eigen::VectorXd FrictionCone::against(const Eigen::VectorXd& rates) const {
  Eigen::VectorXd friction = Eigen::VectorXd::Zero(unknowns());
  const double V = rates.head(shears_).norm(), W = spins_ ? rates[shears_] : 0;  // W = Ω r
  double S = 1, T = 0;
  if (std::abs(W) > 1e-300) {
    const double beta = V / std::abs(W);
    const PadFactors factors = !std::isfinite(beta) ? PadFactors{1, 0, 0}
                               : table_             ? table_->at(beta)
                                                    : compute_pad(pressure_, beta);
    S = factors.S, T = factors.T;
  }
  if (V > 0) friction.head(shears_) = -friction_ * S / V * rates.head(shears_);
  if (spins_) friction[shears_] = -friction_ * std::copysign(T, W);
  return friction;
}

}  // namespace vinculum
