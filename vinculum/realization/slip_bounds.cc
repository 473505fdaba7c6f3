// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/realization/slip_bounds.h"

#include <algorithm>
#include <cmath>

#include "vinculum/math/find_zero.h"
#include "vinculum/math/quadrature.h"

namespace vinculum {

ReachingBound bound_reaching(double A, double B, double c, double s0) {
  ReachingBound bound;
  if (!(c > 0)) {
    bound.s_star = 0;
    return bound;
  }
  const double D = std::sqrt(A * A + 4 * B * c), sum = A + D;
  if (sum > 0) bound.s_star = 2 * c / sum;
  bound.reaches = s0 == 0 || !bound.s_star || s0 < *bound.s_star;
  if (!bound.reaches) return bound;
  if (D == 0) {
    bound.t1 = 2 * s0 / c;
  } else if (B == 0) {
    bound.t1 = -(2 / A) * std::log1p(-A * s0 / c);
  } else {
    // 1 - s0/s_star with s_star = 2c/(A + D); 2B/(A + D) = (D - A)/(2c), which is there for A < 0 too.
    bound.t1 = (2 / D) * (std::log1p((D - A) * s0 / (2 * c)) - std::log1p(-sum * s0 / (2 * c)));
  }
  return bound;
}

namespace {

// A zero of the cubic between two points of opposite sign.
double zero_between(double A, double B, double c, double delta, double low, double high) {
  const auto cubic = [&](double s) { return ((B * s + A) * s - c) * s + delta; };
  return find_zero(cubic, low, cubic(low), high, cubic(high));
}

}  // namespace

SlipBand bound_band(double A, double B, double c, double delta) {
  SlipBand band;
  band.outer = 0;
  if (!(c > 0)) return band;
  // Its slope 3B s² + 2A s - c is zero at the one minimum for s > 0.
  const double slope_sum = A + std::sqrt(A * A + 3 * B * c);
  if (!(slope_sum > 0)) {
    // A <= 0 and B = 0: it falls for ever.
    band.outer.reset();
    band.inner = A == 0 ? delta / c : 2 * delta / (c + std::sqrt(c * c - 4 * A * delta));
    return band;
  }
  const double lowest = c / slope_sum;
  const double least = ((B * lowest + A) * lowest - c) * lowest + delta;
  if (least > 0) return band;
  band.inner = delta == 0 ? 0 : zero_between(A, B, c, delta, 0, lowest);
  double high = 2 * lowest;
  while (((B * high + A) * high - c) * high + delta < 0) high *= 2;
  band.outer = least == 0 ? lowest : zero_between(A, B, c, delta, lowest, high);
  return band;
}

std::optional<double> bound_entry(double A, double B, double c, double delta, double s0, double end) {
  const SlipBand band = bound_band(A, B, c, delta);
  if (!band.inner || !(end > *band.inner) || (band.outer && s0 >= *band.outer)) return std::nullopt;
  if (s0 <= end) return 0;
  // With s = inner + e^x the pole at the end of the band is gone.
  const double inner = *band.inner;
  const auto rate = [&](double x) {
    const double s = inner + std::exp(x);
    return 2 * s * std::exp(x) / (((-B * s - A) * s + c) * s - delta);
  };
  return integrate_function(rate, std::log(end - inner), std::log(s0 - inner));
}

SlipBand bound_viscous_band(double A, double B, double rate, double rho) {
  SlipBand band;
  band.outer = 0;
  const double a = rate - A, squared = a * a - 4 * B * rho;
  if (!(a > 0) || squared < 0) return band;
  const double sum = a + std::sqrt(squared);
  band.inner = 2 * rho / sum;
  band.outer = B > 0 ? std::optional(sum / (2 * B)) : std::nullopt;
  return band;
}

std::optional<double> bound_viscous_entry(double A, double B, double rate, double rho, double s0, double end) {
  const SlipBand band = bound_viscous_band(A, B, rate, rho);
  if (!band.inner || !(end > *band.inner) || (band.outer && s0 >= *band.outer)) return std::nullopt;
  if (s0 <= end) return 0;
  // 2 s' = -(s - inner) (a - B (s + inner)) , by partial fractions.
  const double inner = *band.inner, a = rate - A, slope = a - 2 * B * inner;
  const auto primitive = [&](double s) { return std::log(s - inner) - std::log(a - B * (s + inner)); };
  return 2 / slope * (primitive(s0) - primitive(end));
}

ViscousBound bound_viscous(double A, double B, double rate, double s0, double t) {
  ViscousBound bound;
  const double a = rate - A;
  if (!(a > 0)) {
    bound.basin = 0;
    return bound;
  }
  if (B > 0) bound.basin = a / B;
  if (bound.basin && s0 >= *bound.basin) return bound;
  const double decay = std::exp(-a * t / 2);
  bound.s = a * s0 * decay / (B * s0 * decay + (a - B * s0));
  return bound;
}

double find_excess(double A, double B, double s0, double time) {
  if (s0 == 0) return 0;
  double high = 2 * s0 / time + std::max(A, 0.0) * s0 + B * s0 * s0, low = 0;
  while (true) {
    const ReachingBound bound = bound_reaching(A, B, high, s0);
    if (bound.t1 && *bound.t1 <= time) break;
    low = high;
    high *= 2;
  }
  // t1 falls with c: bisection to the last bit or so.
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    const ReachingBound bound = bound_reaching(A, B, middle, s0);
    (bound.t1 && *bound.t1 <= time ? high : low) = middle;
  }
  return high;
}

}  // namespace vinculum
