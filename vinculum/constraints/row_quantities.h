// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// What the sources of rows tell besides multipliers, for tables: forces of laws on allowed axes, slips.
struct RowQuantity {
  std::string name, unit;
};
std::vector<RowQuantity> list_row_quantities(const Model& model);
std::vector<double> compute_row_quantities(const ConstraintSet& set, const ConstrainedDynamics& dynamics);

// Elements of rows whose forces can do work that no potential remembers: "contact 'foot'".
std::vector<std::string> list_working_rows(const Model& model);

}  // namespace vinculum
