// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/geometry/tree_motion.h"

#include "vinculum/dynamics/kinematics.h"

namespace vinculum {

namespace {

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

std::vector<FrameMotion> compute_tree_motion(const Model& model, const State& state) {
  std::vector<FrameMotion> motions(model.tree().links.size());
  std::vector<double> scratch;
  compute_frame_motions(model, state.q, state.v, motions, scratch);
  return motions;
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
