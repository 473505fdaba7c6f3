// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/vector3.h"

namespace vinculum {

// A general 3x3 matrix by columns. Rotations R_AB are kept as such: columns are the axes of B in A.
template <class Scalar>
struct Matrix3Of {
  Vector3Of<Scalar> x;  // first column
  Vector3Of<Scalar> y;
  Vector3Of<Scalar> z;

  VINCULUM_INLINE const Vector3Of<Scalar>& column(int j) const { return j == 0 ? x : j == 1 ? y : z; }
  VINCULUM_INLINE Vector3Of<Scalar>& column(int j) { return j == 0 ? x : j == 1 ? y : z; }
  VINCULUM_INLINE const Scalar& operator()(int i, int j) const { return column(j)[i]; }
  VINCULUM_INLINE Scalar& operator()(int i, int j) { return column(j)[i]; }

  VINCULUM_INLINE Matrix3Of& operator+=(const Matrix3Of& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
};

using Matrix3 = Matrix3Of<double>;

inline constexpr Matrix3 kIdentity3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

template <class S>
VINCULUM_INLINE Vector3Of<S> operator*(const Matrix3Of<S>& m, const Vector3Of<S>& a) {
  return multiply_add(a.x, m.x, multiply_add(a.y, m.y, a.z * m.z));
}
template <class S>
VINCULUM_INLINE Matrix3Of<S> operator*(const Matrix3Of<S>& a, const Matrix3Of<S>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class S>
VINCULUM_INLINE Matrix3Of<S> operator+(const Matrix3Of<S>& a, const Matrix3Of<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
VINCULUM_INLINE Matrix3Of<S> operator-(const Matrix3Of<S>& a, const Matrix3Of<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

// Mᵀ a without forming the transpose.
template <class S>
VINCULUM_INLINE Vector3Of<S> transpose_times(const Matrix3Of<S>& m, const Vector3Of<S>& a) {
  return {dot(m.x, a), dot(m.y, a), dot(m.z, a)};
}
template <class S>
VINCULUM_INLINE Matrix3Of<S> transpose(const Matrix3Of<S>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

// [a]× : skew(a) b = a × b
template <class S>
VINCULUM_INLINE Matrix3Of<S> skew(const Vector3Of<S>& a) {
  const S zero{};
  return {{zero, a.z, -a.y}, {-a.z, zero, a.x}, {a.y, -a.x, zero}};
}

VINCULUM_INLINE double determinant(const Matrix3& m) { return dot(m.x, cross(m.y, m.z)); }

}  // namespace vinculum
