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

  const Vector3Of<Scalar>& column(int j) const { return j == 0 ? x : j == 1 ? y : z; }
  Vector3Of<Scalar>& column(int j) { return j == 0 ? x : j == 1 ? y : z; }
  const Scalar& operator()(int i, int j) const { return column(j)[i]; }
  Scalar& operator()(int i, int j) { return column(j)[i]; }

  Matrix3Of& operator+=(const Matrix3Of& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
};

using Matrix3 = Matrix3Of<double>;

inline constexpr Matrix3 kIdentity3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

template <class A, class B>
inline auto operator*(const Matrix3Of<A>& m, const Vector3Of<B>& a) {
  using R = decltype(A{} * B{});
  return Vector3Of<R>{m.x.x * a.x + m.y.x * a.y + m.z.x * a.z,   //
                      m.x.y * a.x + m.y.y * a.y + m.z.y * a.z,   //
                      m.x.z * a.x + m.y.z * a.y + m.z.z * a.z};
}
template <class A, class B>
inline auto operator*(const Matrix3Of<A>& a, const Matrix3Of<B>& b) {
  using R = decltype(A{} * B{});
  return Matrix3Of<R>{a * b.x, a * b.y, a * b.z};
}
template <class S>
inline Matrix3Of<S> operator+(const Matrix3Of<S>& a, const Matrix3Of<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
inline Matrix3Of<S> operator-(const Matrix3Of<S>& a, const Matrix3Of<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

// Mᵀ a without forming the transpose.
template <class A, class B>
inline auto transpose_times(const Matrix3Of<A>& m, const Vector3Of<B>& a) {
  using R = decltype(A{} * B{});
  return Vector3Of<R>{dot(m.x, a), dot(m.y, a), dot(m.z, a)};
}
template <class S>
inline Matrix3Of<S> transpose(const Matrix3Of<S>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

// [a]× : skew(a) b = a × b
template <class S>
inline Matrix3Of<S> skew(const Vector3Of<S>& a) {
  const S zero{};
  return {{zero, a.z, -a.y}, {-a.z, zero, a.x}, {a.y, -a.x, zero}};
}

inline double determinant(const Matrix3& m) { return dot(m.x, cross(m.y, m.z)); }

}  // namespace vinculum
