// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vinculum/page/report.h"

namespace vinculum {

// shape: the user's; inertia: in its place; rod: from a body's pole to what hangs on the body; joint: what a joint turns about or
// slides on.
enum class DrawnRole { shape, inertia, rod, joint };

// Triangles, by their index in Drawing::meshes.
struct DrawnMesh {
  int mesh = 0;
  double scale = 1;
};

// A solid fixed in the frame of a body, or of the world.
struct DrawnSolid {
  std::variant<Box, Cylinder, Sphere, Capsule, DrawnMesh> form;
  DrawnRole role = DrawnRole::shape;
  Vector3 position{};
  Matrix3 rotation = kIdentity3;
  std::string color{};  // "#rrggbb"; empty: chosen by the page
};

// A string or a spring.
struct DrawnLine {
  std::string name;
  bool is_spring = false;
  Anchor from, to;
  double length = 0;  // [m] of a string
};

// The part of an environment body's surface below the motion: heights over a grid of its own x and y, x fastest; NaN where the
// surface has none.
struct DrawnSurface {
  std::array<double, 2> x{}, y{};
  int columns = 0, rows = 0;
  std::vector<float> heights;
};

// What is drawn of a model in motion.
struct Drawing {
  std::vector<DrawnSolid> world;
  std::vector<std::vector<DrawnSolid>> bodies;
  std::vector<std::optional<DrawnSurface>> environment;
  std::vector<DrawnLine> lines;
  std::vector<std::vector<float>> meshes;  // nine numbers a triangle
  std::vector<std::string> warnings;       // what could not be drawn as asked
};

Drawing draw_model(const Model& model, const Report& report);

// The homogeneous box that has the mass and the inertia of a body:  a² = 6 (I₂ + I₃ - I₁) / m  along the axis of I₁, and so on.
struct InertiaBox {
  Box box;
  Matrix3 rotation;  // of the principal axes in the body's
};
InertiaBox equal_inertia_box(double mass, const Symmetric3& inertia);

// The homogeneous cylinder about its z axis that has them, where two principal moments are equal and the third, C, is another:
//   r² = 2 C / m ,   l² = 12 A / m - 3 r²
// A top, a wheel, a thin rod. None for other bodies.
struct InertiaCylinder {
  Cylinder cylinder;
  Matrix3 rotation;
};
std::optional<InertiaCylinder> equal_inertia_cylinder(double mass, const Symmetric3& inertia);

}  // namespace vinculum
