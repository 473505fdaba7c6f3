// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/loads.h"

#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/kernels/loads_kernel.h"

namespace vinculum {

namespace {

Surroundings<double> surroundings(const Workspace::Memory& memory) { return {memory.world.data(), memory.environment.data()}; }

}  // namespace

void compute_joint_laws(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                        Workspace::Memory& memory) {
  kernels().joint_laws(model, {t, q, v}, memory.expression, memory.tau.data());
  for (size_t i = 0; i < memory.applied.tau.size(); ++i) memory.tau[i] += memory.applied.tau[i];
}

bool has_loads(const Model& model, const Workspace::Memory& memory) {
  return model.forces().act_on_links() || !memory.applied.wrenches_W.empty();
}

void compute_driven_accelerations(const Model& model, double t, Workspace::Memory& memory) {
  for (const DrivenCoordinate& driven : model.driven())
    memory.vdot[driven.v] = evaluate_steps<double>(driven.acceleration, {t, {}, {}}, memory.expression);
}

const Wrench* compute_loads_on_links(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                                     Workspace::Memory& memory) {
  if (!has_loads(model, memory)) return nullptr;
  kernels().see_from_world(model.tree(), v.data(), memory.motions.data(), memory.world.data());
  kernels().loads(model, {t, q, v}, memory.world.data(), memory.environment.data(), memory.expression, memory.loads.data());
  for (size_t i = 0; i < memory.applied.wrenches_W.size(); ++i)
    apply_wrench(model.bodies()[i], {}, memory.applied.wrenches_W[i], surroundings(memory), memory.loads.data());
  return memory.loads.data();
}

LoadEnergy compute_load_energy(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                               Workspace::Memory& memory) {
  const Bindings bindings{t, q, v};
  LoadEnergy energy;
  move_environment<double>(model, t, memory.expression, memory.environment.data());
  energy.power = load_power<double>(model, bindings, surroundings(memory), memory.expression);

  const auto add = [&](double potential) {
    energy.potential += potential;
    energy.size += std::abs(potential);
  };
  const ForceView<double> view{model, bindings, surroundings(memory), memory.expression};
  for (const ForceSource* source : force_sources()) {
    for (int k = 0; k < source->count(model); ++k) source->add_potential(model, k, view, memory.expression, add);
  }
  return energy;
}

void see_surroundings(const Model& model, double t, std::span<const double> q, std::span<const double> v, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  see_bodies(model, q, v, memory);
  move_environment<double>(model, t, memory.expression, memory.environment.data());
}

double compute_load_power(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                          Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  return load_power<double>(model, {t, q, v}, surroundings(memory), memory.expression);
}

// The drives give what the motion asks for beyond the joint's laws.
double compute_drive_power(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                           Workspace& workspace) {
  if (model.driven().empty()) return 0;
  Workspace::Memory& memory = workspace.memory();
  memory.forces.resize(v.size());
  compute_forces(model, t, q, v, memory.vdot, memory.forces, workspace);
  double power = 0;
  for (const DrivenCoordinate& driven : model.driven()) power += (memory.forces[driven.v] - memory.tau[driven.v]) * v[driven.v];
  return power;
}

std::vector<double> compute_passive_forces(const Model& model, const State& state) {
  std::vector<double> forces(model.velocity_names().size(), 0.0);
  for (const VelocityForce& force : list_velocity_forces(model)) {
    if (force.is_passive)
      forces[static_cast<size_t>(force.velocity)] += evaluate(*force.law, Bindings{state.t, state.q, state.v});
  }
  return forces;
}

AppliedForces compute_applied_forces(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  see_bodies(model, state.q, state.v, memory);
  move_environment<double>(model, state.t, memory.expression, memory.environment.data());
  compute_joint_laws(model, state.t, state.q, state.v, memory);
  const ForceView<double> view{model, {state.t, state.q, state.v}, surroundings(memory), memory.expression};
  AppliedForces forces;
  forces.joints.assign(memory.tau.begin(), memory.tau.begin() + model.tree().velocities);
  for (const ForceOf& force : list_forces(model)) {
    const ForceDrawing drawing = force.source->drawing(model, force.k);
    if (!drawing.point && !drawing.line) continue;
    const Wrench shown = force.source->shown(model, force.k, view);
    if (drawing.point) forces.wrenches_W.push_back(shown);
    if (drawing.line) forces.pulls.push_back(shown.force.x);
  }
  return forces;
}

std::vector<std::string> non_conservative_elements(const Model& model) {
  std::vector<std::string> elements;
  for (const ForceOf& force : list_forces(model)) {
    if (!force.source->is_conservative(model, force.k)) elements.push_back(element_of_force(model, force));
  }
  for (const DrivenCoordinate& driven : model.driven()) {
    elements.push_back(fmt::format("motion of '{}'", model.description().motions[driven.motion].coordinate));
  }
  return elements;
}

}  // namespace vinculum
