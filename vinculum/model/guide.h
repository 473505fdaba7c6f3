// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "vinculum/model/anchor.h"
#include "vinculum/model/description.h"

namespace vinculum {

// One of the two faces of a pair: a point of the body, and the plane it slides on in the other one.
struct GuideFace {
  Vector3 point_B;
  Vector3 normal_A;  // unit, into the body
  double friction = 0;
  PadDescription pad;  // radius 0: a point
};

// Two opposite faces with a clearance so small that the motion is that of an ideal constraint; which of them carries the load
// decides the friction.                                                                                 theory 5, section 2
struct FacePair {
  std::string name;  // rail.1
  int guide = 0;     // index into description().guides
  int body = 0;
  Anchor with;
  std::array<GuideFace, 2> faces;
  // Sliding is forward or backward by its sign along this direction of the other body: mostly its x axis.
  Vector3 forward_A;
  int mode = -1;        // {face1, none, face2}
  int slide_mode = -1;  // {backward, rests, forward}

  bool rubs() const { return faces[0].friction > 0 || faces[1].friction > 0; }
};

// The values of the two modes.
inline constexpr int kFace1 = 0, kNoFace = 1, kFace2 = 2;
inline constexpr int kBackward = 0, kRests = 1, kForward = 2;

FacePair compile_pair(const GuideDescription& guide, int guide_index, int pair_index, int body, const Anchor& with);

}  // namespace vinculum
