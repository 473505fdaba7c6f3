// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/matrix3.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

// Where a body B is and how it moves, world axes.
struct BodyMotion {
  Matrix3 R_WB;
  Vector3 p_WB;  // its origin
  Twist V_WB_W;  // velocity of the origin; angular velocity
};

// A frame in motion, world axes: what a contact needs to know of either of its sides.
struct FrameMotion {
  Matrix3 R = kIdentity3;
  Vector3 p;           // its origin
  Twist velocity;      // of the origin; angular
  Twist acceleration;  // of a frame on the tree: the part that is there without v', (Sᵀ)' v
};

}  // namespace vinculum
