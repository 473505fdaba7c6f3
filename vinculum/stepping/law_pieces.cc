// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/law_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "vinculum/math/polynomial.h"
#include "vinculum/stepping/step_laws.h"

namespace vinculum {

namespace {

constexpr double kMostUnseen = 0.25;
constexpr double kLeastPiece = 0x1p-30;  // of a step
constexpr std::size_t kMostLawPieces = 256;
constexpr int kSharpen = 4;                 // halvings of a half, for its range
constexpr double kRoundOffOfRange = 1e-12;  // of a value: bounds of a formula round outward in each of its operations
constexpr int kDegreeOfFit = 8;
constexpr int kSlowDegree = 3;

double size_of(const Interval& a) { return std::max(std::abs(a.low), std::abs(a.high)); }

// Sums and products of a few coordinates and velocities change no faster than these do.
bool is_slow(const Expression& term) {
  const int degree = polynomial_degree(term);
  return degree >= 0 && degree <= (term.depends_on(VariableKind::time) ? 1 : kSlowDegree);
}

}  // namespace

bool has_laws_of_time(const Model& model) {
  return std::ranges::any_of(list_laws_of_motion(model),
                             [](const Expression* law) { return law->depends_on(VariableKind::time); });
}

LawPieces::LawPieces(const Model& model, const MotionNumbers& numbers) {
  for (const Expression* law : list_laws_of_motion(model)) {
    for (const Expression& term : split_sum(*law)) {
      if (!term.is_constant() && !is_slow(term)) laws_.push_back(make_function(term, numbers));
    }
  }
}

void LawPieces::begin(StepValues& values, double t0, double t1, bool at_rest) {
  values_ = &values;
  t0_ = t0, step_ = t1 - t0;
  at_rest_ = at_rest;
  is_split_ = false;
  known_.clear();
  pieces_.clear();
}

std::span<const double> LawPieces::pieces() {
  if (is_split_ || laws_.empty() || step_ == 0) return pieces_;
  is_split_ = true;
  const double t0 = t0_, t1 = t0_ + step_;
  split(t0, t1);
  if (at_rest_) {
    for (SearchedFunction& law : laws_) {
      const Expression formula = law.formula->formula();
      for (const Expression& side : {formula, -formula}) {
        SearchedFunction searched{FormulaBounds(side), law.slots};
        searched.wants_crossings = false;
        const std::vector<double>& times = search_.search(searched, *values_, t0, t1, std::nullopt).times;
        pieces_.insert(pieces_.end(), times.begin(), times.end());
      }
    }
  }
  std::erase_if(pieces_, [&](double t) { return (t - t0) * (t - t1) >= 0; });
  std::sort(pieces_.begin(), pieces_.end(), [&](double a, double b) { return step_ >= 0 ? a < b : a > b; });
  pieces_.erase(std::unique(pieces_.begin(), pieces_.end()), pieces_.end());
  return pieces_;
}

void LawPieces::split(double t0, double t1) {
  const double middle = t0 + (t1 - t0) / 2;
  // A step of a few round-offs of t has no middle.
  if (middle == t0 || middle == t1 || std::abs(t1 - t0) <= kLeastPiece * std::abs(step_) || pieces_.size() > kMostLawPieces ||
      unseen(t0, t1) <= kMostUnseen) {
    pieces_.push_back(t1);
    return;
  }
  split(t0, middle);
  split(middle, t1);
}

double LawPieces::unseen(double t0, double t1) {
  if (laws_.empty()) return 0;
  const auto place = std::ranges::find_if(known_, [&](const Found& found) { return found.t0 == t0 && found.t1 == t1; });
  if (place != known_.end()) return place->unseen;
  double most = 0;
  for (SearchedFunction& law : laws_) most = std::max(most, find_unseen(law, t0, t1));
  known_.push_back({t0, t1, most});
  return most;
}

double LawPieces::find_unseen(SearchedFunction& law, double t0, double t1) {
  if (!fit_.fit(law.slots, *values_, t0, t1, kDegreeOfFit)) return 0;  // the equations will tell
  FormulaBounds& bounds = *law.formula;
  const Bounds whole = bounds.bound({kDegreeOfFit, t1 - t0, fit_.b, fit_.radius});
  const double round_off = kRoundOffOfRange * size_of(whole.value);
  if (whole.rate.low * whole.rate.high >= 0 || whole.value.high - whole.value.low <= round_off) return 0;
  const std::size_t points = kDegreeOfFit + 1;
  std::vector<double> right = fit_.b, left(right.size());
  for (std::size_t k = 0; k < law.slots.size(); ++k)
    halve_bernstein(std::span(right).subspan(k * points, points), std::span(left).subspan(k * points, points));
  const double width = (t1 - t0) / 2;
  const auto value = [&](const std::vector<double>& b, int end) { return bounds.value_at({kDegreeOfFit, width, b, {}}, end); };
  const double first = value(left, 0), middle = value(right, 0), last = value(right, kDegreeOfFit);
  const double range = std::max({first, middle, last}) - std::min({first, middle, last});
  double excess = 0;
  for (const auto& [b, at0, at1] : {std::tuple{&left, first, middle}, std::tuple{&right, middle, last}}) {
    const Interval found = find_range(law, *b, width, kSharpen);
    excess = std::max({excess, found.high - std::max(at0, at1), std::min(at0, at1) - found.low});
  }
  return excess <= round_off ? 0 : range > 0 ? excess / range : std::numeric_limits<double>::infinity();
}

Interval LawPieces::find_range(SearchedFunction& law, std::span<const double> b, double width, int depth) {
  FormulaBounds& bounds = *law.formula;
  const PolynomialArguments at{kDegreeOfFit, width, b, fit_.radius};
  const Bounds found = bounds.bound(at);
  const double first = bounds.value_at(at, 0), last = bounds.value_at(at, kDegreeOfFit);
  if (found.rate.low * found.rate.high >= 0) return {std::min(first, last), std::max(first, last)};
  if (depth == 0) return found.value;
  const std::size_t points = kDegreeOfFit + 1;
  std::vector<double> right(b.begin(), b.end()), left(b.size());
  for (std::size_t k = 0; k < law.slots.size(); ++k)
    halve_bernstein(std::span(right).subspan(k * points, points), std::span(left).subspan(k * points, points));
  const double middle = bounds.value_at({kDegreeOfFit, width, right, {}}, 0);
  const double reach = size_of(found.rate) * std::abs(width) / 2;
  const Interval beside{std::max(found.value.low, middle - reach), std::min(found.value.high, middle + reach)};
  const double low = std::min({first, middle, last}), high = std::max({first, middle, last});
  if (std::isfinite(reach) && beside.low >= low && beside.high <= high) return {low, high};
  const Interval of_left = find_range(law, left, width / 2, depth - 1), of_right = find_range(law, right, width / 2, depth - 1);
  return {std::max(beside.low, std::min(of_left.low, of_right.low)),
          std::min(beside.high, std::max(of_left.high, of_right.high))};
}

}  // namespace vinculum
