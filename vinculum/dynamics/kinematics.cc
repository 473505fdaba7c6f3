// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/kinematics.h"

#include "vinculum/dynamics/memory.h"
#include "vinculum/model/state.h"

namespace vinculum {

void see_bodies(const Model& model, std::span<const double> q, std::span<const double> v, Workspace::Memory& memory) {
  kernels().place(model.tree(), q.data(), memory.turns.data(), memory.motions.data());
  kernels().see_from_world(model.tree(), v.data(), memory.motions.data(), memory.world.data());
}

void compute_body_motions(const Model& model, std::span<const double> q, std::span<const double> v, std::span<BodyMotion> motions,
                          Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  see_bodies(model, q, v, memory);
  kernels().body_motions(model, memory.world.data(), motions.data());
}

std::vector<BodyMotion> compute_body_motions(const Model& model, const State& state, Workspace& workspace) {
  std::vector<BodyMotion> motions(model.bodies().size());
  compute_body_motions(model, state.q, state.v, motions, workspace);
  return motions;
}

void compute_coordinate_rates(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> rates) {
  for (const Link& link : model.tree().links) {
    const int quaternion = quaternion_index(link);
    const int plain = quaternion < 0 ? velocity_count(link.kind) : velocity_count(link.kind) - 3;
    for (int k = 0; k < plain; ++k) rates[link.q + k] = v[link.v + k];
    if (quaternion < 0) continue;
    const double* w = &v[link.v + plain];
    const Quaternion rate = quaternion_rate(Quaternion{q[quaternion], q[quaternion + 1], q[quaternion + 2], q[quaternion + 3]},
                                            Vector3{w[0], w[1], w[2]});
    rates[quaternion] = rate.w;
    rates[quaternion + 1] = rate.x;
    rates[quaternion + 2] = rate.y;
    rates[quaternion + 3] = rate.z;
  }
}

}  // namespace vinculum
