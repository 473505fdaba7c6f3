// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/symbolic/symbols.h"

#include <array>

#include "vinculum/dynamics/force_source.h"

namespace vinculum {

NameGiver::NameGiver(const Model& model) {
  taken_.insert("t");
  for (const ParameterValue& parameter : model.description().parameters) taken_.insert(parameter.name);
  for (const std::string& name : model.coordinate_names()) taken_.insert(name);
}

std::string NameGiver::give(const std::string& wanted) {
  std::string name = wanted;
  while (!taken_.insert(name).second) name += "_";
  return name;
}

Expression named(const std::string& name) {
  Expression::Builder builder;
  return builder.build(builder.variable({VariableKind::surface_x, 0}, name));
}

Formula written_number(Algebra& algebra, double value, const Expression* formula) {
  if (formula == nullptr || !formula->is_constant() || formula->constant_value() != value) return Formula(value);
  return algebra.evaluate(*formula, {});
}

std::vector<Formula> written_body(Algebra& algebra, const Model& model, int body) {
  const BodyDescription& words = model.description().bodies[body];
  const BodyFormulas* formulas = words.formulas ? &*words.formulas : nullptr;
  std::vector<Formula> numbers;
  const auto add = [&](double value, const Expression* formula) { numbers.push_back(written_number(algebra, value, formula)); };
  const auto add_vector = [&](const Vector3& value, const std::array<Expression, 3>* formula) {
    const double entries[] = {value.x, value.y, value.z};
    for (int k = 0; k < 3; ++k) add(entries[k], formula == nullptr ? nullptr : &(*formula)[k]);
  };
  add(*words.mass, formulas == nullptr ? nullptr : &formulas->mass);
  add_vector(*words.com, formulas == nullptr ? nullptr : &formulas->com);
  const Symmetric3& I = *words.inertia;
  const double entries[] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  for (int k = 0; k < 6; ++k) add(entries[k], formulas == nullptr ? nullptr : &formulas->inertia[k]);
  add_vector(words.joint.origin, formulas == nullptr ? nullptr : &formulas->origin);
  add(*words.joint.pitch, formulas == nullptr ? nullptr : &formulas->pitch);
  return numbers;
}

std::vector<Formula> written_gravity(Algebra& algebra, const Model& model, NameGiver& names,
                                     std::vector<Definition>& definitions) {
  const Vector3 gravity = model.gravity();
  const double entries[] = {gravity.x, gravity.y, gravity.z};
  std::vector<Formula> numbers;
  int present = 0, last = 0;
  for (int k = 0; k < 3; ++k) {
    numbers.push_back(written_number(algebra, entries[k], &model.description().gravity_formulas[k]));
    if (entries[k] == 0) continue;
    ++present;
    last = k;
  }
  if (present != 1 || !numbers[last].is_constant()) return numbers;
  const std::string name = names.give("g");
  definitions.push_back({name, Expression(std::abs(entries[last])), "m/s^2"});
  const Formula g = algebra.add({SymbolKind::parameter, named(name)});
  numbers[last] = entries[last] < 0 ? -g : g;
  return numbers;
}

void add_parameters(Algebra& algebra, const Model& model) {
  for (const ParameterValue& parameter : model.description().parameters) algebra.parameter(parameter.name, parameter.value);
}

Expression written_joint_force(const Model& model, int velocity, NameGiver& names, std::vector<Definition>& motions) {
  Expression force;
  for (const VelocityForce& one : list_velocity_forces(model)) {
    if (one.velocity == velocity) force = force + *one.law;
  }
  for (const DrivenCoordinate& driven : model.driven()) {
    if (driven.v != velocity) continue;
    const std::string& coordinate = model.coordinate_names()[driven.q];
    motions.push_back({coordinate, driven.law, ""});
    force = force + named(names.give("lambda_" + coordinate));
  }
  return force;
}

}  // namespace vinculum
