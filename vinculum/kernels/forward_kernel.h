// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/link_kernel.h"

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

// I - u k with u = (force; moment), k = uᵀ/d: what is left of an inertia when one direction gives way.
template <class S>
VINCULUM_INLINE ArticulatedInertiaOf<S> without_direction(const ArticulatedInertiaOf<S>& I, const WrenchOf<S>& u,
                                                          const Matrix3Of<S>& k) {
  const Vector3Of<S> f = -k.x, m = -k.y;
  return {{multiply_add(f.x, u.force.x, I.A.xx), multiply_add(f.y, u.force.y, I.A.yy), multiply_add(f.z, u.force.z, I.A.zz),
           multiply_add(f.x, u.force.y, I.A.xy), multiply_add(f.x, u.force.z, I.A.xz), multiply_add(f.y, u.force.z, I.A.yz)},
          {multiply_add(m.x, u.force, I.B.x), multiply_add(m.y, u.force, I.B.y), multiply_add(m.z, u.force, I.B.z)},
          {multiply_add(m.x, u.moment.x, I.D.xx), multiply_add(m.y, u.moment.y, I.D.yy), multiply_add(m.z, u.moment.z, I.D.zz),
           multiply_add(m.x, u.moment.y, I.D.xy), multiply_add(m.x, u.moment.z, I.D.xz), multiply_add(m.y, u.moment.z, I.D.yz)}};
}

// U = I S of a joint with one velocity.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE WrenchOf<S> response(const LinkOf<Constant>& link, const ArticulatedInertiaOf<S>& I) {
  const Vector3Of<S> A_z{I.A.xz, I.A.yz, I.A.zz}, Bt_z{I.B.x.z, I.B.y.z, I.B.z.z}, D_z{I.D.xz, I.D.yz, I.D.zz};
  if constexpr (kind == LinkKind::revolute) return {I.B.z, D_z};
  if constexpr (kind == LinkKind::prismatic) return {A_z, Bt_z};
  const S pitch = lift<S>(link.pitch);
  return {multiply_add(pitch, A_z, I.B.z), multiply_add(pitch, Bt_z, D_z)};
}

// What stands on a link, about its origin: the inertia with which it answers, and the wrench it takes without an acceleration.
template <class S>
struct Burden {
  ArticulatedInertiaOf<S> I;
  WrenchOf<S> p;

  VINCULUM_INLINE Burden& operator+=(const Burden& b) {
    I += b.I;
    p += b.p;
    return *this;
  }
  // Number by number: as a whole, g++ copies so many packs by an instruction for strings, and the loads after it have to wait.
  VINCULUM_INLINE void set(const Burden& b) {
    const auto copy = [](Symmetric3Of<S> & to, const Symmetric3Of<S>& from) __attribute__((always_inline)) {
      to.xx = from.xx, to.yy = from.yy, to.zz = from.zz, to.xy = from.xy, to.xz = from.xz, to.yz = from.yz;
    };
    const auto copy3 = [](Vector3Of<S> & to, const Vector3Of<S>& from) __attribute__((always_inline)) {
      to.x = from.x, to.y = from.y, to.z = from.z;
    };
    copy(I.A, b.I.A);
    copy3(I.B.x, b.I.B.x);
    copy3(I.B.y, b.I.B.y);
    copy3(I.B.z, b.I.B.z);
    copy(I.D, b.I.D);
    copy3(p.force, b.p.force);
    copy3(p.moment, b.p.moment);
  }
};

// What a joint keeps of the inward sweep. Together with x, left in its place of v', it gives v' once the acceleration h that
// the base brings is known:
//
//   v' = x - K h ,   x = D⁻¹ (tau - Sᵀ p) ,  K = D⁻¹ Uᵀ ,  U = I S ,  D = Sᵀ U
//
// One axis: K is a row, linear part in k[0..2], angular in k[3..5]. Spherical: K = (D⁻¹ Bᵀ, 1), the first in k. Free: K = S⁻¹.
template <class S>
struct JointResponse {
  Matrix3Of<S> k;
};

