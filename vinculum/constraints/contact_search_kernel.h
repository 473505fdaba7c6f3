// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/constraints/contact_geometry_kernel.h"

// Where on the whole of a wheel or a sphere the surface is near: what Newton's method starts from if its first guess, the foot
// below the centre, does not lead to the contact; and how far the two are apart.                          theory 6, section 3.5
namespace vinculum {

// A point of the rim that is lower than those beside it.
struct RimStart {
  Vector3 outward;    // unit vector from the centre, in the axes of the carrier
  double height = 0;  // above the surface, perpendicular to it, to first order
};

// All of them, lowest first: the local minima of a net of 64 points of the rim, each then followed downhill.
std::vector<RimStart> list_rim_starts(const SurfaceLaw& surface, const Vector3& center, const Vector3& axis, double radius);

// A point of the surface that is nearer to the centre of a sphere than those beside it.
struct FootStart {
  double x = 0, y = 0;
  double distance = 0;
};

// All of them within the reach of the point below the centre, beyond which none is nearer than that, nearest first: the local
// minima of a net of 17 x 17 points, each then followed downhill. Empty: the surface has no value anywhere there.
std::vector<FootStart> list_foot_starts(const SurfaceLaw& surface, const Vector3& center, double radius);

// How far a wheel or a sphere is above the surface, negative where it reaches in: of all its points the lowest. Continuous in the
// place of the body, and zero where it touches.
double compute_least_gap(const Contact& contact, const BodyInCarrier<double>& body);

}  // namespace vinculum
