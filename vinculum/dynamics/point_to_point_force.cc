// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/evaluate.h"
#include "vinculum/kernels/point_to_point_force_kernel.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/load_change.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/dynamics/potential.h"

namespace vinculum {

namespace {

// The law with numbers in place of its constants, in the order of its steps.
Traced evaluate_of_numbers(const Expression& law, std::span<const Traced> numbers, const BindingsOf<Traced>& bindings) {
  std::vector<Traced> values;
  size_t next = 0;
  for (const Step& step : law.steps()) {
    const bool is_number = step.operation == Operation::constant || step.operation == Operation::parameter;
    const auto operand = [&](int k) { return values[k < 0 ? step.left : k]; };
    values.push_back(is_number ? numbers[next++]
                     : step.operation == Operation::variable
                         ? bound_value(step.variable, bindings)
                         : apply_step(step, operand(step.left), operand(step.right), operand(step.third)));
  }
  return values.back();
}

// One amplitude: the pull.
class PointToPointSource final : public ForceSource {
 public:
  int count(const Model& model) const override { return static_cast<int>(laws(model).size()); }
  int element(const Model& model, int k) const override { return laws(model)[k].force; }
  std::vector<Anchor> ends(const Model& model, int k) const override { return {laws(model)[k].a, laws(model)[k].b}; }
  ForceDrawing drawing(const Model& model, int k) const override { return {std::array{laws(model)[k].a, laws(model)[k].b}, {}}; }

  std::vector<ForceAmplitude> amplitudes(const Model& model, int k) const override {
    const PointToPointLaw& law = laws(model)[k];
    return {{&law.law, &law.own, &law.written_out}};
  }
  Expression working_part(const Model& model, int k, int) const override {
    const PointToPointLaw& law = laws(model)[k];
    return law.conservative ? Expression(0.0) : law.written_out;
  }
  void add_amplitudes(const Model& model, int k, std::span<const double> amplitudes, const State& state, Workspace& workspace,
                      std::span<double> forces) const override {
    const PointToPointLaw& law = laws(model)[k];
    Workspace::Memory& memory = workspace.memory();
    see_bodies(model, state.q, state.v, memory);
    for (size_t i = 0; i < model.environment().size(); ++i)
      memory.environment[i] = move_environment_body<double>(model.environment()[i], state.t, std::span(memory.expression));
    const Stretch<double> s = compute_stretch<double>(model, law.a, law.b, {memory.world.data(), memory.environment.data()});
    place_bodies(model, state, workspace);
    for (const auto& [end, sign] : {std::pair(law.a, 1.0), std::pair(law.b, -1.0)}) {
      if (end.on != Anchor::On::body) continue;
      add_jacobian_transpose(model, workspace, {end.index, end.point}, {sign * amplitudes[0] * s.direction, {}}, forces);
    }
  }
  std::vector<Expression> numbers(const Model& model, int k) const override {
    const Expression& law = laws(model)[k].law;
    Expression::Builder builder;
    const std::vector<int> handles = builder.include_steps(law);
    std::vector<Expression> list;
    for (size_t i = 0; i < law.steps().size(); ++i) {
      const Operation operation = law.steps()[i].operation;
      if (operation == Operation::constant || operation == Operation::parameter) list.push_back(builder.build(handles[i]));
    }
    return list;
  }
  void add_of_numbers(const Model& model, int k, std::span<const Traced> numbers, const ForceView<Traced>& view,
                      WrenchOf<Traced>* loads) const override {
    const PointToPointLaw& law = laws(model)[k];
    const Stretch<Traced> s = stretch_of(law, view);
    apply_pull(evaluate_of_numbers(law.law, numbers, with_stretch(view.bindings, s)), s, view.at, loads);
  }

  bool is_conservative(const Model& model, int k) const override {
    const PointToPointLaw& law = laws(model)[k];
    return law.conservative && law.a.on != Anchor::On::environment && law.b.on != Anchor::On::environment;
  }
  // U = ∫ F d length from the length at the start
  void add_potential(const Model& model, int k, const ForceView<double>& view, std::vector<double>& scratch,
                     const std::function<void(double)>& add) const override {
    const PointToPointLaw& law = laws(model)[k];
    if (law.potential_part.is_constant() && law.potential_part.constant_value() == 0) return;
    Bindings at = view.bindings;
    const auto pull_at = [&](double length) {
      at.surface_x = length;
      return evaluate(law.potential_part, at, scratch);
    };
    add(integrate_law(law.potential_part, pull_at, law.start_length, stretch_of(law, view).length, scratch));
  }

  double output(const Model& model, int k, int component, const ForceView<double>& view) const override {
    const PointToPointLaw& law = laws(model)[k];
    const Stretch<double> s = stretch_of(law, view);
    switch (component) {
      case 0: return pull(law, s, view);
      case 1: return s.length;
      case 2: return s.rate;
      default: return -pull(law, s, view) * s.rate;
    }
  }
  double output_scale(const Model& model, int, int component) const override {
    const Scales& scales = model.scales();
    const double of[] = {scales.force(), scales.length, scales.velocity, scales.energy() / scales.time()};
    return of[component];
  }
  Wrench shown(const Model& model, int k, const ForceView<double>& view) const override {
    const PointToPointLaw& law = laws(model)[k];
    return {{pull(law, stretch_of(law, view), view), 0, 0}, {}};
  }
  std::optional<Failure> explain_no_value(const Model& model, int k, const ForceView<double>& view) const override {
    const PointToPointLaw& law = laws(model)[k];
    if (compute_stretch(model, law.a, law.b, view.at).length > 0) return std::nullopt;
    return Failure{"VN-RUN-174",
                   fmt::format("the two points of force '{}' coincide at t = {:g} s, so its line has no direction",
                               model.description().forces[law.force].name, view.bindings.time),
                   "start with the points apart, or write the force as one on a joint or on a body"};
  }

  void subtract_geometry(const Model& model, int k, const State& state, LoadChange& change) const override {
    const PointToPointLaw& law = laws(model)[k];
    const ForceView<double> view = change.view(state);
    const BindingsOf<double> at = with_stretch(view.bindings, stretch_of(law, view));
    const auto value = [&](const Expression& formula) {
      return evaluate_steps<double>(formula, at, change.scratch_for(formula));
    };
    change.subtract_pull(change.point_of_anchor(law.a), change.point_of_anchor(law.b), value(law.law), value(law.by_length),
                         value(law.by_rate));
  }
  void subtract_amplitude(const Model& model, int k, int, double slope, int column, bool by_velocity, const State& state,
                          LoadChange& change) const override {
    const PointToPointLaw& law = laws(model)[k];
    const Vector3 force = slope * stretch_of(law, change.view(state)).direction;
    const By by = by_velocity ? By::v : By::q;
    change.subtract_wrench(change.point_of_anchor(law.a), {force, {}}, column, by);
    change.subtract_wrench(change.point_of_anchor(law.b), {-force, {}}, column, by);
  }

 private:
  static const std::vector<PointToPointLaw>& laws(const Model& model) { return model.forces().of<PointToPointLaw>(); }
  static double pull(const PointToPointLaw& law, const Stretch<double>& s, const ForceView<double>& view) {
    return evaluate_steps<double>(law.law, with_stretch(view.bindings, s), view.scratch);
  }
};

}  // namespace

const ForceSource& point_to_point_force_source() {
  static const PointToPointSource source;
  return source;
}

}  // namespace vinculum
