// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/evaluate.h"
#include "vinculum/kernels/joint_force_kernel.h"

#include <algorithm>

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/load_change.h"
#include "vinculum/dynamics/potential.h"
#include "vinculum/model/scales.h"

namespace vinculum {

namespace {

// The terms of a law that are not among those with a potential. The difference of the two sums would have no bounds.
Expression terms_beside(const Expression& law, const Expression& potential_part) {
  std::vector<std::string> known;
  for (const Expression& term : split_sum(potential_part)) known.push_back(to_text(term));
  Expression rest;
  for (const Expression& term : split_sum(law)) {
    const auto found = std::ranges::find(known, to_text(term));
    if (found == known.end()) {
      rest = rest + term;
    } else {
      known.erase(found);
    }
  }
  return rest;
}

class JointForceSource final : public ForceSource {
 public:
  int count(const Model& model) const override { return static_cast<int>(laws(model).size()); }
  int element(const Model& model, int k) const override { return laws(model)[k].force; }
  int velocity(const Model& model, int k) const override { return laws(model)[k].velocity; }
  bool is_passive(const Model& model, int k) const override { return laws(model)[k].passive; }
  std::vector<Anchor> ends(const Model&, int) const override { return {}; }
  ForceDrawing drawing(const Model&, int) const override { return {}; }

  std::vector<ForceAmplitude> amplitudes(const Model& model, int k) const override {
    const JointForceLaw& law = laws(model)[k];
    return {{&law.law, nullptr, &law.law}};
  }
  Expression working_part(const Model& model, int k, int) const override {
    const JointForceLaw& law = laws(model)[k];
    return law.conservative ? Expression(0.0) : terms_beside(law.law, law.potential_part);
  }
  void add_amplitudes(const Model& model, int k, std::span<const double> amplitudes, const State&, Workspace&,
                      std::span<double> forces) const override {
    forces[laws(model)[k].velocity] += amplitudes[0];
  }
  // Equations as text have laws on velocities on their right side (written_joint_force).
  std::vector<Expression> numbers(const Model&, int) const override { return {}; }
  void add_of_numbers(const Model&, int, std::span<const Traced>, const ForceView<Traced>&, WrenchOf<Traced>*) const override {}

  bool is_conservative(const Model& model, int k) const override { return laws(model)[k].conservative; }
  // U = -∫_0^q (own-coordinate part)
  void add_potential(const Model& model, int k, const ForceView<double>& view, std::vector<double>& scratch,
                     const std::function<void(double)>& add) const override {
    const JointForceLaw& law = laws(model)[k];
    if (law.coordinate < 0) return;
    const std::span<const double> q = view.bindings.q;
    std::vector<double> coordinates(q.begin(), q.end());
    for (const JointForceLaw::PotentialTerms& terms : law.potential_terms) {
      const auto force_at = [&](double x) {
        coordinates[law.coordinate] = x;
        return evaluate(terms.force, Bindings{view.bindings.time, coordinates, view.bindings.v}, scratch);
      };
      add(-integrate_from_zero(terms.force, terms.rate, force_at, q[law.coordinate], scratch));
    }
  }

  double output(const Model& model, int k, int component, const ForceView<double>& view) const override {
    const JointForceLaw& law = laws(model)[k];
    const double force = evaluate_steps<double>(law.law, view.bindings, view.scratch);
    return component == 0 ? force : force * view.bindings.v[law.velocity];
  }
  double output_scale(const Model& model, int k, int component) const override {
    const Scales& scales = model.scales();
    const double power = scales.energy() / scales.time();
    return component > 0 ? power : power / velocity_scales(model, scales)[laws(model)[k].velocity];
  }
  std::optional<Expression> output_formula(const Model& model, int k, int component) const override {
    const JointForceLaw& law = laws(model)[k];
    if (component == 0) return law.law;
    Expression::Builder velocity;
    return law.law * velocity.build(velocity.variable({VariableKind::velocity, law.velocity}, "v"));
  }
  Wrench shown(const Model&, int, const ForceView<double>&) const override { return {}; }

  void subtract_geometry(const Model&, int, const State&, LoadChange&) const override {}
  void subtract_amplitude(const Model& model, int k, int, double slope, int column, bool by_velocity, const State&,
                          LoadChange& change) const override {
    change.subtract_entry(laws(model)[k].velocity, column, by_velocity ? By::v : By::q, slope);
  }

 private:
  static const std::vector<JointForceLaw>& laws(const Model& model) { return model.forces().of<JointForceLaw>(); }
};

}  // namespace

const ForceSource& joint_force_source() {
  static const JointForceSource source;
  return source;
}

}  // namespace vinculum
