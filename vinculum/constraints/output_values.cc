// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/output_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/motion_quantities.h"
#include "vinculum/expression/evaluate.h"

namespace vinculum {

namespace {

using Of = MotionQuantity::Of;

bool is_of_row(const MotionQuantity& quantity) { return quantity.of == Of::multiplier || quantity.of == Of::drive_power; }

}  // namespace

OutputValues::OutputValues(const Model& model)
    : model_(model),
      accelerations_(model.tree().velocities),
      multipliers_(model.rows().size()),
      quantities_(model.outputs().quantities.size()),
      columns_(model.outputs().columns.size()),
      quantity_of_column_(columns_.size(), -1) {
  const Outputs& outputs = model.outputs();
  for (size_t i = 0; i < outputs.quantities.size(); ++i) {
    const MotionQuantity& quantity = outputs.quantities[i];
    if (quantity.of == Of::output) quantity_of_column_[quantity.index] = static_cast<int>(i);
    needs_drives_ = needs_drives_ || is_of_row(quantity);
    needs_solution_ = needs_solution_ || is_of_row(quantity) || quantity.of == Of::acceleration ||
                      (quantity.of == Of::point && quantity.component >= 6);
  }
}

// v' and the multipliers of all constraints; 0 where one is not there, the force of its law where it slips.
bool OutputValues::solve(Moment& moment) {
  const State& state = moment.state();
  const bool is_given = !moment.supplied().empty();
  if (moment.set().is_plain_tree() && !needs_drives_ && !is_given)
    return compute_accelerations(model_, state.t, state.q, state.v, accelerations_, moment.workspace());
  std::fill(multipliers_.begin(), multipliers_.end(), 0.0);
  if (moment.set().is_plain_tree() && !is_given) {
    const auto dynamics = compute_forward_dynamics(model_, state, moment.workspace());
    if (!dynamics) return false;
    std::copy(dynamics->accelerations.begin(), dynamics->accelerations.end(), accelerations_.begin());
    size_t next = 0;
    for (const Row& row : model_.rows()) {
      if (row.is_drive) multipliers_[row.index] = dynamics->driving_forces[next++];
    }
    return true;
  }
  const ConstrainedDynamics* found = moment.solution();
  if (found == nullptr) return false;
  const auto& solution = found->solution;
  std::copy(solution.accelerations.begin(), solution.accelerations.end(), accelerations_.begin());
  for (size_t i = 0; i < moment.set().rows.size(); ++i)
    multipliers_[moment.set().rows[i].index] = solution.multipliers[static_cast<Eigen::Index>(i)];
  for (const ContactForces::Slip& slip : found->forces.slips) multipliers_[slip.row] = slip.force;
  for (const Row& row : model_.rows()) {
    if (is_given && row.is_drive) multipliers_[row.index] = moment.supplied()[model_.driven()[row.from<MotionRow>()->driven].v];
  }
  return true;
}

bool OutputValues::compute(Moment& moment) {
  if (needs_solution_ && !solve(moment)) return false;
  compute_motion_quantities(model_, moment.state(),
                            needs_solution_ ? std::span<const double>(accelerations_) : std::span<const double>(),
                            moment.workspace(), quantities_);
  evaluate_columns(moment);
  return true;
}

// What multipliers say, and then the columns.
void OutputValues::evaluate_columns(Moment& moment) {
  const Outputs& outputs = model_.outputs();
  for (size_t i = 0; i < quantities_.size(); ++i) {
    const MotionQuantity& quantity = outputs.quantities[i];
    if (!is_of_row(quantity)) continue;
    quantities_[i] = multipliers_[quantity.index];
    if (quantity.of == Of::drive_power) {
      const auto* motion = model_.rows()[quantity.index].from<MotionRow>();
      quantities_[i] *= moment.state().v[model_.driven()[motion->driven].v];
    }
  }
  Bindings bindings{moment.t(), moment.state().q, moment.state().v};
  bindings.quantities = quantities_;
  for (const int column : outputs.order) {
    columns_[column] = evaluate(outputs.columns[column].value, bindings, scratch_);
    if (quantity_of_column_[column] >= 0) quantities_[quantity_of_column_[column]] = columns_[column];
  }
}

// lambda + Z z are reactions of the same motion for every z (redundancy.h): a column that changes with z is not determined.
std::vector<bool> OutputValues::find_undetermined(Moment& moment) {
  std::vector<bool> undetermined(columns_.size(), false);
  const ConstrainedDynamics* found = needs_drives_ && !moment.set().is_plain_tree() ? moment.solution() : nullptr;
  if (found == nullptr || found->solution.analysis.is_independent()) return undetermined;
  constexpr double kNegligible = 1e-9;
  const Eigen::MatrixXd& Z = found->solution.analysis.Z;
  const std::vector<double> multipliers = multipliers_, columns = columns_;
  const double load = std::max(1.0, found->solution.multipliers.lpNorm<Eigen::Infinity>());
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    for (size_t i = 0; i < moment.set().rows.size(); ++i) {
      const int row = moment.set().rows[i].index;
      multipliers_[row] = multipliers[row] + load * Z(static_cast<Eigen::Index>(i), k);
    }
    evaluate_columns(moment);
    for (size_t c = 0; c < columns.size(); ++c)
      undetermined[c] = undetermined[c] || std::abs(columns_[c] - columns[c]) > kNegligible * (load + std::abs(columns[c]));
  }
  multipliers_ = multipliers;
  evaluate_columns(moment);
  return undetermined;
}

std::vector<double> OutputValues::compute_with_force(Moment& moment, int row, double force) {
  const double usual = multipliers_[row];
  multipliers_[row] += force;
  evaluate_columns(moment);
  std::vector<double> columns = columns_;
  multipliers_[row] = usual;
  evaluate_columns(moment);
  return columns;
}

std::optional<Failure> check_outputs(const Model& model, std::span<const double> columns, double t) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (std::isfinite(columns[i])) continue;
    return Failure{"VN-RUN-170",
                   fmt::format("the output '{}' has no finite value at t = {:.9g} s", model.outputs().columns[i].name, t),
                   "check divisions, roots, logarithms and the ranges of tables"};
  }
  return std::nullopt;
}

Outcome<std::vector<OutputValue>> list_outputs(Moment& moment) {
  const Model& model = moment.set().model;
  std::vector<OutputValue> list;
  if (model.outputs().columns.empty()) return list;
  OutputValues values(model);
  if (!values.compute(moment))
    return Failure{"VN-RUN-170", "there are no outputs where there are no accelerations", "see why there are none"};
  if (auto failure = check_outputs(model, values.columns(), moment.t())) return *failure;
  for (size_t i = 0; i < values.columns().size(); ++i)
    list.push_back({model.outputs().columns[i].name, model.outputs().columns[i].unit, values.columns()[i]});
  return list;
}

}  // namespace vinculum