// S⁻ᵀ tau of a free joint: forces on its velocities as a wrench on the link.
template <class S, class Constant>
VINCULUM_INLINE WrenchOf<S> free_joint_wrench(const LinkOf<Constant>& link, const Matrix3Of<S>& R, const S* tau) {
  return {transpose_times(R, lift<S>(link.C) * vector_at(tau)), vector_at(tau + 3)};
}

template <class S>
VINCULUM_INLINE void put(const Vector3Of<S>& a, S* at) {
  at[0] = a.x;
  at[1] = a.y;
  at[2] = a.z;
}

// An inertia, moved from origin and axes of the link to those of the base. Flat: nothing is left about z (B and D have no z
// column).
template <bool flat, class S>
VINCULUM_INLINE ArticulatedInertiaOf<S> hand_inertia(const Matrix3Of<S>& R, const Vector3Of<S>& r,
                                                     const ArticulatedInertiaOf<S>& I) {
  const Symmetric3Of<S> A = sandwich(R, I.A);
  // R B Rᵀ = (R B_x) R_xᵀ + (R B_y) R_yᵀ + ..
  const auto turned_B = [&]() __attribute__((always_inline)) {
    if constexpr (!flat) return (R * I.B) * transpose(R);
    const Vector3Of<S> bx = R * I.B.x, by = R * I.B.y;
    return Matrix3Of<S>{multiply_add(R.x.x, bx, R.y.x * by), multiply_add(R.x.y, bx, R.y.y * by),
                        multiply_add(R.x.z, bx, R.y.z * by)};
  };
  const auto turned_D = [&]() __attribute__((always_inline)) {
    if constexpr (!flat) return sandwich(R, I.D);
    const Vector3Of<S> dx = multiply_add(I.D.xx, R.x, I.D.xy * R.y), dy = multiply_add(I.D.xy, R.x, I.D.yy * R.y);
    return Symmetric3Of<S>{multiply_add(dx.x, R.x.x, dy.x * R.y.x), multiply_add(dx.y, R.x.y, dy.y * R.y.y),
                           multiply_add(dx.z, R.x.z, dy.z * R.y.z), multiply_add(dx.x, R.x.y, dy.x * R.y.y),
                           multiply_add(dx.x, R.x.z, dy.x * R.y.z), multiply_add(dx.y, R.x.z, dy.y * R.y.z)};
  };
  const Matrix3Of<S> B0 = turned_B();
  const Symmetric3Of<S> D = turned_D();
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
  return {A,
          B,
          {entry(D.xx, B.x, 0, B0.x, 0), entry(D.yy, B.y, 1, B0.y, 1), entry(D.zz, B.z, 2, B0.z, 2), entry(D.xy, B.y, 0, B0.x, 1),
           entry(D.xz, B.z, 0, B0.x, 2), entry(D.yz, B.z, 1, B0.y, 2)}};
}

// A link that cannot give way hands on all it carries, and what its given acceleration asks for.
template <class S>
VINCULUM_INLINE Burden<S> hand_rigidly(const LinkMotion<S>& own, const TwistOf<S>& given, const Burden<S>& burden) {
  return {hand_inertia<false>(own.R, own.r, burden.I), to_base(own.R, own.r, burden.p + burden.I * given)};
}

