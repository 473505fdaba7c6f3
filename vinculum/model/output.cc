// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/output.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include <fmt/core.h>

#include "vinculum/model/compile_forces.h"
#include "vinculum/model/model.h"

namespace vinculum {

namespace {

// Finds what the names of a model's outputs stand for.
class OutputCompiler {
 public:
  OutputCompiler(const Model& model, const ModelDescription& words, Diagnostics& diagnostics)
      : model_(model), words_(words), diagnostics_(diagnostics) {}

  Outputs compile() {
    name_quantities();
    for (const OutputDescription& output : words_.outputs) add_columns(output);
    for (const std::string& name : words_.quantities) {
      const auto found = quantity_of_.find(name);
      if (found == quantity_of_.end())
        diagnostics_.error("VN-MODEL-153", {}, "outputs", fmt::format("nothing is called '{}'", name),
                           "accelerations, constraints, forces, points and outputs can be named");
      outputs_.quantities.push_back(found == quantity_of_.end() ? MotionQuantity{} : found->second);
    }
    give_points_values();
    sort_columns();
    return std::move(outputs_);
  }

 private:
  std::optional<Anchor> find_anchor(const Located<std::string>& name, const Vector3& point, const std::string& element) {
    if (*name == "world") return Anchor{Anchor::On::world, 0, point};
    if (const auto body = model_.find_body(*name)) return Anchor{Anchor::On::body, *body, point};
    std::vector<std::string> known{"world"};
    for (const Body& body : model_.bodies()) known.push_back(body.name);
    for (size_t i = 0; i < model_.environment().size(); ++i) {
      known.push_back(model_.environment()[i].name);
      if (known.back() == *name) return Anchor{Anchor::On::environment, static_cast<int>(i), point};
    }
    const std::string nearest = nearest_name(*name, known);
    diagnostics_.error("VN-MODEL-031", name.place, element, fmt::format("there is no body or environment body '{}'", *name),
                       nearest.empty() ? "this must be `world`, one of `bodies` or one of `environment`"
                                       : fmt::format("did you mean '{}'?", nearest));
    return std::nullopt;
  }

  void add_columns(const OutputDescription& output) {
    const std::string element = fmt::format("output '{}'", output.name);
    if (const auto* point = std::get_if<OutputDescription::Point>(&output.what)) {
      const auto at = find_anchor(point->of, point->point, element), frame = find_anchor(point->in, {}, element);
      const int number = static_cast<int>(outputs_.points.size());
      outputs_.points.push_back({at.value_or(Anchor{}), frame.value_or(Anchor{}), point->seen_from_frame});
      constexpr Dimension kDimensions[] = {kLength, kVelocity, kAcceleration};
      for (int k = 0; k < static_cast<int>(std::size(kPointWords)); ++k) {
        const std::string name = fmt::format("{}.{}", output.name, kPointWords[k]);
        quantity_of_.emplace(name, MotionQuantity{MotionQuantity::Of::point, number, k});
        outputs_.columns.push_back({name, to_text(kDimensions[k / 3]), {}});
      }
      return;
    }
    const int column = static_cast<int>(outputs_.columns.size());
    quantity_of_.emplace(output.name, MotionQuantity{MotionQuantity::Of::output, column, 0});
    outputs_.columns.push_back(
        {output.name, output.dimension ? to_text(*output.dimension) : "", std::get<Expression>(output.what)});
    for (const OutputDescription::Requirement& requirement : output.requirements)
      outputs_.requirements.push_back({column, requirement.below, requirement.or_equal, requirement.bound});
  }

