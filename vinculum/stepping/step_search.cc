// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/step_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include <Eigen/Dense>

#include "vinculum/math/polynomial.h"

namespace vinculum {

namespace {

constexpr double kEpsilonOfSearch = std::numeric_limits<double>::epsilon();
constexpr int kMostDegree = 8;
constexpr double kLeastPart = 0x1p-40;     // of a step
constexpr int kMostPiecesOfSearch = 1000;  // of one function and step,
constexpr int kMostDearFits = 100;         // and fits, where each costs solutions
constexpr int kMostWithoutBounds = 400;    // pieces of one function and step
constexpr int kDepthWithoutValues = 6;
constexpr double kResolvedPart = 1e-3;  // of the range of a value over a piece: what its polynomial may be off by

// Chebyshev's points of [0, 1], the ends among them. Those of half the degree are every second one, to the bit.
double chebyshev_point(int j, int degree) {
  return 0.5 - 0.5 * std::cos(std::numbers::pi * (j * (kMostDegree / degree)) / kMostDegree);
}

using NodeMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, kMostDegree + 1, kMostDegree + 1>;

// From values at these points to Bernstein coefficients.
NodeMatrix invert_bernstein(int degree) {
  NodeMatrix values(degree + 1, degree + 1);
  for (int j = 0; j <= degree; ++j) {
    const double s = chebyshev_point(j, degree);
    double binomial = 1;
    for (int i = 0; i <= degree; ++i) {
      values(j, i) = binomial * std::pow(s, i) * std::pow(1 - s, degree - i);
      binomial *= static_cast<double>(degree - i) / (i + 1);
    }
  }
  return values.inverse();
}

const NodeMatrix& to_bernstein_of_points(int degree) {
  static const NodeMatrix of_2 = invert_bernstein(2), of_4 = invert_bernstein(4), of_8 = invert_bernstein(8);
  return degree == 2 ? of_2 : degree == 4 ? of_4 : of_8;
}

// The last two coefficients of the Chebyshev series through values at the points.
double size_of_last_terms(std::span<const double> f) {
  const int n = static_cast<int>(f.size()) - 1;
  double last = 0, before = 0;
  for (int j = 0; j <= n; ++j) {
    const double weighted = (j == 0 || j == n ? 0.5 : 1.0) * f[j];
    last += weighted * (j % 2 == 0 ? 1 : -1);
    before += weighted * std::cos(std::numbers::pi * j * (n - 1) / n);
  }
  return (std::abs(last) + 2 * std::abs(before)) / n;
}

double largest_of(std::span<const double> f) {
  double size = 0;
  for (const double x : f) size = std::max(size, std::abs(x));
  return size;
}

bool has_sign(const Interval& rate) { return std::isfinite(rate.low) && std::isfinite(rate.high) && rate.low * rate.high >= 0; }

}  // namespace

StepSearch::Piece& StepSearch::Pieces::add(double t0, double t1) {
  if (list.size() == count) list.emplace_back();
  Piece& piece = list[count++];
  piece.t0 = t0, piece.t1 = t1;
  piece.is_fitted = false;
  return piece;
}

bool StepFit::fit(std::span<const int> slots, StepValues& values, double t0, double t1, int of_degree) {
  degree = of_degree;
  const std::size_t points = degree + 1;
  b.resize(slots.size() * points);
  radius.assign(slots.size(), 0);
  samples_.resize(points);
  const NodeMatrix& matrix = to_bernstein_of_points(degree);
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const std::span<double> own = std::span(b).subspan(k * points, points);
    if (slots[k] == SearchedFunction::kTime) {
      for (int j = 0; j <= degree; ++j) own[j] = t0 + (t1 - t0) * j / degree;
      continue;
    }
    for (int j = 0; j <= degree; ++j) {
      samples_[j] = values.read(slots[k], j == 0 ? t0 : j == degree ? t1 : t0 + (t1 - t0) * chebyshev_point(j, degree));
      if (!std::isfinite(samples_[j])) return false;
    }
    for (int i = 0; i <= degree; ++i) {
      double sum = 0;
      for (int j = 0; j <= degree; ++j) sum += matrix(i, j) * samples_[j];
      own[i] = sum;
    }
    own.front() = samples_.front();
    own.back() = samples_.back();
    radius[k] = size_of_last_terms(samples_) + 64 * kEpsilonOfSearch * largest_of(samples_);
    if (values.is_dear(slots[k])) {
      const auto [low, high] = std::minmax_element(samples_.begin(), samples_.end());
      if (*high > *low) radius[k] += values.unseen(t0, t1) * (*high - *low);
    }
  }
  return true;
}

bool StepSearch::fit(Piece& piece, int degree) {
  ++fits_;
  piece.is_fitted = true;
  return piece.fit.fit(function_->slots, *values_, piece.t0, piece.t1, degree);
}