// Takes a joint out of the equations: what its link carries, less what the joint answers by moving, goes to the base. tau: its
// forces; x: v' if driven, else the result.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE Burden<S> eliminate_joint(const LinkOf<Constant>& link, const LinkMotion<S>& own, const Burden<S>& burden,
                                          const S* tau, S* x, Pivot<S>* pivots, JointResponse<S>& joint) {
  const ArticulatedInertiaOf<S>& I = burden.I;
  const WrenchOf<S>& p = burden.p;
  if constexpr (kind == LinkKind::fixed) {
    return hand_rigidly(own, own.a, burden);
  } else if constexpr (kind == LinkKind::spherical) {
    // S = (0; 1): the moment goes into v', only A - B D⁻¹ Bᵀ is left.
    const Symmetric3Of<S> inverse = invert(I.D, pivots);
    const Vector3Of<S> answer = inverse * (vector_at(tau) - p.moment);
    const Matrix3Of<S> Bt = transpose(I.B);
    put(answer, x);
    joint.k = {inverse * Bt.x, inverse * Bt.y, inverse * Bt.z};
    const ArticulatedInertiaOf<S> rest{I.A - sandwich(I.B, inverse), {}, {}};
    return {hand_inertia<true>(own.R, own.r, rest),
            to_base(own.R, own.r, WrenchOf<S>{p.force + rest.A * own.a.linear + I.B * answer, vector_at(tau)})};
  } else if constexpr (kind == LinkKind::free) {
    // S is invertible: nothing is left. Eliminate the linear part first: the rest is the inertia about the centre.
    const Symmetric3Of<S> inverse_linear = invert(I.A, pivots);
    const Symmetric3Of<S> inverse = invert(I.D - sandwich(transpose(I.B), inverse_linear), pivots + 3);
    for (int k = 3; k < 6; ++k) pivots[k].scale = pivots[k].scale + trace(I.D);
    const WrenchOf<S> drive = free_joint_wrench(link, own.R, tau);
    const Vector3Of<S> force = drive.force - p.force, moment = drive.moment - p.moment;
    const Vector3Of<S> angular = inverse * (moment - transpose_times(I.B, inverse_linear * force));
    put(inverse_linear * (force - I.B * angular), x);
    put(angular, x + 3);
    return {{}, to_base(own.R, own.r, drive)};
  } else {
    if (link.driven) {
      pivots[0] = {lift<S>(1), lift<S>(1)};
      return hand_rigidly(own, add_motion<kind>(link, own.R, x, own.a), burden);
    }
    const WrenchOf<S> u = response<kind>(link, I);
    if constexpr (kind == LinkKind::revolute) pivots[0] = {u.moment.z, trace(I.D)};
    if constexpr (kind == LinkKind::prismatic) pivots[0] = {u.force.z, trace(I.A)};
    if constexpr (kind == LinkKind::screw) {
      const S pitch = lift<S>(link.pitch);
      pivots[0] = {multiply_add(pitch, u.force.z, u.moment.z), pitch * pitch * trace(I.A) + trace(I.D)};
    }
    const S inverse = lift<S>(1) / pivots[0].value;
    joint.k.x = inverse * u.force;
    joint.k.y = inverse * u.moment;
    S part[1];
    joint_force<kind>(link, own.R, p, part);
    x[0] = inverse * (tau[0] - part[0]);
    const ArticulatedInertiaOf<S> rest = without_direction(I, u, joint.k);
    const auto handed = [&]() __attribute__((always_inline)) {
      if constexpr (kind != LinkKind::revolute) {
        const WrenchOf<S> carried = rest * own.a;
        return WrenchOf<S>{multiply_add(x[0], u.force, p.force + carried.force),
                           multiply_add(x[0], u.moment, p.moment + carried.moment)};
      }
      // Nothing is left about z: rest has no z column in B and D, and own.a none about z.
      const Vector3Of<S>& y = own.a.linear;
      const Vector3Of<S>& g = own.a.angular;
      return WrenchOf<S>{
          multiply_add(x[0], u.force, multiply_add(g.x, rest.B.x, multiply_add(g.y, rest.B.y, p.force + rest.A * y))),
          {multiply_add(rest.D.xx, g.x,
                        multiply_add(rest.D.xy, g.y, p.moment.x + multiply_add(x[0], u.moment.x, dot(rest.B.x, y)))),
           multiply_add(rest.D.xy, g.x,
                        multiply_add(rest.D.yy, g.y, p.moment.y + multiply_add(x[0], u.moment.y, dot(rest.B.y, y)))),
           tau[0]}};
    };
    return {hand_inertia<kind == LinkKind::revolute>(own.R, own.r, rest), to_base(own.R, own.r, handed())};
  }
}

