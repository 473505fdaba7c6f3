// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"

namespace vinculum {

// The constraint of a pair: the point of the face that carries stays on the plane of that face (face2 if none carries),
//
//   gap = nu·(r - r_0) = 0 ,   rate = nu·V = 0 ,   nu·V' = 0 ,      nu: normal of face2, minus the normal of face1   theory 5,
//   (A)
//
// so that the multiplier is the signed reaction n in both cases: positive on face2, negative on face1.
struct GuideRowAt {
  Vector3 point_W, direction_W;
  double gap = 0, rate = 0, given = 0, gamma = 0;
};
GuideRowAt compute_guide_row(const ConstraintSet& set, const ConstraintRows& rows, int pair);

// Can the body of a pair tilt against its faces, so that points on both faces do not lie opposite to each other any more? Judged
// by the velocities that all constraints allow at the initial state.
bool can_tilt(const ConstraintSet& set, const ConstraintRows& rows, int pair);

}  // namespace vinculum
