// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/geometry/swept_shape.h"

#include <algorithm>
#include <cmath>

#include "vinculum/math/visit.h"

namespace vinculum {

namespace {

Vector3 direction_of(const Vector3& a) { return (1 / norm(a)) * a; }

// A unit vector perpendicular to both: the horizontal one of a wheel's plane, where there is one.
Vector3 across(const Vector3& axis) {
  return direction_of(cross(axis, std::hypot(axis.x, axis.y) > 0.1 ? Vector3{0, 0, 1} : Vector3{1, 0, 0}));
}

// The axes of a plane, turned as little as possible to lie in another one.
void follow_plane(const Vector3& first, const Vector3& axis, Vector3& own_first, Vector3& own_second) {
  own_first = direction_of(first - dot(first, axis) * axis);
  own_second = cross(axis, own_first);
}

}  // namespace

Vector3 SweptShape::outward_at(double angle, double s) const {
  return std::cos(angle) * (first[0] + s * (first[1] - first[0])) + std::sin(angle) * (second[0] + s * (second[1] - second[0]));
}

bool may_be_reached_into(const Contact& contact) { return !contact.surface.is_plane && contact.is_round(); }

double radius_of(const Contact& contact) {
  return std::visit(
      Overloaded{[](const PointGeometry&) { return 0.0; }, [](const WheelGeometry& wheel) { return wheel.radius; },
                 [](const SphereGeometry& sphere) { return sphere.radius; }, [](const FrameGeometry&) { return 0.0; }},
      contact.geometry);
}

SweptShape place_shape(const Contact& contact, const Matrix3& R, const Vector3& x) {
  SweptShape shape;
  std::visit(Overloaded{[&](const WheelGeometry& wheel) {
                          shape.kind = SweptShape::Kind::wheel;
                          shape.radius = wheel.radius;
                          shape.center[0] = x + R * wheel.center;
                          const Vector3 axis = R * wheel.axis;
                          shape.first[0] = across(axis);
                          shape.second[0] = cross(axis, shape.first[0]);
                        },
                        [&](const SphereGeometry& sphere) {
                          shape.kind = SweptShape::Kind::sphere;
                          shape.radius = sphere.radius;
                          shape.center[0] = x + R * sphere.center;
                        },
                        [&](const PointGeometry& point) { shape.center[0] = x + R * point.point; },
                        [](const FrameGeometry&) {}},  // it is not searched for
             contact.geometry);
  shape.center[1] = shape.center[0];
  shape.first[1] = shape.first[0];
  shape.second[1] = shape.second[0];
  return shape;
}

SweptShape sweep_shape(const SweptShape& from, const SweptShape& to, std::span<const SweptShape> between) {
  SweptShape swept = from;
  swept.center[1] = to.center[0];
  const bool has_plane = from.kind == SweptShape::Kind::wheel;
  if (has_plane) follow_plane(from.first[0], cross(to.first[0], to.second[0]), swept.first[1], swept.second[1]);
  double farthest = 0;
  for (size_t k = 0; k < between.size(); ++k) {
    const double s = static_cast<double>(k + 1) / static_cast<double>(between.size() + 1);
    double away = norm(between[k].center[0] - swept.center_at(s));
    if (has_plane) {
      Vector3 first, second;
      follow_plane(from.first[0], cross(between[k].first[0], between[k].second[0]), first, second);
      away += from.radius * (norm(first - swept.outward_at(0, s)) + norm(second - swept.outward_at(M_PI / 2, s)));
    }
    farthest = std::max(farthest, away);
  }
  swept.doubt = 2 * farthest;
  return swept;
}

}  // namespace vinculum
