// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/kinematics.h"

#include <algorithm>
#include <cassert>

#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/kernels/coordinate_rates_kernel.h"

namespace vinculum {

void see_bodies(const Model& model, std::span<const double> q, std::span<const double> v, Workspace::Memory& memory) {
  kernels().place(model.tree(), kernels().turn(model.tree(), q.data(), memory.turns.data()), memory.motions.data());
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

void compute_frame_motions(const Model& model, std::span<const double> q, std::span<const double> v, std::span<FrameMotion> links,
                           std::vector<double>& scratch) {
  assert(links.size() == model.tree().links.size());
  scratch.resize(std::max(scratch.size(), 2 * q.size()));
  kernels().frames(model.tree(), q.data(), v.data(), scratch.data(), links.data());
}

void compute_coordinate_rates(const Model& model, std::span<const double> q, std::span<const double> v, std::span<double> rates) {
  for (const Link& link : model.tree().links) turn_coordinates(link, q.data(), v.data(), rates.data());
  for (const ExtraState& state : model.extra_states()) rates[state.q] = 0;
}

void compute_extra_rates(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                         std::span<double> rates, std::vector<double>& scratch) {
  for (const ExtraState& state : model.extra_states()) rates[state.q] = evaluate(state.rate, Bindings{t, q, v}, scratch);
}

}  // namespace vinculum
