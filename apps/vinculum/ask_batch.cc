// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include "ask_lanes.h"
#include "vinculum/dynamics/batch.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/simulation/idealisations.h"
#include "vinculum/study/command_line.h"
#include "vinculum/study/sample.h"

namespace vinculum::app {

namespace {

constexpr int kMotionNumbers = 18;  // of a body: R_WB by columns, p_WB, V_WB_W

// What a study may collect from a batch: a number of it, or of the energy.
struct BatchPlace {
  enum class Of { time, acceleration, position, quaternion, twist, mass_matrix, kinetic, potential } of = Of::time;
  int index = 0, component = 0;
};

// A whole path of names, its last part a number below `count`: "poses.arm.position.2" after "poses.arm.position".
std::optional<int> component_after(std::string_view path, std::string_view begin, int count) {
  if (!path.starts_with(begin) || path.size() < begin.size() + 2 || path[begin.size()] != '.') return std::nullopt;
  const std::string_view digits = path.substr(begin.size() + 1);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool good = error == std::errc() && end == digits.data() + digits.size() && digits == std::to_string(number);
  return good && number < count ? std::optional(number) : std::nullopt;
}

std::optional<BatchPlace> find_batch_place(const Model& model, const std::string& path) {
  using Of = BatchPlace::Of;
  if (path == "t") return BatchPlace{Of::time};
  if (path == "energy.kinetic") return BatchPlace{Of::kinetic};
  if (path == "energy.potential") return BatchPlace{Of::potential};
  const int n = model.tree().velocities;
  for (int i = 0; i < n; ++i) {
    if (path == "accelerations." + model.velocity_names()[static_cast<size_t>(i)]) return BatchPlace{Of::acceleration, i};
    if (const auto column = component_after(path, "mass_matrix." + std::to_string(i), n))
      return BatchPlace{Of::mass_matrix, i, *column};
  }
  for (size_t b = 0; b < model.bodies().size(); ++b) {
    const std::string& name = model.bodies()[b].name;
    const int body = static_cast<int>(b);
    if (const auto i = component_after(path, "poses." + name + ".position", 3)) return BatchPlace{Of::position, body, *i};
    if (const auto i = component_after(path, "poses." + name + ".quaternion", 4)) return BatchPlace{Of::quaternion, body, *i};
    if (const auto i = component_after(path, "twists." + name, 6)) return BatchPlace{Of::twist, body, *i};
  }
  return std::nullopt;
}

// A tree with laws, and nothing that an evaluation asks or judges besides.
bool is_bare_tree(const Model& model) {
  return !has_idealisations(model) && model.rows().empty() && model.environment().empty() && model.outputs().columns.empty() &&
         model.extra_states().empty();
}

// Far from where anything else in the answer, a reaction or a momentum, could be beyond all numbers.
bool is_plain_number(double x) { return std::abs(x) < 1e30; }

class BatchQuestion : public Question {
 public:
  BatchQuestion(const Study& study, const ModelSource& source, bool only_starts, std::vector<BatchPlace> places)
      : study_(study),
        source_(source),
        only_starts_(only_starts),
        places_(std::move(places)),
        varied_(source),
        alone_(study, source) {}

  Answer ask(std::span<const double> parameters, std::optional<double> limit) override { return alone_.ask(parameters, limit); }

  int together() const override { return 256; }

  std::vector<Answer> ask_together(std::span<const std::vector<double>> points, std::optional<double> limit) override {
    std::vector<std::optional<Answer>> answers(points.size());
    if (!limit) answer_in_lanes(points, answers);
    std::vector<Answer> all;
    for (size_t i = 0; i < points.size(); ++i) all.push_back(answers[i] ? std::move(*answers[i]) : ask(points[i], limit));
    return all;
  }

 private:
  void answer_in_lanes(std::span<const std::vector<double>> points, std::vector<std::optional<Answer>>& answers) {
    std::vector<Model> variants;
    std::vector<State> states;
    std::vector<size_t> point_of;
    std::shared_ptr<const Model> model;
    ReadOptions read;
    for (const StudyAxis& axis : study_.over) read.overrides.push_back({axis.name, {}});
    for (size_t i = 0; i < points.size(); ++i) {
      for (size_t k = 0; k < study_.over.size(); ++k) read.overrides[k].value = shortest_text(points[i][k]);
      Diagnostics diagnostics;
      if (only_starts_) {
        model = nullptr;  // so that it changes in place
        model = varied_.build(diagnostics, read);
        if (!model || !diagnostics.list().empty()) return;  // the model itself is wrong, or is not the one that was looked at
        states.push_back(model->initial_state());
      } else {
        auto variant = source_.build(diagnostics, read);
        if (!variant || !diagnostics.list().empty() || !is_bare_tree(*variant)) continue;
        states.push_back(variant->initial_state());
        variants.push_back(std::move(*variant));
      }
      point_of.push_back(i);
    }
    if (states.empty()) return;
    if (only_starts_) {
      Batch batch(*model);
      return evaluate(batch, {}, *model, states, point_of, answers);
    }
    if (auto batch = Batch::of_variants(variants)) evaluate(*batch, variants, variants.front(), states, point_of, answers);
  }

