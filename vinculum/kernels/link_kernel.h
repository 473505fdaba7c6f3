// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/pack.h"
#include "vinculum/math/rotation.h"
#include "vinculum/math/spatial.h"
#include "vinculum/model/tree.h"

// What every recursion over links needs, on any scalar. Private to this room. All of it is inlined into the kernels (kernels.h),
// each of which is compiled for several instruction sets.
namespace vinculum {

template <class S, class Constant>
VINCULUM_INLINE Vector3Of<S> lift(const Vector3Of<Constant>& a) {
  return {lift<S>(a.x), lift<S>(a.y), lift<S>(a.z)};
}
template <class S, class Constant>
VINCULUM_INLINE Matrix3Of<S> lift(const Matrix3Of<Constant>& m) {
  return {lift<S>(m.x), lift<S>(m.y), lift<S>(m.z)};
}
template <class S, class Constant>
VINCULUM_INLINE Symmetric3Of<S> lift(const Symmetric3Of<Constant>& m) {
  return {lift<S>(m.xx), lift<S>(m.yy), lift<S>(m.zz), lift<S>(m.xy), lift<S>(m.xz), lift<S>(m.yz)};
}

// The links as the recursions see them: constants are numbers, or packs of as many mechanisms.
template <class Constant>
struct LinkSpan {
  const LinkOf<Constant>* links;
  int count;
  Vector3Of<Constant> gravity;
};

VINCULUM_INLINE LinkSpan<double> span_of(const Tree& tree) {
  return {tree.links.data(), static_cast<int>(tree.links.size()), tree.gravity};
}

// A link on its base: all in its own axes, about its origin, unless said otherwise.
template <class S>
struct LinkMotion {
  Matrix3Of<S> R;  // link -> base
  Vector3Of<S> r;  // origin, from the base's origin, base axes
  Vector3Of<S> w;  // angular velocity
  TwistOf<S> a;    // (y; w'): y = r'' - g of the origin, and angular acceleration; before v' is known, what is there without it
};

// Calls f.operator()<kind>(): one switch a link and sweep, and everything behind it knows the kind at compile time.
template <class F>
VINCULUM_INLINE void with_kind(LinkKind kind, const F& f) {
  switch (kind) {
    case LinkKind::fixed: return f.template operator()<LinkKind::fixed>();
    case LinkKind::revolute: return f.template operator()<LinkKind::revolute>();
    case LinkKind::prismatic: return f.template operator()<LinkKind::prismatic>();
    case LinkKind::screw: return f.template operator()<LinkKind::screw>();
    case LinkKind::spherical: return f.template operator()<LinkKind::spherical>();
    case LinkKind::free: return f.template operator()<LinkKind::free>();
  }
}

template <LinkKind kind>
inline constexpr bool kTurnsAboutZ = traits_of(kind).turns_about_z;
template <LinkKind kind>
inline constexpr bool kSlides = traits_of(kind).slides;
template <LinkKind kind>
inline constexpr bool kIsBall = traits_of(kind).is_ball;
// Where the three angular velocities of a ball stand among the joint's own.
template <LinkKind kind>
inline constexpr int kBall = kind == LinkKind::free ? 3 : 0;

template <class S>
VINCULUM_INLINE Vector3Of<S> vector_at(const S* v) {
  return {v[0], v[1], v[2]};
}

// Coordinates, with the sine and cosine of each where a joint turns by it.
template <class S>
struct Turns {
  const S* q;
  S* sin;
  S* cos;
};

// For all coordinates at once: those that are no angles cost less than asking which they are.
template <class S>
VINCULUM_INLINE Turns<S> compute_turns(const S* q, int count, S* scratch) {
  S *sines = scratch, *cosines = scratch + count;
  for (int i = 0; i < count; ++i) {
    const auto [s, c] = sincos(q[i]);
    sines[i] = s;
    cosines[i] = c;
  }
  return {q, sines, cosines};
}
// One state: its own coordinates fill the lanes.
VINCULUM_INLINE Turns<double> compute_turns(const double* q, int count, double* scratch) {
  double *sines = scratch, *cosines = scratch + count;
  for (int i = 0; i < count; i += kRegisterWidth) {
    double angles[kRegisterWidth] = {}, s[kRegisterWidth], c[kRegisterWidth];
    const int lanes = count - i < kRegisterWidth ? count - i : kRegisterWidth;
    if (lanes == kRegisterWidth) {
      const auto turn = sincos(Pack<kRegisterWidth>::load(q + i));
      turn.sin.store(sines + i);
      turn.cos.store(cosines + i);
      continue;
    }
    for (int k = 0; k < lanes; ++k) angles[k] = q[i + k];
    const auto turn = sincos(Pack<kRegisterWidth>::load(angles));
    turn.sin.store(s);
    turn.cos.store(c);
    for (int k = 0; k < lanes; ++k) {
      sines[i + k] = s[k];
      cosines[i + k] = c[k];
    }
  }
  return {q, sines, cosines};
}

// Place of the link on its base.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void place_link(const LinkOf<Constant>& link, const Turns<S>& turns, Matrix3Of<S>& R, Vector3Of<S>& r) {
  const S* q = turns.q + link.q;
  const Matrix3Of<S> C = lift<S>(link.C);
  r = lift<S>(link.p);
  if constexpr (kind == LinkKind::prismatic) r = multiply_add(q[0], C.z, r);
  if constexpr (kind == LinkKind::screw) r = multiply_add(lift<S>(link.pitch) * q[0], C.z, r);
  if constexpr (kind == LinkKind::free) r += C * vector_at(q);
  if constexpr (kTurnsAboutZ<kind>) {
    const S s = turns.sin[link.q], c = turns.cos[link.q];
    R = {multiply_add(s, C.y, c * C.x), multiply_add(-s, C.x, c * C.y), C.z};
  } else if constexpr (kIsBall<kind>) {
    const S* quaternion = q + kBall<kind>;
    R = C * to_rotation(QuaternionOf<S>{quaternion[0], quaternion[1], quaternion[2], quaternion[3]});
  } else {
    R = C;
  }
}

