// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/dynamics/workspace.h"

namespace vinculum {

struct Energy {
  double kinetic = 0;  // [J]
  double potential =
      0;  // gravity (0 at the world origin), springs, joint laws in their own coordinate (0 at 0), constant world forces
  double size = 0;   // [J] sum of the terms of both, each without its sign: what their round-off is beside
  double power = 0;  // [W] of everything else but the drives of `motions`: E' = power + driving forces · velocities

  double total() const { return kinetic + potential; }
};

Energy compute_energy(const Model& model, const State& state, Workspace& workspace);

// Momentum of the whole system, world axes.
struct Momentum {
  double mass = 0;  // [kg]
  Vector3 center;   // of mass [m]; the origin if there is no mass
  Vector3 linear;   // [kg m/s]
  Vector3 angular;  // about the world origin [kg m²/s]
  Vector3 central;  // about the centre of mass
};

Momentum compute_momentum(const Model& model, const State& state, Workspace& workspace);

}  // namespace vinculum