// v' = x - K h
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void solve_joint(const LinkOf<Constant>& link, const Matrix3Of<S>& R, const JointResponse<S>& joint,
                                 const TwistOf<S>& h, S* vdot) {
  if constexpr (kind == LinkKind::spherical) {
    put(vector_at(vdot) - joint.k * h.linear - h.angular, vdot);
  } else if constexpr (kind == LinkKind::free) {
    put(transpose_times(lift<S>(link.C), R * (vector_at(vdot) - h.linear)), vdot);
    put(vector_at(vdot + 3) - h.angular, vdot + 3);
  } else if constexpr (kind != LinkKind::fixed) {
    if (!link.driven) vdot[0] = vdot[0] - dot(joint.k.x, h.linear) - dot(joint.k.y, h.angular);
  }
}

// Forward dynamics by the articulated-body recursion: from forces to accelerations in O(n), also with driven joints, whose v' is
// given, and with massless links inside a chain.                                          theory 2, section 5.2, n = 0
//
// First sweep: places, angular velocities and the accelerations that are there without v'.
template <class S, class Constant>
VINCULUM_INLINE void move_links(const LinkSpan<Constant>& tree, const Turns<S>& turns, const S* v, LinkMotion<S>* motions) {
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          place_link<kind>(link, turns, motions[i].R, motions[i].r);
          turn_link<kind>(link, v + link.v, base_of(link.parent, motions), motions[i]);
        });
  }
}

// The other two. `loads`: given wrenches on the links (their own axes, about the origin), or null. tau: generalised forces; vdot:
// given where driven, else the result. `slots`: scratch for the burdens, the tree says how many. `burdens`: where to keep that of
// each link, or null.
template <class S, class Constant>
VINCULUM_INLINE void run_forward(const LinkSpan<Constant>& tree, const WrenchOf<S>* loads, const S* tau, S* vdot,
                                 Pivot<S>* pivots, LinkMotion<S>* motions, JointResponse<S>* responses, Burden<S>* slots,
                                 Burden<S>* burdens = nullptr) {
  // Inward: each link hands the base what it cannot answer by a motion of its own joint.
  for (int i = tree.count - 1; i >= 0; --i) {
    const LinkOf<Constant>& link = tree.links[i];
    const LinkMotion<S>& own = motions[i];
    // Its own: A = m 1, B = -[s], D = J; p = velocity wrench - load
    const Vector3Of<S> s = lift<S>(link.s);
    const S mass = lift<S>(link.mass), zero = lift<S>(0);
    Burden<S> burden{
        {{mass, mass, mass, zero, zero, zero}, {{zero, -s.z, s.y}, {s.z, zero, -s.x}, {-s.y, s.x, zero}}, lift<S>(link.J)},
        velocity_wrench(link, own.w)};
    if (loads != nullptr) {
      burden.p.force -= loads[i].force;
      burden.p.moment -= loads[i].moment;
    }
    if (link.slot >= 0) {
      burden += slots[link.slot];
    }
    if (burdens != nullptr) burdens[i].set(burden);
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          const Burden<S> handed =
              eliminate_joint<kind>(link, own, burden, tau + link.v, vdot + link.v, pivots + link.v, responses[i]);
          if (link.parent == kGround) return;
          Burden<S>& base = slots[tree.links[link.parent].slot];
          if (link.first_on_base) {
            base.set(handed);
          } else {
            base += handed;
          }
        });
  }

  // Outward: v' = x - K h, (y; w') = h + S v'.
  const TwistOf<S> ground = ground_acceleration<S>(tree);
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    LinkMotion<S>& own = motions[i];
    const TwistOf<S> h = carried_acceleration(own, link.parent == kGround ? ground : motions[link.parent].a);
    with_kind(
        link.kind, [&]<LinkKind kind>() __attribute__((always_inline)) {
          solve_joint<kind>(link, own.R, responses[i], h, vdot + link.v);
          own.a = add_motion<kind>(link, own.R, vdot + link.v, h);
        });
  }
}

}  // namespace vinculum
