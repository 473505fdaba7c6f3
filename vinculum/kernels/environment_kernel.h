// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/expression/evaluate_kernel.h"
#include "vinculum/kernels/environment.h"
#include "vinculum/kernels/link_kernel.h"

namespace vinculum {

// `scratch` has room for every step of a law.
template <class S>
VINCULUM_INLINE EnvironmentMotionOf<S> move_environment_body(const EnvironmentBody& body, const S& t, std::span<S> scratch) {
  BindingsOf<S> bindings;
  bindings.time = t;
  const auto value = [&](const Expression& law) __attribute__((always_inline)) { return evaluate_steps(law, bindings, scratch); };
  const auto vector = [&](const std::array<Expression, 3>& law) __attribute__((always_inline)) {
    return Vector3Of<S>{value(law[0]), value(law[1]), value(law[2])};
  };

  EnvironmentMotionOf<S> motion;
  motion.p_WE = vector(body.position);
  motion.velocity = {vector(body.velocity), {}};
  motion.acceleration = {vector(body.acceleration), {}};
  motion.R_WE = lift<S>(body.rotation);
  for (const EnvironmentBody::TurnLaw& turn : body.turns) {
    const Vector3Of<S> unit_axis = lift<S>(turn.unit_axis);
    const Vector3Of<S> axis = motion.R_WE * unit_axis;
    const Vector3Of<S> rate = value(turn.rate) * axis;
    motion.acceleration.angular += value(turn.acceleration) * axis + cross(motion.velocity.angular, rate);
    motion.velocity.angular += rate;
    motion.R_WE = motion.R_WE * rotation_about(unit_axis, value(turn.angle));
  }
  return motion;
}

}  // namespace vinculum
