// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/series/series_laws.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/expression/functions.h"
#include "vinculum/kernels/loads_kernel.h"
#include "vinculum/math/traced.h"

namespace vinculum {

namespace {

// A state whose numbers are inputs of a tape, and what the laws ask of it.
class TracedState {
 public:
  explicit TracedState(const Model& model) : model_(model), time_(scope_.input()), scratch_(model.longest_expression()) {
    for (int i = 0; i < model.tree().coordinates; ++i) q_.push_back(scope_.input());
    for (int i = 0; i < model.tree().velocities; ++i) v_.push_back(scope_.input());
  }

  TraceScope& scope() { return scope_; }
  BindingsOf<Traced> bindings() const { return {time_, q_, v_}; }

  // `scratch_` grows with formulas that are no laws.
  Traced value(const Expression& formula) {
    if (scratch_.size() < formula.steps().size()) scratch_.resize(formula.steps().size());
    return evaluate_steps<Traced>(formula, bindings(), scratch_);
  }
  std::span<Traced> scratch() { return scratch_; }

  const std::vector<LinkInWorld<Traced>>& world() {
    const Tree& tree = model_.tree();
    if (!world_.empty() || tree.links.empty()) return world_;
    std::vector<Traced> turns(2 * tree.coordinates);
    std::vector<LinkMotion<Traced>> motions(tree.links.size());
    place_links(span_of(tree), compute_turns(q_.data(), tree.coordinates, turns.data()), motions.data());
    world_.resize(tree.links.size());
    see_links_from_world(span_of(tree), v_.data(), motions.data(), world_.data());
    return world_;
  }
  Surroundings<Traced> surroundings() {
    world();
    if (environment_.empty() && model_.forces().see_environment()) {
      for (const EnvironmentBody& body : model_.environment())
        environment_.push_back(move_environment_body<Traced>(body, time_, scratch_));
    }
    return {world_.data(), environment_.data()};
  }

 private:
  const Model& model_;
  TraceScope scope_;
  Traced time_;
  std::vector<Traced> q_, v_, scratch_;
  std::vector<LinkInWorld<Traced>> world_;
  std::vector<EnvironmentMotionOf<Traced>> environment_;
};

void append(const Vector3Of<Traced>& a, std::vector<Traced>& outputs) { outputs.insert(outputs.end(), {a.x, a.y, a.z}); }

// The links on which forces act, sorted.
std::vector<int> loaded_links(const Model& model) {
  std::vector<int> links;
  for (const ForceOf& force : list_forces(model)) {
    for (const Anchor& anchor : force.source->ends(model, force.k)) {
      if (anchor.on == Anchor::On::body) links.push_back(model.bodies()[anchor.index].link);
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

// Does a force stand on a body whose motion is given.
bool sees_environment(const Model& model) {
  return std::ranges::any_of(list_forces(model), [&](const ForceOf& force) {
    return std::ranges::any_of(force.source->ends(model, force.k),
                               [](const Anchor& end) { return end.on == Anchor::On::environment; });
  });
}

}  // namespace

LawsTape trace_laws(const Model& model) {
  LawsTape laws;
  TracedState state(model);
  std::vector<Traced> outputs;

  std::vector<Traced> tau(model.tree().velocities);
  // Those that were constant when the model was built are in its constant forces; a law held on a branch may be constant since.
  const std::vector<VelocityForce> on_velocities = list_velocity_forces(model);
  for (const int index : model.varying_forces()) {
    const VelocityForce& force = on_velocities[index];
    tau[force.velocity] = tau[force.velocity] + state.value(*force.law);
    if (std::find(laws.forces.begin(), laws.forces.end(), force.velocity) == laws.forces.end())
      laws.forces.push_back(force.velocity);
  }
  for (int velocity : laws.forces) outputs.push_back(tau[velocity]);

  laws.loads = loaded_links(model);
  if (!laws.loads.empty()) {
    std::vector<WrenchOf<Traced>> loads(model.tree().links.size());
    load_links<Traced>(model, state.bindings(), state.surroundings(), state.scratch(), loads.data());
    for (int link : laws.loads) {
      append(loads[link].force, outputs);
      append(loads[link].moment, outputs);
    }
  }
  for (const DrivenCoordinate& driven : model.driven()) {
    laws.motions.push_back(driven.v);
    outputs.push_back(state.value(driven.acceleration));
  }
  for (const ExtraState& extra : model.extra_states()) {
    laws.states.push_back(extra.q);
    outputs.push_back(state.value(extra.rate));
  }
  laws.power = !non_conservative_elements(model).empty();
  if (laws.power) outputs.push_back(load_power<Traced>(model, state.bindings(), state.surroundings(), state.scratch()));

  laws.tape = state.scope().tape_of(outputs);
  return laws;
}

Tape trace_places(const Model& model) {
  TracedState state(model);
  std::vector<Traced> outputs;
  for (const Body& body : model.bodies()) {
    const LinkInWorld<Traced>& link = state.world()[body.link];
    for (const Vector3Of<Traced>& column : {link.R.x, link.R.y, link.R.z, link.p}) append(column, outputs);
  }
  return state.scope().tape_of(outputs);
}

Tape trace_expressions(const Model& model, std::span<const Expression> formulas) {
  TracedState state(model);
  std::vector<Traced> outputs;
  for (const Expression& formula : formulas) outputs.push_back(state.value(formula));
  return state.scope().tape_of(outputs);
}

std::optional<Failure> check_analytic(const Model& model) {
  const auto refuse = [](const std::string& element, const Expression& law) {
    return Failure{"VN-RUN-014", fmt::format("{} uses {}, so the motion has no power series", element, kink_name(law)),
                   "run it alone, from branch to branch; a smooth law, such as sqrt(x^2 + small^2) for abs(x), has a series"};
  };
  for (const ForceOf& force : list_forces(model)) {
    for (const ForceAmplitude& amplitude : force.source->amplitudes(model, force.k)) {
      if (!amplitude.formula->is_analytic()) return refuse(element_of_force(model, force), *amplitude.formula);
    }
  }
  for (const DrivenCoordinate& driven : model.driven()) {
    if (!driven.law.is_analytic())
      return refuse(fmt::format("the motion of '{}'", model.description().motions[driven.motion].coordinate), driven.law);
  }
  for (const ExtraState& state : model.extra_states()) {
    if (!state.rate.is_analytic()) return refuse(fmt::format("state '{}'", state.name), state.rate);
  }
  for (const EnvironmentBody& body : model.environment()) {
    if (model.description().contacts.empty() && !sees_environment(model)) break;
    const std::string element = fmt::format("environment body '{}'", body.name);
    for (const Expression& formula : body.position) {
      if (!formula.is_analytic()) return refuse(element, formula);
    }
    for (const EnvironmentBody::TurnLaw& turn : body.turns) {
      if (!turn.angle.is_analytic()) return refuse(element, turn.angle);
    }
  }
  return std::nullopt;
}

}  // namespace vinculum
