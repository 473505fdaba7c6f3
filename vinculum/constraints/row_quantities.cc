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

std::vector<std::string> list_working_rows(const Model& model) {
  std::vector<std::string> elements;
  for (const RowSource* source : row_sources()) source->list_working(model, elements);
  return elements;
}

}  // namespace vinculum
