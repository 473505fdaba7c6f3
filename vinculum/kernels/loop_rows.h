// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "vinculum/math/spatial.h"
#include "vinculum/model/tree.h"

namespace vinculum {

// Up to three constraints on the motion of link `on` against link `against` (kGround: the world).
//
//   ball:      a point of the one stays at a point of the other; constraints along the world's axes
//   point:     a point of the one leaves its place in the other only along axes that are not active; axes fixed in `against`
//   wrenches:  row i is  force_i · (velocity of the point) + moment_i · (angular velocity)  of `on`, less that of `against`
//   drive:     constraint 0 is a velocity of `on` itself
//
// What the first two owe to q and v is known from the tree; the other two are reported by whoever wrote them, `target`.
struct LoopRows {
  enum class Kind { ball, point, wrenches, drive };
  static constexpr int kMost = 3;

  Kind kind = Kind::ball;
  int on = 0;
  int against = kGround;
  int root_on = kGround, root_against = kGround;     // of the trees they belong to
  int velocity = -1;                                 // of a drive
  std::array<bool, kMost> active{true, true, true};  // what is not active forbids nothing
  Vector3 p_on, p_against;                           // the point, in the axes of each link
  Matrix3 force, moment;  // columns; of a point the axes, in those of `against`; of wrenches in the world's; zero if not active
  Vector3 target;         // constraint · v'

  bool is_single() const { return kind == Kind::drive; }
};

// A row is felt by no joint if what all velocities do on it is below this part of what they would do if nothing cancelled: it is
// round-off.
inline constexpr double kNotFelt = 1e-12;

// What is asked of the constraints.
enum class LoopTask {
  forces,   // v' under forces: constraint · v' as the motion demands
  targets,  // a change of v at rest: constraint · change = target
  back,     // a change that leads back: of q where gaps are left, row · change = -gap; else of v, row · change = -rate
};

}  // namespace vinculum
