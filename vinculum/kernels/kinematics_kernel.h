// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/frame_motion.h"
#include "vinculum/kernels/link_kernel.h"

namespace vinculum {

// A link seen from the world: axes and origin in world axes, twist in the link's own.
template <class S>
struct LinkInWorld {
  Matrix3Of<S> R;       // link -> world
  Vector3Of<S> p;       // origin
  TwistOf<S> velocity;  // of the origin, and angular; link axes
};

// R_W = R_Wp R , p_W = p_Wp + R_Wp r , velocity = (E (v_p + w_p × r) ; E w_p) + S v. Expects the places (R, r) of all links.
template <class S, class Constant>
VINCULUM_INLINE void see_links_from_world(const LinkSpan<Constant>& tree, const S* v, const LinkMotion<S>* motions,
                                          LinkInWorld<S>* world) {
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    const LinkMotion<S>& own = motions[i];
    TwistOf<S> carried{};
    if (link.parent == kGround) {
      world[i].R = own.R;
      world[i].p = own.r;
    } else {
      const LinkInWorld<S>& base = world[link.parent];
      world[i].R = base.R * own.R;
      world[i].p = base.p + base.R * own.r;
      carried.linear = transpose_times(own.R, base.velocity.linear + cross(base.velocity.angular, own.r));
      carried.angular = transpose_times(own.R, base.velocity.angular);
    }
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          world[i].velocity = add_motion<kind>(link, own.R, v + link.v, carried);
        });
  }
}

// Every link as a frame in motion:
//
//   w  = w_p + W                     W, X: the joint's own angular velocity and slide, world axes; r: from the base's origin
//   v  = v_p + w_p × r + X
//   w' = w_p' + w_p × W
//   a  = a_p + w_p' × r + w_p × (w_p × r + 2 X)                                                  theory 2, section 5.2
VINCULUM_INLINE void move_frames(const LinkSpan<double>& tree, const Turns<double>& turns, const double* velocities,
                                 FrameMotion* frames) {
  for (int i = 0; i < tree.count; ++i) {
    const Link& link = tree.links[i];
    const double* v = velocities + link.v;
    FrameMotion& own = frames[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          Matrix3 R;
          Vector3 r, slide, turn;
          place_link<kind>(link, turns, R, r);
          const FrameMotion* base = link.parent == kGround ? nullptr : frames + link.parent;
          if constexpr (kind == LinkKind::free) slide = link.C * vector_at(v);
          if (base != nullptr) {
            R = base->R * R;
            r = base->R * r;
            if constexpr (kind == LinkKind::free) slide = base->R * slide;
          }
          if constexpr (kTurnsAboutZ<kind>) turn = v[0] * R.z;
          if constexpr (kind == LinkKind::prismatic) slide = v[0] * R.z;
          if constexpr (kind == LinkKind::screw) slide = (link.pitch * v[0]) * R.z;
          if constexpr (kIsBall<kind>) turn = R * vector_at(v + kBall<kind>);
          if (base == nullptr) {
            own = {R, r, {slide, turn}, {}};
            return;
          }
          const auto& [v_p, w_p] = base->velocity;
          const auto& [a_p, w_p_dot] = base->acceleration;
          const Vector3 carried = cross(w_p, r);
          own.R = R;
          own.p = base->p + r;
          own.velocity = {v_p + carried + slide, w_p + turn};
          own.acceleration = {a_p + cross(w_p_dot, r) + cross(w_p, carried + 2.0 * slide), w_p_dot + cross(w_p, turn)};
        });
  }
}

}  // namespace vinculum
