// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/dynamics/link_kernel.h"

namespace vinculum {

// One pivot of the factorisation: how much inertia answers a velocity, and the scale to compare it with. A pivot that is nothing beside
// its scale means that no force on this velocity is determined by its acceleration: the mass matrix is singular.
template <class S>
struct Pivot {
  S value;
  S scale;
};

// Inverse of a symmetric 3x3 matrix by its factors L D Lᵀ; the three pivots come with it.
template <class S>
inline Symmetric3Of<S> invert(const Symmetric3Of<S>& m, Pivot<S>* pivots) {
  const S one = lift<S>(1);
  const S d0 = one / m.xx;
  const S l10 = m.xy * d0, l20 = m.xz * d0;
  const S p1 = m.yy - l10 * m.xy;
  const S d1 = one / p1;
  const S c21 = m.yz - l20 * m.xy;
  const S l21 = c21 * d1;
  const S p2 = m.zz - l20 * m.xz - l21 * c21;
  const S d2 = one / p2;
  pivots[0] = {m.xx, m.xx + m.yy + m.zz};
  pivots[1] = {p1, m.yy};
  pivots[2] = {p2, m.zz};
  // Rows of L⁻¹: (1), (-l10, 1), (k20, -l21, 1)
  const S k20 = l10 * l21 - l20;
  return {d0 + l10 * l10 * d1 + k20 * k20 * d2, d1 + l21 * l21 * d2, d2, -(l10 * d1) - k20 * l21 * d2, k20 * d2, -(l21 * d2)};
}

// Projects the inertia onto what the joint lets through: I - U D⁻¹ Uᵀ with U = I S, D = Sᵀ U; keeps what is needed to find v'.
// `link.driven`: all goes through.
template <class S>
inline ArticulatedInertiaOf<S> project_inertia(const Link& link, LinkScratch<S>& own, Pivot<S>* pivots) {
  const ArticulatedInertiaOf<S>& I = own.I;
  const S one = lift<S>(1);
  if (link.driven) {
    pivots[0] = {one, one};
    return I;
  }
  const auto without_direction = [&](const Vector3Of<S>& force, const Vector3Of<S>& moment, const S& d, const S& scale) {
    pivots[0] = {d, scale};
    own.inverse.xx = one / d;
    const Vector3Of<S> f = own.inverse.xx * force, m = own.inverse.xx * moment;
    ArticulatedInertiaOf<S> rest = I;
    rest.A.xx = rest.A.xx - f.x * force.x;
    rest.A.yy = rest.A.yy - f.y * force.y;
    rest.A.zz = rest.A.zz - f.z * force.z;
    rest.A.xy = rest.A.xy - f.x * force.y;
    rest.A.xz = rest.A.xz - f.x * force.z;
    rest.A.yz = rest.A.yz - f.y * force.z;
    rest.B.x -= m.x * force;
    rest.B.y -= m.y * force;
    rest.B.z -= m.z * force;
    rest.D.xx = rest.D.xx - m.x * moment.x;
    rest.D.yy = rest.D.yy - m.y * moment.y;
    rest.D.zz = rest.D.zz - m.z * moment.z;
    rest.D.xy = rest.D.xy - m.x * moment.y;
    rest.D.xz = rest.D.xz - m.x * moment.z;
    rest.D.yz = rest.D.yz - m.y * moment.z;
    return rest;
  };
  const Vector3Of<S> A_z{I.A.xz, I.A.yz, I.A.zz}, Bt_z{I.B.x.z, I.B.y.z, I.B.z.z}, D_z{I.D.xz, I.D.yz, I.D.zz};
  const S trace_A = I.A.xx + I.A.yy + I.A.zz, trace_D = I.D.xx + I.D.yy + I.D.zz;
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: return without_direction(I.B.z, D_z, I.D.zz, trace_D);
    case LinkKind::prismatic: return without_direction(A_z, Bt_z, I.A.zz, trace_A);
    case LinkKind::screw: {
      const S pitch = lift<S>(link.pitch);
      const Vector3Of<S> force = pitch * A_z + I.B.z, moment = pitch * Bt_z + D_z;
      return without_direction(force, moment, pitch * force.z + moment.z, pitch * pitch * trace_A + trace_D);
    }
    case LinkKind::spherical: {
      // S = (0; 1): the moment goes into v', only A - B D⁻¹ Bᵀ is left.
      own.inverse = invert(I.D, pivots);
      return {I.A - sandwich(I.B, own.inverse), {}, {}};
    }
    case LinkKind::free: {
      // S is invertible: nothing is left. Eliminate the linear part first: the rest is the inertia about the centre.
      own.inverse_linear = invert(I.A, pivots);
      own.inverse = invert(I.D - sandwich(transpose(I.B), own.inverse_linear), pivots + 3);
      for (int k = 3; k < 6; ++k) pivots[k].scale = pivots[k].scale + trace_D;
      return {};
    }
  }
  return I;
}

// S⁻ᵀ tau of a free joint: forces on its velocities as a wrench on the link.
template <class S>
inline WrenchOf<S> free_joint_wrench(const Link& link, const Matrix3Of<S>& R, const S* tau) {
  return {transpose_times(R, lift<S>(link.C) * velocity3(tau)), velocity3(tau + 3)};
}