  // All that a formula of an output may name. Of two that are called the same the first is meant: an output
  // that is written out without being declared is called as what it shows.
  void name_quantities() {
    using Of = MotionQuantity::Of;
    for (int i = 0; i < static_cast<int>(model_.velocity_names().size()); ++i)
      quantity_of_.emplace(model_.velocity_names()[i] + "'", MotionQuantity{Of::acceleration, i, 0});
    for (const Row& row : model_.rows()) {
      quantity_of_.emplace(row.name, MotionQuantity{Of::multiplier, row.index, 0});
      if (row.is_drive) quantity_of_.emplace(row.name + std::string(kPowerWord), MotionQuantity{Of::drive_power, row.index, 0});
    }
    int number = 0;
    model_.forces().for_each([&](const auto& law) {
      const ForceDescription& force = words_.forces[law.force];
      const std::vector<ForceOutput> components = list_outputs(force);
      for (int k = 0; k < static_cast<int>(components.size()); ++k)
        quantity_of_.emplace(fmt::format("{}.{}", force.name, components[k].word), MotionQuantity{Of::force, number, k});
      ++number;
    });
  }

  void give_points_values() {
    int column = 0;
    for (const OutputDescription& output : words_.outputs) {
      const bool is_point = std::holds_alternative<OutputDescription::Point>(output.what);
      for (size_t k = 0; k < (is_point ? std::size(kPointWords) : 1); ++k, ++column) {
        if (!is_point) continue;
        const std::string& name = outputs_.columns[column].name;
        Expression::Builder builder;
        const Variable variable{VariableKind::quantity, static_cast<int>(outputs_.quantities.size())};
        outputs_.columns[column].value = builder.build(builder.variable(variable, name));
        outputs_.quantities.push_back(quantity_of_.at(name));
      }
    }
  }

  // Depth first. The reader has refused circles; of a description that has one all the same it is reported here.
  void sort_columns() {
    enum class Mark { unseen, open, done };
    std::vector<Mark> marks(outputs_.columns.size(), Mark::unseen);
    std::vector<int> path;
    for (size_t i = 0; i < marks.size(); ++i) {
      path.push_back(static_cast<int>(i));
      while (!path.empty()) {
        const int column = path.back();
        if (marks[column] == Mark::done) {
          path.pop_back();
          continue;
        }
        bool ready = true;
        marks[column] = Mark::open;
        for (const Variable& variable : outputs_.columns[column].value.variables()) {
          if (variable.kind != VariableKind::quantity) continue;
          const MotionQuantity& quantity = outputs_.quantities[variable.index];
          if (quantity.of != MotionQuantity::Of::output || marks[quantity.index] == Mark::done) continue;
          if (marks[quantity.index] == Mark::open) {
            diagnostics_.error("VN-MODEL-151", {}, fmt::format("output '{}'", outputs_.columns[column].name),
                               "it is made of itself", "an output may use others, but none that uses it");
            return;
          }
          path.push_back(quantity.index);
          ready = false;
        }
        if (!ready) continue;
        marks[column] = Mark::done;
        outputs_.order.push_back(column);
        path.pop_back();
      }
    }
  }

  const Model& model_;
  const ModelDescription& words_;
  Diagnostics& diagnostics_;
  Outputs outputs_;
  std::unordered_map<std::string, MotionQuantity> quantity_of_;
};

}  // namespace

bool Outputs::needs_solution(const Expression& formula) const {
  return std::ranges::any_of(formula.variables(), [&](const Variable& variable) {
    if (variable.kind != VariableKind::quantity) return false;
    const MotionQuantity& quantity = quantities[variable.index];
    switch (quantity.of) {
      case MotionQuantity::Of::acceleration:
      case MotionQuantity::Of::multiplier:
      case MotionQuantity::Of::drive_power: return true;
      case MotionQuantity::Of::point: return quantity.component >= 6;
      case MotionQuantity::Of::output: return needs_solution(columns[quantity.index].value);
      case MotionQuantity::Of::force: break;
    }
    return false;
  });
}

Outputs compile_outputs(const Model& model, const ModelDescription& words, Diagnostics& diagnostics) {
  if (words.outputs.empty() && words.quantities.empty()) return {};
  return OutputCompiler(model, words, diagnostics).compile();
}

}  // namespace vinculum
