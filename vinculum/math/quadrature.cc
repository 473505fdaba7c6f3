// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/quadrature.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace vinculum {

namespace {

constexpr double kEpsilonOfSums = std::numeric_limits<double>::epsilon();

struct Estimate {
  double integral = 0;
  double size = 0;  // ∫ |f|: the scale of round-off
  Interval seen{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
};

struct Piece {
  double a = 0, b = 0;
  Estimate whole;
  double last_difference = std::numeric_limits<double>::infinity();  // between the two levels before
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
    estimate.seen = {std::min({estimate.seen.low, left, right}), std::max({estimate.seen.high, left, right})};
  }
  estimate.integral *= half;
  estimate.size *= std::abs(half);
  return estimate;
}

// May f be farther from the values seen than they are from each other, by so much that the integral shows it? It is no farther
// from them than its bounds are, and than its slope leads from the nearest point.
bool may_hide(const Piece& piece, const Interval& seen, const BoundsBetween& bounds, double negligible) {
  if (!bounds) return false;
  constexpr double kLargestGap = 0.0373;  // of a piece, from anywhere to the nearest point: 0.1489 of a quarter
  const double length = std::abs(piece.b - piece.a);
  const auto [value, slope] = bounds(piece.a, piece.b);
  const double by_value = std::max(value.high - seen.high, seen.low - value.low);
  const double by_slope = kLargestGap * length * magnitude(slope);
  const double beyond = std::min(by_value, by_slope) - width(seen);
  return !(beyond * length <= negligible);
}

}  // namespace

double integrate_function(const std::function<double(double)>& f, double a, double b, std::span<const double> kinks,
                          const BoundsBetween& bounds) {
  constexpr int kMostHalvings = 40;
  constexpr size_t kMostPieces = 200;                       // of one length: beyond them f is noise, or has no bounds
  constexpr double kRoundOffOfPiece = 4 * kEpsilonOfSums;   // of ∫|f| of a piece: two sums are compared, each of two halves
  constexpr double kRoundOffOfAll = 0.25 * kEpsilonOfSums;  // of ∫|f| of all: what is less adds nothing
  constexpr double kMostNoise = 1e-8, kNoGain = 0.35;       // a halving leaves half of noise, a quarter of what a kink does
  std::vector<Piece> pieces, halves;
  const auto add = [&](std::vector<Piece>& to, double from, double until) {
    if (from != until) to.push_back({.a = from, .b = until, .whole = gauss_legendre(f, from, until)});
  };
  for (const double kink : kinks) {
    add(pieces, a, kink);
    a = kink;
  }
  add(pieces, a, b);

  // All pieces of one length before shorter ones: what is small beside the whole is known to be so before it is halved further.
  double sum = 0, size = 0;
  for (int depth = 0; !pieces.empty(); ++depth) {
    double size_left = 0;
    for (const Piece& piece : pieces) size_left += piece.whole.size;
    const double negligible = kRoundOffOfAll * (size + size_left);
    for (const Piece& piece : pieces) {
      const double middle = 0.5 * (piece.a + piece.b);
      const Estimate left = gauss_legendre(f, piece.a, middle), right = gauss_legendre(f, middle, piece.b);
      const double both = left.integral + right.integral, of_size = left.size + right.size;
      const Interval seen{std::min(left.seen.low, right.seen.low), std::max(left.seen.high, right.seen.high)};
      const double difference = std::abs(both - piece.whole.integral);
      const bool agrees = !(difference > std::max(kRoundOffOfPiece * of_size, negligible));
      const bool is_noise = difference < kMostNoise * of_size && difference > kNoGain * piece.last_difference;
      const bool is_enough = depth == kMostHalvings || halves.size() > kMostPieces;
      if (is_enough || ((agrees || is_noise) && !may_hide(piece, seen, bounds, negligible))) {
        sum += both;
        size += of_size;
      } else {
        halves.push_back({piece.a, middle, left, difference});
        halves.push_back({middle, piece.b, right, difference});
      }
    }
    std::swap(pieces, halves);
    halves.clear();
  }
  return sum;
}

}  // namespace vinculum