  void evaluate(Batch& batch, std::span<const Model> variants, const Model& model, const std::vector<State>& states,
                const std::vector<size_t>& point_of, std::vector<std::optional<Answer>>& answers) const {
    const auto count = states.size();
    const auto n = static_cast<size_t>(model.tree().velocities);
    const StateBatch in_lanes = make_batch(states);
    std::vector<double> accelerations(n * count), motions(kMotionNumbers * model.bodies().size() * count), matrices;
    const std::vector<int> undetermined = compute_accelerations(batch, in_lanes, accelerations);
    compute_body_motions(batch, in_lanes, motions);
    const bool with_matrix =
        std::ranges::any_of(places_, [](const BatchPlace& place) { return place.of == BatchPlace::Of::mass_matrix; });
    if (with_matrix) {
      matrices.resize(n * n * count);
      compute_mass_matrices(batch, in_lanes, matrices);
    }
    std::optional<Workspace> workspace;
    for (size_t k = 0; k < count; ++k) {
      const Model& own = variants.empty() ? model : variants[k];
      if (!workspace || !variants.empty()) workspace.emplace(own);
      const Energy energy = compute_energy(own, states[k], *workspace);
      bool is_plain = std::ranges::find(undetermined, static_cast<int>(k)) == undetermined.end() &&
                      is_plain_number(energy.kinetic) && is_plain_number(energy.potential) &&
                      std::ranges::all_of(states[k].q, is_plain_number) && std::ranges::all_of(states[k].v, is_plain_number);
      for (const auto* values : {&accelerations, &motions, &matrices}) {
        for (size_t i = k; i < values->size(); i += count) is_plain = is_plain && is_plain_number((*values)[i]);
      }
      if (!is_plain) continue;
      const auto motion = [&](int body, int i) { return motions[(static_cast<size_t>(kMotionNumbers * body + i)) * count + k]; };
      std::vector<StudyValue> values;
      for (const BatchPlace& place : places_) {
        const auto index = static_cast<size_t>(place.index), component = static_cast<size_t>(place.component);
        switch (place.of) {
          case BatchPlace::Of::time: values.emplace_back(states[k].t); break;
          case BatchPlace::Of::acceleration: values.emplace_back(accelerations[index * count + k]); break;
          case BatchPlace::Of::position: values.emplace_back(motion(place.index, 9 + place.component)); break;
          case BatchPlace::Of::twist: values.emplace_back(motion(place.index, 12 + place.component)); break;
          case BatchPlace::Of::mass_matrix: values.emplace_back(matrices[(index * n + component) * count + k]); break;
          case BatchPlace::Of::kinetic: values.emplace_back(energy.kinetic); break;
          case BatchPlace::Of::potential: values.emplace_back(energy.potential); break;
          case BatchPlace::Of::quaternion: {
            Matrix3 R_WB;
            for (int column = 0; column < 3; ++column) {
              for (int row = 0; row < 3; ++row) R_WB(row, column) = motion(place.index, 3 * column + row);
            }
            const Quaternion turn = to_quaternion(R_WB);
            const double parts[] = {turn.w, turn.x, turn.y, turn.z};
            values.emplace_back(parts[component]);
            break;
          }
        }
      }
      answers[point_of[k]] = std::move(values);
    }
  }

  const Study& study_;
  const ModelSource& source_;
  bool only_starts_;  // the parameters are initial values: one model in many states
  std::vector<BatchPlace> places_;
  VariedModel varied_;
  CommandQuestion alone_;
};

}  // namespace

std::unique_ptr<Question> make_batch_question(const Study& study, const ModelSource& source) {
  if (study.command != "evaluate" || study.options.find_first_not_of(' ') != std::string::npos) return nullptr;
  for (const long probe : list_probes(study)) {
    const std::vector<std::vector<double>> point{parameters_of(study, probe)};
    ReadOptions read;
    for (size_t i = 0; i < study.over.size(); ++i) read.overrides.push_back({study.over[i].name, shortest_text(point[0][i])});
    Diagnostics diagnostics;
    const auto model = source.build(diagnostics, read);
    if (!model || !diagnostics.list().empty()) continue;
    if (!is_bare_tree(*model)) return nullptr;
    std::vector<BatchPlace> places;
    for (const StudyColumn& column : study.collect) {
      const auto place = find_batch_place(*model, column.path);
      if (!place) return nullptr;
      places.push_back(*place);
    }
    const bool only_starts = std::ranges::all_of(study.over, [&](const StudyAxis& axis) {
      return model->find_coordinate(axis.name).has_value() || model->find_velocity(axis.name).has_value();
    });
    auto question = std::make_unique<BatchQuestion>(study, source, only_starts, std::move(places));
    const auto alone = question->ask(point[0], std::nullopt);
    if (!alone) continue;
    // A path may lead elsewhere than it seems to, where names have points in them: both ways must agree.
    const auto in_lanes = question->ask_together(point, std::nullopt);
    if (!in_lanes.front() || *alone != *in_lanes.front()) return nullptr;
    return question;
  }
  return nullptr;
}

std::unique_ptr<Question> make_question(const Study& study, const ModelSource& source, bool has_limit) {
  if (!has_limit) {
    if (auto runs = make_ensemble_question(study, source)) return runs;
    if (auto evaluations = make_batch_question(study, source)) return evaluations;
  }
  return std::make_unique<CommandQuestion>(study, source);
}

}  // namespace vinculum::app
