// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "vinculum/kernels/environment.h"
#include "vinculum/kernels/frame_motion.h"
#include "vinculum/model/model.h"

namespace vinculum {

// A face at a state, world axes.
struct FaceState {
  Vector3 point_W;
  Vector3 normal_W;  // into the body
  Vector3 slide_W;   // velocity of the point in the other body, within the face
  double spin = 0;   // turning of the body in the other one, about the normal [rad/s]
  Vector3 bias_W;    // acceleration of the point in the other body, as there is without v'
};

struct PairState {
  Vector3 pole_W;  // of the body
  std::array<Vector3, 2> in_face_W;
  std::array<FaceState, 2> faces;
  Vector3 forward_W;
  Twist given_W;  // of the other body, where it is moved by a law; about its origin
  Vector3 origin_W;
  double gap = 0, rate = 0, given = 0, gamma = 0;  // of face2's point against its plane
};

// `level`: where the plane of face2 stands along its normal, in the other body.
PairState compute_pair_state(const Model& model, const FacePair& pair, double level, std::span<const FrameMotion> links,
                             std::span<const EnvironmentMotion> environment);

// Planes pass through the points of the faces where the model file starts: the levels of face2, pair by pair, then of face1.
std::vector<double> compute_face_levels(const Model& model);

}  // namespace vinculum
