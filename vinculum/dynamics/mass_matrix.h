// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <Eigen/Core>

#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// A(q): symmetric, order of the velocities. Memory O(n²).
Eigen::MatrixXd compute_mass_matrix(const Model& model, const State& state, Workspace& workspace);

// The same into a matrix that is there: nothing is allocated from the second call on.
void compute_mass_matrix(const Model& model, std::span<const double> q, Workspace& workspace, Eigen::MatrixXd& matrix);

// A direction in which the mass matrix has no inertia, or nearly none: its largest component is 1.
struct WeakDirection {
  double ratio = 0;  // smallest to largest eigenvalue of A scaled to a unit diagonal
  Eigen::VectorXd direction;
  std::string text;  // "top.wz", "arm' - 2 hand'"
};

// The weakest direction of a mass matrix. Scaling to a unit diagonal makes it independent of units.
WeakDirection find_weakest_direction(const Model& model, const Eigen::MatrixXd& mass_matrix);

}  // namespace vinculum
