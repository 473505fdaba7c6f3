// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/tape_series.h"

#include <cassert>
#include <cmath>

#include "vinculum/math/polynomial.h"

namespace vinculum {

namespace {

// Σ_{l=first}^{last} a_l b_{n-l}
double convolve(const double* a, const double* b, int n, int first, int last) {
  double sum = 0;
  for (int l = first; l <= last; ++l) sum = sum + a[l] * b[n - l];
  return sum;
}

// Σ_{l=1}^{last} l a_l b_{n-l}: n times the coefficient of order n of ∫ a' b
double convolve_rate(const double* a, const double* b, int n, int last) {
  double sum = 0;
  for (int l = 1; l <= last; ++l) sum = sum + l * a[l] * b[n - l];
  return sum;
}

// floor is constant between its jumps.
[[maybe_unused]] bool is_analytic(TapeOperation operation) {
  return operation != TapeOperation::abs && operation != TapeOperation::sign && operation != TapeOperation::min &&
         operation != TapeOperation::max && operation != TapeOperation::choose;
}

bool is_leaf(const TapeStep& step) { return step.operation == TapeOperation::input || step.operation == TapeOperation::constant; }

}  // namespace

TapeSeries::TapeSeries(const Tape& tape, int highest_order) : stride_(highest_order + 1), inputs_(tape.inputs, -1) {
  // A power whose exponent varies is exp(b log a); tanh is followed by its square, its operand b.
  std::vector<int> place;
  const auto add = [&](const TapeStep& step) {
    steps_.push_back(step);
    return static_cast<int>(steps_.size()) - 1;
  };
  for (const TapeStep& original : tape.steps) {
    TapeStep step = original;
    assert(is_analytic(step.operation));
    if (!is_leaf(step)) {
      for (std::int32_t* operand : {&step.a, &step.b, &step.c}) {
        if (*operand >= 0) *operand = place[*operand];
      }
      if (step.operation == TapeOperation::power && steps_[step.b].operation != TapeOperation::constant) {
        const int logarithm = add({TapeOperation::log, step.a});
        step = {TapeOperation::exp, add({TapeOperation::multiply, logarithm, step.b})};
      }
    }
    place.push_back(add(step));
    if (step.operation == TapeOperation::tanh)
      steps_[place.back()].b = add({TapeOperation::multiply, place.back(), place.back()});
  }
  for (int output : tape.outputs) outputs_.push_back(place[output]);

  coefficients_.resize(steps_.size() * stride_);
  is_constant_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const TapeStep& step = steps_[i];
    is_constant_[i] = step.operation == TapeOperation::constant;
    if (is_constant_[i]) series(i)[0] = tape.constants[step.a];
    if (step.operation == TapeOperation::input) inputs_[step.a] = i;
    const bool broken = step.operation == TapeOperation::power && std::trunc(series(step.b)[0]) != series(step.b)[0];
    if (step.operation == TapeOperation::sqrt || broken) roots_.push_back(i);
  }
}

void TapeSeries::set_input(int number, int order, double coefficient) {
  if (inputs_[number] >= 0) series(inputs_[number])[order] = coefficient;
}

void TapeSeries::compute_order(int order) {
  order_ = order;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!is_leaf(steps_[i])) series(i)[order] = compute_step(i, order);
  }
}

double TapeSeries::find_branch(double reach) const {
  constexpr double kRoundOffOfSum = 1e-14;  // of the sum of sizes: some thirty terms, each rounded to 2^-53
  std::vector<double> polynomial(order_ + 1);
  for (int root : roots_) {
    const double* const z = series(root);
    double power = reach, rest = 0;
    polynomial[0] = z[0];
    for (int n = 1; n <= order_; ++n, power *= reach) {
      polynomial[n] = power * z[n];
      rest += std::abs(polynomial[n]);
    }
    if (std::abs(z[0]) > rest || !std::isfinite(rest)) continue;
    double fraction = 1;
    for (const RootInterval& interval : isolate_roots(polynomial, kRoundOffOfSum * rest)) {
      double low = interval.low, high = interval.high;
      while (!interval.touch && high - low > 4e-16 * high) {
        const double middle = low + (high - low) / 2;
        if (middle == low || middle == high) break;
        (evaluate_polynomial(polynomial, middle) * interval.value_low > 0 ? low : high) = middle;
      }
      fraction = high;
      break;
    }
    reach *= fraction;
  }
  return reach;
}

// (a b)_n
double TapeSeries::product(int a, int b, int order) const {
  if (is_constant_[a]) return series(a)[0] * series(b)[order];
  if (is_constant_[b]) return series(a)[order] * series(b)[0];
  return convolve(series(a), series(b), order, 0, order);
}

// The recurrences of theory 2, section 5.1. Functions follow from the differential equation they obey: z = exp a from z' = a' z.
double TapeSeries::compute_step(int index, int n) const {
  const TapeStep& step = steps_[index];
  const double* a = series(step.a);
  const double* b = step.b < 0 ? a : series(step.b);
  const double* c = step.c < 0 ? a : series(step.c);
  const double* z = series(index);
  if (n == 0) return apply_operation(step.operation, a[0], b[0], c[0]);
  switch (step.operation) {
    case TapeOperation::negate: return -a[n];
    case TapeOperation::add: return a[n] + b[n];
    case TapeOperation::subtract: return a[n] - b[n];
    case TapeOperation::multiply: return product(step.a, step.b, n);
    case TapeOperation::multiply_add: return product(step.a, step.b, n) + c[n];
    case TapeOperation::divide:
      if (is_constant_[step.b]) return a[n] / b[0];
      return (a[n] - convolve(z, b, n, 0, n - 1)) / b[0];
    case TapeOperation::sqrt: return (a[n] - convolve(z, z, n, 1, n - 1)) / (2 * z[0]);
    case TapeOperation::exp: return convolve_rate(a, z, n, n) / n;
    case TapeOperation::log: return (a[n] - convolve_rate(z, a, n, n - 1) / n) / a[0];
    case TapeOperation::sin: return convolve_rate(a, series(index + 1), n, n) / n;
    case TapeOperation::cos: return -convolve_rate(a, series(index - 1), n, n) / n;
    case TapeOperation::tanh: return a[n] - convolve_rate(a, b, n, n) / n;  // z' = a' (1 - z²)
    case TapeOperation::atan2:                                              // c z' = b a' - a b'
      return (convolve_rate(a, b, n, n) - convolve_rate(b, a, n, n) - convolve_rate(z, c, n, n - 1)) / (n * c[0]);
    case TapeOperation::power: {
      // z' a = b a' z, b constant
      double sum = 0;
      for (int l = 0; l < n; ++l) sum = sum + (b[0] * (n - l) - l) * a[n - l] * z[l];
      return sum / (n * a[0]);
    }
    case TapeOperation::input:
    case TapeOperation::constant:
    case TapeOperation::abs:
    case TapeOperation::sign:
    case TapeOperation::floor:
    case TapeOperation::min:
    case TapeOperation::max:
    case TapeOperation::choose: break;
  }
  return 0;
}

}  // namespace vinculum
