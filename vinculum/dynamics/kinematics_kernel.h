// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/link_kernel.h"

namespace vinculum {

// A link seen from the world: axes and pole in world axes, twist in the link's own.
template <class S>
struct LinkInWorld {
  Matrix3Of<S> R;       // link -> world
  Vector3Of<S> p;       // pole
  TwistOf<S> velocity;  // of the pole, and angular; link axes
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

}  // namespace vinculum
