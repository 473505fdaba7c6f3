// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "vinculum/dynamics/batch.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/files/varied_model.h"
#include "vinculum/idealisations/idealisations.h"
#include "vinculum/questions/lanes.h"
#include "vinculum/questions/quantity.h"
#include "vinculum/study/command_line.h"
#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

constexpr int kMotionNumbers = 18;  // of a body: R_WB by columns, p_WB, V_WB_W

// A tree with laws, and nothing that an evaluation asks or judges besides.
bool is_bare_tree(const Model& model) {
  return !has_idealisations(model) && model.rows().empty() && model.environment().empty() && model.outputs().columns.empty() &&
         model.extra_states().empty();
}

// Far from where anything else in the answer, a reaction or a momentum, could be beyond all numbers.
bool is_plain_number(double x) { return std::abs(x) < 1e30; }

class BatchQuestion : public Question {
 public:
  BatchQuestion(const StudySubject& subject, bool only_starts, std::vector<AnswerQuantity> quantities,
                std::unique_ptr<Question> alone)
      : study_(subject.study),
        source_(subject.source),
        only_starts_(only_starts),
        quantities_(std::move(quantities)),
        varied_(subject.source),
        alone_(std::move(alone)) {}

  Answer ask(std::span<const double> parameters, std::optional<double> limit) override { return alone_->ask(parameters, limit); }

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
        std::ranges::any_of(quantities_, [](const AnswerQuantity& place) { return place.of == AnswerQuantity::Of::mass_matrix; });
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
      for (const AnswerQuantity& place : quantities_) {
        const auto index = static_cast<size_t>(place.index), component = static_cast<size_t>(place.component);
        switch (place.of) {
          case AnswerQuantity::Of::time: values.emplace_back(states[k].t); break;
          case AnswerQuantity::Of::acceleration: values.emplace_back(accelerations[index * count + k]); break;
          case AnswerQuantity::Of::position: values.emplace_back(motion(place.index, 9 + place.component)); break;
          case AnswerQuantity::Of::twist: values.emplace_back(motion(place.index, 12 + place.component)); break;
          case AnswerQuantity::Of::mass_matrix: values.emplace_back(matrices[(index * n + component) * count + k]); break;
          case AnswerQuantity::Of::kinetic_energy: values.emplace_back(energy.kinetic); break;
          case AnswerQuantity::Of::potential_energy: values.emplace_back(energy.potential); break;
          case AnswerQuantity::Of::quaternion: {
            Matrix3 R_WB;
            for (int column = 0; column < 3; ++column) {
              for (int row = 0; row < 3; ++row) R_WB(row, column) = motion(place.index, 3 * column + row);
            }
            const Quaternion turn = to_quaternion(R_WB);
            const double parts[] = {turn.w, turn.x, turn.y, turn.z};
            values.emplace_back(parts[component]);
            break;
          }
          default: values.emplace_back(); break;  // of runs
        }
      }
      answers[point_of[k]] = std::move(values);
    }
  }

  const Study& study_;
  const ModelSource& source_;
  bool only_starts_;  // the parameters are initial values: one model in many states
  std::vector<AnswerQuantity> quantities_;
  VariedModel varied_;
  std::unique_ptr<Question> alone_;
};

}  // namespace

std::unique_ptr<Question> make_batch_question(const StudySubject& subject, const QuestionOptions& asked,
                                              std::unique_ptr<Question>& alone) {
  const auto* const options = std::get_if<EvaluateOptions>(&asked);
  if (options == nullptr || options->form != EvaluateOptions{}.form || options->residual != EvaluateOptions{}.residual ||
      options->project || !options->sets.empty() || !options->state.empty())
    return nullptr;
  const Study& study = subject.study;
  for (const long probe : list_probes(study)) {
    const std::vector<double> point = parameters_of(study, probe);
    ReadOptions read;
    for (size_t i = 0; i < study.over.size(); ++i) read.overrides.push_back({study.over[i].name, shortest_text(point[i])});
    Diagnostics diagnostics;
    const auto model = subject.source.build(diagnostics, read);
    if (!model || !diagnostics.list().empty()) continue;
    if (!is_bare_tree(*model)) return nullptr;
    std::vector<AnswerQuantity> quantities;
    for (const StudyColumn& column : study.collect) {
      auto quantity = find_evaluation_quantity(*model, column.path);
      if (!quantity) return nullptr;
      quantities.push_back(std::move(*quantity));
    }
    const bool only_starts = std::ranges::all_of(study.over, [&](const StudyAxis& axis) {
      return model->find_coordinate(axis.name).has_value() || model->find_velocity(axis.name).has_value();
    });
    return std::make_unique<BatchQuestion>(subject, only_starts, std::move(quantities), std::move(alone));
  }
  return nullptr;
}

}  // namespace vinculum
