// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/gears.h"

#include <algorithm>
#include <numbers>
#include <numeric>

#include <fmt/core.h>

#include "vinculum/analysis/row_reduction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace {

// The coefficients of a slip, linear in v, if they are constants and nothing else drives it.
std::optional<Eigen::RowVectorXd> constant_coefficients(const Expression& slip, Eigen::Index velocities) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(velocities);
  for (const Variable& variable : slip.variables()) {
    if (variable.kind != VariableKind::velocity) return std::nullopt;
    const Expression slope = differentiate(slip, variable);
    if (!slope.is_constant()) return std::nullopt;
    row[variable.index] = slope.constant_value();
  }
  const std::vector<double> at_rest(velocities, 0.0);
  if (evaluate(slip, {.v = at_rest}) != 0) return std::nullopt;
  return row;
}

}  // namespace

Outcome<Gears> find_gears(const Model& model, const std::vector<int>& drives) {
  const Eigen::Index n = model.tree().velocities;
  Eigen::MatrixXd equations(0, n);
  for (const VelocityConstraintDescription& constraint : model.description().velocity_constraints) {
    for (const Expression& slip : constraint.slips) {
      const auto row = constant_coefficients(slip, n);
      if (!row) {
        return Failure{"VN-BALANCE-001",
                       fmt::format("the velocity constraint '{}' is not a gear: {} = 0", constraint.name, to_text(slip)),
                       "gears and belts have constant coefficients and no other term, as in \"disc' + 4*arm' = 0\""};
      }
      equations.conservativeResize(equations.rows() + 1, n);
      equations.bottomRows(1) = *row;
    }
  }
  std::vector<int> later_first(n);
  std::iota(later_first.rbegin(), later_first.rend(), 0);
  std::stable_partition(later_first.begin(), later_first.end(),
                        [&](int k) { return std::find(drives.begin(), drives.end(), k) == drives.end(); });
  NullSpace space = find_null_space(equations, later_first);
  return Gears{std::move(space.basis), std::move(space.independent)};
}

RandomMotions::RandomMotions(const Model& model, const Gears& gears, double length)
    : model_(model), gears_(gears), unit_(gears.G.cols()) {
  const StateUnits units = state_units(model);
  for (Eigen::Index u = 0; u < unit_.size(); ++u) unit_[u] = units.forces[gears.independent[u]] == "N" ? length : 1;
}

Eigen::VectorXd RandomMotions::rates(double size) {
  Eigen::VectorXd u = unit_;
  for (double& value : u) value *= size * (static_cast<double>(random_() >> 11) * 0x1p-52 - 1);
  return gears_.G * u;
}

State RandomMotions::place() {
  State state = model_.initial_state();
  std::fill(state.v.begin(), state.v.end(), 0.0);
  move_coordinates(model_, rates(std::numbers::pi), state.q);
  return state;
}

}  // namespace vinculum
