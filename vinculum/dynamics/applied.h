// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"

namespace vinculum {

// Forces from outside the model, beside those of its own laws:
//
//   A v' + h = tau_laws + tau + Σ_b J_bᵀ F_b
//
// tau: one number a velocity, added to the `joint:` laws. F_b: one wrench a body, world axes, about the origin of its frame.
// Either may be empty: none.
struct Applied {
  std::span<const double> tau{};
  std::span<const Wrench> wrenches_W{};
};

// VN-RUN-147: as many numbers as the model has velocities and bodies, all finite.
std::optional<Failure> check_applied(const Model& model, const Applied& applied);

// The same laws with forces from outside. Sizes are those of the model (compute_forward_dynamics checks them, the others expect
// it). Inverse dynamics answers what else must act: tau is no part of it, the wrenches are.
Outcome<ForwardDynamics> compute_forward_dynamics(const Model& model, const State& state, Workspace& workspace,
                                                  const Applied& applied);
bool compute_accelerations(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> accelerations, Workspace& workspace, const Applied& applied);
InverseDynamics compute_inverse_dynamics(const Model& model, const State& state, std::span<const double> accelerations,
                                         Workspace& workspace, const Applied& applied);
void compute_forces(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                    std::span<const double> accelerations, std::span<double> forces, Workspace& workspace,
                    const Applied& applied);

// Slopes of v' and of the forces with forces from outside that stay as they are, world axes, while the mechanism moves.
std::optional<Failure> compute_forward_derivatives(const Model& model, const State& state, DerivativesWorkspace& workspace,
                                                   ForwardDerivatives& result, const Applied& applied);
std::optional<Failure> compute_inverse_derivatives(const Model& model, const State& state, std::span<const double> accelerations,
                                                   DerivativesWorkspace& workspace, InverseDerivatives& result,
                                                   const Applied& applied);

// While it lives, every law that is given this workspace has these forces: also those of constraints.
//
//   const AppliedScope scope(workspace, {.tau = tau});
//   const auto dynamics = compute_constrained_dynamics(set, state, workspace);
class AppliedScope {
 public:
  AppliedScope(Workspace& workspace, const Applied& applied);
  ~AppliedScope();
  AppliedScope(const AppliedScope&) = delete;
  AppliedScope& operator=(const AppliedScope&) = delete;

 private:
  Workspace& workspace_;
};

}  // namespace vinculum
