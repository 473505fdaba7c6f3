// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "vinculum/realization/slip_rows.h"

namespace vinculum {

namespace {

const SlipGroup* find_named_group(const SlipRows& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.groups.begin(), rows.groups.end(), [&](const SlipGroup& group) { return group.name == name; });
  return found == rows.groups.end() ? nullptr : &*found;
}

// The entry without what is said about its force.
VelocityConstraintDescription bare(VelocityConstraintDescription words) {
  words.bound.reset();
  words.friction.reset();
  words.normal = std::string();
  words.law.reset();
  return words;
}

// One entry for each equation, under the names the constraints have.
std::vector<VelocityConstraintDescription> split_equations(const VelocityConstraintDescription& words) {
  std::vector<VelocityConstraintDescription> entries;
  for (size_t i = 0; i < words.slips.size(); ++i) {
    VelocityConstraintDescription entry = words;
    entry.name = words.numbered ? fmt::format("{}.{}", words.name, i + 1) : words.name;
    entry.slips = {words.slips[i]};
    entry.dimensions = {words.dimensions[i]};
    entry.numbered = false;
    entries.push_back(std::move(entry));
  }
  return entries;
}

bool is_realized_row(const Model& model, const SlipRows& rows, const std::string& name) {
  return std::any_of(rows.realized.begin(), rows.realized.end(), [&](int row) { return model.rows()[row].name == name; });
}

void set_contact_force(const Model& model, const SlipRows& rows, const SlipGroup& group, const std::optional<SlipLaw>& law,
                       ContactDescription& words) {
  words.friction = group.friction;
  words.bound = group.bound;
  words.axis_bounds.clear();
  for (size_t i = 0; i < group.row_bounds.size(); ++i) {
    const auto* row = model.rows()[rows.realized[group.rows[i]]].from<ContactRow>();
    if (group.row_bounds[i]) words.axis_bounds[row->axis] = *group.row_bounds[i];
  }
  words.law = law ? law : group.law;
}

}  // namespace

ModelDescription describe_realized(const Model& model, const SlipRows& rows, const std::optional<SlipLaw>& law) {
  ModelDescription description = model.description();
  for (ContactDescription& words : description.contacts) {
    if (const SlipGroup* group = find_named_group(rows, words.name)) {
      set_contact_force(model, rows, *group, law, words);
      continue;
    }
    words.friction.reset();
    words.bound.reset();
    words.axis_bounds.clear();
    words.law.reset();
  }
  std::vector<VelocityConstraintDescription> constraints;
  for (const VelocityConstraintDescription& words : description.velocity_constraints) {
    const SlipGroup* group = find_named_group(rows, words.name);
    if (group == nullptr) {
      constraints.push_back(bare(words));
      constraints.back().permanent = true;
      continue;
    }
    const bool whole = group->rows.size() == words.slips.size() && group->row_bounds.empty();
    if (whole) {
      VelocityConstraintDescription entry = bare(words);
      entry.bound = group->bound;
      entry.friction = group->friction;
      if (group->friction) entry.normal = words.normal;
      entry.law = law ? law : group->law;
      constraints.push_back(std::move(entry));
      continue;
    }
    for (VelocityConstraintDescription& entry : split_equations(bare(words))) {
      entry.permanent = true;
      for (size_t i = 0; i < group->rows.size(); ++i) {
        if (model.rows()[rows.realized[group->rows[i]]].name != entry.name) continue;
        entry.permanent = false;
        entry.bound = group->row_bounds.empty() ? group->bound : group->row_bounds[i];
        entry.law = law ? law : group->law;
      }
      constraints.push_back(std::move(entry));
    }
  }
  description.velocity_constraints = std::move(constraints);
  return description;
}

ModelDescription describe_viscous(const Model& model, const SlipRows& rows, const std::vector<double>& coefficients) {
  ModelDescription description = model.description();
  for (size_t i = 0; i < rows.realized.size(); ++i) {
    const Row& row = model.rows()[rows.realized[i]];
    const double k = coefficients[i];
    if (const auto* origin = row.from<ContactRow>()) {
      ContactDescription& words = description.contacts[origin->contact];
      words.forbid.erase(std::remove(words.forbid.begin(), words.forbid.end(), origin->axis), words.forbid.end());
      words.laws[origin->axis] = {0, k};
      words.friction.reset();
      words.bound.reset();
      words.axis_bounds.clear();
      words.law.reset();
      continue;
    }
    // -k psi' along  J : on velocity j the force  -k psi' ∂psi'/∂v_j .
    const VelocityEquation& equation = model.velocity_equations()[row.from<EquationRow>()->equation];
    for (const auto& [velocity, factor] : equation.by_velocity) {
      std::string joint = model.velocity_names()[velocity];
      if (joint.back() == '\'') joint.pop_back();
      description.forces.push_back(
          {fmt::format("{} on {}", row.name, joint), JointForce{joint, -(Expression(k) * (equation.slip * factor))}, {}});
    }
  }
  std::vector<VelocityConstraintDescription> constraints;
  for (const VelocityConstraintDescription& words : description.velocity_constraints) {
    const SlipGroup* group = find_named_group(rows, words.name);
    if (group == nullptr) {
      constraints.push_back(words);
      continue;
    }
    for (VelocityConstraintDescription& entry : split_equations(bare(words))) {
      if (!is_realized_row(model, rows, entry.name)) constraints.push_back(std::move(entry));
    }
  }
  description.velocity_constraints = std::move(constraints);
  return description;
}

namespace {

Outcome<Model> build(ModelDescription description) {
  Diagnostics diagnostics;
  auto model = build_model(std::move(description), diagnostics);
  if (model) return std::move(*model);
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::error) return Failure{"VN-REALIZE-011", diagnostic.message, diagnostic.hint};
  }
  return Failure{"VN-REALIZE-011", "the model with forces instead of its constraints could not be built", ""};
}

struct LawWord {
  std::string_view word;
  SlipLawKind kind;
};
constexpr LawWord kLaws[] = {{"sign", SlipLawKind::sign},           {"viscous", SlipLawKind::viscous},
                             {"saturated", SlipLawKind::saturated}, {"tanh", SlipLawKind::tanh},
                             {"algebraic", SlipLawKind::algebraic}, {"arctan", SlipLawKind::arctan},
                             {"dead-zone", SlipLawKind::dead_zone}, {"hysteresis", SlipLawKind::hysteresis},
                             {"delay", SlipLawKind::delay},         {"lag", SlipLawKind::lag},
                             {"stribeck", SlipLawKind::stribeck},   {"backlash", SlipLawKind::backlash}};

}  // namespace

Outcome<Model> build_realized(const Model& model, const SlipRows& rows, const std::optional<SlipLaw>& law) {
  return build(describe_realized(model, rows, law));
}

Outcome<Model> build_viscous(const Model& model, const SlipRows& rows, double coefficient) {
  return build(describe_viscous(model, rows, std::vector<double>(rows.realized.size(), coefficient)));
}

std::string_view law_word(SlipLawKind kind) {
  return std::find_if(std::begin(kLaws), std::end(kLaws), [&](const LawWord& each) { return each.kind == kind; })->word;
}

std::optional<SlipLawKind> find_law(std::string_view word) {
  const auto known = std::find_if(std::begin(kLaws), std::end(kLaws), [&](const LawWord& each) { return each.word == word; });
  return known == std::end(kLaws) ? std::nullopt : std::optional(known->kind);
}

}  // namespace vinculum
