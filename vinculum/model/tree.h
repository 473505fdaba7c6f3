// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "vinculum/math/rotation.h"
#include "vinculum/math/symmetric3.h"

namespace vinculum {

// How a link moves on its base. A joint with several elementary motions is a chain of massless links, one a motion; only the last
// one is the user's body (theory 2, section 1).
enum class LinkKind : std::uint8_t { fixed, revolute, prismatic, screw, spherical, free };

inline constexpr int kGround = -1;

// One element of the recursion. Its frame L has its origin at the body origin and, if it has an axis, z along
// it. So all axes are treated alike, and a revolute link is a rotation about z whatever the user's axis.
//
//   R_PL = C Rz(q)   p_PL = p                     revolute
//   R_PL = C         p_PL = p + C z q             prismatic
//   R_PL = C Rz(q)   p_PL = p + C z pitch q       screw
//   R_PL = C Rot(Q)  p_PL = p                     spherical
//   R_PL = C Rot(Q)  p_PL = p + C x               free: x, Q its coordinates
//
// Constants are numbers, or packs where each lane is a mechanism of its own.
template <class Constant>
struct LinkOf {
  int parent = kGround;
  LinkKind kind = LinkKind::fixed;
  bool driven = false;        // its motion is given: the force is the unknown
  bool first_on_base = true;  // inward, the first of all that stand on its base
  int q = 0;                  // its first coordinate
  int v = 0;                  // its first velocity
  int slot = -1;              // where the inward sweep sums up what stands on it; -1: nothing does
  Constant pitch{};           // screw [m/rad]
  Matrix3Of<Constant> C{};    // L at zero displacement, in the axes of the base link
  Vector3Of<Constant> p;      // origin at zero displacement, in the base link
  Constant mass{};            // own: m_0, s, J_o of theory 2, section 1
  Vector3Of<Constant> s;      // static moment about the origin, axes L
  Symmetric3Of<Constant> J;   // tensor of inertia about the origin, axes L
};

using Link = LinkOf<double>;

// What all need to know of a kind of link. First come the velocities that are rates of lengths; a ball is last, three angular
// velocities and a quaternion.
struct LinkTraits {
  int coordinates = 0, velocities = 0;
  int lengths = 0;             // of its velocities
  bool turns_about_z = false;  // by its only velocity
  bool slides = false;         // its body origin moves on its base
  bool is_ball = false;
};
inline constexpr LinkTraits traits_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::fixed: return {};
    case LinkKind::revolute: return {.coordinates = 1, .velocities = 1, .turns_about_z = true};
    case LinkKind::prismatic: return {.coordinates = 1, .velocities = 1, .lengths = 1, .slides = true};
    case LinkKind::screw: return {.coordinates = 1, .velocities = 1, .turns_about_z = true, .slides = true};
    case LinkKind::spherical: return {.coordinates = 4, .velocities = 3, .is_ball = true};
    case LinkKind::free: return {.coordinates = 7, .velocities = 6, .lengths = 3, .slides = true, .is_ball = true};
  }
  return {};
}
inline constexpr int coordinate_count(LinkKind kind) { return traits_of(kind).coordinates; }
inline constexpr int velocity_count(LinkKind kind) { return traits_of(kind).velocities; }

// A chain of links, each on the one before, that ends with a given link: its velocities are numbered without a gap.
struct LinkRow {
  int first_velocity = 0;
  int base = kGround;  // the link that carries the chain
};

// The recursion's view of a model: links, parents before children.
struct Tree {
  std::vector<Link> links;
  std::vector<LinkRow> rows;  // the longest that ends with each link
  int coordinates = 0;
  int velocities = 0;
  int slots = 0;
  Vector3 gravity;
};

}  // namespace vinculum
