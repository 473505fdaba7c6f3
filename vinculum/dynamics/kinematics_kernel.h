// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/dynamics/link_kernel.h"

namespace vinculum {

// A link seen from the world: axes and pole in world axes, twist in the link's own.
template <class S>
struct LinkInWorld {
  Matrix3Of<S> R;        // link -> world
  Vector3Of<S> p;        // pole
  TwistOf<S> velocity;   // of the pole, and angular; link axes
};

// R_W = R_Wp R , p_W = p_Wp + R_Wp r , velocity = (E (v_p + w_p × r) ; E w_p) + S v. Expects the places (R, r) of all links.
template <class S>
inline void see_links_from_world(const Tree& tree, const S* v, const std::vector<LinkScratch<S>>& scratch, std::vector<LinkInWorld<S>>& world) {
  for (size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const LinkScratch<S>& own = scratch[i];
    const TwistOf<S> motion = joint_motion(link, own.R, v + link.v);
    if (link.parent == kGround) {
      world[i] = {own.R, own.r, motion};
      continue;
    }
    const LinkInWorld<S>& base = world[link.parent];
    world[i].R = base.R * own.R;
    world[i].p = base.p + base.R * own.r;
    world[i].velocity.linear = transpose_times(own.R, base.velocity.linear + cross(base.velocity.angular, own.r)) + motion.linear;
    world[i].velocity.angular = transpose_times(own.R, base.velocity.angular) + motion.angular;
  }
}

}  // namespace vinculum
