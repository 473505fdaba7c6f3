// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/dynamics/link_kernel.h"

namespace vinculum {

// Mass, static moment and tensor of inertia of a locked subsystem about the pole of its first link, link axes.
template <class S>
struct CompositeInertia {
  S mass{};
  Vector3Of<S> s;
  Symmetric3Of<S> J;
};

// The mass matrix by composite bodies: for link k, the wrench that a unit v'_k asks for is handed inward, and every joint on the way
// takes its part.
//
//   f_k = m_k Psi_k - [s_k] Phi_k ,  n_k = [s_k] Psi_k + I_k Phi_k ,  A_ik = Sᵀ_i (f; n) about O_i               theory 2, section 4
//
// Expects the places (R, r) of all links. Writes both triangles of `matrix` (n × n, row by row); entries of different branches stay as they
// are (zero). Cost O(n depth).
template <class S>
inline void run_mass_matrix(const Tree& tree, const std::vector<LinkScratch<S>>& scratch, std::vector<CompositeInertia<S>>& composite,
                            S* matrix) {
  const int count = static_cast<int>(tree.links.size());
  const int n = tree.velocities;
  for (int i = 0; i < count; ++i) {
    const Link& link = tree.links[i];
    composite[i] = {lift<S>(link.mass), lift<S>(link.s), lift<S>(link.J)};
  }
  for (int i = count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    if (link.parent == kGround) continue;
    const LinkScratch<S>& own = scratch[i];
    const CompositeInertia<S>& c = composite[i];
    CompositeInertia<S>& base = composite[link.parent];
    // I_base += R I Rᵀ + r*s + s*r + m r*r ,  a*b + b*a = (a+b)*(a+b) - a*a - b*b
    const Vector3Of<S> s = own.R * c.s;
    base.mass = base.mass + c.mass;
    base.s += s + c.mass * own.r;
    const Vector3Of<S>& r = own.r;
    const S two = lift<S>(2);
    const S rs = two * dot(r, s);
    Symmetric3Of<S> J = sandwich(own.R, c.J) + c.mass * star(r);
    J.xx = J.xx + rs - two * r.x * s.x;
    J.yy = J.yy + rs - two * r.y * s.y;
    J.zz = J.zz + rs - two * r.z * s.z;
    J.xy = J.xy - r.x * s.y - r.y * s.x;
    J.xz = J.xz - r.x * s.z - r.z * s.x;
    J.yz = J.yz - r.y * s.z - r.z * s.y;
    base.J += J;
  }
  S column[6];
  for (int k = 0; k < count; ++k) {
    const Link& link = tree.links[k];
    for (int j = 0; j < velocity_count(link.kind); ++j) {
      S unit[6] = {};
      unit[j] = lift<S>(1);
      const TwistOf<S> a = joint_motion(link, scratch[k].R, unit);
      const CompositeInertia<S>& c = composite[k];
      WrenchOf<S> wrench{c.mass * a.linear + cross(a.angular, c.s), c.J * a.angular + cross(c.s, a.linear)};
      for (int i = k; i != kGround; i = tree.links[i].parent) {
        const Link& at = tree.links[i];
        joint_force(at, scratch[i].R, wrench, column);
        for (int m = 0; m < velocity_count(at.kind); ++m) {
          matrix[(at.v + m) * n + link.v + j] = column[m];
          matrix[(link.v + j) * n + at.v + m] = column[m];
        }
        wrench = to_base(scratch[i].R, scratch[i].r, wrench);
      }
    }
  }
}

}  // namespace vinculum
