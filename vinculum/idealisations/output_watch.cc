// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/output_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "vinculum/math/interval.h"

namespace vinculum {

namespace {

constexpr int kDegree = 8;  // of the polynomials that are integrated

// Weights of Clenshaw and Curtis on n + 1 Chebyshev points of an interval of length 1: exact for polynomials up to degree n.
//
//   w_j = c_j/(2n) (1 - Σ_{k=1}^{n/2} b_k/(4k² - 1) cos(2 k j π/n)) ,  c_j: 1 at both ends, else 2;  b_k: 1 for k = n/2, else 2
template <int n>
std::array<double, n + 1> list_weights() {
  std::array<double, n + 1> weights{};
  for (int j = 0; j <= n; ++j) {
    double sum = 1;
    for (int k = 1; k <= n / 2; ++k)
      sum -= (2 * k == n ? 1.0 : 2.0) / (4 * k * k - 1) * std::cos(2 * k * j * std::numbers::pi / n);
    weights[j] = (j == 0 || j == n ? 1.0 : 2.0) * sum / (2 * n);
  }
  return weights;
}

// The values of all outputs, then their opposites: the largest of each is searched.
std::vector<SearchedFunction> list_functions(const Model& model, const MotionNumbers& numbers, bool with_opposites) {
  std::vector<SearchedFunction> functions;
  const auto add = [&](const Expression& value) {
    SearchedFunction function = make_function(value, numbers);
    function.bound = std::numeric_limits<double>::infinity();
    function.wants_crossings = false;
    functions.push_back(std::move(function));
  };
  for (const OutputColumn& column : model.outputs().columns) add(write_out(model, column.value));
  if (!with_opposites) return functions;
  for (const OutputColumn& column : model.outputs().columns) add(-write_out(model, column.value));
  return functions;
}

}  // namespace

OutputWatch::OutputWatch(const Model& model, double tolerance)
    : model_(model),
      tolerance_(tolerance),
      outputs_(model),
      watch_(list_functions(model, MotionNumbers(model, tolerance), true)),
      functions_(list_functions(model, MotionNumbers(model, tolerance), false)),
      integrals_(functions_.size()) {}

double OutputWatch::value(size_t i, double t) {
  SearchedFunction& function = functions_[i];
  arguments_.clear();
  for (const int slot : function.slots) arguments_.push_back(slot == SearchedFunction::kTime ? t : values_->read(slot, t));
  return function.formula ? function.formula->value(arguments_) : arguments_[0];
}

// May the output be farther from the values seen in a piece than they are from each other, by so much that a mean shows it? It
// is no farther from them than its bounds are, and than its rate leads from the nearest point.
bool OutputWatch::may_hide(size_t i, double t0, double t1, const Interval& seen, double negligible) {
  constexpr double kLargestGap = 0.0957;  // of a piece, from anywhere to the nearest of nine Chebyshev points
  SearchedFunction& function = functions_[i];
  if (!function.formula || !fit_.fit(function.slots, *values_, t0, t1, kDegree)) return false;
  const Bounds bounds = function.formula->bound({fit_.degree, t1 - t0, fit_.b, fit_.radius});
  const double length = std::abs(t1 - t0);
  const double by_value = std::max(bounds.value.high - seen.high, seen.low - bounds.value.low);
  const double beyond = std::min(by_value, kLargestGap * length * magnitude(bounds.rate)) - width(seen);
  return std::isfinite(beyond) && beyond * length > negligible;
}

// By eight-degree polynomials. They are taken where those of half the degree, which are far less good, are good enough for a
// plot, and where bounds of the output leave no room for a peak between the points.
void OutputWatch::integrate(size_t i, double t0, double t1, int depth) {
  constexpr int kMostDepth = 6, kMostDepthOfPeak = 36, kMostPieces = 300;  // beyond the first a step has so many pieces
  constexpr double kOfHalf = 1e-6;  // of the largest value so far: the error of half the degree. That of the whole is its square
  constexpr double kOfStep = 1e-9;  // of the largest value, over the whole step: what no mean shows
  static const auto fine = list_weights<kDegree>();
  static const auto coarse = list_weights<kDegree / 2>();
  double whole = 0, half = 0, square = 0;
  Interval seen{HUGE_VAL, -HUGE_VAL};
  for (int j = 0; j <= kDegree; ++j) {
    const double s = 0.5 - 0.5 * std::cos(std::numbers::pi * j / kDegree);
    const double f = value(i, j == 0 ? t0 : j == kDegree ? t1 : t0 + (t1 - t0) * s);
    whole += fine[j] * f;
    square += fine[j] * f * f;
    if (j % 2 == 0) half += coarse[j / 2] * f;
    seen = {std::min(seen.low, f), std::max(seen.high, f)};
  }
  const double largest =
      std::max({magnitude(seen), watch_.record(i).most.value_or(0), watch_.record(i + size()).most.value_or(0)});
  ++pieces_;
  const double error = std::abs(whole - half), negligible = kOfStep * largest * std::abs(step_);
  const bool is_rough = error > kOfHalf * largest;
  const bool may_go_on = depth < kMostDepthOfPeak && pieces_ < kMostPieces && !functions_[i].is_dear;
  const bool shows = may_go_on && ((is_rough && error * std::abs(t1 - t0) > negligible) || may_hide(i, t0, t1, seen, negligible));
  if ((is_rough && depth < kMostDepth) || shows) {
    const double middle = t0 + (t1 - t0) / 2;
    integrate(i, t0, middle, depth + 1);
    integrate(i, middle, t1, depth + 1);
    return;
  }
  integrals_[i].of_value += (t1 - t0) * whole;
  integrals_[i].of_square += (t1 - t0) * square;
}

void OutputWatch::search_step(StepValues& values, const LookAt&, double t0, double t1, std::vector<Occurrence>&) {
  watch_.search(values, t0, t1);
  values_ = &values;
}

void OutputWatch::count_looks(double begin, double end, const LookAt&, const StateAt&) {
  watch_.count(end);
  if (values_ != nullptr && begin != end) {
    step_ = end - begin;
    for (size_t i = 0; i < size(); ++i) {
      pieces_ = 0;
      integrate(i, begin, end, 0);
    }
    last_t_ = end;
  }
  values_ = nullptr;
}

void OutputWatch::look_at_end(Moment& moment, bool) {
  MomentValues values(model_, tolerance_, outputs_, moment);
  values_ = &values;
  const double t = moment.t();
  if (!first_t_) first_t_ = last_t_ = t;
  for (size_t i = 0; i < size(); ++i) {
    Integrals& integrals = integrals_[i];
    watch_.look(i, values, t);
    watch_.look(size() + i, values, t);
    const double before = integrals.last, now = value(i, t);
    integrals.of_value += (t - *last_t_) * (before + now) / 2;
    integrals.of_square += (t - *last_t_) * (before * before + before * now + now * now) / 3;
    integrals.last = now;
  }
  last_t_ = t;
  values_ = nullptr;
}

void OutputWatch::list_numbers(std::vector<OutputNumbers>& numbers) const {
  for (size_t i = 0; i < size(); ++i) {
    const LimitWatch::Record &most = watch_.record(i), &least = watch_.record(size() + i);
    OutputNumbers& own = numbers.emplace_back();
    own.name = model_.outputs().columns[i].name;
    own.unit = model_.outputs().columns[i].unit;
    own.final = own.min = own.max = integrals_[i].last;
    if (!first_t_ || !most.most || !least.most) continue;
    own.max = *most.most, own.t_max = most.most_t;
    own.min = -*least.most, own.t_min = least.most_t;
    const double duration = *last_t_ - *first_t_;
    const double mean = duration == 0 ? own.final : integrals_[i].of_value / duration;
    const double square = duration == 0 ? own.final * own.final : integrals_[i].of_square / duration;
    if (std::isfinite(mean)) own.mean = mean;
    if (std::isfinite(square)) own.rms = std::sqrt(std::max(square, 0.0));
  }
}

std::vector<double> OutputWatch::memory() const {
  std::vector<double> numbers = watch_.memory();
  for (const Integrals& own : integrals_) numbers.insert(numbers.end(), {own.of_value, own.of_square, own.last});
  if (first_t_) numbers.insert(numbers.end(), {*first_t_, *last_t_});
  return numbers;
}

bool OutputWatch::restore(std::span<const double> numbers) {
  const size_t of_watch = LimitWatch::kNumbers * watch_.size(), own = 3 * size();
  if (numbers.size() != of_watch + own && numbers.size() != of_watch + own + 2) return false;
  if (!watch_.restore(numbers.first(of_watch))) return false;
  numbers = numbers.subspan(of_watch);
  for (size_t i = 0; i < size(); ++i) integrals_[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
  if (numbers.size() == own) return true;
  first_t_ = numbers[own];
  last_t_ = numbers[own + 1];
  return true;
}

}  // namespace vinculum
