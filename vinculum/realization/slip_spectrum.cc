// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/slip_spectrum.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/analysis/linearise.h"

namespace vinculum {

namespace {

// The growth of the oscillation that grows fastest; none: nothing oscillates. A pair of zeros that round-off splits is no
// oscillation.
Outcome<std::optional<double>> oscillation_growth(const Model& model, const SlipRows& rows, const State& state, double k) {
  const auto values = find_viscous_spectrum(model, rows, state, k);
  if (!values) return values.failure();
  double size = 0;
  for (const auto& value : *values) size = std::max(size, std::abs(value));
  std::optional<double> growth;
  for (const auto& value : *values) {
    if (std::abs(value.imag()) > kZeroEigenvalue * size) growth = std::max(growth.value_or(value.real()), value.real());
  }
  return growth;
}

bool grows(const std::optional<double>& growth) { return growth.value_or(0) > 0; }

}  // namespace

Outcome<std::vector<std::complex<double>>> find_spectrum(const Model& model, const State& state) {
  DerivativesWorkspace workspace(model);
  State usual = state;
  usual.modes.clear();
  const auto linear = linearise(model, usual, workspace);
  if (!linear) return linear.failure();
  std::vector<std::complex<double>> values(static_cast<size_t>(linear->apart.free.cols()), 0.0);
  for (const Mode& mode : find_modes(*linear)) {
    if (mode.is_ignorable) continue;
    values.push_back(mode.eigenvalue);
    if (mode.eigenvalue.imag() != 0) values.push_back(std::conj(mode.eigenvalue));
  }
  std::sort(values.begin(), values.end(),
            [](const auto& a, const auto& b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); });
  return values;
}

Outcome<std::vector<std::complex<double>>> find_viscous_spectrum(const Model& model, const SlipRows& rows, const State& state,
                                                                 double k) {
  const auto viscous = build_viscous(model, rows, k);
  if (!viscous) return viscous.failure();
  return find_spectrum(*viscous, state);
}

Outcome<CriticalCoefficient> find_critical_coefficient(const Model& model, const SlipRows& rows, const State& state, double low,
                                                       double high) {
  const auto at_low = oscillation_growth(model, rows, state, low), at_high = oscillation_growth(model, rows, state, high);
  if (!at_low) return at_low.failure();
  if (!at_high) return at_high.failure();
  CriticalCoefficient critical{{}, *at_low, *at_high};
  if (grows(*at_low) == grows(*at_high)) return critical;
  for (int i = 0; i < 100 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    const auto growth = oscillation_growth(model, rows, state, middle);
    if (!growth) return growth.failure();
    (grows(*growth) == grows(*at_low) ? low : high) = middle;
  }
  critical.k = high;
  return critical;
}

}  // namespace vinculum
