// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/forward.h"

#include <algorithm>
#include <cmath>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/memory.h"

namespace vinculum {

namespace {

// The first velocity without inertia, or -1. Written so that a NaN counts as none.
int find_singular_pivot(const std::vector<Pivot<double>>& pivots) {
  for (size_t i = 0; i < pivots.size(); ++i) {
    if (!(pivots[i].value > kNoInertia * pivots[i].scale)) return static_cast<int>(i);
  }
  return -1;
}

WeakestInertia find_weakest_pivot(const std::vector<Pivot<double>>& pivots) {
  WeakestInertia weakest;
  for (size_t i = 0; i < pivots.size(); ++i) {
    const double ratio = pivots[i].value / pivots[i].scale;
    if (ratio < weakest.ratio) weakest = {static_cast<int>(i), ratio};
  }
  return weakest;
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

// Loads, given accelerations of driven coordinates, and the recursion; results stay in the memory.
void run_forward_law(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                     Workspace::Memory& memory) {
  kernels().move(model.tree(), q.data(), v.data(), memory.turns.data(), memory.motions.data());
  const Wrench* loads = compute_loads_on_links(model, t, q, v, memory);
  compute_joint_laws(model, t, q, v, memory);
  compute_driven_accelerations(model, t, memory);
  kernels().forward(model.tree(), loads, memory.tau.data(), memory.vdot.data(), memory.pivots.data(), memory.motions.data(),
                    memory.responses.data(), memory.slots.data());
}

Failure singular_failure(const Model& model, const State& state, int velocity, Workspace& workspace) {
  // The direction takes an eigenvalue problem: only where its size allows. The pivot's velocity is always known.
  constexpr int kLargest = 600;
  std::string direction = model.velocity_names()[velocity];
  if (model.tree().velocities <= kLargest) {
    const WeakDirection weak = find_weakest_direction(model, compute_mass_matrix(model, state, workspace));
    if (weak.ratio < 1e-12) direction = weak.text;
  }
  return singular_mass_matrix(direction);
}

}  // namespace

Outcome<ForwardDynamics> compute_forward_dynamics(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  run_forward_law(model, state.t, state.q, state.v, memory);
  if (const int velocity = find_singular_pivot(memory.pivots); velocity >= 0)
    return singular_failure(model, state, velocity, workspace);

  ForwardDynamics result;
  result.accelerations = memory.vdot;
  if (!all_finite(result.accelerations)) return explain_no_value(model, state);
  const WeakestInertia weakest = find_weakest_pivot(memory.pivots);
  result.weakest_velocity = weakest.velocity;
  result.weakest_ratio = weakest.ratio;

  // The reactions of the motion found, and with them the forces of the drives.
  InverseDynamics inverse = compute_inverse_dynamics(model, state, result.accelerations, workspace);
  result.reactions_W = std::move(inverse.reactions_W);
  result.joint_forces = memory.tau;
  for (const DrivenCoordinate& driven : model.driven())
    result.driving_forces.push_back(inverse.forces[driven.v] - result.joint_forces[driven.v]);
  return result;
}

bool compute_accelerations(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> accelerations, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  run_forward_law(model, t, q, v, memory);
  std::copy(memory.vdot.begin(), memory.vdot.end(), accelerations.begin());
  return find_singular_pivot(memory.pivots) < 0 && all_finite(accelerations);
}

WeakestInertia find_weakest_inertia(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  run_forward_law(model, state.t, state.q, state.v, memory);
  return find_weakest_pivot(memory.pivots);
}

}  // namespace vinculum
