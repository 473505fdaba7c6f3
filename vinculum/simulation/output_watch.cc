// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/output_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace vinculum {

namespace {

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

// By eight-degree polynomials. They are taken where those of half the degree, which are far less good, are good enough for a
// plot.
void OutputWatch::integrate(size_t i, double t0, double t1, int depth) {
  constexpr int kDegree = 8, kMostDepth = 6;
  constexpr double kOfHalf = 1e-6;  // of the largest value so far: the error of half the degree. That of the whole is its square
  static const auto fine = list_weights<kDegree>();
  static const auto coarse = list_weights<kDegree / 2>();
  double whole = 0, half = 0, square = 0, size = 0;
  for (int j = 0; j <= kDegree; ++j) {
    const double s = 0.5 - 0.5 * std::cos(std::numbers::pi * j / kDegree);
    const double f = value(i, j == 0 ? t0 : j == kDegree ? t1 : t0 + (t1 - t0) * s);
    whole += fine[j] * f;
    square += fine[j] * f * f;
    if (j % 2 == 0) half += coarse[j / 2] * f;
    size = std::max(size, std::abs(f));
  }
  const double largest = std::max({size, watch_.record(i).most, watch_.record(size_t{i} + this->size()).most});
  if (depth < kMostDepth && std::abs(whole - half) > kOfHalf * largest) {
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
    for (size_t i = 0; i < size(); ++i) integrate(i, begin, end, 0);
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
    if (!first_t_ || most.most == -kNever) continue;
    own.max = most.most, own.t_max = most.most_t;
    own.min = -least.most, own.t_min = least.most_t;
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
