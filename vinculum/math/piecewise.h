// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <limits>
#include <span>
#include <vector>

#include "vinculum/math/dual.h"

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

// A piece as a scalar finds it: constant wherever it has derivatives.
template <class Scalar>
struct PieceOf {
  Scalar from;
  std::array<Scalar, 4> c;
};

VINCULUM_INLINE PieceOf<double> find_piece(const PiecewisePolynomial& f, double x) {
  const PiecewisePolynomial::Piece& piece = f.pieces[f.find(x)];
  return {piece.from, piece.c};
}

template <int N>
VINCULUM_INLINE PieceOf<Pack<N>> find_piece(const PiecewisePolynomial& f, const Pack<N>& x) {
  PieceOf<Pack<N>> found;
  for (int i = 0; i < N; ++i) {
    const PiecewisePolynomial::Piece& piece = f.pieces[f.find(x[i])];
    found.from.lanes[i] = piece.from;
    for (int k = 0; k < 4; ++k) found.c[k].lanes[i] = piece.c[k];
  }
  return found;
}

template <class Value, class Derivatives>
VINCULUM_INLINE PieceOf<Dual<Value, Derivatives>> find_piece(const PiecewisePolynomial& f, const Dual<Value, Derivatives>& x) {
  const PieceOf<Value> at = find_piece(f, x.value);
  const Derivatives none = lift<Derivatives>(0);
  return {{at.from, none}, {{{at.c[0], none}, {at.c[1], none}, {at.c[2], none}, {at.c[3], none}}}};
}

// Scalars that only write down what is done to them cannot look anything up: those who use them refuse tables first.
template <class Scalar>
VINCULUM_INLINE PieceOf<Scalar> find_piece(const PiecewisePolynomial&, const Scalar&) {
  assert(false && "a table has no single formula");
  const Scalar nothing = lift<Scalar>(std::numeric_limits<double>::quiet_NaN());
  return {nothing, {{nothing, nothing, nothing, nothing}}};
}

// The derivative of this order at x; 0: the value.
template <class Scalar>
VINCULUM_INLINE Scalar evaluate_piecewise(const PiecewisePolynomial& f, const Scalar& x, int order) {
  const PieceOf<Scalar> piece = find_piece(f, x);
  const Scalar d = x - piece.from;
  // c_k k!/(k - order)! d^(k - order)
  Scalar sum = lift<Scalar>(0);
  for (int k = 3; k >= order; --k) {
    double factor = 1;
    for (int i = 0; i < order; ++i) factor *= k - i;
    sum = multiply_add(sum, d, lift<Scalar>(factor) * piece.c[k]);
  }
  return sum;
}

}  // namespace vinculum
