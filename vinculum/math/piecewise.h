// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

namespace vinculum {

// What a function given by points does beyond them.
enum class Outside { refuse, hold, extend };  // no value; that of the nearest point; the line with the slope there

// A function made of polynomials of third degree at most, one from each break to the next:
//
//   y = c0 + d (c1 + d (c2 + d c3)) ,  d = x - from
struct PiecewisePolynomial {
  struct Piece {
    double from = 0;
    std::array<double, 4> c{};
  };
  std::vector<double> breaks;  // ascending
  std::vector<Piece> pieces;   // one more than breaks: the first and the last lie outside
  int smoothness = 0;          // how many derivatives have no jump, where there is a value

  // The piece at x; or, with a parity, the nearest even (1) or odd (-1) one, which then continues beyond its ends.
  int find(double x, double parity = 0) const;

  // Zero at the breaks and nowhere else, with one sign on even pieces and the other on odd ones.
  double switch_value(double x) const;

  // Bounds of a derivative (or of the value, order 0) between two arguments; infinite where it has no value.
  struct Range {
    double low = 0, high = 0;
  };
  Range bound(double low, double high, int order) const;
};

// Through points with ascending x, two of them at least, four for a spline (not-a-knot ends: exact for cubics).
PiecewisePolynomial interpolate_linearly(std::span<const double> x, std::span<const double> y, Outside outside);
PiecewisePolynomial interpolate_by_spline(std::span<const double> x, std::span<const double> y, Outside outside);

}  // namespace vinculum
