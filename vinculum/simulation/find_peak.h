// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

namespace vinculum {

// A quantity of a motion at one time.
struct PeakPoint {
  double t = 0, value = 0;
};

// Where the next looks at it belong: none, one or two times.
struct PeakLooks {
  std::array<double, 2> where{};
  int count = 0;

  std::span<const double> times() const { return {where.data(), static_cast<size_t>(count)}; }
};

// The search for the largest value of a quantity between the first and the last of some looks at it, in either direction of time:
// where to look next, or nowhere if none of its peaks can beat `known` and what was seen by more than 1e-10 of it.
//
// Through every three neighbours goes a parabola, and with a fourth the cubic
//
//   p(t) + f[abcd] (t - a)(t - b)(t - c) ;
//
// where its top lies between them is the next place, and what the fourth adds there is how well it is known. A top just outside
// an end may as well be inside: then a point nearer to the end decides.
PeakLooks where_to_look_for_peak(std::span<const PeakPoint> points, double known);

}  // namespace vinculum
