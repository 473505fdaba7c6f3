// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/symbolic/derive.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/trace.h"
#include "vinculum/model/law_tables.h"
#include "vinculum/symbolic/symbols.h"

namespace vinculum {

namespace {

// The inputs of trace_forces_of_numbers as formulas, each symbol in the order in which it is written.
class Inputs {
 public:
  Inputs(const Model& model, Algebra& algebra, NameGiver& names, std::vector<Definition>& definitions)
      : model_(model), algebra_(algebra) {
    std::vector<Formula> accelerations;
    for (const std::string& name : model.velocity_names()) accelerations.push_back(add(SymbolKind::acceleration, name + "'"));
    for (const std::string& name : model.velocity_names()) leaves_.velocities.push_back(add(SymbolKind::velocity, name));
    add_parameters(algebra, model);
    const std::vector<Formula> gravity = written_gravity(algebra, model, names, definitions);
    add_coordinates();
    leaves_.time = {add(SymbolKind::coordinate, "t")};

    values_ = leaves_.time;
    append(leaves_.coordinates);
    append(leaves_.velocities);
    append(accelerations);
    append(gravity);
    for (std::size_t i = 0; i < model.bodies().size(); ++i) append(written_body(algebra, model, static_cast<int>(i)));
    for (const ForceOf& force : list_forces(model)) {
      for (const Expression& number : force.source->numbers(model, force.k)) values_.push_back(algebra.evaluate(number, leaves_));
    }
  }

  const std::vector<Formula>& values() const { return values_; }

 private:
  Formula add(SymbolKind kind, const std::string& name) { return algebra_.add({kind, named(name)}); }
  void append(const std::vector<Formula>& more) { values_.insert(values_.end(), more.begin(), more.end()); }

  void add_coordinates() {
    for (const Link& link : model_.tree().links) {
      const int count = coordinate_count(link.kind);
      for (int k = 0; k < count; ++k)
        leaves_.coordinates.push_back(add(SymbolKind::coordinate, model_.coordinate_names()[link.q + k]));
      if (traits_of(link.kind).is_ball) algebra_.mark_unit_quaternion();
    }
    // Inputs and sampled values: numbers with a name.
    for (const ExtraState& held : model_.extra_states()) leaves_.coordinates.push_back(add(SymbolKind::coordinate, held.name));
  }

  const Model& model_;
  Algebra& algebra_;
  Algebra::Leaves leaves_;
  std::vector<Formula> values_;
};

Outcome<DerivedEquations> derive_joint_equations(const Model& model, int most_terms, const AskStop& stop) {
  DerivedEquations result;
  NameGiver names(model);
  Algebra algebra(
      kMostOperations, [&](const std::string& wanted) { return names.give(wanted); }, stop);
  const Inputs inputs(model, algebra, names, result.definitions);
  const Tape tape = trace_forces_of_numbers(model);
  std::vector<Formula> forces(tape.outputs.size()), values(tape.steps.size());
  evaluate(tape, inputs.values().data(), forces.data(), values.data());

  if (is_stopped(stop)) return stopped_failure();
  if (algebra.is_exhausted()) return too_many_terms("many thousand", most_terms);
  for (const Formula& force : forces) result.terms += static_cast<int>(force.terms().size());
  if (result.terms > most_terms) return too_many_terms(std::to_string(result.terms), most_terms);

  for (std::size_t i = 0; i < forces.size(); ++i) {
    result.equations.push_back({model.velocity_names()[i], to_expression(forces[i], algebra),
                                written_joint_force(model, static_cast<int>(i), names, result.motions)});
  }
  if (is_stopped(stop)) return stopped_failure();
  for (const NamedFunction& function : algebra.functions()) result.definitions.push_back({function.name, function.value, ""});
  return result;
}

bool has_non_number(const Expression& expression) {
  return std::ranges::any_of(
      expression.steps(), [](const Step& step) { return step.operation == Operation::constant && !std::isfinite(step.value); });
}

// Products of the model's numbers may leave the range of all numbers.
std::optional<Failure> check_numbers(const DerivedEquations& derived) {
  for (const DerivedEquation& equation : derived.equations) {
    if (has_non_number(equation.left) || has_non_number(equation.right))
      return beyond_all_numbers(fmt::format("a constant in the equation of {}", equation.of));
  }
  for (const auto* list : {&derived.angles, &derived.motions, &derived.definitions}) {
    for (const Definition& definition : *list) {
      const bool is_known = definition.formula.is_constant() && !std::isfinite(definition.formula.constant_value());
      if (is_known || has_non_number(definition.formula))
        return beyond_all_numbers(fmt::format("the constant {}", definition.name));
    }
  }
  return std::nullopt;
}

Outcome<DerivedEquations> checked(Outcome<DerivedEquations> derived) {
  if (!derived) return derived;
  if (auto failure = check_numbers(*derived)) return *failure;
  return derived;
}

}  // namespace

Failure too_many_terms(const std::string& count, int most) {
  return {
      "VN-DERIVE-002", fmt::format("the equations would have {} terms; {} are allowed", count, most),
      "`derive --to c` prints them for any tree; numbers in place of parameters make fewer terms, and so does a smaller part of "
      "the tree; --terms N allows more"};
}

std::optional<Failure> check_unconstrained(const Model& model) {
  const ExtraState* const own = model.first_own_state();
  if (own != nullptr || has_law_tables(model)) {
    return Failure{"VN-RUN-173",
                   own == nullptr
                       ? fmt::format("a law uses the table '{}', which has no single formula", model.description().tables[0].name)
                       : fmt::format("the state '{}' moves no body, and is not part of the equations printed", own->name),
                   "replace it by a formula, or remove it"};
  }
  std::vector<std::string> elements;
  for (const ContactDescription& contact : model.description().contacts) elements.push_back("contact '" + contact.name + "'");
  for (const auto& constraint : model.description().velocity_constraints)
    elements.push_back("velocity constraint '" + constraint.name + "'");
  for (const BodyDescription& body : model.description().bodies) {
    if (body.joint.friction) elements.push_back("friction of joint '" + body.name + "'");
  }
  for (const StringElement& string : model.strings()) elements.push_back("string '" + string.name + "'");
  for (const GuideDescription& guide : model.description().guides) elements.push_back("guide '" + guide.name + "'");
  if (elements.empty()) return std::nullopt;
  return Failure{"VN-DERIVE-001",
                 fmt::format("{}{}: equations of the tree alone would be wrong, for a constraint acts on it", elements[0],
                             elements.size() == 1 ? "" : fmt::format(" and {} more", elements.size() - 1)),
                 "remove the constraints to see the equations of the tree; `evaluate` gives constraint equations and multipliers "
                 "at a state"};
}

Outcome<DerivedEquations> derive_equations(const Model& model, const DeriveOptions& options) {
  if (auto refusal = check_unconstrained(model)) return *refusal;
  if (model.tree().velocities == 0)
    return Failure{"VN-DERIVE-003", "nothing moves: all joints are fixed", "give a body a joint that moves"};
  const int most_terms = std::min(options.most_terms, kMostWrittenTerms);
  if (options.form != DerivedForm::joint) {
    if (auto closed = derive_planar_equations(model, most_terms, options.stop)) return checked(*closed);
    if (options.form == DerivedForm::closed)
      return Failure{"VN-DERIVE-004", "the tree has no closed form in absolute angles",
                     "it needs revolute joints with parallel axes, gravity and joint laws only. Leave --form out for equations "
                     "in joint coordinates"};
  }
  return checked(derive_joint_equations(model, most_terms, options.stop));
}

}  // namespace vinculum
