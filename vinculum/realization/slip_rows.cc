// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/slip_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

bool is_tangential(ContactAxis axis) { return axis == ContactAxis::lateral || axis == ContactAxis::forward; }

int constraint_of(const Model& model, const Row& row) {
  const auto* origin = row.from<EquationRow>();
  return origin == nullptr ? -1 : model.velocity_equations()[origin->equation].constraint;
}

bool is_realized(const Model& model, const Row& row) {
  if (const auto* contact = row.from<ContactRow>()) return is_tangential(contact->axis);
  const int constraint = constraint_of(model, row);
  return constraint >= 0 && !model.description().velocity_constraints[constraint].permanent;
}

int find_row_index(const Model& model, const std::string& name) {
  for (const Row& row : model.rows()) {
    if (row.name == name) return row.index;
  }
  return -1;
}

SlipGroup group_of_contact(const Model& model, int contact) {
  const ContactDescription& words = model.description().contacts[contact];
  SlipGroup group;
  group.name = words.name;
  group.bound = words.bound;
  group.friction = words.friction;
  group.normal = find_row_index(model, model.contacts()[contact].row_name(ContactAxis::normal));
  if (model.contacts()[contact].is_pressed_by_law()) group.pressed = contact;
  group.law = words.law;
  return group;
}

SlipGroup group_of_constraint(const Model& model, int constraint) {
  const VelocityConstraintDescription& words = model.description().velocity_constraints[constraint];
  SlipGroup group;
  group.name = words.name;
  group.bound = words.bound;
  group.friction = words.friction;
  if (words.friction) group.normal = find_row_index(model, *words.normal);
  group.law = words.law;
  return group;
}

// The groups of the realized constraints, in their order.
std::vector<SlipGroup> make_groups(const Model& model, const std::vector<int>& realized) {
  std::vector<SlipGroup> groups;
  for (size_t i = 0; i < realized.size(); ++i) {
    const Row& row = model.rows()[realized[i]];
    const auto* contact = row.from<ContactRow>();
    SlipGroup group =
        contact != nullptr ? group_of_contact(model, contact->contact) : group_of_constraint(model, constraint_of(model, row));
    if (groups.empty() || groups.back().name != group.name) groups.push_back(std::move(group));
    groups.back().rows.push_back(static_cast<int>(i));
    if (contact == nullptr) continue;
    const auto& bounds = model.description().contacts[contact->contact].axis_bounds;
    if (bounds.empty()) continue;
    const auto bound = bounds.find(contact->axis);
    groups.back().row_bounds.push_back(bound == bounds.end() ? std::nullopt : std::optional(bound->second));
  }
  return groups;
}

Failure unknown_row(const std::string& name) {
  return {"VN-REALIZE-001", fmt::format("'{}' is not a constraint or group that can slip", name),
          "use contact.lateral, contact.forward, a velocity constraint, or a contact"};
}

}  // namespace

std::string_view slip_unit(const Row& row) { return row.unit == "N" ? " m/s" : row.unit == "N*m" ? " rad/s" : ""; }

bool SlipGroup::is_bounded() const {
  const bool has_box = std::any_of(row_bounds.begin(), row_bounds.end(), [](const auto& of_row) { return of_row.has_value(); });
  return bound || friction || has_box;
}

int SlipRows::find_group(int realized_row) const {
  for (size_t i = 0; i < groups.size(); ++i) {
    if (std::find(groups[i].rows.begin(), groups[i].rows.end(), realized_row) != groups[i].rows.end()) return static_cast<int>(i);
  }
  return -1;
}

SlipRows list_slip_rows(const Model& model) {
  SlipRows rows;
  for (const Row& row : model.rows()) (is_realized(model, row) ? rows.realized : rows.permanent).push_back(row.index);
  rows.groups = make_groups(model, rows.realized);
  return rows;
}

Outcome<SlipRows> choose_slip_rows(const Model& model, const std::vector<std::string>& names) {
  SlipRows all = list_slip_rows(model);
  if (names.empty()) return all;
  std::vector<bool> chosen(model.rows().size());
  for (const std::string& name : names) {
    bool found = false;
    for (size_t i = 0; i < all.realized.size(); ++i) {
      const int group = all.find_group(static_cast<int>(i));
      if (model.rows()[all.realized[i]].name != name && all.groups[group].name != name) continue;
      chosen[all.realized[i]] = found = true;
    }
    if (found) continue;
    if (find_row_index(model, name) < 0) return unknown_row(name);
    return Failure{"VN-REALIZE-002", fmt::format("constraint '{}' is permanent: no limited force replaces it", name),
                   "lateral and forward of contacts and velocity constraints without `permanent: true` can be realized"};
  }
  SlipRows rows;
  for (const Row& row : model.rows()) (chosen[row.index] ? rows.realized : rows.permanent).push_back(row.index);
  rows.groups = make_groups(model, rows.realized);
  return rows;
}

std::optional<Failure> set_bound(const Model& model, SlipRows& rows, const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    return Failure{"VN-REALIZE-003", fmt::format("the bound of '{}' is {:g}: it must be a positive number", name, value),
                   "give the largest force of the constraint, in the unit of its multiplier"};
  }
  for (SlipGroup& group : rows.groups) {
    if (group.name == name) {
      group.bound = value;
      group.row_bounds.clear();
      group.friction.reset();
      return std::nullopt;
    }
    for (size_t i = 0; i < group.rows.size(); ++i) {
      if (model.rows()[rows.realized[group.rows[i]]].name != name) continue;
      group.row_bounds.resize(group.rows.size());
      group.row_bounds[i] = value;
      group.bound.reset();
      group.friction.reset();
      return std::nullopt;
    }
  }
  return unknown_row(name);
}

}  // namespace vinculum
