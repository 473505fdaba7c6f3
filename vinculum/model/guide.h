// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

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

// The values of the two modes. A pair rests where nothing moves at all; it sticks where other bodies move on.
inline constexpr int kFace1 = 0, kNoFace = 1, kFace2 = 2;
inline constexpr int kBackward = 0, kRests = 1, kForward = 2, kSticks = 3;

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
  std::array<Vector3, 2> in_face_A;  // unit, at right angles: the directions of its two constraints while it sticks
  int mode = -1;                     // {face1, none, face2}
  int slide_mode = -1;               // {backward, rests, forward, sticks}

  bool rubs() const { return faces[0].friction > 0 || faces[1].friction > 0; }
  // A face with friction that is a point: its sense of sliding is a mode.
  bool rubs_as_point() const {
    return (faces[0].friction > 0 && faces[0].pad.radius == 0) || (faces[1].friction > 0 && faces[1].pad.radius == 0);
  }
  bool sticks(const std::vector<int>& modes) const { return slide_mode >= 0 && modes[slide_mode] == kSticks; }
};

FacePair compile_pair(const GuideDescription& guide, int guide_index, int pair_index, int body, const Anchor& with);

}  // namespace vinculum
