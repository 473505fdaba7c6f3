// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/piecewise.h"

#include <algorithm>
#include <cmath>

#include "vinculum/math/spline.h"

namespace vinculum {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Of the range: an argument that is computed to lie on its end may lie beyond it by round-off.
// Of the range of the points: so far beyond them there is still a value. An argument that a run brings to the last point is there
// to the error of a step, not to the bit.
constexpr double kBeyondEnds = 1e-9;

using Piece = PiecewisePolynomial::Piece;

// From the values and slopes at all points, and the higher coefficients of each piece between them.
PiecewisePolynomial assemble(std::span<const double> x, std::span<const double> y, double first_slope, double last_slope,
                             std::vector<Piece> inner, int smoothness, Outside outside) {
  PiecewisePolynomial f;
  f.breaks.assign(x.begin(), x.end());
  Piece before{x.front(), {y.front()}}, after{x.back(), {y.back()}};
  if (outside == Outside::extend) before.c[1] = first_slope, after.c[1] = last_slope;
  if (outside == Outside::refuse) {
    before.c.fill(kNone), after.c.fill(kNone);
    const double grant = kBeyondEnds * (x.back() - x.front());
    f.breaks.front() -= grant, f.breaks.back() += grant;
  }
  f.smoothness = outside == Outside::refuse ? smoothness : std::min(smoothness, outside == Outside::extend ? 1 : 0);
  f.pieces.push_back(before);
  f.pieces.insert(f.pieces.end(), inner.begin(), inner.end());
  f.pieces.push_back(after);
  return f;
}

}  // namespace

int PiecewisePolynomial::find(double x, double parity) const {
  const int at = static_cast<int>(std::upper_bound(breaks.begin(), breaks.end(), x) - breaks.begin());
  if (parity == 0 || (at % 2 == 0) == (parity > 0)) return at;
  const int last = static_cast<int>(breaks.size());
  if (at == 0) return 1;
  if (at == last) return last - 1;
  return x - breaks[at - 1] < breaks[at] - x ? at - 1 : at + 1;
}

double PiecewisePolynomial::switch_value(double x) const {
  const int at = find(x), last = static_cast<int>(breaks.size());
  const double side = at % 2 == 0 ? 1 : -1;
  if (at == 0) return side * (breaks[0] - x) / (breaks[1] - breaks[0]);
  if (at == last) return side * (x - breaks[last - 1]) / (breaks[last - 1] - breaks[last - 2]);
  const double width = breaks[at] - breaks[at - 1];
  return side * ((x - breaks[at - 1]) / width) * ((breaks[at] - x) / width);
}

// Horner's rule on intervals, piece by piece.
PiecewisePolynomial::Range PiecewisePolynomial::bound(double low, double high, int order) const {
  Range range{kInfinity, -kInfinity};
  if (!(low <= high)) return {-kInfinity, kInfinity};
  const int first = find(low), end = find(high);
  for (int i = first; i <= end; ++i) {
    const Piece& piece = pieces[i];
    const double from = (i == first ? low : breaks[i - 1]) - piece.from, to = (i == end ? high : breaks[i]) - piece.from;
    double least = 0, most = 0;
    for (int k = 3; k >= order; --k) {
      double factor = 1;
      for (int n = 0; n < order; ++n) factor *= k - n;
      const double corners[] = {least * from, least * to, most * from, most * to};
      least = *std::min_element(std::begin(corners), std::end(corners)) + factor * piece.c[k];
      most = *std::max_element(std::begin(corners), std::end(corners)) + factor * piece.c[k];
    }
    if (!std::isfinite(least) || !std::isfinite(most)) return {-kInfinity, kInfinity};
    range = {std::min(range.low, least), std::max(range.high, most)};
  }
  return range;
}

PiecewisePolynomial interpolate_linearly(std::span<const double> x, std::span<const double> y, Outside outside) {
  assert(x.size() >= 2 && x.size() == y.size());
  std::vector<Piece> inner;
  for (size_t i = 0; i + 1 < x.size(); ++i) inner.push_back({x[i], {y[i], (y[i + 1] - y[i]) / (x[i + 1] - x[i])}});
  return assemble(x, y, inner.front().c[1], inner.back().c[1], inner, 0, outside);
}

PiecewisePolynomial interpolate_by_spline(std::span<const double> x, std::span<const double> y, Outside outside) {
  const auto [slope, curvature] = differentiate_by_spline(x, y);
  std::vector<Piece> inner;
  for (size_t i = 0; i + 1 < x.size(); ++i)
    inner.push_back({x[i], {y[i], slope[i], curvature[i] / 2, (curvature[i + 1] - curvature[i]) / (6 * (x[i + 1] - x[i]))}});
  return assemble(x, y, slope.front(), slope.back(), inner, 2, outside);
}

}  // namespace vinculum
