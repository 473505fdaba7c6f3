// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "vinculum/strings/string_tree.h"

namespace vinculum {

// One body of any inertia on a string, turning as a whole.
struct BodyOnString {
  double mass = 0;
  Symmetric3 inertia{};  // J, central, body axes
  Vector3 arm;           // d: from the mass centre to the string's end, body axes
  double length = 0;     // p
  double gravity = 0;
};
// The body of a tree of one.
Outcome<BodyOnString> find_body_on_string(const Model& model, const std::vector<StringTree>& trees);

// A permanent rotation at the rate ω: the vertical n and the offset ρ of the mass centre from the axis are fixed in the body,
//   ω² n × (J n) = d × (m g n - m ω² ρ) ,   ρ + d⊥ = p m ω² ρ / √((m g)² + (m ω² |ρ|)²) ,   n·ρ = 0                theory 4,
//   section 9
struct PermanentRotation {
  Vector3 vertical, offset;  // n, ρ: body axes
  double angle = 0;          // of the string from the vertical
  double tension = 0;
  double tilt = 0;  // between the vertical and the nearest principal axis
};

// All that are found from starts spread over directions of the vertical and sizes of the offset, the largest n·(axis d) first;
// whether these are all is not proved.
std::vector<PermanentRotation> find_permanent_rotations(const BodyOnString& body, double rate);

// The one near a principal axis, from the first-order formula. None if Newton's method does not hold to it.
std::optional<PermanentRotation> find_rotation_near_axis(const BodyOnString& body, double rate);

// ---- balancing: where is the imbalance? --------------------------------------------------------------------------------

// The tilt measured at one speed: components of the upward vertical across the body's axis z, in the axes of the body.
struct MeasuredTilt {
  double rate = 0;
  double x = 0, y = 0;
};

// The body that fits best: the string's end off the principal axis z by (d_x, d_y), and the differences of the moments of inertia
// where they are asked for, by least squares of exact rotations. Standard deviations from the scatter of the measurements.
struct Imbalance {
  struct Value {
    double value = 0, deviation = 0;
  };
  Value d_x, d_y;  // [m]
  bool fits_inertia = false;
  Value difference_x, difference_y;              // J_z - J_x, J_z - J_y [kg m²]
  double scatter = 0;                            // of the measured components [1]
  bool has_scatter = false;                      // there are more measurements than unknowns
  std::vector<std::array<double, 2>> residuals;  // measured minus fitted, of every measurement
};
Outcome<Imbalance> find_imbalance(const BodyOnString& body, const std::vector<MeasuredTilt>& measured, bool fit_inertia);

}  // namespace vinculum
