// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/loads.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

#include <fmt/core.h>

#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/loads_kernel.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/formula_bounds.h"
#include "vinculum/math/find_zero.h"
#include "vinculum/math/quadrature.h"

namespace vinculum {

namespace {

Surroundings<double> surroundings(const Workspace::Memory& memory) { return {memory.world.data(), memory.environment.data()}; }

// Where a law of one coordinate has a kink or a jump between 0 and `end`: zeros of the switches of abs, sign and the like, in
// order. Each is looked for between 256 points; `evaluate_at(x)` leaves the values of all steps in memory.expression.
std::vector<double> find_kinks(const Expression& law, const std::function<double(double)>& evaluate_at, double end,
                               const Workspace::Memory& memory) {
  constexpr int kIntervals = 256;
  std::vector<double> kinks;
  if (law.is_analytic() || end == 0) return kinks;
  for (const int kink : law.kinks()) {
    const auto argument = [&](double x) {
      evaluate_at(x);
      return law.switch_value(kink, memory.expression);
    };
    double before = 0, value_before = argument(0);
    for (int k = 1; k <= kIntervals; ++k) {
      const double x = k == kIntervals ? end : end * k / kIntervals, value = argument(x);
      if (value_before * value < 0) kinks.push_back(find_zero(argument, before, value_before, x, value));
      if (value == 0) kinks.push_back(x);
      before = x, value_before = value;
    }
  }
  std::sort(kinks.begin(), kinks.end(), [&](double a, double b) { return std::abs(a) < std::abs(b); });
  return kinks;
}

// ∫_0^q f. Of a force that repeats, whole turns are counted and not walked through: far away that takes long and is wrong.
double integrate_from_zero(const Expression& law, double rate, const std::function<double(double)>& f, double q,
                           const Workspace::Memory& memory) {
  std::optional<FormulaBounds> bounds;  // points integrate polynomials exactly
  if (polynomial_degree(law) < 0 && law.variables().size() == 1) bounds.emplace(law);
  const auto bound_between = [&](double a, double b) {
    const double ends[] = {a, b}, radius[] = {0};
    const Bounds found = bounds->bound({1, b - a, ends, radius});
    return FunctionBounds{found.value, found.rate};
  };
  const auto integrate_to = [&](double end) {
    return integrate_function(f, 0, end, find_kinks(law, f, end, memory), bounds ? BoundsBetween(bound_between) : nullptr);
  };
  constexpr double kTurn = 2 * std::numbers::pi, kRestOfTurn = 2.4492935982947064e-16, kFewTurns = 4;
  const double turns = std::nearbyint(q * rate / kTurn);
  if (std::abs(turns) <= kFewTurns) return integrate_to(q);
  const double rest = std::fma(-turns, kTurn, q * rate) - turns * kRestOfTurn;
  return turns * integrate_to(kTurn / rate) + integrate_to(rest / rate);
}

bool anchored_to_environment(const SpringLaw& spring) {
  return spring.a.on == Anchor::On::environment || spring.b.on == Anchor::On::environment;
}

}  // namespace

void compute_joint_laws(const Model& model, double t, std::span<const double> q, std::span<const double> v,
                        Workspace::Memory& memory) {
  kernels().joint_laws(model, {t, q, v}, memory.expression, memory.tau.data());
  for (size_t i = 0; i < memory.applied.tau.size(); ++i) memory.tau[i] += memory.applied.tau[i];
}

bool has_loads(const Model& model, const Workspace::Memory& memory) {
  return !model.body_forces().empty() || !model.springs().empty() || !memory.applied.wrenches_W.empty();
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
  // Joint laws: U = -∫_0^q (own-coordinate part)
  std::vector<double> coordinates(q.begin(), q.end());
  for (const JointForceLaw& law : model.joint_forces()) {
    if (law.coordinate < 0) continue;
    for (const JointForceLaw::PotentialTerms& terms : law.potential_terms) {
      const auto force_at = [&](double x) {
        coordinates[law.coordinate] = x;
        return evaluate(terms.force, Bindings{t, coordinates, v}, memory.expression);
      };
      add(-integrate_from_zero(terms.force, terms.rate, force_at, q[law.coordinate], memory));
    }
    coordinates[law.coordinate] = q[law.coordinate];
  }
  // Constant world forces: U = -f·p ; springs: U = ½ k (d - L)²
  for (const BodyForceLaw& law : model.body_forces()) {
    if (!law.constant_world_force) continue;
    const Vector3 force = evaluate_vector<double>(law.force_law, bindings, memory.expression);
    add(-dot(force, point_of_body(model.bodies()[law.body], law.point_B, surroundings(memory)).position));
  }
  for (const SpringLaw& spring : model.springs()) {
    const double extension = compute_stretch(model, spring, surroundings(memory)).length - spring.length;
    add(0.5 * spring.stiffness * extension * extension);
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
  for (const JointForceLaw& law : model.joint_forces()) {
    if (law.passive) forces[static_cast<size_t>(law.velocity)] += evaluate(law.law, Bindings{state.t, state.q, state.v});
  }
  return forces;
}

AppliedForces compute_applied_forces(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  see_bodies(model, state.q, state.v, memory);
  move_environment<double>(model, state.t, memory.expression, memory.environment.data());
  compute_joint_laws(model, state.t, state.q, state.v, memory);
  const Bindings bindings{state.t, state.q, state.v};
  const Surroundings<double> at = surroundings(memory);
  AppliedForces forces;
  forces.joints.assign(memory.tau.begin(), memory.tau.begin() + model.tree().velocities);
  for (const BodyForceLaw& law : model.body_forces()) {
    const Body& body = model.bodies()[law.body];
    forces.bodies_W.push_back(world_wrench<double>(law, at.world[body.link].R * body.R_LB, bindings, memory.expression));
  }
  for (const SpringLaw& spring : model.springs()) forces.springs.push_back(pull(spring, compute_stretch(model, spring, at)));
  return forces;
}

std::vector<std::string> non_conservative_elements(const Model& model) {
  std::vector<std::string> elements;
  const auto force = [&](int index) { elements.push_back(fmt::format("force '{}'", model.description().forces[index].name)); };
  for (const JointForceLaw& law : model.joint_forces()) {
    if (!law.conservative) force(law.force);
  }
  for (const BodyForceLaw& law : model.body_forces()) {
    if (!law.constant_world_force) force(law.force);
  }
  for (const SpringLaw& spring : model.springs()) {
    if (spring.damping != 0 || anchored_to_environment(spring)) force(spring.force);
  }
  for (const DrivenCoordinate& driven : model.driven()) {
    elements.push_back(fmt::format("motion of '{}'", model.description().motions[driven.motion].coordinate));
  }
  return elements;
}

}  // namespace vinculum
