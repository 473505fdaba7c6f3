// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/matrix3.h"

namespace vinculum {

// A symmetric 3x3 matrix by its six entries: tensors of inertia and the diagonal blocks of articulated inertias.
template <class Scalar>
struct Symmetric3Of {
  Scalar xx{};
  Scalar yy{};
  Scalar zz{};
  Scalar xy{};
  Scalar xz{};
  Scalar yz{};

  VINCULUM_INLINE Symmetric3Of& operator+=(const Symmetric3Of& b) {
    xx = xx + b.xx;
    yy = yy + b.yy;
    zz = zz + b.zz;
    xy = xy + b.xy;
    xz = xz + b.xz;
    yz = yz + b.yz;
    return *this;
  }
};

using Symmetric3 = Symmetric3Of<double>;

template <class S>
VINCULUM_INLINE Symmetric3Of<S> operator+(const Symmetric3Of<S>& a, const Symmetric3Of<S>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class S>
VINCULUM_INLINE Symmetric3Of<S> operator-(const Symmetric3Of<S>& a, const Symmetric3Of<S>& b) {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
template <class S>
VINCULUM_INLINE Symmetric3Of<S> operator*(const std::type_identity_t<S>& f, const Symmetric3Of<S>& a) {
  return {f * a.xx, f * a.yy, f * a.zz, f * a.xy, f * a.xz, f * a.yz};
}
template <class S>
VINCULUM_INLINE Vector3Of<S> operator*(const Symmetric3Of<S>& m, const Vector3Of<S>& a) {
  return {multiply_add(m.xx, a.x, multiply_add(m.xy, a.y, m.xz * a.z)),  //
          multiply_add(m.xy, a.x, multiply_add(m.yy, a.y, m.yz * a.z)),  //
          multiply_add(m.xz, a.x, multiply_add(m.yz, a.y, m.zz * a.z))};
}

template <class S>
VINCULUM_INLINE Matrix3Of<S> to_matrix(const Symmetric3Of<S>& m) {
  return {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
}
// The upper triangle of a matrix known to be symmetric.
template <class S>
VINCULUM_INLINE Symmetric3Of<S> symmetric_part_of(const Matrix3Of<S>& m) {
  return {m.x.x, m.y.y, m.z.z, m.y.x, m.z.x, m.z.y};
}

// a aᵀ
template <class S>
VINCULUM_INLINE Symmetric3Of<S> outer(const Vector3Of<S>& a) {
  return {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
}
// a*a = E(a·a) - a aᵀ = -[a]×[a]× : the tensor of inertia of a unit mass at a           theory 2, (20)
template <class S>
VINCULUM_INLINE Symmetric3Of<S> star(const Vector3Of<S>& a) {
  const S xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
  return {yy + zz, xx + zz, xx + yy, -(a.x * a.y), -(a.x * a.z), -(a.y * a.z)};
}
// a*b = E(a·b) - b aᵀ = -[a]×[b]× : a × (w × b) = (a*b) w, a*b = (b*a)ᵀ; not symmetric                     theory 2, (20)(21)
template <class S>
inline Matrix3Of<S> star(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  const S xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {{yy + zz, -(a.x * b.y), -(a.x * b.z)}, {-(a.y * b.x), xx + zz, -(a.y * b.z)}, {-(a.z * b.x), -(a.z * b.y), xx + yy}};
}
// R M Rᵀ : for a rotation R, the same tensor in the outer axes
template <class S>
VINCULUM_INLINE Symmetric3Of<S> sandwich(const Matrix3Of<S>& R, const Symmetric3Of<S>& m) {
  const Vector3Of<S> x = R * Vector3Of<S>{m.xx, m.xy, m.xz}, y = R * Vector3Of<S>{m.xy, m.yy, m.yz},
                     z = R * Vector3Of<S>{m.xz, m.yz, m.zz};
  const auto entry = [&](const S& xi, const S& yi, const S& zi, const S& rx, const S& ry, const S& rz) {
    return multiply_add(xi, rx, multiply_add(yi, ry, zi * rz));
  };
  return {entry(x.x, y.x, z.x, R.x.x, R.y.x, R.z.x), entry(x.y, y.y, z.y, R.x.y, R.y.y, R.z.y),
          entry(x.z, y.z, z.z, R.x.z, R.y.z, R.z.z), entry(x.x, y.x, z.x, R.x.y, R.y.y, R.z.y),
          entry(x.x, y.x, z.x, R.x.z, R.y.z, R.z.z), entry(x.y, y.y, z.y, R.x.z, R.y.z, R.z.z)};
}

// The three principal values, ascending.
Vector3 eigenvalues(const Symmetric3& m);

// They and their axes, the columns of a rotation: m = axes · diag(values) · axesᵀ.
struct PrincipalValues {
  Vector3 values;
  Matrix3 axes;
};
PrincipalValues find_principal_values(const Symmetric3& m);

}  // namespace vinculum
