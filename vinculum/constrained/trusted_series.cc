// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/trusted_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace vinculum {

namespace {

using SeriesList = std::vector<std::vector<double>>;

constexpr double kLeastDigits = 1e-4;
constexpr int kChanges = 3;

// How many coefficients of x are known, from those of neighbouring states.
size_t count_known(const std::vector<double>& x, const std::vector<const std::vector<double>*>& changed, double radius) {
  const double ratio = std::isfinite(radius) && radius > 0 ? 1 / radius : 0;
  for (size_t n = 0; n < x.size(); ++n) {
    double size = std::abs(x[n]), noise = 0;
    if (n > 0) size = std::max(size, std::abs(x[n - 1]) * ratio);
    if (n > 1) size = std::max(size, std::abs(x[n - 2]) * ratio * ratio);
    for (const std::vector<double>* other : changed) noise = std::max(noise, std::abs((*other)[n] - x[n]));
    if (noise > kLeastDigits * size) return n;
  }
  return x.size();
}

}  // namespace

Outcome<MotionCoefficients> compute_trusted_coefficients(const ConstraintSet& set, const State& state, int order) {
  auto series = compute_motion_coefficients(set, state, order);
  if (!series) return series;

  std::vector<MotionCoefficients> changed;
  std::mt19937 generator(1);
  const auto change = [&](double& x) {
    constexpr double kLastDigits = 4 * std::numeric_limits<double>::epsilon();
    x *= (generator() & 1) != 0 ? 1 + kLastDigits : 1 - kLastDigits;
  };
  for (int k = 0; k < kChanges; ++k) {
    State beside = state;
    for (double& x : beside.q) change(x);
    for (double& x : beside.v) change(x);
    auto found = compute_motion_coefficients(set, beside, order);
    // A state on a kink has neighbours on the other side, which say nothing about round-off.
    if (found && found->branches == series->branches) changed.push_back(std::move(*found));
  }
  size_t shortest = static_cast<size_t>(order) + 1;
  const auto shorten = [&](SeriesList MotionCoefficients::*list, size_t least) {
    for (size_t i = 0; i < ((*series).*list).size(); ++i) {
      std::vector<const std::vector<double>*> others;
      for (const MotionCoefficients& one : changed) others.push_back(&(one.*list)[i]);
      std::vector<double>& x = ((*series).*list)[i];
      const size_t full = x.size();
      x.resize(std::max(std::min(least, full), count_known(x, others, series->radius)));
      if (x.size() < full) shortest = std::min(shortest, x.size());
    }
  };
  // The state itself is known, and so is its rate.
  shorten(&MotionCoefficients::q, 2);
  shorten(&MotionCoefficients::v, 1);
  shorten(&MotionCoefficients::multipliers, 0);
  if (shortest > static_cast<size_t>(order)) return series;
  for (auto& poles : series->poles_W) poles.resize(std::min(poles.size(), shortest));
  for (auto& reactions : series->reactions_W) reactions.resize(std::min(reactions.size(), shortest));
  constexpr int kLeastOrderOfRadius = 2;
  const int known = std::max(kLeastOrderOfRadius, static_cast<int>(shortest) - 1);
  if (const auto again = compute_motion_coefficients(set, state, known)) series->radius = again->radius;
  return series;
}

}  // namespace vinculum
