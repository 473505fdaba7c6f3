// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/compile_forces.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/period.h"
#include "vinculum/expression/substitute.h"
#include "vinculum/model/line_formulas.h"
#include "vinculum/model/names.h"

namespace vinculum {

namespace {

constexpr Dimension kPowerOfForce = kForce * kVelocity;

bool is_zero(const std::array<Expression, 3>& law) {
  for (const Expression& component : law) {
    if (!component.is_constant() || component.constant_value() != 0) return false;
  }
  return true;
}

bool is_constant(const std::array<Expression, 3>& law) {
  return law[0].is_constant() && law[1].is_constant() && law[2].is_constant();
}

// The terms of a joint law that depend on the joint's own coordinate alone (a constant counts): they have a potential. Of those
// that neither repeat nor settle, such as x sin x, integration from 0 cannot give it far away: their work is counted.
void split_off_potential(JointForceLaw& law) {
  law.conservative = true;
  for (const Expression& term : split_sum(law.law)) {
    const auto& variables = term.variables();
    const Variable coordinate{VariableKind::coordinate, law.coordinate};
    const auto rate = find_repetition(term, coordinate);
    const bool own = rate && (variables.empty() || (variables.size() == 1 && variables[0] == coordinate));
    if (own) {
      law.potential_part = law.potential_part + term;
      auto terms = std::find_if(law.potential_terms.begin(), law.potential_terms.end(),
                                [&](const JointForceLaw::PotentialTerms& known) { return known.rate == *rate; });
      if (terms == law.potential_terms.end()) terms = law.potential_terms.insert(terms, {*rate, {}});
      terms->force = terms->force + term;
    }
    law.conservative = law.conservative && own;
  }
}

// The terms of a pull that depend on the length alone.
void split_off_potential(PointToPointLaw& law) {
  law.conservative = true;
  for (const Expression& term : split_sum(law.law)) {
    const auto& variables = term.variables();
    const bool own = variables.empty() || (variables.size() == 1 && variables[0].kind == VariableKind::surface_x);
    if (own) law.potential_part = law.potential_part + term;
    law.conservative = law.conservative && own;
  }
}

class ForceCompiler {
 public:
  ForceCompiler(const Model& model, const ModelDescription& words, const Names& names, Diagnostics& diagnostics)
      : model_(model), words_(words), names_(names), diagnostics_(diagnostics) {}

  ForceLaws compile() {
    for (size_t i = 0; i < words_.forces.size(); ++i) {
      index_ = static_cast<int>(i);
      element_ = fmt::format("force '{}'", words_.forces[i].name);
      std::visit([&](const auto& words) { add(words); }, words_.forces[i].law);
    }
    return std::move(laws_);
  }

 private:
  void add(const JointForce& words) {
    auto v = model_.find_velocity(*words.joint + "'");
    if (!v) v = model_.find_velocity(*words.joint);
    if (!v) {
      std::vector<std::string> known;
      for (const std::string& name : model_.velocity_names()) known.push_back(name.substr(0, name.find('\'')));
      diagnostics_.error("VN-MODEL-035", words.joint.place, element_,
                         fmt::format("'{}' is not a joint with one motion", *words.joint),
                         did_you_mean(*words.joint, known, "name a scalar joint, or one velocity of a joint: sled.tx, ball.wx"));
      return;
    }
    JointForceLaw law;
    law.force = index_;
    law.velocity = *v;
    law.law = words.law;
    law.passive = words.passive;
    if (const auto q = model_.find_coordinate(*words.joint)) {
      law.coordinate = *q;
      split_off_potential(law);
    }
    laws_.of<JointForceLaw>().push_back(std::move(law));
  }

  void add(const BodyForce& words) {
    const auto body = names_.body(words.body, element_);
    if (!body) return;
    const bool constant = !words.in_body_axes && is_constant(words.force) && is_zero(words.torque);
    laws_.of<BodyForceLaw>().push_back({index_, *body, words.point, words.force, words.torque, words.in_body_axes, constant});
  }

  void add(const SpringForce& words) {
    const auto a = names_.anchor(words.between.body, words.between.point, element_);
    const auto b = names_.anchor(words.and_.body, words.and_.point, element_);
    if (a && b) laws_.of<SpringLaw>().push_back({index_, *a, *b, words.stiffness, words.damping, words.length});
  }

  void add(const PointToPointForce& words) {
    const auto a = names_.anchor(words.between.body, words.between.point, element_);
    const auto b = names_.anchor(words.and_.body, words.and_.point, element_);
    if (!a || !b) return;
    PointToPointLaw law{index_, *a, *b, words.law, {}, false, write_line(model_, *a, *b), 0, {}, {}, {}};
    split_off_potential(law);
    law.follow_held_law();
    laws_.of<PointToPointLaw>().push_back(std::move(law));
  }