double StepSearch::noise_of(const Piece& piece, std::size_t slot) const {
  const std::size_t points = piece.fit.degree + 1;
  const double size = largest_of(std::span(piece.fit.b).subspan(slot * points, points));
  return std::max(values_->noise(function_->slots[slot]), 256 * kEpsilonOfSearch * size);
}

bool StepSearch::hides_laws(const Piece& piece) { return values_->unseen(piece.t0, piece.t1) > kResolvedPart; }

// The polynomials are as good as the values are, or far better than they vary.
bool StepSearch::is_resolved(const Piece& piece) const {
  const std::size_t points = piece.fit.degree + 1;
  for (std::size_t k = 0; k < piece.fit.radius.size(); ++k) {
    if (function_->slots[k] == SearchedFunction::kTime) continue;
    const auto own = std::span(piece.fit.b).subspan(k * points, points);
    const auto [low, high] = std::minmax_element(own.begin(), own.end());
    if (piece.fit.radius[k] > std::max(kResolvedPart * (*high - *low), noise_of(piece, k))) return false;
  }
  return true;
}

Bounds StepSearch::bound(const Piece& piece) {
  const double width = piece.t1 - piece.t0;
  if (function_->formula) return function_->formula->bound({piece.fit.degree, width, piece.fit.b, piece.fit.radius});
  double low = piece.fit.b[0], high = low, fall = 0, rise = 0;
  for (int j = 1; j <= piece.fit.degree; ++j) {
    const double difference = piece.fit.b[j] - piece.fit.b[j - 1];
    low = std::min(low, piece.fit.b[j]), high = std::max(high, piece.fit.b[j]);
    fall = j == 1 ? difference : std::min(fall, difference);
    rise = j == 1 ? difference : std::max(rise, difference);
  }
  const double radius = piece.fit.radius[0], doubt = 2 * radius / std::abs(width);
  Interval rate{fall * piece.fit.degree / width, rise * piece.fit.degree / width};
  if (rate.low > rate.high) std::swap(rate.low, rate.high);
  return {{low - radius, high + radius}, {rate.low - doubt, rate.high + doubt}};
}

double StepSearch::end_value(const Piece& piece, bool last) {
  if (function_->formula)
    return function_->formula->value_at({piece.fit.degree, 0, piece.fit.b, {}}, last ? piece.fit.degree : 0);
  return last ? piece.fit.b[piece.fit.degree] : piece.fit.b[0];
}

// Of the function, where its values are noise.
double StepSearch::error_of(const Piece& piece) {
  arguments_.clear();
  errors_.clear();
  const std::size_t points = piece.fit.degree + 1;
  for (std::size_t k = 0; k < piece.fit.radius.size(); ++k) {
    arguments_.push_back(piece.fit.b[k * points]);
    errors_.push_back(function_->slots[k] == SearchedFunction::kTime ? 0 : noise_of(piece, k));
  }
  return function_->formula ? function_->formula->find_error(arguments_, errors_) : errors_[0];
}

void StepSearch::take(double value, double t) {
  if (std::isfinite(value) && (!best_ || value > *best_)) best_ = value, best_t_ = t;
}

const SearchFound& StepSearch::search(SearchedFunction& function, StepValues& values, double t0, double t1,
                                      std::optional<double> most) {
  function_ = &function;
  values_ = &values;
  step_ = t1 - t0;
  pieces_ = fits_ = without_bounds_ = 0;
  best_ = most;
  best_t_ = t0;
  found_.times.clear();
  found_.flat.clear();
  next_.count = 0;
  suggest(t0);
  double begin = t0;
  const auto add_piece = [&](double end) {
    next_.add(begin, end);
    suggest(end);
    begin = end;
  };
  for (const double end : function.is_dear ? values.pieces() : std::span<const double>()) {
    if ((end - begin) * step_ > 0 && (t1 - end) * step_ > 0) add_piece(end);
  }
  if (t0 != t1) add_piece(t1);
  most_fits_ = kMostDearFits + static_cast<int>(next_.count);
  // All of one length before the shorter ones, so that where there are too many none is left long.
  for (int depth = 0; next_.count > 0; ++depth) {
    std::swap(now_, next_);
    next_.count = 0;
    for (std::size_t k = 0; k < now_.count; ++k) visit(now_.list[k], depth);
  }
  if (best_ > most) suggest(best_t_);
  std::sort(found_.times.begin(), found_.times.end(), [&](double a, double b) { return step_ >= 0 ? a < b : a > b; });
  found_.times.erase(std::unique(found_.times.begin(), found_.times.end()), found_.times.end());
  return found_;
}

void StepSearch::suggest_all(const Piece& piece) {
  suggest(piece.t0);
  suggest(piece.t0 + (piece.t1 - piece.t0) / 2);
  suggest(piece.t1);
}

void StepSearch::suggest_crossing(const Piece& piece, double first, double last) {
  const auto is_above = [&](double x) { return x > function_->bound; };
  if (is_above(first) == is_above(last)) return;
  suggest(piece.t0);
  suggest(piece.t1);
}

