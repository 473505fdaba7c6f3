// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/quadrature.h"

#include <cmath>

namespace vinculum {

namespace {

struct Estimate {
  double integral = 0;
  double size = 0;  // ∫ |f|: the scale of round-off
};

Estimate gauss_legendre(const std::function<double(double)>& f, double a, double b) {
  constexpr double kNodes[] = {0.14887433898163121, 0.43339539412924719, 0.67940956829902441, 0.86506336668898451,
                               0.97390652851717172};
  constexpr double kWeights[] = {0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.14945134915058059,
                                 0.066671344308688138};
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  Estimate estimate;
  for (int k = 0; k < 5; ++k) {
    const double left = f(middle - half * kNodes[k]), right = f(middle + half * kNodes[k]);
    estimate.integral += kWeights[k] * (left + right);
    estimate.size += kWeights[k] * (std::abs(left) + std::abs(right));
  }
  return {half * estimate.integral, std::abs(half) * estimate.size};
}

double refine(const std::function<double(double)>& f, double a, double b, const Estimate& whole, int depth) {
  const double middle = 0.5 * (a + b);
  const Estimate left = gauss_legendre(f, a, middle), right = gauss_legendre(f, middle, b);
  const double sum = left.integral + right.integral;
  constexpr double kRoundOff = 1e-15;
  if (depth == 0 || !(std::abs(sum - whole.integral) > kRoundOff * (left.size + right.size))) return sum;
  return refine(f, a, middle, left, depth - 1) + refine(f, middle, b, right, depth - 1);
}

}  // namespace

double integrate_function(const std::function<double(double)>& f, double a, double b, std::span<const double> kinks) {
  constexpr int kDepth = 12;
  const auto integrate = [&](double from, double to) {
    return from == to ? 0 : refine(f, from, to, gauss_legendre(f, from, to), kDepth);
  };
  double sum = 0;
  for (double kink : kinks) {
    sum += integrate(a, kink);
    a = kink;
  }
  return sum + integrate(a, b);
}

}  // namespace vinculum
