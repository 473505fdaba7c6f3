// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/link_kernel.h"

namespace vinculum {

// Inverse dynamics, recursive form: from motion to joint wrenches, in the axes of each link about its pole.
//
//   (y; w') = h + S v'                                                   outward
//   force   = m y + w' × s + w × (w × s) - load                          of each body by itself,
//   moment  = J w' + w × J w + s × y     - load
//   and, inward, each link hands its wrench to its base; tau = Sᵀ (force; moment)        theory 2, (22)(23) in body axes
//
// Expects move_links to have run. `loads`: given wrenches on the links (their own axes, about the pole), or null. Leaves the
// wrench through the joint of link i in scratch[i].p. Cost O(n).
template <class S>
VINCULUM_INLINE void run_inverse(const Tree& tree, const S* vdot, const WrenchOf<S>* loads, S* tau, LinkScratch<S>* scratch) {
  const TwistOf<S> ground = ground_acceleration<S>(tree);
  const Link* links = tree.links.data();
  const int count = static_cast<int>(tree.links.size());
  for (int i = 0; i < count; ++i) {
    const Link& link = links[i];
    LinkScratch<S>& own = scratch[i];
    const TwistOf<S> h = carried_acceleration(own, link.parent == kGround ? ground : scratch[link.parent].a);
    with_kind(
        link.kind, [&]<LinkKind kind>()
                       __attribute__((always_inline)) { own.a = add_motion<kind>(link, own.R, vdot + link.v, h); });
    const Vector3Of<S> s = lift<S>(link.s), w = own.w;
    own.p.force = multiply_add(lift<S>(link.mass), own.a.linear, cross(own.a.angular, s)) + cross(w, cross(w, s));
    own.p.moment = lift<S>(link.J) * own.a.angular + cross(s, own.a.linear) + cross(w, lift<S>(link.J) * w);
    if (loads != nullptr) {
      own.p.force -= loads[i].force;
      own.p.moment -= loads[i].moment;
    }
  }
  for (int i = count - 1; i >= 0; --i) {
    const Link& link = links[i];
    const LinkScratch<S>& own = scratch[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) { joint_force<kind>(link, own.R, own.p, tau + link.v); });
    if (link.parent != kGround) scratch[link.parent].p += to_base(own.R, own.r, own.p);
  }
}

}  // namespace vinculum
