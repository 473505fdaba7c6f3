// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/law_jumps.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

// Every law of a model that enters its equations of motion, with the element it belongs to.
void visit_laws(const ModelDescription& words, auto& joints, auto& bodies, auto& driven, auto& environment, auto& states,
                auto&& visit) {
  const auto force = [&](int index) { return fmt::format("force '{}'", words.forces[index].name); };
  for (auto& law : joints) {
    visit(law.law, force(law.force));
    visit(law.potential_part, force(law.force));
  }
  for (auto& law : bodies) {
    for (auto& formula : law.force_law) visit(formula, force(law.force));
    for (auto& formula : law.torque_law) visit(formula, force(law.force));
  }
  for (auto& motion : driven) {
    const std::string element = fmt::format("the motion of '{}'", words.motions[motion.motion].coordinate);
    for (auto* formula : {&motion.law, &motion.rate, &motion.acceleration}) visit(*formula, element);
  }
  for (auto& state : states) visit(state.rate, fmt::format("state '{}'", state.name));
  for (auto& body : environment) {
    const std::string element = fmt::format("environment body '{}'", body.name);
    for (auto* formulas : {&body.position, &body.velocity, &body.acceleration}) {
      for (auto& formula : *formulas) visit(formula, element);
    }
    for (auto& turn : body.turns) {
      for (auto* formula : {&turn.angle, &turn.rate, &turn.acceleration}) visit(*formula, element);
    }
  }
}

}  // namespace

LawJumps::LawJumps(Model& model) : model_(model) {
  visit_laws(model.description_, model.joint_forces_, model.body_forces_, model.driven_, model.environment_, model.extra_states_,
             [&](Expression& formula, const std::string& element) {
               const std::vector<int> steps = formula.jumps();
               if (steps.empty()) return;
               for (int step : steps) jumps_.push_back({static_cast<int>(laws_.size()), step});
               laws_.push_back({&formula, element});
             });
}

bool LawJumps::has_any(const Model& model) {
  bool found = false;
  visit_laws(model.description(), model.joint_forces(), model.body_forces(), model.driven(), model.environment(),
             model.extra_states(),
             [&](const Expression& formula, const std::string&) { found = found || !formula.jumps().empty(); });
  return found;
}

void LawJumps::hold(std::span<const double> signs) {
  std::size_t first = 0;
  for (Law& law : laws_) {
    const std::size_t count = law.held->jumps().size();
    *law.held = law.held->hold_jumps(signs.subspan(first, count));
    first += count;
  }
}

void LawJumps::evaluate(const Bindings& at, std::span<double> switches) {
  for (std::size_t k = 0; k < jumps_.size(); ++k) {
    const Expression& law = *laws_[jumps_[k].law].held;
    if (k == 0 || jumps_[k].law != jumps_[k - 1].law) vinculum::evaluate(law, at, scratch_);
    switches[k] = law.switch_value(jumps_[k].step, scratch_);
  }
}

std::string LawJumps::describe(int jump) const {
  const Law& law = laws_[jumps_[jump].law];
  Expression::Builder builder;
  const std::vector<int> handles = builder.include_steps(*law.held);
  return fmt::format("{}: {}", law.element, to_text(builder.build(handles[jumps_[jump].step])));
}

// Coordinates and velocities of the drives; places and velocities of what contacts stand on.
std::vector<double> LawJumps::given_values(double t) {
  Bindings at;
  at.time = t;
  std::vector<double> values;
  const auto add = [&](const Expression& formula) { values.push_back(vinculum::evaluate(formula, at, scratch_)); };
  for (const DrivenCoordinate& driven : model_.driven()) add(driven.law), add(driven.rate);
  if (model_.description().contacts.empty()) return values;
  for (const EnvironmentBody& body : model_.environment()) {
    for (int i = 0; i < 3; ++i) add(body.position[i]), add(body.velocity[i]);
    for (const EnvironmentBody::TurnLaw& turn : body.turns) add(turn.angle), add(turn.rate);
  }
  return values;
}

std::optional<std::string> LawJumps::find_jump_of_motion(double t, std::span<const double> next) {
  constexpr double kRoundOffOfMotion = 1e-9;
  const std::vector<double> before = given_values(t);
  hold(next);
  const std::vector<double> after = given_values(t);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::abs(after[i] - before[i]) <= kRoundOffOfMotion * std::max({1.0, std::abs(before[i]), std::abs(after[i])})) continue;
    const std::size_t drives = 2 * model_.driven().size();
    if (i < drives)
      return fmt::format("the motion of '{}'", model_.description().motions[model_.driven()[i / 2].motion].coordinate);
    return "the ground of the contacts";
  }
  return std::nullopt;
}

}  // namespace vinculum
