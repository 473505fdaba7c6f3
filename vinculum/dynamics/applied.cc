// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/applied.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/memory.h"

namespace vinculum {

std::optional<Failure> check_applied(const Model& model, const Applied& applied) {
  const auto refuse = [](std::string what) {
    return Failure{"VN-RUN-147", "the forces from outside do not fit the model: " + what,
                   "tau has one number a velocity, wrenches_W one wrench a body; leave out what does not act"};
  };
  const size_t velocities = model.velocity_names().size(), bodies = model.bodies().size();
  if (!applied.tau.empty() && applied.tau.size() != velocities)
    return refuse(fmt::format("tau has {} numbers, and there are {} velocities", applied.tau.size(), velocities));
  if (!applied.wrenches_W.empty() && applied.wrenches_W.size() != bodies)
    return refuse(fmt::format("there are {} wrenches, and {} bodies", applied.wrenches_W.size(), bodies));
  for (size_t i = 0; i < applied.tau.size(); ++i) {
    if (!std::isfinite(applied.tau[i])) return refuse(fmt::format("tau of {} is not finite", model.velocity_names()[i]));
  }
  for (size_t i = 0; i < applied.wrenches_W.size(); ++i) {
    const Wrench& wrench = applied.wrenches_W[i];
    if (!std::isfinite(norm(wrench.force) + norm(wrench.moment)))
      return refuse(fmt::format("the wrench on '{}' is not finite", model.bodies()[i].name));
  }
  return std::nullopt;
}

AppliedScope::AppliedScope(Workspace& workspace, const Applied& applied) : workspace_(workspace) {
  workspace.memory().applied = applied;
}
AppliedScope::~AppliedScope() { workspace_.memory().applied = {}; }

Outcome<ForwardDynamics> compute_forward_dynamics(const Model& model, const State& state, Workspace& workspace,
                                                  const Applied& applied) {
  if (auto refusal = check_applied(model, applied)) return *refusal;
  const AppliedScope scope(workspace, applied);
  return compute_forward_dynamics(model, state, workspace);
}

bool compute_accelerations(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> accelerations, Workspace& workspace, const Applied& applied) {
  const AppliedScope scope(workspace, applied);
  return compute_accelerations(model, t, q, v, accelerations, workspace);
}

InverseDynamics compute_inverse_dynamics(const Model& model, const State& state, std::span<const double> accelerations,
                                         Workspace& workspace, const Applied& applied) {
  const AppliedScope scope(workspace, applied);
  return compute_inverse_dynamics(model, state, accelerations, workspace);
}

void compute_forces(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                    std::span<const double> accelerations, std::span<double> forces, Workspace& workspace,
                    const Applied& applied) {
  const AppliedScope scope(workspace, applied);
  compute_forces(model, t, q, v, accelerations, forces, workspace);
}

std::optional<Failure> compute_forward_derivatives(const Model& model, const State& state, DerivativesWorkspace& workspace,
                                                   ForwardDerivatives& result, const Applied& applied) {
  if (auto refusal = check_applied(model, applied)) return refusal;
  const AppliedScope scope(workspace.links(), applied);
  return compute_forward_derivatives(model, state, workspace, result);
}

std::optional<Failure> compute_inverse_derivatives(const Model& model, const State& state, std::span<const double> accelerations,
                                                   DerivativesWorkspace& workspace, InverseDerivatives& result,
                                                   const Applied& applied) {
  if (auto refusal = check_applied(model, applied)) return refusal;
  const AppliedScope scope(workspace.links(), applied);
  return compute_inverse_derivatives(model, state, accelerations, workspace, result);
}

}  // namespace vinculum