// twist + S v, link axes; v: the joint's own velocities (or accelerations).
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE TwistOf<S> add_motion(const LinkOf<Constant>& link, const Matrix3Of<S>& R, const S* v, TwistOf<S> twist) {
  if constexpr (kTurnsAboutZ<kind>) twist.angular.z = twist.angular.z + v[0];
  if constexpr (kind == LinkKind::prismatic) twist.linear.z = twist.linear.z + v[0];
  if constexpr (kind == LinkKind::screw) twist.linear.z = multiply_add(lift<S>(link.pitch), v[0], twist.linear.z);
  if constexpr (kind == LinkKind::free) twist.linear += transpose_times(R, lift<S>(link.C) * vector_at(v));
  if constexpr (kIsBall<kind>) twist.angular += vector_at(v + kBall<kind>);
  return twist;
}

// Sᵀ wrench: the part of a wrench that works on the joint's own velocities.
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void joint_force(const LinkOf<Constant>& link, const Matrix3Of<S>& R, const WrenchOf<S>& wrench, S* tau) {
  const auto put = [&](int at, const Vector3Of<S>& a) {
    tau[at] = a.x;
    tau[at + 1] = a.y;
    tau[at + 2] = a.z;
  };
  if constexpr (kind == LinkKind::revolute) tau[0] = wrench.moment.z;
  if constexpr (kind == LinkKind::prismatic) tau[0] = wrench.force.z;
  if constexpr (kind == LinkKind::screw) tau[0] = multiply_add(lift<S>(link.pitch), wrench.force.z, wrench.moment.z);
  if constexpr (kind == LinkKind::free) put(0, transpose_times(lift<S>(link.C), R * wrench.force));
  if constexpr (kIsBall<kind>) put(kBall<kind>, wrench.moment);
}

// Angular velocity, and the acceleration that is there without v':
//
//   w   = E w_p + W                                  E = Rᵀ, (x'; W) = S v
//   eta = E (w_p × (w_p × r)) + 2 (E w_p) × x'
//   gam = (E w_p) × W                                                                     theory 2, section 5.2, n = 0
template <LinkKind kind, class S, class Constant>
VINCULUM_INLINE void turn_link(const LinkOf<Constant>& link, const S* v, const LinkMotion<S>* base, LinkMotion<S>& own) {
  if (base == nullptr) {
    own.w = add_motion<kind>(link, own.R, v, TwistOf<S>{}).angular;
    own.a = {};
    return;
  }
  const Vector3Of<S> w_p = base->w;
  const Vector3Of<S> w_base = transpose_times(own.R, w_p);
  own.a.linear = transpose_times(own.R, cross(w_p, cross(w_p, own.r)));
  own.a.angular = {};
  own.w = w_base;
  if constexpr (kTurnsAboutZ<kind>) {
    own.w.z = own.w.z + v[0];
    own.a.angular = {w_base.y * v[0], -(w_base.x * v[0]), lift<S>(0)};
  }
  if constexpr (kIsBall<kind>) {
    const Vector3Of<S> turn = vector_at(v + kBall<kind>);
    own.w += turn;
    own.a.angular = cross(w_base, turn);
  }
  if constexpr (kSlides<kind>) {
    const Vector3Of<S> slide = add_motion<kind>(link, own.R, v, TwistOf<S>{}).linear;
    own.a.linear += lift<S>(2) * cross(w_base, slide);
  }
}

template <class S>
VINCULUM_INLINE LinkMotion<S>* base_of(int parent, LinkMotion<S>* motions) {
  return parent == kGround ? nullptr : motions + parent;
}

// Places of all links: R and r.
template <class S, class Constant>
VINCULUM_INLINE void place_links(const LinkSpan<Constant>& tree, const Turns<S>& turns, LinkMotion<S>* motions) {
  for (int i = 0; i < tree.count; ++i) {
    const LinkOf<Constant>& link = tree.links[i];
    with_kind(
        link.kind, [&]<LinkKind kind>()
                       __attribute__((always_inline)) { place_link<kind>(link, turns, motions[i].R, motions[i].r); });
  }
}

// (w × (w × s) ; w × J w): what it takes to keep a body turning.
template <class S, class Constant>
VINCULUM_INLINE WrenchOf<S> velocity_wrench(const LinkOf<Constant>& link, const Vector3Of<S>& w) {
  return {cross(w, cross(w, lift<S>(link.s))), cross(w, lift<S>(link.J) * w)};
}

// Acceleration of the link before v' of its own joint: h = (E (y_p + w_p' × r) + eta ; E w_p' + gam)
template <class S>
VINCULUM_INLINE TwistOf<S> carried_acceleration(const LinkMotion<S>& own, const TwistOf<S>& base) {
  return {transpose_times(own.R, base.linear + cross(base.angular, own.r)) + own.a.linear,
          transpose_times(own.R, base.angular) + own.a.angular};
}

// The ground's: it stays, and gravity acts as if it rose.
template <class S, class Constant>
VINCULUM_INLINE TwistOf<S> ground_acceleration(const LinkSpan<Constant>& tree) {
  return {-lift<S>(tree.gravity), {}};
}

}  // namespace vinculum
