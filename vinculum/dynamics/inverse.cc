// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/inverse.h"

#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/dynamics/reactions.h"

namespace vinculum {

void compute_forces(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                    std::span<const double> accelerations, std::span<double> forces, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  kernels().inverse_outward(model.tree(), q.data(), v.data(), accelerations.data(), memory.turns.data(), memory.motions.data(),
                            memory.wrenches.data());
  const Wrench* loads = compute_loads_on_links(model, t, q, v, memory);
  kernels().inverse_inward(model.tree(), memory.motions.data(), loads, memory.wrenches.data(), forces.data());
}

InverseDynamics compute_inverse_dynamics(const Model& model, const State& state, std::span<const double> accelerations,
                                         Workspace& workspace) {
  InverseDynamics result;
  result.forces.resize(accelerations.size());
  compute_forces(model, state.t, state.q, state.v, accelerations, result.forces, workspace);
  Workspace::Memory& memory = workspace.memory();
  kernels().see_from_world(model.tree(), state.v.data(), memory.motions.data(), memory.world.data());
  result.reactions_W = reactions_in_world(model, memory);
  return result;
}

}  // namespace vinculum
