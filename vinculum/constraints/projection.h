// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

class LoopSolver;  // dynamics/loops.h

struct Projection {
  State state;
  int iterations = 0;                 // of the position
  double position = 0, velocity = 0;  // largest residuals that are left
};

// Moves a state onto the constraints, mass-orthogonally: nothing that the constraints leave free is changed.    theory 1, section
// 8
//
//   q ⊕ dq ,  dq = -A⁻¹Dᵀ (D A⁻¹ Dᵀ)⁺ g      by Newton, only constraints with a gap: non-holonomic constraints have no position
//   v - A⁻¹Dᵀ (D A⁻¹ Dᵀ)⁺ (D v - F)
//
// The coordinates of the velocities `held` keep their values, and so do `held_velocities`. Failures VN-CONTACT-013 if no position
// is found, -130 if what is held leaves no velocity.
Outcome<Projection> project_state(const ConstraintSet& set, const State& start, Workspace& workspace,
                                  const std::vector<int>& held = {}, const std::vector<int>& held_velocities = {});

// The velocities alone, the position as it is. Failure VN-CONTACT-130.
std::optional<Failure> project_velocities(const ConstraintSet& set, State& state, Workspace& workspace,
                                          const std::vector<int>& held = {});

// A⁻¹Dᵀ (D A⁻¹ Dᵀ)⁺ r: the smallest change of v, in the sense of kinetic energy, with D change = r, or as near to it as dependent
// constraints allow.
Eigen::VectorXd smallest_change(const Cholesky& mass, const Eigen::MatrixXd& D, const Eigen::VectorXd& r);

// The same for a state that is on the constraints but for the error of one step of an integrator: in place, one or two Newton
// steps. False if it is not near enough.
bool keep_on_constraints(const ConstraintSet& set, State& state, Workspace& workspace, SparseConstraints* sparse = nullptr);

// The same where contacts only hold points.
bool keep_on_constraints(const Model& model, LoopSolver& loops, State& state, Workspace& workspace);

// q ⊕ N(q) dq, quaternions kept at unit length.
void move_coordinates(const Model& model, std::span<const double> dq, std::vector<double>& q);
inline void move_coordinates(const Model& model, const Eigen::VectorXd& dq, std::vector<double>& q) {
  move_coordinates(model, std::span<const double>(dq.data(), static_cast<size_t>(dq.size())), q);
}

}  // namespace vinculum
