// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "vinculum/math/spatial.h"
#include "vinculum/model/tree.h"

namespace vinculum {

// Up to three rows on the motion of link `on` against link `against` (kGround: the world).
//
//   ball:      a point of the one stays at a point of the other; what its acceleration owes to v is known from the tree
//   wrenches:  row i is  force_i · (velocity of the point) + moment_i · (angular velocity)  of `on`, less that of `against`
//   drive:     row 0 is a velocity of `on` itself
struct LoopRows {
  enum class Kind { ball, wrenches, drive };

  Kind kind = Kind::ball;
  int on = 0;
  int against = kGround;
  int velocity = -1;                             // of a drive
  std::array<bool, 3> active{true, true, true};  // what is not active forbids nothing
  Vector3 p_on, p_against;                       // the point, in the axes of each link
  Matrix3 force, moment;                         // columns, world axes: of active wrenches; others are zero
  Vector3 target;                                // row · v' ; a ball has its own
};

}  // namespace vinculum
