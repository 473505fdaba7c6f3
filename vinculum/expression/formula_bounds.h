// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/expression/bounds.h"

namespace vinculum {

// The variables of a formula over a piece of a step, in the order of Expression::variables(): polynomials of one degree in
// Bernstein form, degree + 1 numbers each, known to within a radius.
struct PolynomialArguments {
  int degree = 0;
  double width = 0;  // [s] of the piece, with the sign of the direction of time
  std::span<const double> b;
  std::span<const double> radius;
};

// What a formula can be while all its variables move. Sums, differences and multiples of variables are computed on the
// polynomials themselves: a - b of two bodies that move together is known as well as a alone. An interval is taken where another
// operation first needs one.
class FormulaBounds {
 public:
  explicit FormulaBounds(Expression formula);

  const Expression& formula() const { return formula_; }
  std::size_t variable_count() const { return formula_.variables().size(); }

  // The rate is per second. It includes that a variable may be anywhere within its radius at both ends of the piece, so that
  //   |f(t) - f(middle)| <= |rate| |width|/2 .
  Bounds bound(const PolynomialArguments& at);

  // At the first (0) or last (degree) coefficients of all variables: the value at an end of the piece.
  double value_at(const PolynomialArguments& at, int end);

  double value(std::span<const double> variables) { return value_at({0, 0, variables, {}}, 0); }

  // How far that value may be off where the variables may be off by `errors`: every operation hands on the errors of its operands
  // and adds its own rounding (running error analysis),
  //
  //   e(a ± b) = e(a) + e(b) + u|a ± b| ,  e(a b) = |a| e(b) + |b| e(a) + u|a b| ,  e(f(a)) = |f'(a)| e(a) + u|f(a)| .
  //
  // Where a slope has no bound, the range of the function over its operand. 0 where there is none either.
  double find_error(std::span<const double> variables, std::span<const double> errors);

 private:
  Bounds bound_affine(std::size_t step, const PolynomialArguments& at) const;

  Expression formula_;
  std::vector<bool> is_affine_;  // a step: a0 + Σ a_k x_k
  std::vector<bool> is_needed_;  // its bounds are
  std::vector<double> factors_;  // a0, a_1, .. of every step
  std::vector<int> slot_;        // of every step that is a variable
  std::vector<Bounds> bounds_;   // scratch of every step,
  std::vector<double> values_;   // and
  std::vector<double> errors_;
};

// The degree of the polynomial a formula is in its variables; -1 if it is none.
int polynomial_degree(const Expression& formula);

}  // namespace vinculum
