// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/inverse.h"

#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/dynamics/reactions.h"

namespace vinculum {

InverseDynamics compute_inverse_dynamics(const Model& model, const State& state, std::span<const double> accelerations,
                                         Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  kernels().move(model.tree(), state.q.data(), state.v.data(), memory.links.data());
  kernels().see_from_world(model.tree(), state.v.data(), memory.links.data(), memory.world.data());
  compute_loads(model, state.t, state.q, state.v, memory);

  InverseDynamics result;
  result.forces.resize(accelerations.size());
  kernels().inverse(model.tree(), accelerations.data(), memory.loads.data(), result.forces.data(), memory.links.data());
  result.reactions_W = reactions_in_world(model, memory);
  return result;
}

}  // namespace vinculum
