// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include <Eigen/Core>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Velocity constraints with constant coefficients are gears and belts: v = G u, u the velocities that stay independent.
struct Gears {
  Eigen::MatrixXd G;
  std::vector<int> independent;  // which velocities u are
};

// Later velocities follow earlier ones, but those in `drives` stay independent as far as they can.
// Failure VN-BALANCE-001 if a velocity constraint is not a gear.
Outcome<Gears> find_gears(const Model& model, const std::vector<int>& drives = {});

// Random motions that the gears allow, the same ones on every machine: angles up to half a turn either way, displacements up to a
// length.
class RandomMotions {
 public:
  RandomMotions(const Model& model, const Gears& gears, double length);

  State place();                       // at rest
  Eigen::VectorXd rates(double size);  // G u, each of u within ± size, in rad or lengths

 private:
  const Model& model_;
  const Gears& gears_;
  Eigen::VectorXd unit_;  // of each of u: 1 rad, or the length
  std::mt19937_64 random_{1};
};

}  // namespace vinculum
