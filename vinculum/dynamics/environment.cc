// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/environment.h"

#include "vinculum/expression/evaluate.h"

namespace vinculum {

EnvironmentMotion compute_environment_motion(const EnvironmentBody& body, double t, std::vector<double>& scratch) {
  Bindings bindings;
  bindings.time = t;
  const auto value = [&](const Expression& law) { return evaluate(law, bindings, scratch); };
  const auto vector = [&](const std::array<Expression, 3>& law) { return Vector3{value(law[0]), value(law[1]), value(law[2])}; };

  EnvironmentMotion motion;
  motion.p_WE = vector(body.position);
  motion.velocity.linear = vector(body.velocity);
  motion.acceleration.linear = vector(body.acceleration);
  motion.R_WE = body.rotation;
  for (const EnvironmentBody::TurnLaw& turn : body.turns) {
    const Vector3 axis = motion.R_WE * turn.unit_axis;
    const Vector3 rate = value(turn.rate) * axis;
    motion.acceleration.angular += value(turn.acceleration) * axis + cross(motion.velocity.angular, rate);
    motion.velocity.angular += rate;
    motion.R_WE = motion.R_WE * rotation_about(turn.unit_axis, value(turn.angle));
  }
  return motion;
}

}  // namespace vinculum
