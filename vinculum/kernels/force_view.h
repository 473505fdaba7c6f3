// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/environment_kernel.h"
#include "vinculum/kernels/kinematics_kernel.h"
#include "vinculum/model/model.h"

// What the forces of all kinds see and do, on any scalar.
namespace vinculum {

// Where all bodies are and how they move.
template <class S>
struct Surroundings {
  const LinkInWorld<S>* world;                // of each link
  const EnvironmentMotionOf<S>* environment;  // of each environment body
};

// A state, as the forces see it.
template <class S>
struct ForceView {
  const Model& model;
  BindingsOf<S> bindings;  // of their formulas
  Surroundings<S> at;
  std::span<S> scratch;  // for the steps of the longest formula
};

// A material point in world axes; `link` is kGround for points whose motion is given.
template <class S>
struct LoadedPoint {
  int link = kGround;
  Vector3Of<S> position;
  Vector3Of<S> velocity;
};

template <class S>
VINCULUM_INLINE LoadedPoint<S> point_of_body(const Body& body, const Vector3& point_B, const Surroundings<S>& at) {
  const LinkInWorld<S>& link = at.world[body.link];
  const Vector3Of<S> offset = lift<S>(body.R_LB * point_B);
  return {body.link, link.p + link.R * offset, link.R * (link.velocity.linear + cross(link.velocity.angular, offset))};
}

template <class S>
VINCULUM_INLINE LoadedPoint<S> anchor_motion(const Model& model, const Anchor& anchor, const Surroundings<S>& at) {
  if (anchor.on == Anchor::On::body) return point_of_body(model.bodies()[anchor.index], anchor.point, at);
  if (anchor.on == Anchor::On::world) return {kGround, lift<S>(anchor.point), {}};
  const EnvironmentMotionOf<S>& motion = at.environment[anchor.index];
  const Vector3Of<S> offset = motion.R_WE * lift<S>(anchor.point);
  return {kGround, motion.p_WE + offset, motion.velocity.linear + cross(motion.velocity.angular, offset)};
}

template <class S>
VINCULUM_INLINE Vector3Of<S> evaluate_vector(const std::array<Expression, 3>& law, const BindingsOf<S>& bindings,
                                             std::span<S> scratch) {
  return {evaluate_steps(law[0], bindings, scratch), evaluate_steps(law[1], bindings, scratch),
          evaluate_steps(law[2], bindings, scratch)};
}

// Adds a force in world axes at a point, as a wrench about the origin in the link's axes.
template <class S>
VINCULUM_INLINE void apply_force(const LoadedPoint<S>& point, const Vector3Of<S>& force_W, const Surroundings<S>& at,
                                 WrenchOf<S>* loads) {
  if (point.link == kGround) return;
  const LinkInWorld<S>& link = at.world[point.link];
  const Vector3Of<S> force = transpose_times(link.R, force_W);
  const Vector3Of<S> offset = transpose_times(link.R, point.position - link.p);
  loads[point.link] += WrenchOf<S>{force, cross(offset, force)};
}

// Adds a wrench in world axes, its force at a point of the body.
template <class S>
VINCULUM_INLINE void apply_wrench(const Body& body, const Vector3& point_B, const WrenchOf<S>& wrench_W,
                                  const Surroundings<S>& at, WrenchOf<S>* loads) {
  apply_force(point_of_body(body, point_B, at), wrench_W.force, at, loads);
  loads[body.link].moment += transpose_times(at.world[body.link].R, wrench_W.moment);
}

}  // namespace vinculum
