// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/series/formula_series.h"

namespace vinculum {

FormulaSeries::FormulaSeries(const Tape& tape, int order)
    : order_(order),
      inputs_(tape.inputs),
      outputs_(static_cast<int>(tape.outputs.size())),
      series_(tape, order),
      coefficients_(tape.outputs.size() * static_cast<std::size_t>(order + 1)) {}

std::span<const double> FormulaSeries::compute(double t, std::span<const double> motion, int dimension) {
  for (int n = 0; n <= order_; ++n) {
    series_.set_input(0, n, n == 0 ? t : n == 1 ? 1 : 0);
    for (int i = 0; i + 1 < inputs_; ++i) series_.set_input(1 + i, n, motion[n * dimension + i]);
    series_.compute_order(n);
    for (int k = 0; k < outputs_; ++k) coefficients_[n * outputs_ + k] = series_.output(k, n);
  }
  return coefficients_;
}

}  // namespace vinculum
