// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/row_quantities.h"

#include "vinculum/constraints/row_source.h"

namespace vinculum {

std::vector<RowQuantity> list_row_quantities(const Model& model) {
  std::vector<RowQuantity> list;
  for (const RowSource* source : row_sources()) source->list_quantities(model, list);
  return list;
}

std::vector<double> compute_row_quantities(const ConstraintSet& set, const ConstrainedDynamics& dynamics) {
  std::vector<double> values;
  for (const RowSource* source : row_sources()) source->compute_quantities(set, dynamics, values);
  return values;
}

void fill_forces_in_place(const ConstraintSet& set, const ConstrainedDynamics& dynamics, std::vector<double>& multipliers) {
  for (const Row& row : set.model.rows()) {
    if (row.mode < 0 || set.find_row(row.index)) continue;
    if (const auto force = source_of(row).force_in_place(set, dynamics, row)) multipliers[row.index] = *force;
  }
}

std::vector<RowElement> list_row_elements(const Model& model) {
  std::vector<RowElement> list;
  for (const RowSource* source : row_sources()) source->list_elements(model, list);
  return list;
}

std::vector<RowElementAt> place_row_elements(const ConstraintSet& set, const ConstraintRows& rows) {
  std::vector<RowElementAt> list;
  for (const RowSource* source : row_sources()) source->place_elements(set, rows, list);
  return list;
}

std::vector<ElementReaction> list_element_reactions(const ConstrainedDynamics& dynamics) {
  std::vector<ElementReaction> list;
  for (const RowSource* source : row_sources()) source->list_reactions(dynamics, list);
  return list;
}

std::vector<RowAnswer> list_row_answers() {
  std::vector<RowAnswer> list;
  for (const RowSource* source : row_sources()) source->list_answers(list);
  return list;
}

std::vector<std::string> list_working_rows(const Model& model) {
  std::vector<std::string> elements;
  for (const RowSource* source : row_sources()) source->list_working(model, elements);
  return elements;
}

}  // namespace vinculum
