// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/matrix3.h"
#include "vinculum/math/sincos.h"

namespace vinculum {

// A unit quaternion, order w x y z: Q_AB turns components in B into components in A.
template <class Scalar>
struct QuaternionOf {
  Scalar w{};
  Scalar x{};
  Scalar y{};
  Scalar z{};
};

using Quaternion = QuaternionOf<double>;

template <class S>
VINCULUM_INLINE QuaternionOf<S> operator*(const QuaternionOf<S>& a, const QuaternionOf<S>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// The rotation of Q/|Q|. Dividing by |Q|² keeps R orthogonal while an integrator's quaternion is off the unit sphere by
// its local error.
template <class S>
VINCULUM_INLINE Matrix3Of<S> to_rotation(const QuaternionOf<S>& q) {
  const S one = lift<S>(1), two = lift<S>(2);
  const S k = two / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const S xx = k * q.x * q.x, yy = k * q.y * q.y, zz = k * q.z * q.z;
  const S xy = k * q.x * q.y, xz = k * q.x * q.z, yz = k * q.y * q.z;
  const S wx = k * q.w * q.x, wy = k * q.w * q.y, wz = k * q.w * q.z;
  return {{one - (yy + zz), xy + wz, xz - wy}, {xy - wz, one - (xx + zz), yz + wx}, {xz + wy, yz - wx, one - (xx + yy)}};
}

// Q' = ½ Q ∘ (0, w), w = angular velocity in the turning axes                            theory 2, section 1
template <class S>
VINCULUM_INLINE QuaternionOf<S> quaternion_rate(const QuaternionOf<S>& q, const Vector3Of<S>& w) {
  const S half = lift<S>(0.5);
  return {half * (-(q.x * w.x) - q.y * w.y - q.z * w.z), half * (q.w * w.x + q.y * w.z - q.z * w.y),
          half * (q.w * w.y + q.z * w.x - q.x * w.z), half * (q.w * w.z + q.x * w.y - q.y * w.x)};
}

double norm(const Quaternion& q);
Quaternion normalized(const Quaternion& q);

// The quaternion of a rotation, with w >= 0 (and the first non-zero component positive where w = 0).
Quaternion to_quaternion(const Matrix3& rotation);

// Rodrigues: R = c E + s [u]× + (1 - c) u uᵀ, u a unit vector
template <class S>
VINCULUM_INLINE Matrix3Of<S> rotation_about(const Vector3Of<S>& u, const std::type_identity_t<S>& angle) {
  const auto [s, c] = sincos(angle);
  const S k = lift<S>(1) - c;
  return {{c + k * u.x * u.x, k * u.x * u.y + s * u.z, k * u.x * u.z - s * u.y},
          {k * u.x * u.y - s * u.z, c + k * u.y * u.y, k * u.y * u.z + s * u.x},
          {k * u.x * u.z + s * u.y, k * u.y * u.z - s * u.x, c + k * u.z * u.z}};
}
Matrix3 rotation_about(const Vector3& unit_axis, double angle);

// R = Rz(yaw) Ry(pitch) Rx(roll), the convention of URDF.
Matrix3 rotation_from_rpy(double roll, double pitch, double yaw);

// A rotation whose third column is the given unit vector; a cyclic permutation for x, y and z, so that they stay exact.
Matrix3 rotation_with_z_along(const Vector3& unit_axis);

}  // namespace vinculum
