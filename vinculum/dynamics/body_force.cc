// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/kernels/body_force_kernel.h"

#include "vinculum/dynamics/clean_rotation.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/load_change.h"

namespace vinculum {

namespace {

// Amplitude 2 m is component m of the force, 2 m + 1 that of the torque.
class BodyForceSource final : public ForceSource {
 public:
  int count(const Model& model) const override { return static_cast<int>(laws(model).size()); }
  int element(const Model& model, int k) const override { return laws(model)[k].force; }
  std::vector<Anchor> ends(const Model& model, int k) const override { return {point(laws(model)[k])}; }
  ForceDrawing drawing(const Model& model, int k) const override { return {{}, point(laws(model)[k])}; }

  std::vector<ForceAmplitude> amplitudes(const Model& model, int k) const override {
    const BodyForceLaw& law = laws(model)[k];
    std::vector<ForceAmplitude> list;
    for (int m = 0; m < 3; ++m) {
      for (const Expression* formula : {&law.force_law[m], &law.torque_law[m]}) list.push_back({formula, nullptr, formula});
    }
    return list;
  }
  Expression working_part(const Model& model, int k, int amplitude) const override {
    const BodyForceLaw& law = laws(model)[k];
    return (amplitude % 2 == 0 ? law.force_law : law.torque_law)[amplitude / 2];
  }
  void add_amplitudes(const Model& model, int k, std::span<const double> amplitudes, const State& state, Workspace& workspace,
                      std::span<double> forces) const override {
    const BodyForceLaw& law = laws(model)[k];
    Wrench wrench;
    for (int m = 0; m < 3; ++m) wrench.force[m] = amplitudes[2 * m], wrench.moment[m] = amplitudes[2 * m + 1];
    if (law.in_body_axes) {
      const Matrix3 R = compute_body_motions(model, state, workspace)[law.body].R_WB;
      wrench = {R * wrench.force, R * wrench.moment};
    }
    place_bodies(model, state, workspace);
    add_jacobian_transpose(model, workspace, {law.body, law.point_B}, wrench, forces);
  }
  std::vector<Expression> numbers(const Model& model, int k) const override {
    const BodyForceLaw& law = laws(model)[k];
    std::vector<Expression> list(law.force_law.begin(), law.force_law.end());
    list.insert(list.end(), law.torque_law.begin(), law.torque_law.end());
    return list;
  }
  void add_of_numbers(const Model& model, int k, std::span<const Traced> numbers, const ForceView<Traced>& view,
                      WrenchOf<Traced>* loads) const override {
    const BodyForceLaw& law = laws(model)[k];
    const Body& body = model.bodies()[law.body];
    const Vector3Of<Traced> force{numbers[0], numbers[1], numbers[2]}, torque{numbers[3], numbers[4], numbers[5]};
    const Matrix3Of<Traced> R = law.in_body_axes ? view.at.world[body.link].R * clean(body.R_LB) : lift<Traced>(kIdentity3);
    apply_wrench(body, law.point_B, {R * force, R * torque}, view.at, loads);
  }

  // Constant world forces: U = -f·p
  bool is_conservative(const Model& model, int k) const override { return laws(model)[k].constant_world_force; }
  void add_potential(const Model& model, int k, const ForceView<double>& view, std::vector<double>&,
                     const std::function<void(double)>& add) const override {
    const BodyForceLaw& law = laws(model)[k];
    if (!law.constant_world_force) return;
    const Vector3 force = evaluate_vector<double>(law.force_law, view.bindings, view.scratch);
    add(-dot(force, point_of_body(model.bodies()[law.body], law.point_B, view.at).position));
  }

  double output(const Model& model, int k, int component, const ForceView<double>& view) const override {
    const Wrench wrench = shown(model, k, view);
    if (component < 6) return component < 3 ? wrench.force[component] : wrench.moment[component - 3];
    const BodyForceLaw& law = laws(model)[k];
    const Body& body = model.bodies()[law.body];
    const LinkInWorld<double>& link = view.at.world[body.link];
    const LoadedPoint<double> at = point_of_body(body, law.point_B, view.at);
    return dot(wrench.force, at.velocity) + dot(wrench.moment, link.R * link.velocity.angular);
  }
  double output_scale(const Model& model, int, int component) const override {
    const Scales& scales = model.scales();
    const double power = scales.energy() / scales.time(), moment = scales.force() * scales.length;
    return component < 3 ? scales.force() : component < 6 ? moment : power;
  }
  std::optional<Expression> output_formula(const Model& model, int k, int component) const override {
    const BodyForceLaw& law = laws(model)[k];
    if (component > 5 || law.in_body_axes) return std::nullopt;
    return component < 3 ? law.force_law[component] : law.torque_law[component - 3];
  }
  Wrench shown(const Model& model, int k, const ForceView<double>& view) const override {
    const BodyForceLaw& law = laws(model)[k];
    const Body& body = model.bodies()[law.body];
    return world_wrench<double>(law, view.at.world[body.link].R * body.R_LB, view.bindings, view.scratch);
  }

  // A force in world axes stays while its body turns.
  void subtract_geometry(const Model& model, int k, const State& state, LoadChange& change) const override {
    const BodyForceLaw& law = laws(model)[k];
    if (law.in_body_axes) return;
    change.subtract_turn(change.point_of_body(law.body, law.point_B), shown(model, k, change.view(state)));
  }
  void subtract_amplitude(const Model& model, int k, int amplitude, double slope, int column, bool by_velocity,
                          const State& state, LoadChange& change) const override {
    const BodyForceLaw& law = laws(model)[k];
    const Body& body = model.bodies()[law.body];
    const Matrix3 axes = law.in_body_axes ? change.view(state).at.world[body.link].R * body.R_LB : kIdentity3;
    Wrench wrench;
    (amplitude % 2 == 0 ? wrench.force : wrench.moment) = slope * axes.column(amplitude / 2);
    change.subtract_wrench(change.point_of_body(law.body, law.point_B), wrench, column, by_velocity ? By::v : By::q);
  }

 private:
  static const std::vector<BodyForceLaw>& laws(const Model& model) { return model.forces().of<BodyForceLaw>(); }
  static Anchor point(const BodyForceLaw& law) { return {Anchor::On::body, law.body, law.point_B}; }
};

}  // namespace

const ForceSource& body_force_source() {
  static const BodyForceSource source;
  return source;
}

}  // namespace vinculum
