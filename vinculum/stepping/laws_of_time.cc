// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/laws_of_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "vinculum/stepping/step_laws.h"

namespace vinculum {

namespace {

constexpr int kPieces = 8;
constexpr double kNear = 0.25;            // of the range of the points
constexpr int kDeepest = 10;              // halvings of a piece whose bounds are too wide
constexpr int kPiecesOfRun = 64;          // to bound a law over the whole run
constexpr double kLeastStep = 1e-12;      // of the run
constexpr double kRoundOffOfLaw = 1e-12;  // of a value: as in law_pieces.cc

double size(const Interval& a) { return std::max(std::abs(a.low), std::abs(a.high)); }

}  // namespace

LawsOfTime::LawsOfTime(const Model& model, std::vector<Expression> switches) : switches_(std::move(switches)) {
  const auto add = [&](const Expression& formula) {
    if (formula.depends_on(VariableKind::time)) laws_.push_back({&formula});
  };
  for (const Expression& formula : switches_) add(formula);
  for (const Expression* formula : list_laws_of_motion(model)) add(*formula);
}

void LawsOfTime::begin(double start, double until, double tolerance, std::span<const double> q, std::span<const double> v) {
  at_.q = q;
  at_.v = v;
  least_step_ = kLeastStep * std::abs(until - start);
  for (Law& law : laws_) law.negligible = tolerance * find_range(law, std::min(start, until), std::max(start, until));
}

// The range a law can have in the whole run; the pieces that seem to reach farthest are halved, where the bounds are coarse.
double LawsOfTime::find_range(const Law& law, double start, double until) {
  struct Piece {
    double t0, t1;
    Interval value;
  };
  const auto piece = [&](double t0, double t1) {
    return Piece{t0, t1, bound_over_time(*law.formula, {t0, t1}, at_, bounds_).value};
  };
  const auto reaches_less = [](const Piece& a, const Piece& b) { return size(a.value) < size(b.value); };
  std::vector<Piece> pieces{piece(start, until)};
  while (pieces.size() < kPiecesOfRun) {
    std::pop_heap(pieces.begin(), pieces.end(), reaches_less);
    const Piece widest = pieces.back();
    pieces.pop_back();
    const double middle = widest.t0 + (widest.t1 - widest.t0) / 2;
    for (const Piece& half : {piece(widest.t0, middle), piece(middle, widest.t1)}) {
      pieces.push_back(half);
      std::push_heap(pieces.begin(), pieces.end(), reaches_less);
    }
  }
  Interval range = pieces[0].value;
  for (const Piece& one : pieces) range = {std::min(range.low, one.value.low), std::max(range.high, one.value.high)};
  const double width = range.high - range.low;
  return std::isfinite(width) ? width : 0;
}

double LawsOfTime::find_step(double t, std::span<const double> q, std::span<const double> v, double step) {
  if (laws_.empty() || step == 0) return step;
  at_.q = q;
  at_.v = v;
  for (const Law& law : laws_) {
    while (std::abs(step) > least_step_ && !is_smooth(law, t, t + step)) step /= 2;
  }
  return step;
}

double LawsOfTime::value(const Law& law, double t) {
  at_.time = t;
  return evaluate(*law.formula, at_, scratch_);
}

bool LawsOfTime::is_smooth(const Law& law, double t0, double t1) {
  // A rate that keeps its sign and changes little leaves nothing to ask.
  const Bounds whole = bound_over_time(*law.formula, {std::min(t0, t1), std::max(t0, t1)}, at_, bounds_);
  const double slow = std::min(std::abs(whole.rate.low), std::abs(whole.rate.high));
  if (whole.rate.low * whole.rate.high >= 0 && size(whole.rate) <= 3 * slow) return true;

  std::array<double, kPieces + 1> f;
  for (int j = 0; j <= kPieces; ++j) f[j] = value(law, t0 + (t1 - t0) * j / kPieces);
  // Where it has no value, the equations will tell.
  if (!std::all_of(f.begin(), f.end(), [](double x) { return std::isfinite(x); })) return true;

  const auto [low, high] = std::minmax_element(f.begin(), f.end());
  const double near = kNear * (*high - *low) + law.negligible + kRoundOffOfLaw * std::max(std::abs(*low), std::abs(*high));
  for (int j = 1; j < kPieces; j += 2) {
    if (std::abs(f[j] - (f[j - 1] + f[j + 1]) / 2) > near) return false;
  }
  for (int j = 0; j < kPieces; ++j) {
    const double a = t0 + (t1 - t0) * j / kPieces, b = t0 + (t1 - t0) * (j + 1) / kPieces;
    if (!stays_within(law, a, b, {std::min(f[j], f[j + 1]) - near, std::max(f[j], f[j + 1]) + near}, kDeepest)) return false;
  }
  return true;
}

// The law at the ends of the piece is known to be within. Bounds: of the formula, and f(m) + f' (t - m).
bool LawsOfTime::stays_within(const Law& law, double t0, double t1, Interval allowed, int depth) {
  const Bounds bounds = bound_over_time(*law.formula, {std::min(t0, t1), std::max(t0, t1)}, at_, bounds_);
  if (bounds.value.low >= allowed.low && bounds.value.high <= allowed.high) return true;
  const bool rate_known = std::isfinite(bounds.rate.low) && std::isfinite(bounds.rate.high);
  if (rate_known && bounds.rate.low * bounds.rate.high >= 0) return true;
  const double middle = t0 + (t1 - t0) / 2, at_middle = value(law, middle);
  if (!(at_middle >= allowed.low && at_middle <= allowed.high)) return false;
  const double half = rate_known ? size(bounds.rate) * std::abs(t1 - t0) / 2 : std::numeric_limits<double>::infinity();
  if (at_middle - half >= allowed.low && at_middle + half <= allowed.high) return true;
  if (depth == 0) return false;
  return stays_within(law, t0, middle, allowed, depth - 1) && stays_within(law, middle, t1, allowed, depth - 1);
}

}  // namespace vinculum
