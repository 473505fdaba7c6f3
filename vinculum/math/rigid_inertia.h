// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/spatial.h"

namespace vinculum {

// The rate of a twist b that is carried along by the motion a, both about one fixed point.
template <class S>
VINCULUM_INLINE TwistOf<S> cross(const TwistOf<S>& a, const TwistOf<S>& b) {
  return {cross(a.angular, b.linear) + cross(a.linear, b.angular), cross(a.angular, b.angular)};
}
// The same for a wrench: a ×* f, so that the power of f on b stays: (a × b)·f + b·(a ×* f) = 0.
template <class S>
VINCULUM_INLINE WrenchOf<S> cross(const TwistOf<S>& a, const WrenchOf<S>& b) {
  return {cross(a.angular, b.force), cross(a.angular, b.moment) + cross(a.linear, b.force)};
}
// Power of a wrench about the point whose velocity is in the twist.
template <class S>
VINCULUM_INLINE S dot(const TwistOf<S>& a, const WrenchOf<S>& b) {
  return dot(a.linear, b.force) + dot(a.angular, b.moment);
}
// c + factor a
template <class S>
VINCULUM_INLINE TwistOf<S> multiply_add(const S& factor, const TwistOf<S>& a, const TwistOf<S>& c) {
  return {multiply_add(factor, a.linear, c.linear), multiply_add(factor, a.angular, c.angular)};
}
template <class S>
VINCULUM_INLINE WrenchOf<S> operator-(const WrenchOf<S>& a, const WrenchOf<S>& b) {
  return {a.force - b.force, a.moment - b.moment};
}

// Mass, static moment and tensor of inertia about a point: momentum (m v + w × s ; s × v + J w) of a twist there. Those of
// several bodies about one point, in the same axes, add up to the one of all of them locked together.
template <class Scalar>
struct RigidInertiaOf {
  Scalar mass{};
  Vector3Of<Scalar> s;
  Symmetric3Of<Scalar> J;

  VINCULUM_INLINE RigidInertiaOf& operator+=(const RigidInertiaOf& b) {
    mass = mass + b.mass;
    s += b.s;
    J += b.J;
    return *this;
  }
};

using RigidInertia = RigidInertiaOf<double>;

template <class S>
VINCULUM_INLINE WrenchOf<S> operator*(const RigidInertiaOf<S>& I, const TwistOf<S>& a) {
  return {multiply_add(I.mass, a.linear, cross(a.angular, I.s)), cross(I.s, a.linear) + I.J * a.angular};
}

// The same inertia about the point at -p, in outer axes:  s -> m p + R s ,  J -> R J Rᵀ + p*t + t*p ,  t = R s + ½ m p
template <class S>
VINCULUM_INLINE RigidInertiaOf<S> to_base(const Matrix3Of<S>& R, const Vector3Of<S>& p, const RigidInertiaOf<S>& I) {
  const Vector3Of<S> s = R * I.s, t = multiply_add(lift<S>(0.5) * I.mass, p, s);
  const S xx = p.x * t.x, yy = p.y * t.y, zz = p.z * t.z, two = lift<S>(2);
  Symmetric3Of<S> J = sandwich(R, I.J);
  J.xx = multiply_add(two, yy + zz, J.xx);
  J.yy = multiply_add(two, xx + zz, J.yy);
  J.zz = multiply_add(two, xx + yy, J.zz);
  J.xy = J.xy - multiply_add(p.x, t.y, p.y * t.x);
  J.xz = J.xz - multiply_add(p.x, t.z, p.z * t.x);
  J.yz = J.yz - multiply_add(p.y, t.z, p.z * t.y);
  return {I.mass, multiply_add(I.mass, p, s), J};
}

}  // namespace vinculum