  const Model& model_;
  const ModelDescription& words_;
  const Names& names_;
  Diagnostics& diagnostics_;
  ForceLaws laws_;
  int index_ = 0;
  std::string element_;
};

// What outputs of each kind are called, and what they are.
std::vector<ForceOutput> outputs_of(const JointForce& words) {
  return {{"force", std::nullopt, true, *words.joint}, {"power", kPowerOfForce}};
}
std::vector<ForceOutput> outputs_of(const BodyForce&) {
  return {{"fx", kForce, true},  {"fy", kForce, true},  {"fz", kForce, true},    {"mx", kMoment, true},
          {"my", kMoment, true}, {"mz", kMoment, true}, {"power", kPowerOfForce}};
}
std::vector<ForceOutput> outputs_of_line() {
  return {{"force", kForce, true}, {"length", kLength}, {"rate", kVelocity}, {"power", kPowerOfForce}};
}
std::vector<ForceOutput> outputs_of(const SpringForce&) { return outputs_of_line(); }
std::vector<ForceOutput> outputs_of(const PointToPointForce&) { return outputs_of_line(); }

Vector3 evaluate_at_start(const std::array<Expression, 3>& law, const Bindings& at) {
  return {evaluate(law[0], at), evaluate(law[1], at), evaluate(law[2], at)};
}

}  // namespace

ForceLaws compile_forces(const Model& model, const ModelDescription& words, const Names& names, Diagnostics& diagnostics) {
  return ForceCompiler(model, words, names, diagnostics).compile();
}

void sort_velocity_forces(const ForceLaws& forces, int velocities, std::vector<double>& constant, std::vector<int>& varying) {
  constant.assign(static_cast<size_t>(velocities), 0);
  const std::vector<JointForceLaw>& laws = forces.of<JointForceLaw>();
  for (size_t i = 0; i < laws.size(); ++i) {
    if (laws[i].law.is_constant()) {
      constant[laws[i].velocity] += laws[i].law.constant_value();
    } else {
      varying.push_back(static_cast<int>(i));
    }
  }
}

void begin_forces(ForceLaws& forces, const State& start) {
  for (PointToPointLaw& law : forces.of<PointToPointLaw>())
    law.start_length = evaluate(law.own.x, Bindings{start.t, start.q, start.v});
}

std::vector<ForceOutput> list_outputs(const ForceDescription& force) {
  return std::visit([](const auto& words) { return outputs_of(words); }, force.law);
}

ForceSizes find_sizes(const JointForceLaw& law, const Bindings& start) {
  ForceSizes sizes;
  sizes.velocity = law.velocity;
  sizes.generalised = evaluate(law.law, start);
  return sizes;
}

ForceSizes find_sizes(const BodyForceLaw& law, const Bindings& start) {
  ForceSizes sizes;
  sizes.ends = {{Anchor::On::body, law.body, law.point_B}};
  sizes.force = evaluate_at_start(law.force_law, start);
  sizes.torque = evaluate_at_start(law.torque_law, start);
  return sizes;
}

ForceSizes find_sizes(const SpringLaw& law, const Bindings&) {
  ForceSizes sizes;
  sizes.ends = {law.a, law.b};
  sizes.length = law.length;
  sizes.stiffness = law.stiffness;
  return sizes;
}

ForceSizes find_sizes(const PointToPointLaw& law, const Bindings& start) {
  ForceSizes sizes;
  sizes.ends = {law.a, law.b};
  const Bindings at = with_own(start, &law.own);
  sizes.length = at.surface_x;
  sizes.stiffness = evaluate(law.by_length, at);
  sizes.force = {evaluate(law.law, at), 0, 0};
  return sizes;
}

Expression write_out(const Expression& formula, const OwnVariables& own) {
  return substitute(formula, [&](const Variable& variable) -> std::optional<Expression> {
    if (variable.kind == VariableKind::surface_x) return own.x;
    if (variable.kind == VariableKind::surface_y) return own.y;
    return std::nullopt;
  });
}

Bindings with_own(const Bindings& at, const OwnVariables* own, std::vector<double>& scratch) {
  Bindings all = at;
  if (own == nullptr) return all;
  all.surface_x = evaluate(own->x, at, scratch);
  all.surface_y = evaluate(own->y, at, scratch);
  return all;
}
Bindings with_own(const Bindings& at, const OwnVariables* own) {
  std::vector<double> scratch;
  return with_own(at, own, scratch);
}

void PointToPointLaw::follow_held_law() {
  written_out = write_out(law, own);
  by_length = differentiate(law, {VariableKind::surface_x, 0});
  by_rate = differentiate(law, {VariableKind::surface_y, 0});
}

double* find_stiffness(ForceDescription& force) {
  auto* const spring = std::get_if<SpringForce>(&force.law);
  return spring == nullptr ? nullptr : &spring->stiffness;
}

ForceDescription with_unit_stiffness(ForceDescription force) {
  auto& spring = std::get<SpringForce>(force.law);
  spring.stiffness = 1;
  spring.damping = 0;
  return force;
}

bool set_direction(ForceDescription& force, const Vector3& direction) {
  auto* const body = std::get_if<BodyForce>(&force.law);
  if (body == nullptr) return false;
  body->force = {Expression(direction.x), Expression(direction.y), Expression(direction.z)};
  body->torque = {Expression(0.0), Expression(0.0), Expression(0.0)};
  body->in_body_axes = false;
  return true;
}

}  // namespace vinculum
