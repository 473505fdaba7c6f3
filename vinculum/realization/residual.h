// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "vinculum/model/description.h"

namespace vinculum {

// What slip a law leaves on one row, under a constant reaction r, the other rows kept: sigma psi'' = R - r.   theory 3, section 4
//
// `creep` is the slip, or its mean over a cycle; `band` holds the slip in the end: the limits of the cycle, or s_in/rho1 of
// section 5.4 on both sides; `delta` is the most power by which the law falls short of the sign law. None where there is none: a
// bounded law under a reaction beyond its bound slips away.
struct SlipResidual {
  std::optional<double> creep;
  std::optional<std::array<double, 2>> band;
  std::optional<double> period;  // [s] of a cycle
  std::optional<double> delta;
};

// `bound` is none for laws without: viscous. A is that of the certificate, 0 at least.
SlipResidual compute_residual(const SlipLaw& law, std::optional<double> bound, double r, double inertia, double A);

}  // namespace vinculum
