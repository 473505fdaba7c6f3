// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/residual.h"

#include <cmath>
#include <numbers>

#include "vinculum/realization/slip_bounds.h"

namespace vinculum {

namespace {

// Largest values of (1 - law(x)) x for tanh and x/sqrt(1 + x²): W(1/e)/1 .. and the golden ratio to the -2.5.
constexpr double kTanhExcess = 0.27846454276107379;
constexpr double kAlgebraicExcess = 0.30028310600077790;

std::array<double, 2> both_sides(double width) { return {0 - width, width}; }

}  // namespace

SlipResidual compute_residual(const SlipLaw& law, std::optional<double> bound, double r, double inertia, double A) {
  SlipResidual residual;
  const double x = law.value;
  if (law.kind == SlipLawKind::viscous) {
    residual.creep = -r / x;
    // s <= (|r|/rho1)/(k/rho2² - A), both rho² = sigma/2: section 5.2
    const double excess = x - A * inertia / 2;
    if (excess > 0) residual.band = both_sides(std::abs(r) / excess);
    return residual;
  }
  if (!bound) return residual;
  const double R = *bound, sign_of_creep = r > 0 ? -1 : r < 0 ? 1 : 0;
  const bool holds = std::abs(r) < R;
  const auto creeps = [&](double creep, double delta) {
    if (holds) residual.creep = creep;
    residual.delta = delta;
  };
  switch (law.kind) {
    case SlipLawKind::viscous: break;
    case SlipLawKind::sign: creeps(0, 0); break;
    case SlipLawKind::saturated: creeps(-x * r / R, R * x / 4); break;
    case SlipLawKind::tanh: creeps(-x * std::atanh(r / R), kTanhExcess * R * x); break;
    case SlipLawKind::algebraic: creeps(-x * r / std::sqrt(R * R - r * r), kAlgebraicExcess * R * x); break;
    case SlipLawKind::arctan: creeps(-x * std::tan(std::numbers::pi * r / (2 * R)), 2 / std::numbers::pi * R * x); break;
    case SlipLawKind::dead_zone: creeps(sign_of_creep * x, R * x); break;
    case SlipLawKind::hysteresis:
      creeps(0, 2 * R * x);
      if (!holds) break;
      residual.band = both_sides(x);
      residual.period = 2 * x * inertia * (1 / (R - r) + 1 / (R + r));
      break;
    case SlipLawKind::delay:
      creeps(-r * x / inertia, 2 * R * x * (R + std::abs(r)) / inertia);
      if (!holds) break;
      residual.band = {-(R + r) * x / inertia, (R - r) * x / inertia};
      residual.period = 2 * x + x * (R - r) / (R + r) + x * (R + r) / (R - r);
      break;
    case SlipLawKind::stribeck:
      // It sticks up to R and slides with less: once torn off it may continue in cycles, which no band bounds.
      if (holds) residual.creep = 0;
      break;
    case SlipLawKind::backlash:
      // It comes to rest at an end of its play: the slip is none there, the way up to the play.
    case SlipLawKind::lag:
      // It oscillates about none and dies down, slower than an exponential.
      if (holds) residual.creep = 0;
      break;
  }
  if (!residual.band && residual.delta && holds) {
    const double c = (R - std::abs(r)) * std::sqrt(2 / inertia);
    const SlipBand band = bound_band(A, 0, c, *residual.delta);
    if (band.inner) residual.band = both_sides(*band.inner / std::sqrt(inertia / 2));
  }
  return residual;
}

}  // namespace vinculum
