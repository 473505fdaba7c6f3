// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/math/tape_series.h"

namespace vinculum {

// Formulas of t, q and v (trace_expressions, trace_switches) along a motion whose series is known.
class FormulaSeries {
 public:
  FormulaSeries(const Tape& tape, int order);

  int order() const { return order_; }

  // From the coefficients of a motion about t, `dimension` numbers an order, q and v first: those of the formulas, order after
  // order.
  std::span<const double> compute(double t, std::span<const double> motion, int dimension);

 private:
  int order_, inputs_, outputs_;
  TapeSeries series_;
  std::vector<double> coefficients_;
};

}  // namespace vinculum
