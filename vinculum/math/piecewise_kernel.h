// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <limits>

#include "vinculum/math/dual.h"
#include "vinculum/math/pack.h"
#include "vinculum/math/piecewise.h"

namespace vinculum {

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
