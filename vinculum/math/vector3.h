// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <type_traits>

#include "vinculum/math/scalar.h"

namespace vinculum {

// Three components in some right-handed frame. The name of a variable gives the frame: p_AB_W, w_WB_B.
template <class Scalar>
struct Vector3Of {
  Scalar x{};
  Scalar y{};
  Scalar z{};

  VINCULUM_INLINE Scalar& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  VINCULUM_INLINE const Scalar& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

  VINCULUM_INLINE Vector3Of& operator+=(const Vector3Of& b) {
    x = x + b.x;
    y = y + b.y;
    z = z + b.z;
    return *this;
  }
  VINCULUM_INLINE Vector3Of& operator-=(const Vector3Of& b) {
    x = x - b.x;
    y = y - b.y;
    z = z - b.z;
    return *this;
  }
};

using Vector3 = Vector3Of<double>;

template <class S>
VINCULUM_INLINE Vector3Of<S> operator+(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
VINCULUM_INLINE Vector3Of<S> operator-(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
VINCULUM_INLINE Vector3Of<S> operator-(const Vector3Of<S>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class S>
VINCULUM_INLINE Vector3Of<S> operator*(const std::type_identity_t<S>& factor, const Vector3Of<S>& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
template <class S>
VINCULUM_INLINE bool operator==(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

template <class S>
VINCULUM_INLINE S dot(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return multiply_add(a.x, b.x, multiply_add(a.y, b.y, a.z * b.z));
}
template <class S>
VINCULUM_INLINE Vector3Of<S> cross(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return {multiply_add(a.y, b.z, -(a.z * b.y)), multiply_add(a.z, b.x, -(a.x * b.z)), multiply_add(a.x, b.y, -(a.y * b.x))};
}
// c + factor a
template <class S>
VINCULUM_INLINE Vector3Of<S> multiply_add(const S& factor, const Vector3Of<S>& a, const Vector3Of<S>& c) {
  return {multiply_add(factor, a.x, c.x), multiply_add(factor, a.y, c.y), multiply_add(factor, a.z, c.z)};
}

VINCULUM_INLINE double norm(const Vector3& a) { return std::sqrt(dot(a, a)); }

}  // namespace vinculum
