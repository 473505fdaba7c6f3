// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/link_kernel.h"

namespace vinculum {

// Inverse dynamics, recursive form: from motion to joint wrenches, in the axes of each link about its origin.
//
//   (y; w') = h + S v'                                                   outward
//   force   = m y + w' × s + w × (w × s) - load                          of each body by itself,
//   moment  = J w' + w × J w + s × y     - load
//   and, inward, each link hands its wrench to its base; tau = Sᵀ (force; moment)        theory 2, (22)(23) in body axes
//
// Two sweeps, since given loads may depend on what the first one finds. Cost O(n).
template <class S, class Constant>
VINCULUM_INLINE void sweep_outward(const LinkSpan<Constant>& tree, const Turns<S>& turns, const S* v, const S* vdot,
                                   LinkMotion<S>* motions, WrenchOf<S>* wrenches) {
  const TwistOf<S> ground = ground_acceleration<S>(tree);
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    LinkMotion<S>& own = motions[i];
    const LinkMotion<S>* base = base_of(link.parent, motions);
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          place_link<kind>(link, turns, own.R, own.r);
          turn_link<kind>(link, v + link.v, base, own);
          own.a = add_motion<kind>(link, own.R, vdot + link.v, carried_acceleration(own, base ? base->a : ground));
        });
    const Vector3Of<S> s = lift<S>(link.s), w = own.w;
    const Symmetric3Of<S> J = lift<S>(link.J);
    wrenches[i].force = multiply_add(lift<S>(link.mass), own.a.linear, cross(own.a.angular, s)) + cross(w, cross(w, s));
    wrenches[i].moment = J * own.a.angular + cross(s, own.a.linear) + cross(w, J * w);
  }
}

// `loads`: given wrenches on the links (their own axes, about the origin), or null. Leaves the wrench through each link's joint.
template <class S, class Constant>
VINCULUM_INLINE void sweep_inward(const LinkSpan<Constant>& tree, const LinkMotion<S>* motions, const WrenchOf<S>* loads,
                                  WrenchOf<S>* wrenches, S* tau) {
  for (int i = tree.count - 1; i >= 0; --i) {
    const LinkOf<Constant>& link = tree.links[i];
    const LinkMotion<S>& own = motions[i];
    WrenchOf<S> wrench = wrenches[i];
    if (loads != nullptr) {
      wrench.force -= loads[i].force;
      wrench.moment -= loads[i].moment;
      wrenches[i] = wrench;
    }
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) { joint_force<kind>(link, own.R, wrench, tau + link.v); });
    if (link.parent != kGround) wrenches[link.parent] += to_base(own.R, own.r, wrench);
  }
}

}  // namespace vinculum
