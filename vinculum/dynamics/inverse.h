// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/spatial.h"

namespace vinculum {

struct InverseDynamics {
  std::vector<double> forces;       // A v' + h, one a velocity: what drives (or `joint:` laws) must supply
  std::vector<Wrench> reactions_W;  // of each body: parent on child, with its drive; world axes, about the body origin
};

// Forces for a motion: h holds gravity, velocity terms, `body:` and `between:` forces.                          theory 2, section
// 3
InverseDynamics compute_inverse_dynamics(const Model& model, const State& state, std::span<const double> accelerations,
                                         Workspace& workspace);

// The forces alone, for controllers and optimisers: nothing is allocated.
void compute_forces(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                    std::span<const double> accelerations, std::span<double> forces, Workspace& workspace);

}  // namespace vinculum
