// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/tree_motion.h"

#include <algorithm>

namespace vinculum {

namespace {

Vector3 three(const double* values) { return {values[0], values[1], values[2]}; }

// Place of a link on its base, and its joint's own motion in the axes of the base.
struct JointMotion {
  Matrix3 R = kIdentity3;
  Vector3 r, slide, turn;
};

JointMotion joint_motion(const Link& link, const double* q, const double* v) {
  JointMotion joint{link.C, link.p, {}, {}};
  const Vector3& z = link.C.z;
  const auto turn_about_z = [&] {
    joint.R = link.C * rotation_about({0, 0, 1}, q[0]);
    joint.turn = v[0] * z;
  };
  const auto slide_along_z = [&](double pitch) {
    joint.r += (pitch * q[0]) * z;
    joint.slide = (pitch * v[0]) * z;
  };
  const auto turn_freely = [&](const double* quaternion, const double* w) {
    joint.R = link.C * to_rotation(Quaternion{quaternion[0], quaternion[1], quaternion[2], quaternion[3]});
    joint.turn = joint.R * three(w);
  };
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: turn_about_z(); break;
    case LinkKind::prismatic: slide_along_z(1); break;
    case LinkKind::screw:
      turn_about_z();
      slide_along_z(link.pitch);
      break;
    case LinkKind::spherical: turn_freely(q, v); break;
    case LinkKind::free:
      joint.r += link.C * three(q);
      joint.slide = link.C * three(v);
      turn_freely(q + 3, v + 3);
      break;
  }
  return joint;
}

// Adds the part of a wrench about `point` that works on the link's own velocities; returns the squares of the six-columns of
// these velocities there: a turn about z has (z × r ; z), a slide (z ; 0).
double add_joint_force(const Link& link, const FrameMotion& motion, const Matrix3& R_base, const Vector3& point,
                       const Wrench& wrench, double sign, double* row) {
  const Vector3 r = point - motion.p, moment = sign * (wrench.moment + cross(r, wrench.force)), force = sign * wrench.force;
  const Vector3 &z = motion.R.z, lever = cross(z, r);
  const auto add = [&](int at, const Vector3& values) {
    for (int k = 0; k < 3; ++k) row[at + k] += values[k];
  };
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: row[0] += dot(z, moment); return 1 + dot(lever, lever);
    case LinkKind::prismatic: row[0] += dot(z, force); return 1;
    case LinkKind::screw:
      row[0] += dot(z, moment) + link.pitch * dot(z, force);
      return 1 + dot(lever, lever) + link.pitch * link.pitch;
    case LinkKind::spherical: add(0, transpose_times(motion.R, moment)); return 3 + 2 * dot(r, r);
    case LinkKind::free:
      add(0, transpose_times(R_base * link.C, force));
      add(3, transpose_times(motion.R, moment));
      return 6 + 2 * dot(r, r);
  }
  return 0;
}

}  // namespace

FrameMotion compose(const FrameMotion& carrier, const FrameMotion& on) {
  const Vector3 r = carrier.R * on.p, slide = carrier.R * on.velocity.linear, turn = carrier.R * on.velocity.angular;
  const Vector3 &w = carrier.velocity.angular, &w_dot = carrier.acceleration.angular;
  FrameMotion motion;
  motion.R = carrier.R * on.R;
  motion.p = carrier.p + r;
  motion.velocity = {carrier.velocity.linear + cross(w, r) + slide, w + turn};
  motion.acceleration = {
      carrier.acceleration.linear + cross(w_dot, r) + cross(w, cross(w, r) + 2 * slide) + carrier.R * on.acceleration.linear,
      w_dot + cross(w, turn) + carrier.R * on.acceleration.angular};
  return motion;
}

FrameMotion relative_to(const FrameMotion& carrier, const FrameMotion& frame) {
  const Vector3 r = frame.p - carrier.p;
  const Vector3 &w = carrier.velocity.angular, &w_dot = carrier.acceleration.angular;
  const Vector3 slide = frame.velocity.linear - carrier.velocity.linear - cross(w, r), turn = frame.velocity.angular - w;
  FrameMotion motion;
  motion.R = transpose(carrier.R) * frame.R;
  motion.p = transpose_times(carrier.R, r);
  motion.velocity = {transpose_times(carrier.R, slide), transpose_times(carrier.R, turn)};
  motion.acceleration.linear = transpose_times(
      carrier.R, frame.acceleration.linear - carrier.acceleration.linear - cross(w_dot, r) - cross(w, cross(w, r) + 2 * slide));
  motion.acceleration.angular = transpose_times(carrier.R, frame.acceleration.angular - w_dot - cross(w, turn));
  return motion;
}

std::vector<FrameMotion> compute_tree_motion(const Model& model, const State& state) {
  std::vector<FrameMotion> motions;
  motions.reserve(model.tree().links.size());
  for (const Link& link : model.tree().links) {
    const JointMotion joint = joint_motion(link, state.q.data() + link.q, state.v.data() + link.v);
    const FrameMotion base = link.parent == kGround ? FrameMotion{} : motions[link.parent];
    motions.push_back(compose(base, {joint.R, joint.r, {joint.slide, joint.turn}, {}}));
  }
  return motions;
}

FrameMotion body_motion(const Body& body, std::span<const FrameMotion> links) {
  FrameMotion motion = links[body.link];
  motion.R = motion.R * body.R_LB;
  return motion;
}

double add_wrench_row(const Model& model, std::span<const FrameMotion> links, int on, int against, const Vector3& point,
                      const Wrench& wrench, std::span<double> row) {
  // Parents come before children: the later of the two links is never an ancestor of the other.
  double squares = 0;
  while (on != against) {
    const bool up_from_on = on > against;
    int& link = up_from_on ? on : against;
    const Link& words = model.tree().links[link];
    const Matrix3& R_base = words.parent == kGround ? kIdentity3 : links[words.parent].R;
    squares += add_joint_force(words, links[link], R_base, point, wrench, up_from_on ? 1 : -1, row.data() + words.v);
    link = words.parent;
  }
  return squares;
}

}  // namespace vinculum
