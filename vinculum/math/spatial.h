// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/symmetric3.h"

namespace vinculum {

// Motion of a frame: of its origin, then of its axes. Linear part first, as everywhere.
template <class Scalar>
struct TwistOf {
  Vector3Of<Scalar> linear;
  Vector3Of<Scalar> angular;
};

// Force, and moment about a point.
template <class Scalar>
struct WrenchOf {
  Vector3Of<Scalar> force;
  Vector3Of<Scalar> moment;

  VINCULUM_INLINE WrenchOf& operator+=(const WrenchOf& b) {
    force += b.force;
    moment += b.moment;
    return *this;
  }
};

using Twist = TwistOf<double>;
using Wrench = WrenchOf<double>;

template <class S>
VINCULUM_INLINE TwistOf<S> operator+(const TwistOf<S>& a, const TwistOf<S>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class S>
VINCULUM_INLINE WrenchOf<S> operator+(const WrenchOf<S>& a, const WrenchOf<S>& b) {
  return {a.force + b.force, a.moment + b.moment};
}

// The inertia with which a body and the bodies it carries resist an acceleration of its frame:
//
//   force  = A y + B w'
//   moment = Bᵀ y + D w'
template <class Scalar>
struct ArticulatedInertiaOf {
  Symmetric3Of<Scalar> A;
  Matrix3Of<Scalar> B;
  Symmetric3Of<Scalar> D;

  VINCULUM_INLINE ArticulatedInertiaOf& operator+=(const ArticulatedInertiaOf& b) {
    A += b.A;
    B += b.B;
    D += b.D;
    return *this;
  }
};

template <class S>
VINCULUM_INLINE WrenchOf<S> operator*(const ArticulatedInertiaOf<S>& inertia, const TwistOf<S>& a) {
  return {inertia.A * a.linear + inertia.B * a.angular, transpose_times(inertia.B, a.linear) + inertia.D * a.angular};
}

// The same inertia about a point at -r, in outer axes: Xᵀ I X with X = [Rᵀ, -Rᵀ[r]; 0, Rᵀ]               theory 2, section 5.2
template <class S>
VINCULUM_INLINE ArticulatedInertiaOf<S> to_base(const Matrix3Of<S>& R, const Vector3Of<S>& r,
                                                const ArticulatedInertiaOf<S>& inertia) {
  const Symmetric3Of<S> A = sandwich(R, inertia.A);
  const Matrix3Of<S> B0 = (R * inertia.B) * transpose(R);
  // B = B0 - A [r] ;  D = R D Rᵀ + [r] B + ([r] B0)ᵀ
  const Matrix3Of<S> a = to_matrix(A);
  const Matrix3Of<S> B{B0.x - (r.z * a.y - r.y * a.z), B0.y - (r.x * a.z - r.z * a.x), B0.z - (r.y * a.x - r.x * a.y)};
  Symmetric3Of<S> D = sandwich(R, inertia.D);
  const Vector3Of<S> kx = cross(r, B.x), ky = cross(r, B.y), kz = cross(r, B.z);
  const Vector3Of<S> lx = cross(r, B0.x), ly = cross(r, B0.y), lz = cross(r, B0.z);
  D.xx = D.xx + kx.x + lx.x;
  D.yy = D.yy + ky.y + ly.y;
  D.zz = D.zz + kz.z + lz.z;
  D.xy = D.xy + ky.x + lx.y;
  D.xz = D.xz + kz.x + lx.z;
  D.yz = D.yz + kz.y + ly.z;
  return {A, B, D};
}

// A wrench about the point r, in inner axes R, as one about the origin in outer axes.
template <class S>
VINCULUM_INLINE WrenchOf<S> to_base(const Matrix3Of<S>& R, const Vector3Of<S>& r, const WrenchOf<S>& wrench) {
  const Vector3Of<S> force = R * wrench.force;
  return {force, R * wrench.moment + cross(r, force)};
}

}  // namespace vinculum
