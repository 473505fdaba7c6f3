// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/rotation.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

double norm(const Quaternion& q) { return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z); }

Quaternion normalized(const Quaternion& q) {
  const double k = 1 / norm(q);
  return {k * q.w, k * q.x, k * q.y, k * q.z};
}

Quaternion to_quaternion(const Matrix3& r) {
  // Shepperd: divide by the largest of the four components, found from the diagonal.
  const double trace = r(0, 0) + r(1, 1) + r(2, 2);
  Quaternion q;
  if (trace >= std::max({r(0, 0), r(1, 1), r(2, 2)})) {
    q = {1 + trace, r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  } else if (r(0, 0) >= r(1, 1) && r(0, 0) >= r(2, 2)) {
    q = {r(2, 1) - r(1, 2), 1 + 2 * r(0, 0) - trace, r(0, 1) + r(1, 0), r(0, 2) + r(2, 0)};
  } else if (r(1, 1) >= r(2, 2)) {
    q = {r(0, 2) - r(2, 0), r(0, 1) + r(1, 0), 1 + 2 * r(1, 1) - trace, r(1, 2) + r(2, 1)};
  } else {
    q = {r(1, 0) - r(0, 1), r(0, 2) + r(2, 0), r(1, 2) + r(2, 1), 1 + 2 * r(2, 2) - trace};
  }
  q = normalized(q);
  const double first = q.w != 0 ? q.w : q.x != 0 ? q.x : q.y != 0 ? q.y : q.z;
  return first < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q;
}

Matrix3 rotation_about(const Vector3& u, double angle) { return rotation_about<double>(u, angle); }

Matrix3 rotation_from_rpy(double roll, double pitch, double yaw) {
  return rotation_about({0, 0, 1}, yaw) * rotation_about({0, 1, 0}, pitch) * rotation_about({1, 0, 0}, roll);
}

Matrix3 rotation_with_z_along(const Vector3& u) {
  if (u == Vector3{0, 0, 1}) return kIdentity3;
  if (u == Vector3{1, 0, 0}) return {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  if (u == Vector3{0, 1, 0}) return {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  // Start from the coordinate axis least along u.
  const double ax = std::abs(u.x), ay = std::abs(u.y), az = std::abs(u.z);
  const Vector3 start = ax <= ay && ax <= az ? Vector3{1, 0, 0} : ay <= az ? Vector3{0, 1, 0} : Vector3{0, 0, 1};
  const Vector3 across = cross(u, start);
  const Vector3 y = (1 / norm(across)) * across;
  return {cross(y, u), y, u};
}

}  // namespace vinculum
