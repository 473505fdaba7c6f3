// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/environment_kernel.h"
#include "vinculum/dynamics/kinematics_kernel.h"
#include "vinculum/model/model.h"

// The given forces of a model at a state, on any scalar.
namespace vinculum {

// Where all bodies are and how they move.
template <class S>
struct Surroundings {
  const LinkInWorld<S>* world;                // of each link
  const EnvironmentMotionOf<S>* environment;  // of each environment body
};

template <class S>
VINCULUM_INLINE void move_environment(const Model& model, const S& t, std::span<S> scratch, EnvironmentMotionOf<S>* environment) {
  if (model.springs().empty()) return;
  for (const EnvironmentBody& body : model.environment()) *environment++ = move_environment_body<S>(body, t, scratch);
}

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

// Length of a spring, its direction from a to b, and the rates due to the bodies and to given motions of its ends.
template <class S>
struct Stretch {
  LoadedPoint<S> a, b;
  Vector3Of<S> direction;
  S length;
  S rate;
  S given_rate;  // the part of rate that comes from ends whose motion is given
};

// The numbers of a spring.
template <class S>
struct SpringOf {
  S stiffness, damping, length;
};

template <class S>
VINCULUM_INLINE Stretch<S> compute_stretch(const Model& model, const SpringLaw& spring, const Surroundings<S>& at) {
  using std::sqrt;
  Stretch<S> s;
  s.a = anchor_motion(model, spring.a, at);
  s.b = anchor_motion(model, spring.b, at);
  const Vector3Of<S> d = s.b.position - s.a.position;
  const S zero = lift<S>(0);
  s.length = sqrt(dot(d, d));
  S inverse = lift<S>(1) / s.length;
  // Ends that coincide give no direction, and then the spring pulls nowhere. A tape cannot ask.
  if constexpr (requires { s.length > zero; }) inverse = select(s.length > zero, inverse, zero);
  s.direction = inverse * d;
  const S rate_a = -dot(s.direction, s.a.velocity), rate_b = dot(s.direction, s.b.velocity);
  s.rate = rate_a + rate_b;
  s.given_rate = (s.a.link == kGround ? rate_a : zero) + (s.b.link == kGround ? rate_b : zero);
  return s;
}

template <class S>
VINCULUM_INLINE S pull(const SpringOf<S>& spring, const Stretch<S>& s) {
  return spring.stiffness * (s.length - spring.length) + spring.damping * s.rate;
}
template <class S>
VINCULUM_INLINE S pull(const SpringLaw& spring, const Stretch<S>& s) {
  return pull(SpringOf<S>{lift<S>(spring.stiffness), lift<S>(spring.damping), lift<S>(spring.length)}, s);
}

template <class S>
VINCULUM_INLINE Vector3Of<S> evaluate_vector(const std::array<Expression, 3>& law, const BindingsOf<S>& bindings,
                                             std::span<S> scratch) {
  return {evaluate_steps(law[0], bindings, scratch), evaluate_steps(law[1], bindings, scratch),
          evaluate_steps(law[2], bindings, scratch)};
}

// The force and torque of a `body:` law in world axes.
template <class S>
VINCULUM_INLINE WrenchOf<S> world_wrench(const BodyForceLaw& law, const Matrix3Of<S>& R_WB, const BindingsOf<S>& bindings,
                                         std::span<S> scratch) {
  WrenchOf<S> wrench{evaluate_vector(law.force_law, bindings, scratch), evaluate_vector(law.torque_law, bindings, scratch)};
  if (law.in_body_axes) wrench = {R_WB * wrench.force, R_WB * wrench.moment};
  return wrench;
}

// Adds a force in world axes at a point, as a wrench about the pole in the link's axes.
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

template <class S, class Spring>
VINCULUM_INLINE void apply_spring(const Spring& spring, const Stretch<S>& s, const Surroundings<S>& at, WrenchOf<S>* loads) {
  const Vector3Of<S> force = pull(spring, s) * s.direction;
  apply_force(s.a, force, at, loads);
  apply_force(s.b, -force, at, loads);
}

// Wrenches of `body:` and `between:` forces on all links.
template <class S>
VINCULUM_INLINE void load_links(const Model& model, const BindingsOf<S>& bindings, const Surroundings<S>& at,
                                std::span<S> scratch, WrenchOf<S>* loads) {
  const int count = static_cast<int>(model.tree().links.size());
  for (int i = 0; i < count; ++i) loads[i] = {};
  for (const BodyForceLaw& law : model.body_forces()) {
    const Body& body = model.bodies()[law.body];
    const Matrix3Of<S>& R = at.world[body.link].R;
    apply_wrench(body, law.point_B, world_wrench(law, R * lift<S>(body.R_LB), bindings, scratch), at, loads);
  }
  for (const SpringLaw& spring : model.springs()) apply_spring(spring, compute_stretch(model, spring, at), at, loads);
}

// Generalised forces of the `joint:` laws.
template <class S>
VINCULUM_INLINE void apply_joint_laws(const Model& model, const BindingsOf<S>& bindings, std::span<S> scratch, S* tau) {
  const double* constant = model.constant_joint_forces().data();
  for (int i = 0; i < model.tree().velocities; ++i) tau[i] = lift<S>(constant[i]);
  for (const int index : model.varying_joint_forces()) {
    const JointForceLaw& law = model.joint_forces()[index];
    tau[law.velocity] = tau[law.velocity] + evaluate_steps(law.law, bindings, scratch);
  }
}

// Power of the given forces beyond what the potentials take: laws of time and velocity, follower forces, dampers, ends moved from
// outside.
template <class S>
VINCULUM_INLINE S load_power(const Model& model, const BindingsOf<S>& bindings, const Surroundings<S>& at, std::span<S> scratch) {
  S power = lift<S>(0);
  for (const JointForceLaw& law : model.joint_forces()) {
    if (law.conservative) continue;
    const S conservative_force = law.coordinate >= 0 ? evaluate_steps(law.potential_part, bindings, scratch) : lift<S>(0);
    power = power + (evaluate_steps(law.law, bindings, scratch) - conservative_force) * bindings.v[law.velocity];
  }
  for (const BodyForceLaw& law : model.body_forces()) {
    if (law.constant_world_force) continue;
    const Body& body = model.bodies()[law.body];
    const LinkInWorld<S>& link = at.world[body.link];
    const LoadedPoint<S> point = point_of_body(body, law.point_B, at);
    const WrenchOf<S> wrench = world_wrench(law, link.R * lift<S>(body.R_LB), bindings, scratch);
    power = power + (dot(wrench.force, point.velocity) + dot(wrench.moment, link.R * link.velocity.angular));
  }
  // A damper takes c d'²; an end moved from outside brings pull · its share of d'.
  for (const SpringLaw& spring : model.springs()) {
    const Stretch<S> s = compute_stretch(model, spring, at);
    power = power + (pull(spring, s) * s.given_rate - lift<S>(spring.damping) * s.rate * s.rate);
  }
  return power;
}

}  // namespace vinculum
