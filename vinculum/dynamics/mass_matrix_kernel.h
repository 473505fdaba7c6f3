// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/link_kernel.h"

namespace vinculum {

// Mass, static moment and tensor of inertia of a locked subsystem about the pole of its first link, link axes.
template <class S>
struct CompositeInertia {
  S mass{};
  Vector3Of<S> s;
  Symmetric3Of<S> J;
};

// The mass matrix by composite bodies: for link k, the wrench that a unit v'_k asks for is handed inward, and every joint on the
// way takes its part.
//
//   f_k = m_k Psi_k - [s_k] Phi_k ,  n_k = [s_k] Psi_k + I_k Phi_k ,  A_ik = Sᵀ_i (f; n) about O_i               theory 2,
//   section 4
//
// Expects the places (R, r) of all links. Writes both triangles of `matrix` (n × n); entries of different branches stay as they
// are (zero). Cost O(n depth).
template <class S>
VINCULUM_INLINE void run_mass_matrix(const Tree& tree, const LinkScratch<S>* scratch, CompositeInertia<S>* composite, S* matrix) {
  const Link* links = tree.links.data();
  const int count = static_cast<int>(tree.links.size());
  const int n = tree.velocities;
  for (int i = 0; i < count; ++i) composite[i] = {lift<S>(links[i].mass), lift<S>(links[i].s), lift<S>(links[i].J)};
  for (int i = count - 1; i >= 0; --i) {
    const Link& link = links[i];
    if (link.parent == kGround) continue;
    const LinkScratch<S>& own = scratch[i];
    const CompositeInertia<S>& c = composite[i];
    CompositeInertia<S>& base = composite[link.parent];
    // I_base += R I Rᵀ + r*s + s*r + m r*r = R I Rᵀ + r*t + t*r,  t = s + ½ m r
    const Vector3Of<S> s = own.R * c.s, r = own.r;
    const Vector3Of<S> t = multiply_add(lift<S>(0.5) * c.mass, r, s);
    base.mass = base.mass + c.mass;
    base.s += multiply_add(c.mass, r, s);
    Symmetric3Of<S> J = sandwich(own.R, c.J);
    const S xx = r.x * t.x, yy = r.y * t.y, zz = r.z * t.z, two = lift<S>(2);
    J.xx = multiply_add(two, yy + zz, J.xx);
    J.yy = multiply_add(two, xx + zz, J.yy);
    J.zz = multiply_add(two, xx + yy, J.zz);
    J.xy = J.xy - multiply_add(r.x, t.y, r.y * t.x);
    J.xz = J.xz - multiply_add(r.x, t.z, r.z * t.x);
    J.yz = J.yz - multiply_add(r.y, t.z, r.z * t.y);
    base.J += J;
  }
  for (int k = 0; k < count; ++k) {
    const Link& link = links[k];
    const CompositeInertia<S>& c = composite[k];
    for (int j = 0; j < velocity_count(link.kind); ++j) {
      WrenchOf<S> wrench;
      if (link.kind == LinkKind::revolute) {
        wrench = {{-c.s.y, c.s.x, lift<S>(0)}, {c.J.xz, c.J.yz, c.J.zz}};  // z × s ; J z
      } else {
        S unit[6] = {};
        unit[j] = lift<S>(1);
        TwistOf<S> a{};
        with_kind(
            link.kind, [&]<LinkKind kind>()
                           __attribute__((always_inline)) { a = add_motion<kind>(link, scratch[k].R, unit, a); });
        wrench = {multiply_add(c.mass, a.linear, cross(a.angular, c.s)), c.J * a.angular + cross(c.s, a.linear)};
      }
      const int column = link.v + j;
      for (int i = k;;) {
        const Link& at = links[i];
        S part[6];
        with_kind(
            at.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
              joint_force<kind>(at, scratch[i].R, wrench, part);
              for (int m = 0; m < velocity_count(kind); ++m) {
                matrix[(at.v + m) * n + column] = part[m];
                matrix[column * n + at.v + m] = part[m];
              }
            });
        if (at.parent == kGround) break;
        wrench = to_base(scratch[i].R, scratch[i].r, wrench);
        i = at.parent;
      }
    }
  }
}

}  // namespace vinculum
