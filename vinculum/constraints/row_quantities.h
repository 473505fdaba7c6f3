// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <utility>

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// What the sources of constraints report besides multipliers, for answers, tables and plots: forces of laws on
// allowed axes, slips. All words are given here, so that commands, tables and pages name no kind of constraint.
struct RowQuantity {
  std::string name, unit;
  std::string answer = "quantities";  // the object of an answer it stands in: slip, contact_forces
  std::string plot = "reactions";     // the plot of a page
  std::string column{};               // its name in tables, if it is another one: foot.forward slip
  std::string remark{};               // behind its value, for people: by its law
  bool needs_solution = true;         // otherwise it depends on the state alone

  const std::string& column_name() const { return column.empty() ? name : column; }
};
std::vector<RowQuantity> list_row_quantities(const Model& model);
std::vector<double> compute_row_quantities(const ConstraintSet& set, const ConstrainedDynamics& dynamics);

// Into multipliers by Row::index: the forces that act in place of constraints that are not there.
void fill_forces_in_place(const ConstraintSet& set, const ConstrainedDynamics& dynamics, std::vector<double>& multipliers);

// Elements of constraints whose forces can do work that no potential remembers: "contact 'foot'".
std::vector<std::string> list_working_rows(const Model& model);

// An element of constraints that has a place in space, for answers and pages.
struct RowElement {
  std::string kind, answer;                                // contact; the object of an answer it stands in: contacts
  std::string name;                                        // foot
  std::vector<std::pair<std::string, std::string>> words;  // {"body", "leg"}, {"with", "ground"}
  std::array<std::string, 3> axes;                         // of its frame: normal, lateral, forward
  std::array<bool, 3> holds_along{}, holds_about{};        // which motions it forbids, along and about these axes
  std::vector<std::string> strengths;                      // columns of tables: each the strength of one of its unit forces
  int mode = -1, there = 0;                                // it is there while this mode has this value; -1: always
};
std::vector<RowElement> list_row_elements(const Model& model);

// Such an element at a state, and what it does to its body.
struct RowElementAt {
  Vector3 point_W;
  Matrix3 E_W;                         // its axes
  std::vector<Vector3> unit_forces_W;  // by RowElement::strengths
};
std::vector<RowElementAt> place_row_elements(const ConstraintSet& set, const ConstraintRows& rows);
std::vector<ElementReaction> list_element_reactions(const ConstrainedDynamics& dynamics);

// The objects an answer has whether or not there is something to stand in them: slip, contact_forces, ..
struct RowAnswer {
  std::string_view name;
  bool holds_forces = false;
};
std::vector<RowAnswer> list_row_answers();

}  // namespace vinculum
