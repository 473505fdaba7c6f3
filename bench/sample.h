// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "vinculum/model/model.h"

namespace vinculum::bench {

// One point at which engines are compared.
struct Sample {
  State state;
  std::vector<double> forces;         // tau, one a velocity: given to forward dynamics
  std::vector<double> accelerations;  // v': given to inverse dynamics
};

// Replaces the forces of a model by constant `joint:` laws, one a velocity. Bodies must stand parents first.
inline void set_constant_forces(ModelDescription& words, std::span<const double> forces) {
  words.forces.clear();
  for (const BodyDescription& body : words.bodies) {
    for (std::string velocity : name_joint(body.name, body.joint).velocities) {
      if (velocity.back() == '\'') velocity.pop_back();
      const size_t index = words.forces.size();
      words.forces.push_back({fmt::format("tau{}", index), JointForce{velocity, Expression(forces[index])}, {}});
    }
  }
}

}  // namespace vinculum::bench
