// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/loads.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/quadrature.h"

namespace vinculum {

namespace {

// A material point in world axes; `link` is kGround for points whose motion is given.
struct PointMotion {
  int link = kGround;
  Vector3 position;
  Vector3 velocity;
};

PointMotion point_of_body(const Model& model, int body_index, const Vector3& point_B, const Workspace::Memory& memory) {
  const Body& body = model.bodies()[body_index];
  const LinkInWorld<double>& link = memory.world[body.link];
  const Vector3 offset = body.R_LB * point_B;
  return {body.link, link.p + link.R * offset, link.R * (link.velocity.linear + cross(link.velocity.angular, offset))};
}

PointMotion anchor_motion(const Model& model, const Anchor& anchor, const Workspace::Memory& memory) {
  switch (anchor.on) {
    case Anchor::On::body: return point_of_body(model, anchor.index, anchor.point, memory);
    case Anchor::On::environment: {
      const EnvironmentMotion& motion = memory.environment[anchor.index];
      const Vector3 offset = motion.R_WE * anchor.point;
      return {kGround, motion.p_WE + offset, motion.velocity.linear + cross(motion.velocity.angular, offset)};
    }
    case Anchor::On::world: break;
  }
  return {kGround, anchor.point, {}};
}

// Adds a force in world axes at a point, as a wrench about the pole in the link's axes.
void apply_force(const PointMotion& at, const Vector3& force_W, Workspace::Memory& memory) {
  if (at.link == kGround) return;
  const LinkInWorld<double>& link = memory.world[at.link];
  const Vector3 force = transpose_times(link.R, force_W);
  const Vector3 offset = transpose_times(link.R, at.position - link.p);
  memory.loads[at.link] += Wrench{force, cross(offset, force)};
}

// Length of a spring, its direction from a to b, and the rates due to the bodies and to given motions of its ends.
struct Stretch {
  PointMotion a, b;
  Vector3 direction;
  double length = 0;
  double rate = 0;
  double given_rate = 0;  // the part of rate that comes from ends whose motion is given
};

Stretch compute_stretch(const Model& model, const SpringLaw& spring, const Workspace::Memory& memory) {
  Stretch s;
  s.a = anchor_motion(model, spring.a, memory);
  s.b = anchor_motion(model, spring.b, memory);
  const Vector3 d = s.b.position - s.a.position;
  s.length = norm(d);
  // Ends that coincide give no direction, and then the spring pulls nowhere.
  s.direction = s.length > 0 ? (1 / s.length) * d : Vector3{};
  const double rate_a = -dot(s.direction, s.a.velocity), rate_b = dot(s.direction, s.b.velocity);
  s.rate = rate_a + rate_b;
  s.given_rate = (s.a.link == kGround ? rate_a : 0) + (s.b.link == kGround ? rate_b : 0);
  return s;
}

double pull(const SpringLaw& spring, const Stretch& s) {
  return spring.stiffness * (s.length - spring.length) + spring.damping * s.rate;
}

Vector3 evaluate_vector(const std::array<Expression, 3>& law, const Bindings& bindings, std::vector<double>& scratch) {
  return {evaluate(law[0], bindings, scratch), evaluate(law[1], bindings, scratch), evaluate(law[2], bindings, scratch)};
}

void move_environment(const Model& model, double t, Workspace::Memory& memory) {
  for (size_t i = 0; i < model.environment().size(); ++i) {
    memory.environment[i] = compute_environment_motion(model.environment()[i], t, memory.expression);
  }
}

// The force and torque of a `body:` law in world axes.
Wrench world_wrench(const BodyForceLaw& law, const Matrix3& R_WB, const Bindings& bindings, std::vector<double>& scratch) {
  Wrench wrench{evaluate_vector(law.force_law, bindings, scratch), evaluate_vector(law.torque_law, bindings, scratch)};
  if (law.in_body_axes) wrench = {R_WB * wrench.force, R_WB * wrench.moment};
  return wrench;
}

bool anchored_to_environment(const SpringLaw& spring) {
  return spring.a.on == Anchor::On::environment || spring.b.on == Anchor::On::environment;
}

}  // namespace

void compute_loads(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                   Workspace::Memory& memory) {
  const Bindings bindings{t, q, v};
  std::fill(memory.tau.begin(), memory.tau.end(), 0.0);
  for (const JointForceLaw& law : model.joint_forces())
    memory.tau[law.velocity] += evaluate(law.law, bindings, memory.expression);

  std::fill(memory.loads.begin(), memory.loads.end(), Wrench{});
  for (const BodyForceLaw& law : model.body_forces()) {
    const Body& body = model.bodies()[law.body];
    const LinkInWorld<double>& link = memory.world[body.link];
    const Wrench wrench = world_wrench(law, link.R * body.R_LB, bindings, memory.expression);
    apply_force(point_of_body(model, law.body, law.point_B, memory), wrench.force, memory);
    memory.loads[body.link].moment += transpose_times(link.R, wrench.moment);
  }
  if (model.springs().empty()) return;
  move_environment(model, t, memory);
  for (const SpringLaw& spring : model.springs()) {
    const Stretch s = compute_stretch(model, spring, memory);
    const Vector3 force = pull(spring, s) * s.direction;
    apply_force(s.a, force, memory);
    apply_force(s.b, -force, memory);
  }
}

namespace {

// Power of the given forces beyond what the potentials take: laws of time and velocity, follower forces, dampers, ends moved from
// outside.
double load_power(const Model& model, const Bindings& bindings, Workspace::Memory& memory) {
  double power = 0;
  for (const JointForceLaw& law : model.joint_forces()) {
    if (law.conservative) continue;
    const double conservative_force = law.coordinate >= 0 ? evaluate(law.potential_part, bindings, memory.expression) : 0;
    power += (evaluate(law.law, bindings, memory.expression) - conservative_force) * bindings.v[law.velocity];
  }
  for (const BodyForceLaw& law : model.body_forces()) {
    if (law.constant_world_force) continue;
    const Body& body = model.bodies()[law.body];
    const LinkInWorld<double>& link = memory.world[body.link];
    const PointMotion point = point_of_body(model, law.body, law.point_B, memory);
    const Wrench wrench = world_wrench(law, link.R * body.R_LB, bindings, memory.expression);
    power += dot(wrench.force, point.velocity) + dot(wrench.moment, link.R * link.velocity.angular);
  }
  // A damper takes c d'²; an end moved from outside brings pull · its share of d'.
  for (const SpringLaw& spring : model.springs()) {
    const Stretch s = compute_stretch(model, spring, memory);
    power += pull(spring, s) * s.given_rate - spring.damping * s.rate * s.rate;
  }
  return power;
}

}  // namespace

LoadEnergy compute_load_energy(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                               Workspace::Memory& memory) {
  const Bindings bindings{t, q, v};
  LoadEnergy energy;
  if (!model.springs().empty()) move_environment(model, t, memory);
  energy.power = load_power(model, bindings, memory);

  // Joint laws: U = -∫_0^q (own-coordinate part)
  std::vector<double> coordinates(q.begin(), q.end());
  for (const JointForceLaw& law : model.joint_forces()) {
    if (law.coordinate < 0) continue;
    const auto force_at = [&](double x) {
      coordinates[law.coordinate] = x;
      return evaluate(law.potential_part, Bindings{t, coordinates, v}, memory.expression);
    };
    energy.potential -= integrate_function(force_at, 0, q[law.coordinate]);
    coordinates[law.coordinate] = q[law.coordinate];
  }
  // Constant world forces: U = -f·p ; springs: U = ½ k (d - L)²
  for (const BodyForceLaw& law : model.body_forces()) {
    if (!law.constant_world_force) continue;
    const Vector3 force = evaluate_vector(law.force_law, bindings, memory.expression);
    energy.potential -= dot(force, point_of_body(model, law.body, law.point_B, memory).position);
  }
  for (const SpringLaw& spring : model.springs()) {
    const double extension = compute_stretch(model, spring, memory).length - spring.length;
    energy.potential += 0.5 * spring.stiffness * extension * extension;
  }
  return energy;
}

double compute_working_power(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                             Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  const Bindings bindings{t, q, v};
  double power = load_power(model, bindings, memory);
  // Where driven, memory.tau is law + drive.
  for (const DrivenCoordinate& driven : model.driven()) {
    double law_force = 0;
    for (const JointForceLaw& law : model.joint_forces()) {
      if (law.velocity == driven.v) law_force += evaluate(law.law, bindings, memory.expression);
    }
    power += (memory.tau[driven.v] - law_force) * v[driven.v];
  }
  return power;
}

std::vector<std::string> non_conservative_elements(const Model& model) {
  std::vector<std::string> elements;
  const auto force = [&](int index) { elements.push_back(fmt::format("force '{}'", model.description().forces[index].name)); };
  for (const JointForceLaw& law : model.joint_forces()) {
    if (!law.conservative) force(law.force);
  }
  for (const BodyForceLaw& law : model.body_forces()) {
    if (!law.constant_world_force) force(law.force);
  }
  for (const SpringLaw& spring : model.springs()) {
    if (spring.damping != 0 || anchored_to_environment(spring)) force(spring.force);
  }
  for (const DrivenCoordinate& driven : model.driven()) {
    elements.push_back(fmt::format("motion of '{}'", model.description().motions[driven.motion].coordinate));
  }
  return elements;
}

}  // namespace vinculum
