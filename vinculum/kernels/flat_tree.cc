// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/kernels/flat_tree.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

namespace {

// What a direction may lean out of the plane [rad]: round-off of the rotations of a model file.
constexpr double kLean = 1e-15;

// The axis of the first joint that turns, on the ground: before it nothing turns.
std::optional<Vector3> find_normal(const Tree& tree) {
  const auto first = std::ranges::find(tree.links, LinkKind::revolute, &Link::kind);
  if (first == tree.links.end()) return std::nullopt;
  Vector3 axis = first->C.z;
  for (int link = first->parent; link != kGround; link = tree.links[link].parent) {
    if (tree.links[link].kind != LinkKind::fixed && tree.links[link].kind != LinkKind::prismatic) return std::nullopt;
    axis = tree.links[link].C * axis;
  }
  return axis;
}

// Right-handed axes with this normal; those of the world where it is one of them.
FlatAxes make_axes(const Vector3& normal) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = std::abs(normal[k]) < std::abs(normal[least]) ? k : least;
  Vector3 x;
  x[least] = 1;
  x = x - dot(x, normal) * normal;
  x = (1 / std::sqrt(dot(x, x))) * x;
  return {x, cross(normal, x), normal};
}

FlatAxes turn_back(const Matrix3& C, const FlatAxes& axes) {
  return {transpose_times(C, axes.x), transpose_times(C, axes.y), transpose_times(C, axes.normal)};
}

}  // namespace

std::optional<FlatTree> make_flat_tree(const Tree& tree) {
  const auto normal = find_normal(tree);
  if (!normal) return std::nullopt;
  FlatTree flat;
  flat.ground = make_axes(*normal);
  flat.gravity = flat.ground.see(tree.gravity);
  for (const Link& link : tree.links) {
    const FlatAxes& base = link.parent == kGround ? flat.ground : flat.links[link.parent].axes;
    FlatLink own;
    own.axes = turn_back(link.C, base);
    own.pole = base.see(link.p);
    const Vector3& n = own.axes.normal;
    switch (link.kind) {
      case LinkKind::fixed: break;
      case LinkKind::revolute:
        if (std::hypot(n.x, n.y) > kLean) return std::nullopt;
        own.sense = n.z > 0 ? 1 : -1;
        break;
      case LinkKind::prismatic:
        if (std::abs(n.z) > kLean) return std::nullopt;
        own.slides = true;
        own.direction = base.see(link.C.z);
        break;
      case LinkKind::screw:
      case LinkKind::spherical:
      case LinkKind::free: return std::nullopt;
    }
    own.mass = link.mass;
    own.s = own.axes.see(link.s);
    own.J = dot(n, link.J * n);
    flat.links.push_back(own);
  }
  return flat;
}

std::optional<std::vector<FlatLoop>> make_flat_loops(const FlatTree& flat, const std::vector<LoopRows>& loops) {
  if (loops.empty()) return std::nullopt;
  const auto axes_of = [&](int link) -> const FlatAxes& { return link == kGround ? flat.ground : flat.links[link].axes; };
  std::vector<FlatLoop> list;
  for (const LoopRows& rows : loops) {
    if (rows.kind != LoopRows::Kind::point) return std::nullopt;
    const FlatAxes& against = axes_of(rows.against);
    FlatLoop loop;
    loop.on = rows.on;
    loop.against = rows.against;
    loop.root_on = rows.root_on;
    loop.root_against = rows.root_against;
    loop.p_on = axes_of(rows.on).see(rows.p_on);
    loop.p_against = against.see(rows.p_against);
    size_t count = 0;
    for (int k = 0; k < 3; ++k) {
      if (!rows.active[k]) continue;
      const Vector3& axis = rows.force.column(k);
      if (count == FlatLoop::kMost || std::abs(dot(axis, against.normal)) > kLean) return std::nullopt;
      loop.active[count] = true;
      loop.slot[count] = k;
      loop.axes[count] = against.see(axis);
      ++count;
    }
    list.push_back(loop);
  }
  return list;
}

}  // namespace vinculum
