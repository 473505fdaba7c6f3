// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace vinculum {

// Three components in some right-handed frame. The name of a variable tells the frame: p_AB_W, w_WB_B.
template <class Scalar>
struct Vector3Of {
  Scalar x{};
  Scalar y{};
  Scalar z{};

  Scalar& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const Scalar& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

  Vector3Of& operator+=(const Vector3Of& b) {
    x = x + b.x;
    y = y + b.y;
    z = z + b.z;
    return *this;
  }
  Vector3Of& operator-=(const Vector3Of& b) {
    x = x - b.x;
    y = y - b.y;
    z = z - b.z;
    return *this;
  }
};

using Vector3 = Vector3Of<double>;

template <class S>
inline Vector3Of<S> operator+(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
inline Vector3Of<S> operator-(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
inline Vector3Of<S> operator-(const Vector3Of<S>& a) {
  return {-a.x, -a.y, -a.z};
}
// The factor may be of another type than the components: a constant vector times a traced scalar, for example.
template <class F, class S, class R = decltype(F{} * S{})>
inline Vector3Of<R> operator*(const F& factor, const Vector3Of<S>& a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
template <class S>
inline bool operator==(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

template <class A, class B>
inline auto dot(const Vector3Of<A>& a, const Vector3Of<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
inline auto cross(const Vector3Of<A>& a, const Vector3Of<B>& b) {
  using R = decltype(A{} * B{});
  return Vector3Of<R>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double norm(const Vector3& a) { return std::sqrt(dot(a, a)); }

}  // namespace vinculum
