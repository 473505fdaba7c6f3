// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/spatial.h"
#include "vinculum/verdict/outcome.h"

namespace vinculum {

struct ForwardDynamics {
  std::vector<double> accelerations;   // v'
  std::vector<double> joint_forces;    // tau of the `joint:` laws, one a velocity
  std::vector<double> driving_forces;  // of each driven coordinate: what its drive adds to the `joint:` laws
  std::vector<Wrench> reactions_W;     // of each body: parent on child, with its drive; world axes, about the body origin
  int weakest_velocity = -1;           // the velocity with the smallest relative pivot,
  double weakest_ratio = 1;            // and that pivot; below 1e-14 the mass matrix counts as singular
};

// The motion under given forces: A v' + h = tau, by the articulated-body recursion, O(n). Driven coordinates accelerate by their
// law. Failure VN-RUN-002 if the mass matrix is singular: names the direction that has no inertia.
Outcome<ForwardDynamics> compute_forward_dynamics(const Model& model, const State& state, Workspace& workspace);

// The same for integrators: accelerations only, nothing allocated. False if they are not determined.
bool compute_accelerations(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> accelerations, Workspace& workspace);

// The velocity with the smallest relative pivot, as in ForwardDynamics, without the rest.
struct WeakestInertia {
  int velocity = -1;
  double ratio = 1;
};
WeakestInertia find_weakest_inertia(const Model& model, const State& state, Workspace& workspace);

}  // namespace vinculum
