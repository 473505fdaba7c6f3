// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/force_source.h"

#include <fmt/core.h>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/kernels/loads_kernel.h"

namespace vinculum {

namespace {

// The source of each kind, one overload each: a kind without does not compile.
const ForceSource* source_of(const std::vector<JointForceLaw>&) { return &joint_force_source(); }
const ForceSource* source_of(const std::vector<BodyForceLaw>&) { return &body_force_source(); }
const ForceSource* source_of(const std::vector<SpringLaw>&) { return &spring_force_source(); }
const ForceSource* source_of(const std::vector<PointToPointLaw>&) { return &point_to_point_force_source(); }

template <class... Kinds>
std::array<const ForceSource*, sizeof...(Kinds)> list_sources(const ForceLawsOf<Kinds...>& forces) {
  return {source_of(forces.template of<Kinds>())...};
}

}  // namespace

std::span<const ForceSource* const> force_sources() {
  static const auto sources = list_sources(ForceLaws());
  return sources;
}

std::vector<ForceOf> list_forces(const Model& model) {
  std::vector<ForceOf> list;
  for (const ForceSource* source : force_sources()) {
    for (int k = 0; k < source->count(model); ++k) list.push_back({source, k});
  }
  return list;
}

ForceOf find_force(const Model& model, int number) {
  for (const ForceSource* source : force_sources()) {
    if (number < source->count(model)) return {source, number};
    number -= source->count(model);
  }
  return {nullptr, 0};
}

std::string name_of_force(const Model& model, const ForceOf& force) {
  return model.description().forces[force.source->element(model, force.k)].name;
}
std::string element_of_force(const Model& model, const ForceOf& force) {
  return fmt::format("force '{}'", name_of_force(model, force));
}

std::vector<VelocityForce> list_velocity_forces(const Model& model) {
  std::vector<VelocityForce> list;
  for (const ForceOf& force : list_forces(model)) {
    const int velocity = force.source->velocity(model, force.k);
    if (velocity < 0) continue;
    list.push_back({velocity, force.source->amplitudes(model, force.k)[0].formula, force.source->is_passive(model, force.k)});
  }
  return list;
}

std::vector<ForceAmplitude> list_amplitudes(const Model& model) {
  std::vector<ForceAmplitude> list;
  for (const ForceOf& force : list_forces(model)) {
    for (ForceAmplitude& amplitude : force.source->amplitudes(model, force.k)) list.push_back(std::move(amplitude));
  }
  return list;
}

std::vector<double> compute_force_slopes(const Model& model, const State& state, const Variable& variable, Workspace& workspace) {
  std::vector<double> forces(static_cast<size_t>(model.tree().velocities), 0.0);
  const Bindings at{state.t, state.q, state.v};
  for (const ForceOf& force : list_forces(model)) {
    std::vector<double> slopes;
    bool acts = false;
    for (const ForceAmplitude& amplitude : force.source->amplitudes(model, force.k)) {
      const bool depends = amplitude.formula->depends_on(variable);
      slopes.push_back(depends ? evaluate(differentiate(*amplitude.formula, variable), with_own(at, amplitude.own)) : 0.0);
      acts = acts || depends;
    }
    if (acts) force.source->add_amplitudes(model, force.k, slopes, state, workspace, forces);
  }
  return forces;
}

std::optional<Failure> explain_no_force(const Model& model, double t, std::span<const double> q, std::span<const double> v) {
  if (!model.forces().act_on_links()) return std::nullopt;
  Workspace workspace(model);
  Workspace::Memory& memory = workspace.memory();
  see_bodies(model, q, v, memory);
  move_environment<double>(model, t, memory.expression, memory.environment.data());
  const ForceView<double> view{model, {t, q, v}, {memory.world.data(), memory.environment.data()}, memory.expression};
  for (const ForceOf& force : list_forces(model)) {
    if (auto failure = force.source->explain_no_value(model, force.k, view)) return failure;
  }
  return std::nullopt;
}

Failure explain_no_value(const Model& model, const State& state) {
  if (auto failure = explain_no_force(model, state.t, state.q, state.v)) return *failure;
  return no_finite_value(state.t);
}

}  // namespace vinculum
