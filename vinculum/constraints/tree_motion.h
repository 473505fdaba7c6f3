// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/math/spatial.h"
#include "vinculum/model/model.h"

namespace vinculum {

// A frame in motion, world axes: what a contact needs to know of either of its sides.
struct FrameMotion {
  Matrix3 R = kIdentity3;
  Vector3 p;           // its origin
  Twist velocity;      // of the origin; angular
  Twist acceleration;  // of a frame on the tree: the part that is there without v', (Sᵀ)' v
};

// Every link of the tree, in its order:
//
//   w  = w_p + W                     W, X: the joint's own angular velocity and slide, world axes; r: from the base's pole
//   v  = v_p + w_p × r + X
//   w' = w_p' + w_p × W
//   a  = a_p + w_p' × r + w_p × (w_p × r) + 2 w_p × X                                            theory 2, section 5.2
std::vector<FrameMotion> compute_tree_motion(const Model& model, const State& state);

// The motion of a body's frame, from that of its link.
FrameMotion body_motion(const Body& body, std::span<const FrameMotion> links);

// A frame that moves on a carrier: place, velocity and acceleration of `on` are relative to the carrier, in its axes.
FrameMotion compose(const FrameMotion& carrier, const FrameMotion& on);

// The same motion as seen from the carrier, in its axes: the inverse of compose.
FrameMotion relative_to(const FrameMotion& carrier, const FrameMotion& frame);

// Adds to `row` what a wrench about `point` does on every velocity that moves link `on` against link `against` (kGround: against
// the world): row · v is the power of the wrench on `on` and of its opposite on `against`. The walk goes up the tree from both
// links to where their ways meet: the blocks S_k D_k - S_c D_c of theory 1, section 14, without what cancels.
//
// Returns |S_k|²: the squares of what six unit wrenches there would do. A row that is round-off beside it is not felt at all.
double add_wrench_row(const Model& model, std::span<const FrameMotion> links, int on, int against, const Vector3& point,
                      const Wrench& wrench, std::span<double> row);

}  // namespace vinculum
