// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vinculum {

// All numbers from low to high; infinite where nothing is known. Results are enclosures up to round-off.
struct Interval {
  double low = 0, high = 0;
};

inline constexpr Interval kAllNumbers{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

// What is not a number, such as 0·∞, is nothing known.
inline Interval known(double low, double high) { return std::isnan(low) || std::isnan(high) ? kAllNumbers : Interval{low, high}; }

inline bool has_zero(const Interval& a) { return a.low <= 0 && a.high >= 0; }
inline double width(const Interval& a) { return a.high - a.low; }
inline double middle(const Interval& a) { return 0.5 * (a.low + a.high); }
// The largest and the least absolute value.
inline double magnitude(const Interval& a) { return std::max(-a.low, a.high); }
inline double mignitude(const Interval& a) { return std::max({a.low, -a.high, 0.0}); }

inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
inline Interval operator+(const Interval& a, const Interval& b) { return known(a.low + b.low, a.high + b.high); }
inline Interval operator-(const Interval& a, const Interval& b) { return known(a.low - b.high, a.high - b.low); }

inline Interval operator*(const Interval& a, const Interval& b) {
  if ((a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0)) return {0, 0};
  const double ll = a.low * b.low, lh = a.low * b.high, hl = a.high * b.low, hh = a.high * b.high;
  if (std::isnan(ll) || std::isnan(lh) || std::isnan(hl) || std::isnan(hh)) return kAllNumbers;
  return {std::min(std::min(ll, lh), std::min(hl, hh)), std::max(std::max(ll, lh), std::max(hl, hh))};
}
inline Interval operator*(double a, const Interval& b) { return Interval{a, a} * b; }

inline Interval operator/(const Interval& a, const Interval& b) {
  if (has_zero(b)) return kAllNumbers;
  return a * Interval{1 / b.high, 1 / b.low};
}

inline Interval square(const Interval& a) {
  const double least = mignitude(a), largest = magnitude(a);
  return known(least * least, largest * largest);
}

// sin reaches 1 at π/2 + 2πk and -1 at π/2 + (2k + 1)π.
inline Interval sine(const Interval& a) {
  constexpr double kPi = std::numbers::pi;
  if (!(a.high - a.low < 2 * kPi)) return {-1, 1};
  const double low = std::sin(a.low), high = std::sin(a.high);
  const auto passes = [&](double angle) {
    return std::floor((a.high - angle) / (2 * kPi)) > std::floor((a.low - angle) / (2 * kPi));
  };
  return {passes(-kPi / 2) ? -1 : std::min(low, high), passes(kPi / 2) ? 1 : std::max(low, high)};
}
inline Interval cosine(const Interval& a) { return sine({a.low + std::numbers::pi / 2, a.high + std::numbers::pi / 2}); }

inline Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
inline Interval widened(const Interval& a, double by) { return {a.low - by, a.high + by}; }

}  // namespace vinculum
