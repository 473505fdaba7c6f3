// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "vinculum/kernels/loop_rows.h"
#include "vinculum/math/vector2.h"
#include "vinculum/model/tree.h"

// Mechanisms of a plane: every joint turns about the same direction e or slides across it. What moves out of the plane does not
// move at all, so that a link is a turn, a place and three numbers of inertia, whatever axes the user gave to his bodies.
namespace vinculum {

// The axes of the plane as a link sees them: constants, since it turns about e only. At zero displacement of all joints they are
// parallel to the plane's own everywhere.
struct FlatAxes {
  Vector3 x, y, normal;  // x × y = normal

  VINCULUM_INLINE Vector2 see(const Vector3& a) const { return {dot(x, a), dot(y, a)}; }
};

struct FlatLink {
  double sense = 0;  // of a joint that turns: 1 about e, -1 against it; else 0
  bool slides = false;
  Vector2 pole;       // at zero displacement, on its base
  Vector2 direction;  // of a slide, on its base
  double mass = 0;
  Vector2 s;      // static moment about the origin
  double J = 0;   // moment of inertia about the normal through the origin
  FlatAxes axes;  // in the axes of the link
};

struct FlatTree {
  std::vector<FlatLink> links;  // as those of the tree
  FlatAxes ground;
  Vector2 gravity;
};

// A point of one link that stays on up to two axes of another: LoopRows::Kind::point in the plane.
struct FlatLoop {
  static constexpr int kMost = 2;
  int on = 0, against = kGround;
  int root_on = kGround, root_against = kGround;
  std::array<bool, kMost> active{};
  std::array<int, kMost> slot{};      // which of the three constraints it was
  Vector2 p_on, p_against;            // in the axes of the plane as each link carries them
  std::array<Vector2, kMost> axes{};  // zero if not active

  VINCULUM_INLINE static bool is_single() { return false; }
};

// None where something leaves the plane by more than round-off, or where there is no loop.
std::optional<FlatTree> make_flat_tree(const Tree& tree);
std::optional<std::vector<FlatLoop>> make_flat_loops(const FlatTree& flat, const std::vector<LoopRows>& loops);

}  // namespace vinculum
