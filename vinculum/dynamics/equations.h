// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "vinculum/dynamics/forward.h"

namespace vinculum {

// What the forms written for reading (vector_form.h, aggregate_form.h) share: the forces they are given, and the dense solution.

// Everything a model gives at a state besides gravity.
struct GivenForces {
  std::vector<Wrench> loads_W;               // of `body:` and `between:` forces on each body: world axes, about its origin
  std::vector<double> joint_forces;          // tau of the `joint:` laws, one a velocity
  std::vector<double> driven_accelerations;  // law'' of each driven coordinate
};

GivenForces compute_given_forces(const Model& model, const State& state, Workspace& workspace);
void compute_joint_forces(const Model& model, const State& state, Workspace& workspace, std::span<double> tau);  // these alone

// A v' + h = tau + D lambda: D picks the driven velocities, lambda are their driving forces.
struct Equations {
  Eigen::MatrixXd mass_matrix;  // A
  std::vector<double> bias;     // h: velocity terms, gravity and loads
};

// v' and lambda from [A, -D; Dᵀ, 0] (v'; lambda) = (tau - h; law''), the reactions left empty. D being columns of the unit
// matrix, the driven v' are put in and the rest is solved by Cholesky.
//
// Failures VN-RUN-002 (singular), VN-RUN-003 (a law without a finite value) as compute_forward_dynamics has them.
Outcome<ForwardDynamics> solve_equations(const Model& model, const State& state, const Equations& equations,
                                         const GivenForces& given);

}  // namespace vinculum
