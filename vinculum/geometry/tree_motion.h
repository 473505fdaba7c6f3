// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/kernels/frame_motion.h"
#include "vinculum/model/model.h"

namespace vinculum {

// Every link of the tree, in its order (kinematics.h).
std::vector<FrameMotion> compute_tree_motion(const Model& model, const State& state);

// The motion of a body's frame, from that of its link.
VINCULUM_INLINE FrameMotion body_motion(const Body& body, std::span<const FrameMotion> links) {
  FrameMotion motion = links[body.link];
  motion.R = motion.R * body.R_LB;
  return motion;
}

// A frame that moves on a carrier: place, velocity and acceleration of `on` are relative to the carrier, in its axes.
FrameMotion compose(const FrameMotion& carrier, const FrameMotion& on);

// The same motion as seen from the carrier, in its axes: the inverse of compose.
VINCULUM_INLINE FrameMotion relative_to(const FrameMotion& carrier, const FrameMotion& frame) {
  const Vector3 r = frame.p - carrier.p;
  const Vector3 &w = carrier.velocity.angular, &w_dot = carrier.acceleration.angular;
  const Vector3 carried = cross(w, r), slide = frame.velocity.linear - carrier.velocity.linear - carried;
  const Vector3 turn = frame.velocity.angular - w;
  FrameMotion motion;
  motion.R = transpose(carrier.R) * frame.R;
  motion.p = transpose_times(carrier.R, r);
  motion.velocity = {transpose_times(carrier.R, slide), transpose_times(carrier.R, turn)};
  motion.acceleration.linear = transpose_times(
      carrier.R, frame.acceleration.linear - carrier.acceleration.linear - cross(w_dot, r) - cross(w, carried + 2.0 * slide));
  motion.acceleration.angular = transpose_times(carrier.R, frame.acceleration.angular - w_dot - cross(w, turn));
  return motion;
}

// Adds to `row` what a wrench about `point` does on every velocity that moves link `on` against link `against` (kGround: against
// the world): row · v is the power of the wrench on `on` and of its opposite on `against`. The walk goes up the tree from both
// links to where their ways meet: the blocks S_k D_k - S_c D_c of theory 1, section 14, without what cancels.
//
// Returns |S_k|²: the squares of what six unit wrenches there would do. A row that is round-off beside it is not felt at all.
double add_wrench_row(const Model& model, std::span<const FrameMotion> links, int on, int against, const Vector3& point,
                      const Wrench& wrench, std::span<double> row);

}  // namespace vinculum