// U D⁻¹ (tau - Sᵀ p): the wrench that the joint's own acceleration takes up.
template <class S>
inline WrenchOf<S> answered_wrench(const Link& link, const LinkScratch<S>& own, const S* tau) {
  const ArticulatedInertiaOf<S>& I = own.I;
  const Vector3Of<S> A_z{I.A.xz, I.A.yz, I.A.zz}, Bt_z{I.B.x.z, I.B.y.z, I.B.z.z}, D_z{I.D.xz, I.D.yz, I.D.zz};
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: {
      const S x = own.inverse.xx * (tau[0] - own.p.moment.z);
      return {x * I.B.z, x * D_z};
    }
    case LinkKind::prismatic: {
      const S x = own.inverse.xx * (tau[0] - own.p.force.z);
      return {x * A_z, x * Bt_z};
    }
    case LinkKind::screw: {
      const S pitch = lift<S>(link.pitch);
      const S x = own.inverse.xx * (tau[0] - pitch * own.p.force.z - own.p.moment.z);
      return {x * (pitch * A_z + I.B.z), x * (pitch * Bt_z + D_z)};
    }
    case LinkKind::spherical: {
      const Vector3Of<S> moment = velocity3(tau) - own.p.moment;
      return {I.B * (own.inverse * moment), moment};
    }
    case LinkKind::free: {
      const WrenchOf<S> drive = free_joint_wrench(link, own.R, tau);
      return {drive.force - own.p.force, drive.moment - own.p.moment};
    }
  }
  return {};
}

// Sᵀ I S v' = tau - Sᵀ wrench
template <class S>
inline void solve_joint(const Link& link, const LinkScratch<S>& own, const WrenchOf<S>& wrench, const S* tau, S* vdot) {
  switch (link.kind) {
    case LinkKind::fixed: break;
    case LinkKind::revolute: vdot[0] = own.inverse.xx * (tau[0] - wrench.moment.z); break;
    case LinkKind::prismatic: vdot[0] = own.inverse.xx * (tau[0] - wrench.force.z); break;
    case LinkKind::screw:
      vdot[0] = own.inverse.xx * (tau[0] - lift<S>(link.pitch) * wrench.force.z - wrench.moment.z);
      break;
    case LinkKind::spherical: {
      const Vector3Of<S> x = own.inverse * (velocity3(tau) - wrench.moment);
      for (int k = 0; k < 3; ++k) vdot[k] = x[k];
      break;
    }
    case LinkKind::free: {
      const WrenchOf<S> drive = free_joint_wrench(link, own.R, tau);
      const Vector3Of<S> force = drive.force - wrench.force, moment = drive.moment - wrench.moment;
      const Vector3Of<S> angular = own.inverse * (moment - transpose_times(own.I.B, own.inverse_linear * force));
      const Vector3Of<S> linear = own.inverse_linear * (force - own.I.B * angular);
      const Vector3Of<S> x = transpose_times(lift<S>(link.C), own.R * linear);
      for (int k = 0; k < 3; ++k) {
        vdot[k] = x[k];
        vdot[3 + k] = angular[k];
      }
      break;
    }
  }
}

// Forward dynamics by the articulated-body recursion: from forces to accelerations in O(n), also with driven joints, whose v' is given
// and whose tau is the result, and with massless links inside a chain.                          theory 2, section 5.2, n = 0
//
// Expects move_links to have run. tau: generalised forces; vdot: given where driven, else the result. Leaves (y; w') in scratch[i].a and the
// wrench through the joint of link i, drive included, in scratch[i].p; `pivots` has one entry a velocity.
template <class S>
inline void run_forward(const Tree& tree, const WrenchOf<S>* loads, S* tau, S* vdot, Pivot<S>* pivots, std::vector<LinkScratch<S>>& scratch) {
  const int count = static_cast<int>(tree.links.size());
  for (int i = 0; i < count; ++i) {
    const Link& link = tree.links[i];
    LinkScratch<S>& own = scratch[i];
    const Symmetric3Of<S> mass{lift<S>(link.mass), lift<S>(link.mass), lift<S>(link.mass), {}, {}, {}};
    own.I = {mass, skew(lift<S>(-link.s)), lift<S>(link.J)};
    own.p = velocity_wrench(link, own.w);
    if (loads != nullptr) {
      own.p.force -= loads[i].force;
      own.p.moment -= loads[i].moment;
    }
  }

  // Inward: each link hands the base what it cannot answer by a motion of its own joint.
  for (int i = count - 1; i >= 0; --i) {
    const Link& link = tree.links[i];
    LinkScratch<S>& own = scratch[i];
    const ArticulatedInertiaOf<S> rest = project_inertia(link, own, pivots + link.v);
    if (link.parent == kGround) continue;
    WrenchOf<S> b = own.p;
    if (link.driven) {
      b += own.I * (own.bias + joint_motion(link, own.R, vdot + link.v));
    } else {
      b += rest * own.bias + answered_wrench(link, own, tau + link.v);
    }
    LinkScratch<S>& base = scratch[link.parent];
    base.p += to_base(own.R, own.r, b);
    const ArticulatedInertiaOf<S> carried = to_base(own.R, own.r, rest);
    base.I.A += carried.A;
    base.I.B += carried.B;
    base.I.D += carried.D;
  }

  // Outward: v' = D⁻¹ (tau - Sᵀ (p + I h)), (y; w') = h + S v'.
  const TwistOf<S> ground = ground_acceleration<S>(tree);
  for (int i = 0; i < count; ++i) {
    const Link& link = tree.links[i];
    LinkScratch<S>& own = scratch[i];
    const TwistOf<S> h = carried_acceleration(own, link.parent == kGround ? ground : scratch[link.parent].a);
    if (!link.driven) solve_joint(link, own, own.p + own.I * h, tau + link.v, vdot + link.v);
    own.a = h + joint_motion(link, own.R, vdot + link.v);
    own.p += own.I * own.a;
    if (link.driven) joint_force(link, own.R, own.p, tau + link.v);
  }
}

}  // namespace vinculum
