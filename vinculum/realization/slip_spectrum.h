// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "vinculum/realization/slip_rows.h"

namespace vinculum {

// Eigenvalues about a steady motion, by real part, then imaginary part: all but those of ignorable coordinates. Rates that may
// have any value, such as a spin, have a zero each. Without slip, or with viscous forces -k psi' in place of the rows: a growth
// may have one sign there and the other here.                                                            theory 3, sections 9 and
// 14
Outcome<std::vector<std::complex<double>>> find_spectrum(const Model& model, const State& state);
Outcome<std::vector<std::complex<double>>> find_viscous_spectrum(const Model& model, const SlipRows& rows, const State& state,
                                                                 double k);

// The coefficient between two at which an oscillation begins or ceases to grow: by halving, to 1e-13. An oscillation has
// |Im| > 1e-7 of the largest eigenvalue.
struct CriticalCoefficient {
  std::optional<double> k;                        // none: an oscillation grows at both ends, or at neither
  std::optional<double> growth_low, growth_high;  // [1/s] of the oscillation that grows fastest; none: nothing oscillates
};
Outcome<CriticalCoefficient> find_critical_coefficient(const Model& model, const SlipRows& rows, const State& state, double low,
                                                       double high);

}  // namespace vinculum
