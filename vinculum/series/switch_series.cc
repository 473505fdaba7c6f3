// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/series/switch_series.h"

#include "vinculum/series/series_laws.h"

namespace vinculum {

namespace {

// Of each its value and the two it is a difference of.
std::vector<Expression> list_formulas(const LawJumps& jumps) {
  std::vector<Expression> formulas;
  for (int k = 0; k < jumps.count(); ++k) {
    const auto& [value, left, right] = jumps.switch_of(k);
    formulas.insert(formulas.end(), {value, left, right});
  }
  return formulas;
}

}  // namespace

SwitchSeries::SwitchSeries(const Model& model, const LawJumps& jumps, int order)
    : series_(trace_expressions(model, list_formulas(jumps)), order),
      coefficients_(static_cast<std::size_t>(jumps.count()) * static_cast<std::size_t>(order + 1)) {}

std::span<const double> SwitchSeries::compute(double t, std::span<const double> motion, int dimension) {
  const std::span<const double> found = series_.compute(t, motion, dimension);
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    const double value = found[3 * i], a = found[3 * i + 1], b = found[3 * i + 2];
    coefficients_[i] = LawJumps::is_round_off(value, a, b) ? 0 : value;
  }
  return coefficients_;
}

}  // namespace vinculum
