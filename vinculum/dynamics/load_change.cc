// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/load_change.h"

#include <algorithm>

namespace vinculum {

namespace {

Vector3 velocity_at(const Twist& twist, const Vector3& p) { return twist.linear + cross(twist.angular, p); }

}  // namespace

// The columns that carry it, from the ground up.
std::span<const int> LoadChange::carriers_of(const Point& point) const {
  const int last = point.stage < 0 ? -1 : memory_.last_column[point.stage];
  return last < 0 ? std::span<const int>{} : memory_.carriers_of(last);
}

LoadChange::Point LoadChange::point_of_body(int body_index, const Vector3& point_B) const {
  const Body& body = model_.bodies()[body_index];
  const LinkInWorld<double>& link = links_.world[body.link];
  const int stage = memory_.stage_of_link[body.link];
  const Vector3 p = link.p - memory_.origin_W + link.R * (body.R_LB * point_B);
  return {stage, p, velocity_at(memory_.motions[stage].V, p)};
}

LoadChange::Point LoadChange::point_of_anchor(const Anchor& anchor) const {
  switch (anchor.on) {
    case Anchor::On::body: return point_of_body(anchor.index, anchor.point);
    case Anchor::On::environment: {
      const EnvironmentMotion& motion = links_.environment[anchor.index];
      const Vector3 offset = motion.R_WE * anchor.point;
      return {-1, motion.p_WE + offset - memory_.origin_W, motion.velocity.linear + cross(motion.velocity.angular, offset)};
    }
    case Anchor::On::world: break;
  }
  return {-1, anchor.point - memory_.origin_W, {}};
}

void LoadChange::subtract_wrench(const Point& at, const Wrench& change, int column, By by) {
  for (int k : carriers_of(at)) {
    const Twist& S = memory_.S[k];
    memory_.tau_entry(k, column, by) -= dot(velocity_at(S, at.p), change.force) + dot(S.angular, change.moment);
  }
}

void LoadChange::subtract_turn(const Point& at, const Wrench& wrench_W) {
  for (int j : carriers_of(at)) {
    const Vector3 turn = memory_.S[j].angular;
    subtract_wrench(at, {cross(wrench_W.force, turn), cross(wrench_W.moment, turn)}, j, By::q);
  }
}

void LoadChange::subtract_pull(const Point& a, const Point& b, double pull, double stiffness, double damping) {
  const Vector3 D = b.p - a.p, D_dot = b.velocity - a.velocity;
  const double d = norm(D);
  if (d == 0) return;
  const Vector3 n = (1 / d) * D;
  const Vector3 f = pull * n;
  const std::span<const int> below_a = carriers_of(a), below_b = carriers_of(b);
  const size_t common = std::mismatch(below_a.begin(), below_a.end(), below_b.begin(), below_b.end()).first - below_a.begin();

  const auto move_end = [&](const Point& end, double sign, std::span<const int> columns) {
    for (int j : columns) {
      const Twist& S = memory_.S[j];
      const int base = memory_.stages[memory_.stage_of_column[j]].base;
      const Twist& V = memory_.motions[end.stage].V;
      const Twist change = cross(S, V) + (base < 0 ? Twist{} : cross(memory_.motions[base].V, S));  // δ_j V = S_j × V + P_j
      const Vector3 J = velocity_at(S, end.p), velocity_change = velocity_at(change, end.p) + cross(V.angular, J);
      const Vector3 delta_D = sign * J;
      const double delta_d = dot(n, delta_D);
      const Vector3 delta_n = (1 / d) * (delta_D - delta_d * n);
      const double delta_rate = dot(delta_n, D_dot) + sign * dot(n, velocity_change);
      const Vector3 delta_f = (stiffness * delta_d + damping * delta_rate) * n + pull * delta_n;
      const Vector3 by_v = damping * delta_d * n, turned = cross(S.angular, f);
      subtract_wrench(a, {sign < 0 ? delta_f - turned : delta_f, {}}, j, By::q);
      subtract_wrench(b, {sign < 0 ? -delta_f : turned - delta_f, {}}, j, By::q);
      subtract_wrench(a, {by_v, {}}, j, By::v);
      subtract_wrench(b, {-by_v, {}}, j, By::v);
    }
  };
  move_end(a, -1, below_a.subspan(common));
  move_end(b, 1, below_b.subspan(common));
}

}  // namespace vinculum
