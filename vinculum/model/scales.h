// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/expression/units.h"

namespace vinculum {

class Model;
struct Row;
struct State;

// The model's own units: what counts as small is small beside these, so that a model and its enlargement move alike.
//
//   L = largest of radii of gyration, |mass centre|, |joint origin on a body|, points and radii of contacts, strings, guides
//   M = largest mass
//   a = largest of |gravity|, forces at the start / M, given accelerations        a L² ~ V² L where nothing else is known
//   V = largest of √(a L) and the velocities at the start                                                   theory 8, section 4.1
//
// Each is rounded to a power of two: a similarity by powers of two then changes no mantissa, and a run scaled so has the same
// bits.
struct Scales {
  double length = 1, mass = 1, velocity = 1, acceleration = 1;  // SI

  double time() const { return length / velocity; }
  double angular_velocity() const { return velocity / length; }
  double angular_acceleration() const { return acceleration / length; }
  double force() const { return mass * acceleration; }
  double energy() const { return mass * velocity * velocity; }
  // Of any quantity: L^i M^j T^k.
  double of(Dimension dimension) const;

  bool operator==(const Scales&) const = default;
};

// At a start; `span` [s] of the motion to come is used only if nothing else gives a time scale: 0 if there is none.
Scales find_scales(const Model& model, const State& start, double span = 0);

// In which a constraint's gap, its slip and its acceleration are measured: metres, or radians where its multiplier is a moment.
struct RowScales {
  double position = 1, velocity = 1, acceleration = 1;
};
RowScales scales_of(const Scales& scales, const Row& row);
RowScales scales_of(const Model& model, int row);  // by Row::index, in the model's own scales

// The scales of all coordinates (1 of angles and quaternions), and of all velocities.
std::vector<double> coordinate_scales(const Model& model, const Scales& scales);
std::vector<double> velocity_scales(const Model& model, const Scales& scales);

}  // namespace vinculum
