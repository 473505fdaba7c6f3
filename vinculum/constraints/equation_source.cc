// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "vinculum/constraints/joint_friction.h"
#include "vinculum/constraints/row_source.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/expression/evaluate_at.h"

namespace vinculum {

namespace {

// Velocity constraints (model/velocity_equation.h):  s = Σ d_k v_k - F
class EquationSource : public RowSource {
 public:
  std::optional<Failure> compute(const ConstraintSet& set, const State& state, ConstraintRows& rows) const override {
    const Model& model = set.model;
    if (model.velocity_equations().empty()) return std::nullopt;
    thread_local std::vector<double> coordinate_rates, scratch;
    coordinate_rates.resize(state.q.size());
    compute_coordinate_rates(model, state.q, state.v, coordinate_rates);
    const Bindings bindings{state.t, state.q, state.v};
    for (const Row& row : model.rows()) {
      const auto* origin = row.from<EquationRow>();
      if (origin == nullptr) continue;
      const VelocityEquation& equation = model.velocity_equations()[origin->equation];
      RowAt& at = rows.all[row.index];
      at.rate = evaluate(equation.slip, bindings, scratch);
      at.given = evaluate(equation.given, bindings, scratch);
      at.forces.clear();
      for (const auto& [velocity, factor] : equation.by_velocity)
        at.forces.push_back({velocity, evaluate(factor, bindings, scratch)});
      at.gamma = -evaluate(equation.by_time, bindings, scratch);
      for (const auto& [coordinate, factor] : equation.by_coordinate)
        at.gamma -= evaluate(factor, bindings, scratch) * coordinate_rates[coordinate];
    }
    return std::nullopt;
  }

  RowPlace place_in_tree(const Model&, const Row&) const override { return {}; }

  TracedRow write(const Model& model, const Row& row, const TracedTree& tree) const override {
    const VelocityEquation& equation = model.velocity_equations()[row.from<EquationRow>()->equation];
    const BindingsOf<Traced> bindings{tree.t, tree.q, tree.v};
    TracedRow written;
    written.rate = evaluate_at(equation.slip, bindings);
    written.given = evaluate_at(equation.given, bindings);
    for (const auto& [velocity, factor] : equation.by_velocity)
      written.forces.push_back({velocity, evaluate_at(factor, bindings)});
    return written;
  }

  std::optional<Failure> check_series(const Model& model) const override {
    return refuse_joint_friction(model, "a power series");
  }

  std::string_view held_position(const Model&, const Row&) const override { return ""; }

  std::string moved_by(const Model& model, const Row& row) const override {
    const VelocityEquation& equation = model.velocity_equations()[row.from<EquationRow>()->equation];
    return equation.slip.depends_on(VariableKind::time) ? "its equation contains t" : "";
  }

  void list_laws(const Model& model, std::vector<const Expression*>& laws) const override {
    for (const VelocityEquation& equation : model.velocity_equations())
      laws.insert(laws.end(), {&equation.given, &equation.by_time});
  }

  // Where v = 0 does not obey the equation, what keeps it must do work.
  void list_working(const Model& model, std::vector<std::string>& elements) const override {
    for (const Row& row : model.rows()) {
      const auto* origin = row.from<EquationRow>();
      if (origin == nullptr) continue;
      const VelocityEquation& equation = model.velocity_equations()[origin->equation];
      if (!(equation.given.is_constant() && equation.given.constant_value() == 0)) elements.push_back(row.element);
    }
  }
};

}  // namespace

const RowSource& equation_source() {
  static const EquationSource source;
  return source;
}

}  // namespace vinculum
