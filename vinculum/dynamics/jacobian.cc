// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/jacobian.h"

#include "vinculum/dynamics/link_axes.h"
#include "vinculum/dynamics/memory.h"

namespace vinculum {

namespace {

// A velocity of something that carries a point: from the origin p_k of its link to the point,
//
//   J  = (slide a + turn a × r ; turn a) ,   r = p - p_k ,  a' = w × a
//   J' = (slide a' + turn (a' × r + a × r') ; turn a')
struct Column {
  LinkAxis axis;
  Vector3 r, r_dot;

  Twist value() const { return {axis.slide * axis.axis + axis.turn * cross(axis.axis, r), axis.turn * axis.axis}; }
  Twist rate() const {
    const Vector3 a_dot = cross(axis.w, axis.axis);
    return {axis.slide * a_dot + axis.turn * (cross(a_dot, r) + cross(axis.axis, r_dot)), axis.turn * a_dot};
  }
};

template <class Use>
void for_each_column(const Model& model, const Workspace::Memory& memory, const BodyPoint& point, const PointMotion& motion,
                     const Use& use) {
  if (point.body == kWorld) return;
  const Tree& tree = model.tree();
  for (int link = model.bodies()[point.body].link; link != kGround; link = tree.links[link].parent) {
    const LinkInWorld<double>& seen = memory.world[link];
    const Vector3 r = motion.p_W - seen.p, r_dot = motion.velocity_W.linear - seen.R * seen.velocity.linear;
    for_each_axis(tree, memory.world.data(), link, [&](const LinkAxis& axis) { use(Column{axis, r, r_dot}); });
  }
}

void put(const Twist& twist, int column, Jacobian& J) {
  for (int i = 0; i < 3; ++i) {
    J(i, column) = twist.linear[i];
    J(3 + i, column) = twist.angular[i];
  }
}

}  // namespace

void place_bodies(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  see_bodies(model, state.q, state.v, memory);
}

PointMotion compute_point_motion(const Model& model, Workspace& workspace, const BodyPoint& point) {
  if (point.body == kWorld) return {point.p_B, {}};
  const Body& body = model.bodies()[point.body];
  const LinkInWorld<double>& link = workspace.memory().world[body.link];
  const Vector3 r = body.R_LB * point.p_B;
  return {link.p + link.R * r,
          {link.R * (link.velocity.linear + cross(link.velocity.angular, r)), link.R * link.velocity.angular}};
}

void compute_jacobian(const Model& model, Workspace& workspace, const BodyPoint& point, Jacobian& J) {
  J.setZero(6, model.tree().velocities);
  for_each_column(model, workspace.memory(), point, compute_point_motion(model, workspace, point),
                  [&](const Column& column) { put(column.value(), column.axis.velocity, J); });
}

void compute_jacobian_rate(const Model& model, Workspace& workspace, const BodyPoint& point, Jacobian& J_dot) {
  J_dot.setZero(6, model.tree().velocities);
  for_each_column(model, workspace.memory(), point, compute_point_motion(model, workspace, point),
                  [&](const Column& column) { put(column.rate(), column.axis.velocity, J_dot); });
}

void add_jacobian_transpose(const Model& model, Workspace& workspace, const BodyPoint& point, const Wrench& wrench_W,
                            std::span<double> tau) {
  for_each_column(model, workspace.memory(), point, compute_point_motion(model, workspace, point),
                  [&](const Column& column) { tau[column.axis.velocity] += dot(column.value(), wrench_W); });
}

std::vector<Twist> compute_body_accelerations(const Model& model, std::span<const double> v,
                                              std::span<const double> accelerations, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  memory.accelerations_W.resize(model.tree().links.size());
  accelerate_links(model.tree(), memory.world.data(), v.data(), accelerations.data(), memory.accelerations_W.data());
  std::vector<Twist> result;
  result.reserve(model.bodies().size());
  for (const Body& body : model.bodies()) result.push_back(memory.accelerations_W[body.link]);
  return result;
}

Twist compute_point_acceleration(const Model& model, Workspace& workspace, const BodyPoint& point,
                                 const Twist& body_acceleration) {
  if (point.body == kWorld) return body_acceleration;
  const PointMotion motion = compute_point_motion(model, workspace, point);
  const Vector3 w = motion.velocity_W.angular;
  const Vector3 r = motion.p_W - workspace.memory().world[model.bodies()[point.body].link].p;
  return {body_acceleration.linear + cross(body_acceleration.angular, r) + cross(w, cross(w, r)), body_acceleration.angular};
}

}  // namespace vinculum
