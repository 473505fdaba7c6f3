// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/spline.h"

#include <cassert>

namespace vinculum {

SplineDerivatives differentiate_by_spline(std::span<const double> x, std::span<const double> y) {
  const int n = static_cast<int>(x.size());
  assert(n >= 2 && y.size() == x.size());
  std::vector<double> h(n - 1), slope(n - 1);
  for (int i = 0; i < n - 1; ++i) {
    h[i] = x[i + 1] - x[i];
    slope[i] = (y[i + 1] - y[i]) / h[i];
  }
  if (n < 4) {
    const double curvature = n == 2 ? 0 : 2 * (slope[1] - slope[0]) / (h[0] + h[1]);
    SplineDerivatives result{std::vector<double>(n), std::vector<double>(n, curvature)};
    for (int i = 0; i < n; ++i) result.first[i] = slope[0] + curvature * (x[i] - x[0] - h[0] / 2);
    return result;
  }

  // Second derivatives m_i:  h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (slope_i - slope_{i-1}), inner points.
  // Not-a-knot gives the outer ones from their neighbours, m_0 = m_1 + (m_1 - m_2) h_0/h_1, so that the system for m_1 .. m_{n-2}
  // stays tridiagonal.
  std::vector<double> lower(n), diagonal(n), upper(n), m(n);
  for (int i = 1; i < n - 1; ++i) {
    lower[i] = h[i - 1];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    upper[i] = h[i];
    m[i] = 6 * (slope[i] - slope[i - 1]);
  }
  const double first_ratio = h[0] / h[1], last_ratio = h[n - 2] / h[n - 3];
  diagonal[1] += h[0] * (1 + first_ratio);
  upper[1] -= h[0] * first_ratio;
  diagonal[n - 2] += h[n - 2] * (1 + last_ratio);
  lower[n - 2] -= h[n - 2] * last_ratio;
  for (int i = 2; i < n - 1; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    m[i] -= factor * m[i - 1];
  }
  m[n - 2] /= diagonal[n - 2];
  for (int i = n - 3; i >= 1; --i) m[i] = (m[i] - upper[i] * m[i + 1]) / diagonal[i];
  m[0] = m[1] + (m[1] - m[2]) * first_ratio;
  m[n - 1] = m[n - 2] + (m[n - 2] - m[n - 3]) * last_ratio;

  SplineDerivatives result;
  result.second = m;
  result.first.resize(n);
  for (int i = 0; i < n - 1; ++i) result.first[i] = slope[i] - h[i] * (2 * m[i] + m[i + 1]) / 6;
  result.first[n - 1] = slope[n - 2] + h[n - 2] * (m[n - 2] + 2 * m[n - 1]) / 6;
  return result;
}

}  // namespace vinculum
