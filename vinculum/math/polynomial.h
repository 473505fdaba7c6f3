// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace vinculum {

// Σ c_n xⁿ, small terms first.
double evaluate_polynomial(std::span<const double> coefficients, double x);

// Bernstein coefficients over [0, 1], into `b` of the same size: b_i = Σ_{k≤i} C(i, k)/C(n, k) c_k. The polynomial lies between
// the least and the largest of them.
void to_bernstein(std::span<const double> coefficients, std::span<double> b);

// De Casteljau at one half: b becomes the right half; the left one is written to `left`.
void halve_bernstein(std::span<double> b, std::span<double> left);

// A piece of (0, 1) that holds exactly one crossing of zero; or, where the polynomial is zero to round-off without crossing, a
// touch. The values at its ends come with it, zero where they are round-off.
struct RootInterval {
  double low = 0, high = 0;
  double value_low = 0, value_high = 0;
  bool touch = false;
};

// All zeros of a polynomial within (0, 1), ordered, by halving its Bernstein form: a piece whose coefficients have one sign has
// no zero, one change is one zero (Descartes). Values up to `round_off` count as zero; a zero at 0 or 1 is not reported.
std::vector<RootInterval> isolate_roots(std::span<const double> coefficients, double round_off);

}  // namespace vinculum
