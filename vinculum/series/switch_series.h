// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/model/law_jumps.h"
#include "vinculum/series/formula_series.h"

namespace vinculum {

// The switches of laws that are held at all their kinks, along a motion, as polynomials. What is round-off of a difference is
// zero: two that are equal all the time do not cross.
class SwitchSeries {
 public:
  SwitchSeries(const Model& model, const LawJumps& jumps, int order);

  int order() const { return series_.order(); }

  // As FormulaSeries::compute.
  std::span<const double> compute(double t, std::span<const double> motion, int dimension);

 private:
  FormulaSeries series_;
  std::vector<double> coefficients_;
};

}  // namespace vinculum