// Where a value is missing somewhere there is no polynomial: shorter pieces, to a limit, where there are others.
void StepSearch::visit_without_values(const Piece& piece, int depth) {
  const double middle = piece.t0 + (piece.t1 - piece.t0) / 2;
  const auto is_known = [&](double t) {
    return std::ranges::all_of(
        function_->slots, [&](int slot) { return slot == SearchedFunction::kTime || std::isfinite(values_->read(slot, t)); });
  };
  if (!is_known(piece.t0) && !is_known(piece.t1) && !is_known(middle)) return;
  suggest_all(piece);
  if (depth >= kDepthWithoutValues) return;
  next_.add(piece.t0, middle);
  next_.add(middle, piece.t1);
}

void StepSearch::visit(Piece& piece, int depth) {
  const double width = piece.t1 - piece.t0, middle = piece.t0 + width / 2;
  if (!piece.is_fitted && !fit(piece, function_->is_dear ? 2 : kMostDegree)) return visit_without_values(piece, depth);
  const double limit = function_->bound;
  const auto is_below = [&](double value) {
    return function_->is_strict ? value < limit - 64 * kEpsilonOfSearch * std::abs(limit) : value <= limit;
  };
  const auto is_open = [&](const Interval& value) {
    // Where a formula has no bounds it may have no value either.
    const bool is_known = std::isfinite(value.low) && std::isfinite(value.high);
    if (!is_known && without_bounds_ < kMostWithoutBounds) return true;
    const bool may_cross = function_->wants_crossings && !is_below(value.high) && !(value.low > limit);
    return may_cross || (function_->wants_most && is_record(value.high, best_));
  };
  Bounds found;
  double first = 0, last = 0;
  for (;;) {
    found = bound(piece);
    first = end_value(piece, false), last = end_value(piece, true);
    take(first, piece.t0);
    take(last, piece.t1);
    if (!is_open(found.value)) return;
    if (has_sign(found.rate)) {
      const bool is_flat = found.rate.low == 0 && found.rate.high == 0;
      // What rises to a bound it must not reach may stay there for the rest of the piece.
      const bool may_stay = function_->is_strict && (found.rate.low == 0 || found.rate.high == 0) &&
                            !is_below(std::max(first, last)) && !(std::min(first, last) > function_->bound);
      if (!may_stay) return suggest_crossing(piece, first, last);
      if (is_flat) {
        found_.flat.push_back({piece.t0, piece.t1});
        return suggest_all(piece);
      }
    }
    // More points do not show what laws may do between them; shorter pieces do.
    const bool can_be_finer = piece.fit.degree < kMostDegree && !(function_->is_dear && hides_laws(piece));
    if (!can_be_finer || is_resolved(piece)) break;
    if (!fit(piece, 2 * piece.fit.degree)) return visit_without_values(piece, depth);
  }
  if (!std::isfinite(found.value.low) || !std::isfinite(found.value.high)) ++without_bounds_;
  const bool is_short = std::abs(width) <= kLeastPart * std::abs(step_) || middle == piece.t0 || middle == piece.t1;
  const bool is_enough = ++pieces_ > kMostPiecesOfSearch || (function_->is_dear && fits_ > most_fits_);
  // A jump, a corner, or bounds that stay wide however short the piece is: the values beside it tell.
  if (is_short || is_enough) return suggest_all(piece);

  const std::size_t points = piece.fit.degree + 1;
  Piece &left = left_, &right = right_;
  left.fit.degree = right.fit.degree = piece.fit.degree;
  left.fit.radius = right.fit.radius = piece.fit.radius;
  right.fit.b = piece.fit.b;
  left.fit.b.resize(piece.fit.b.size());
  for (std::size_t k = 0; k < piece.fit.radius.size(); ++k)
    halve_bernstein(std::span(right.fit.b).subspan(k * points, points), std::span(left.fit.b).subspan(k * points, points));
  const double at_middle = end_value(right, false);
  take(at_middle, middle);
  // The middle and how far the rate can lead from it.
  const double reach = std::max(std::abs(found.rate.low), std::abs(found.rate.high)) * std::abs(width) / 2;
  const Interval beside{std::max(found.value.low, at_middle - reach), std::min(found.value.high, at_middle + reach)};
  if (std::isfinite(reach) && !is_open(beside)) return;
  // Nothing is left but noise.
  if (beside.high - beside.low <= 4 * error_of(piece)) return suggest_all(piece);
  const bool keeps_fit = is_resolved(piece);
  const double t0 = piece.t0, t1 = piece.t1;
  for (const auto& [half, begin, end] : {std::tuple{&left, t0, middle}, std::tuple{&right, middle, t1}}) {
    Piece& added = next_.add(begin, end);
    added.is_fitted = keeps_fit;
    if (keeps_fit) std::swap(added.fit, half->fit);
  }
}

}  // namespace vinculum
