// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/link_kernel.h"

namespace vinculum {

// One pivot of the factorisation: how much inertia answers a velocity, and the scale to compare it with. A pivot that is nothing
// beside its scale means that no force on this velocity is determined by its acceleration: the mass matrix is singular.
template <class S>
struct Pivot {
  S value;
  S scale;
};

// Inverse of a symmetric 3x3 matrix by its factors L D Lᵀ; the three pivots come with it.
template <class S>
VINCULUM_INLINE Symmetric3Of<S> invert(const Symmetric3Of<S>& m, Pivot<S>* pivots) {
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

template <class S>
VINCULUM_INLINE S trace(const Symmetric3Of<S>& m) {
  return m.xx + m.yy + m.zz;
}

// I - u uᵀ/d with u = (force; moment): what is left of an inertia when one direction gives way.
template <class S>
VINCULUM_INLINE ArticulatedInertiaOf<S> without_direction(const ArticulatedInertiaOf<S>& I, const WrenchOf<S>& u,
                                                          const S& inverse) {
  const Vector3Of<S> f = -(inverse * u.force), m = -(inverse * u.moment);
  ArticulatedInertiaOf<S> rest;
  rest.A = {multiply_add(f.x, u.force.x, I.A.xx), multiply_add(f.y, u.force.y, I.A.yy), multiply_add(f.z, u.force.z, I.A.zz),
            multiply_add(f.x, u.force.y, I.A.xy), multiply_add(f.x, u.force.z, I.A.xz), multiply_add(f.y, u.force.z, I.A.yz)};
  rest.B = {multiply_add(m.x, u.force, I.B.x), multiply_add(m.y, u.force, I.B.y), multiply_add(m.z, u.force, I.B.z)};
  rest.D = {multiply_add(m.x, u.moment.x, I.D.xx), multiply_add(m.y, u.moment.y, I.D.yy), multiply_add(m.z, u.moment.z, I.D.zz),
            multiply_add(m.x, u.moment.y, I.D.xy), multiply_add(m.x, u.moment.z, I.D.xz), multiply_add(m.y, u.moment.z, I.D.yz)};
  return rest;
}

// U = I S of a joint with one velocity.
template <LinkKind kind, class S>
VINCULUM_INLINE WrenchOf<S> response(const Link& link, const ArticulatedInertiaOf<S>& I) {
  const Vector3Of<S> A_z{I.A.xz, I.A.yz, I.A.zz}, Bt_z{I.B.x.z, I.B.y.z, I.B.z.z}, D_z{I.D.xz, I.D.yz, I.D.zz};
  if constexpr (kind == LinkKind::revolute) return {I.B.z, D_z};
  if constexpr (kind == LinkKind::prismatic) return {A_z, Bt_z};
  const S pitch = lift<S>(link.pitch);
  return {multiply_add(pitch, A_z, I.B.z), multiply_add(pitch, Bt_z, D_z)};
}

// Projects the inertia onto what the joint lets through: I - U D⁻¹ Uᵀ with U = I S, D = Sᵀ U; keeps what is needed to find v'.
template <LinkKind kind, class S>
VINCULUM_INLINE ArticulatedInertiaOf<S> project_inertia(const Link& link, LinkScratch<S>& own, Pivot<S>* pivots) {
  const ArticulatedInertiaOf<S>& I = own.I;
  if constexpr (kind == LinkKind::fixed) {
    return I;
  } else if constexpr (kind == LinkKind::spherical) {
    // S = (0; 1): the moment goes into v', only A - B D⁻¹ Bᵀ is left.
    own.inverse = invert(I.D, pivots);
    return {I.A - sandwich(I.B, own.inverse), {}, {}};
  } else if constexpr (kind == LinkKind::free) {
    // S is invertible: nothing is left. Eliminate the linear part first: the rest is the inertia about the centre.
    own.inverse_linear = invert(I.A, pivots);
    own.inverse = invert(I.D - sandwich(transpose(I.B), own.inverse_linear), pivots + 3);
    for (int k = 3; k < 6; ++k) pivots[k].scale = pivots[k].scale + trace(I.D);
    return {};
  } else {
    if (link.driven) {
      pivots[0] = {lift<S>(1), lift<S>(1)};
      return I;
    }
    const WrenchOf<S> u = response<kind>(link, I);
    if constexpr (kind == LinkKind::revolute) pivots[0] = {u.moment.z, trace(I.D)};
    if constexpr (kind == LinkKind::prismatic) pivots[0] = {u.force.z, trace(I.A)};
    if constexpr (kind == LinkKind::screw) {
      const S pitch = lift<S>(link.pitch);
      pivots[0] = {multiply_add(pitch, u.force.z, u.moment.z), pitch * pitch * trace(I.A) + trace(I.D)};
    }
    own.inverse.xx = lift<S>(1) / pivots[0].value;
    return without_direction(I, u, own.inverse.xx);
  }
}

// S⁻ᵀ tau of a free joint: forces on its velocities as a wrench on the link.
template <class S>
VINCULUM_INLINE WrenchOf<S> free_joint_wrench(const Link& link, const Matrix3Of<S>& R, const S* tau) {
  return {transpose_times(R, lift<S>(link.C) * vector_at(tau)), vector_at(tau + 3)};
}

// p + I bias of what cannot give way, and U D⁻¹ (tau - Sᵀ p) of what does: the wrench handed to the base.
template <LinkKind kind, class S>
VINCULUM_INLINE WrenchOf<S> handed_wrench(const Link& link, const LinkScratch<S>& own, const ArticulatedInertiaOf<S>& rest,
                                          const S* tau, const S* vdot) {
  const WrenchOf<S>& p = own.p;
  const TwistOf<S>& bias = own.bias;
  if constexpr (kind == LinkKind::fixed) {
    return p + rest * bias;
  } else if constexpr (kind == LinkKind::spherical) {
    const Vector3Of<S> moment = vector_at(tau) - p.moment;
    return {p.force + rest.A * bias.linear + own.I.B * (own.inverse * moment), vector_at(tau)};
  } else if constexpr (kind == LinkKind::free) {
    return free_joint_wrench(link, own.R, tau);
  } else {
    if (link.driven) return p + own.I * add_motion<kind>(link, own.R, vdot, bias);
    S part[1];
    joint_force<kind>(link, own.R, p, part);
    const S x = own.inverse.xx * (tau[0] - part[0]);
    const WrenchOf<S> u = response<kind>(link, own.I);
    if constexpr (kind == LinkKind::revolute) {
      // Nothing is left about z: rest has no z column in B and D, and bias none about z.
      const Vector3Of<S>& y = bias.linear;
      const Vector3Of<S>& g = bias.angular;
      return {
          multiply_add(x, u.force, multiply_add(g.x, rest.B.x, multiply_add(g.y, rest.B.y, p.force + rest.A * y))),
          {multiply_add(rest.D.xx, g.x, multiply_add(rest.D.xy, g.y, p.moment.x + multiply_add(x, u.moment.x, dot(rest.B.x, y)))),
           multiply_add(rest.D.xy, g.x, multiply_add(rest.D.yy, g.y, p.moment.y + multiply_add(x, u.moment.y, dot(rest.B.y, y)))),
           tau[0]}};
    } else {
      const WrenchOf<S> carried = rest * bias;
      return {multiply_add(x, u.force, p.force + carried.force), multiply_add(x, u.moment, p.moment + carried.moment)};
    }
  }
}

// base += the inertia that link hands over, about the base's pole in its axes.
template <LinkKind kind, class S>
VINCULUM_INLINE void hand_inertia(const LinkScratch<S>& own, const ArticulatedInertiaOf<S>& rest, ArticulatedInertiaOf<S>& base) {
  if constexpr (kind == LinkKind::free) return;
  const Matrix3Of<S>& R = own.R;
  const Vector3Of<S>& r = own.r;
  const Symmetric3Of<S> A = sandwich(R, rest.A);
  Matrix3Of<S> B0;
  Symmetric3Of<S> D;
  if constexpr (kind == LinkKind::revolute) {
    // Without z: B has two columns, D the upper left block. R B Rᵀ = (R B_x) R_xᵀ + (R B_y) R_yᵀ
    const Vector3Of<S> bx = R * rest.B.x, by = R * rest.B.y;
    B0 = {multiply_add(R.x.x, bx, R.y.x * by), multiply_add(R.x.y, bx, R.y.y * by), multiply_add(R.x.z, bx, R.y.z * by)};
    const Vector3Of<S> dx = multiply_add(rest.D.xx, R.x, rest.D.xy * R.y), dy = multiply_add(rest.D.xy, R.x, rest.D.yy * R.y);
    D = {multiply_add(dx.x, R.x.x, dy.x * R.y.x), multiply_add(dx.y, R.x.y, dy.y * R.y.y),
         multiply_add(dx.z, R.x.z, dy.z * R.y.z), multiply_add(dx.x, R.x.y, dy.x * R.y.y),
         multiply_add(dx.x, R.x.z, dy.x * R.y.z), multiply_add(dx.y, R.x.z, dy.y * R.y.z)};
  } else if constexpr (kind == LinkKind::spherical) {
    B0 = {};
    D = {};
  } else {
    B0 = (R * rest.B) * transpose(R);
    D = sandwich(R, rest.D);
  }
  // B = B0 - A [r] ;  D += [r] B + ([r] B0)ᵀ
  const Vector3Of<S> ax{A.xx, A.xy, A.xz}, ay{A.xy, A.yy, A.yz}, az{A.xz, A.yz, A.zz};
  const Vector3Of<S> n = -r;
  const Matrix3Of<S> B{multiply_add(n.z, ay, multiply_add(r.y, az, B0.x)), multiply_add(n.x, az, multiply_add(r.z, ax, B0.y)),
                       multiply_add(n.y, ax, multiply_add(r.x, ay, B0.z))};
  // ([r] M)_ij = (r × M_j)_i
  const auto entry = [&](const S& d, const Vector3Of<S>& column, int i, const Vector3Of<S>& column0, int j) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return multiply_add(r[i1], column[i2],
                        multiply_add(n[i2], column[i1], multiply_add(r[j1], column0[j2], multiply_add(n[j2], column0[j1], d))));
  };
  base.A += A;
  base.B += B;
  base.D += Symmetric3Of<S>{entry(D.xx, B.x, 0, B0.x, 0), entry(D.yy, B.y, 1, B0.y, 1), entry(D.zz, B.z, 2, B0.z, 2),
                            entry(D.xy, B.y, 0, B0.x, 1), entry(D.xz, B.z, 0, B0.x, 2), entry(D.yz, B.z, 1, B0.y, 2)};
}

// v' = D⁻¹ (tau - Sᵀ (p + I h))
template <LinkKind kind, class S>
VINCULUM_INLINE void solve_joint(const Link& link, const LinkScratch<S>& own, const TwistOf<S>& h, const S* tau, S* vdot) {
  if constexpr (kind == LinkKind::fixed) return;
  if constexpr (kIsBall<kind>) {
    const WrenchOf<S> wrench = own.p + own.I * h;
    if constexpr (kind == LinkKind::spherical) {
      const Vector3Of<S> x = own.inverse * (vector_at(tau) - wrench.moment);
      for (int k = 0; k < 3; ++k) vdot[k] = x[k];
    } else {
      const WrenchOf<S> drive = free_joint_wrench(link, own.R, tau);
      const Vector3Of<S> force = drive.force - wrench.force, moment = drive.moment - wrench.moment;
      const Vector3Of<S> angular = own.inverse * (moment - transpose_times(own.I.B, own.inverse_linear * force));
      const Vector3Of<S> linear = own.inverse_linear * (force - own.I.B * angular);
      const Vector3Of<S> x = transpose_times(lift<S>(link.C), own.R * linear);
      for (int k = 0; k < 3; ++k) {
        vdot[k] = x[k];
        vdot[3 + k] = angular[k];
      }
    }
  } else if constexpr (kind != LinkKind::fixed) {
    if (link.driven) return;
    // Sᵀ I h = U · h
    const WrenchOf<S> u = response<kind>(link, own.I);
    S part[1];
    joint_force<kind>(link, own.R, own.p, part);
    vdot[0] = own.inverse.xx * (tau[0] - part[0] - dot(u.force, h.linear) - dot(u.moment, h.angular));
  }
}

// Forward dynamics by the articulated-body recursion: from forces to accelerations in O(n), also with driven joints, whose v' is
// given and whose tau is the result, and with massless links inside a chain.                          theory 2, section 5.2, n =
// 0
//
// Expects move_links to have run. tau: generalised forces; vdot: given where driven, else the result. Leaves (y; w') in
// scratch[i].a and, if asked for, the wrench through the joint of link i, drive included, in scratch[i].p; `pivots` has one entry
// a velocity.
template <bool with_reactions, class S>
VINCULUM_INLINE void run_forward(const Tree& tree, const WrenchOf<S>* loads, S* tau, S* vdot, Pivot<S>* pivots,
                                 LinkScratch<S>* scratch) {
  const Link* links = tree.links.data();
  const int count = static_cast<int>(tree.links.size());
  for (int i = 0; i < count; ++i) {
    const Link& link = links[i];
    LinkScratch<S>& own = scratch[i];
    const S m = lift<S>(link.mass), zero = lift<S>(0);
    own.I = {{m, m, m, zero, zero, zero}, skew(lift<S>(-link.s)), lift<S>(link.J)};
    own.p = velocity_wrench(link, own.w);
    if (loads != nullptr) {
      own.p.force -= loads[i].force;
      own.p.moment -= loads[i].moment;
    }
  }

  // Inward: each link hands the base what it cannot answer by a motion of its own joint.
  for (int i = count - 1; i >= 0; --i) {
    const Link& link = links[i];
    LinkScratch<S>& own = scratch[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          const ArticulatedInertiaOf<S> rest = project_inertia<kind>(link, own, pivots + link.v);
          if (link.parent == kGround) return;
          LinkScratch<S>& base = scratch[link.parent];
          base.p += to_base(own.R, own.r, handed_wrench<kind>(link, own, rest, tau + link.v, vdot + link.v));
          if (kind == LinkKind::revolute && link.driven) {
            hand_inertia<LinkKind::fixed>(own, rest, base.I);
          } else {
            hand_inertia<kind>(own, rest, base.I);
          }
        });
  }

  // Outward: v' = D⁻¹ (tau - Sᵀ (p + I h)), (y; w') = h + S v'.
  const TwistOf<S> ground = ground_acceleration<S>(tree);
  for (int i = 0; i < count; ++i) {
    const Link& link = links[i];
    LinkScratch<S>& own = scratch[i];
    const TwistOf<S> h = carried_acceleration(own, link.parent == kGround ? ground : scratch[link.parent].a);
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          solve_joint<kind>(link, own, h, tau + link.v, vdot + link.v);
          own.a = add_motion<kind>(link, own.R, vdot + link.v, h);
          if (with_reactions || link.driven) own.p += own.I * own.a;
          if (link.driven) joint_force<kind>(link, own.R, own.p, tau + link.v);
        });
  }
}

}  // namespace vinculum
