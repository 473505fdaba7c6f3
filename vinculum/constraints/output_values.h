// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "vinculum/constraints/idealisation.h"

namespace vinculum {

// The outputs of a model at one moment after the other, in memory of their own.
class OutputValues {
 public:
  explicit OutputValues(const Model& model);

  bool empty() const { return model_.outputs().quantities.empty() && model_.outputs().columns.empty(); }

  // All columns, and the quantities events name. False where the moment has no solution though one is asked for.
  bool compute(Moment& moment);

  // Which columns depend on how redundant constraints share their load, which rigid bodies leave undetermined:
  // right after compute. A formula may be determined though its terms are not: the sum of two parallel ropes.
  std::vector<bool> find_undetermined(Moment& moment);

  // All columns with an additional force on one constraint: right after compute, whose values stay.
  std::vector<double> compute_with_force(Moment& moment, int row, double force);

  std::span<const double> columns() const { return columns_; }
  std::span<const double> quantities() const { return quantities_; }

 private:
  bool solve(Moment& moment);
  void evaluate_columns(Moment& moment);

  const Model& model_;
  bool needs_solution_ = false;
  bool needs_drives_ = false;
  std::vector<double> accelerations_, multipliers_;  // by Row::index
  std::vector<double> quantities_, columns_, scratch_;
  std::vector<int> quantity_of_column_;  // -1: no other formula names it
};

// The same at one state, for answers. Failure VN-RUN-170 where one has no finite value.
Outcome<std::vector<OutputValue>> list_outputs(Moment& moment);

// The first column that is no finite number, as a failure.
std::optional<Failure> check_outputs(const Model& model, std::span<const double> columns, double t);

}  // namespace vinculum
