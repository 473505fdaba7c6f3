// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "vinculum/math/matrix3.h"
#include "vinculum/model/contact.h"

namespace vinculum {

// What a contact touches with, in the axes of the surface, while it goes straight on from s = 0 to s = 1; or at rest, both ends
// the same.
struct SweptShape {
  enum class Kind { point, wheel, sphere };
  Kind kind = Kind::point;
  double radius = 0;
  std::array<Vector3, 2> center;         // of a point: itself
  std::array<Vector3, 2> first, second;  // wheel: its rim is at center + radius (cos θ first + sin θ second)
  double doubt = 0;                      // [m] how far any of its points may be from there

  Vector3 center_at(double s) const { return center[0] + s * (center[1] - center[0]); }
  Vector3 outward_at(double angle, double s) const;  // unit vector of a wheel to its rim
};

// A sphere or a wheel on a curved surface: another part of the surface than where it touches may reach into it.
bool may_be_reached_into(const Contact& contact);

// Of a wheel or a sphere; 0 of a point.
double radius_of(const Contact& contact);

// Of the contact with axes R and origin x of its body in those of the surface. Frames have none: they touch nothing.
SweptShape place_shape(const Contact& contact, const Matrix3& R, const Vector3& x);

// From one place to another one, seen also at places between: twice the largest distance of these from the straight way is the
// doubt. Both ends of a wheel's plane are followed without turning about its axis.
SweptShape sweep_shape(const SweptShape& from, const SweptShape& to, std::span<const SweptShape> between);

}  // namespace vinculum
