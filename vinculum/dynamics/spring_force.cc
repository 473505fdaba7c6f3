// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/kernels/spring_force_kernel.h"

#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/load_change.h"

namespace vinculum {

namespace {

class SpringSource final : public ForceSource {
 public:
  int count(const Model& model) const override { return static_cast<int>(laws(model).size()); }
  int element(const Model& model, int k) const override { return laws(model)[k].force; }
  std::vector<Anchor> ends(const Model& model, int k) const override { return {laws(model)[k].a, laws(model)[k].b}; }
  ForceDrawing drawing(const Model& model, int k) const override { return {std::array{laws(model)[k].a, laws(model)[k].b}, {}}; }

  std::vector<ForceAmplitude> amplitudes(const Model&, int) const override { return {}; }
  Expression working_part(const Model&, int, int) const override { return {}; }
  void add_amplitudes(const Model&, int, std::span<const double>, const State&, Workspace&, std::span<double>) const override {}
  // As written, where the words still say the same number.
  std::vector<Expression> numbers(const Model& model, int k) const override {
    const SpringLaw& law = laws(model)[k];
    const auto& words = std::get<SpringForce>(model.description().forces[law.force].law);
    const double values[] = {law.stiffness, law.damping, law.length};
    std::vector<Expression> list;
    for (int m = 0; m < 3; ++m) {
      const Expression& written = words.formulas[m];
      const bool is_it = written.is_constant() && written.constant_value() == values[m];
      list.push_back(is_it ? written : Expression(values[m]));
    }
    return list;
  }
  void add_of_numbers(const Model& model, int k, std::span<const Traced> numbers, const ForceView<Traced>& view,
                      WrenchOf<Traced>* loads) const override {
    const SpringLaw& law = laws(model)[k];
    const Stretch<Traced> s = compute_stretch(model, law.a, law.b, view.at);
    apply_pull(pull(SpringOf<Traced>{numbers[0], numbers[1], numbers[2]}, s), s, view.at, loads);
  }

  bool is_conservative(const Model& model, int k) const override {
    const SpringLaw& law = laws(model)[k];
    return law.damping == 0 && law.a.on != Anchor::On::environment && law.b.on != Anchor::On::environment;
  }
  // U = ½ k (d - L)²
  void add_potential(const Model& model, int k, const ForceView<double>& view, std::vector<double>&,
                     const std::function<void(double)>& add) const override {
    const SpringLaw& law = laws(model)[k];
    const double extension = stretch(model, k, view).length - law.length;
    add(0.5 * law.stiffness * extension * extension);
  }

  double output(const Model& model, int k, int component, const ForceView<double>& view) const override {
    const Stretch<double> s = stretch(model, k, view);
    switch (component) {
      case 0: return pull(laws(model)[k], s);
      case 1: return s.length;
      case 2: return s.rate;
      default: return -pull(laws(model)[k], s) * s.rate;
    }
  }
  double output_scale(const Model& model, int, int component) const override {
    const Scales& scales = model.scales();
    const double of[] = {scales.force(), scales.length, scales.velocity, scales.energy() / scales.time()};
    return of[component];
  }
  Wrench shown(const Model& model, int k, const ForceView<double>& view) const override {
    return {{pull(laws(model)[k], stretch(model, k, view)), 0, 0}, {}};
  }

  void subtract_geometry(const Model& model, int k, const State&, LoadChange& change) const override {
    const SpringLaw& law = laws(model)[k];
    const LoadChange::Point a = change.point_of_anchor(law.a), b = change.point_of_anchor(law.b);
    const Vector3 D = b.p - a.p, D_dot = b.velocity - a.velocity;
    const double d = norm(D);
    if (d == 0) return;
    const Vector3 n = (1 / d) * D;
    change.subtract_pull(a, b, law.stiffness * (d - law.length) + law.damping * dot(n, D_dot), law.stiffness, law.damping);
  }
  void subtract_amplitude(const Model&, int, int, double, int, bool, const State&, LoadChange&) const override {}

 private:
  static const std::vector<SpringLaw>& laws(const Model& model) { return model.forces().of<SpringLaw>(); }
  static Stretch<double> stretch(const Model& model, int k, const ForceView<double>& view) {
    return compute_stretch(model, laws(model)[k].a, laws(model)[k].b, view.at);
  }
};

}  // namespace

const ForceSource& spring_force_source() {
  static const SpringSource source;
  return source;
}

}  // namespace vinculum
