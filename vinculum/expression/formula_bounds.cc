// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/formula_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/expression/evaluate_kernel.h"

namespace vinculum {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

int operand(const Step& step, int which) {
  const int operands[] = {step.left, step.right, step.third};
  return operands[which] < 0 ? step.left : operands[which];
}

}  // namespace

FormulaBounds::FormulaBounds(Expression formula) : formula_(std::move(formula)) {
  const std::span<const Step> steps = formula_.steps();
  const std::vector<Variable>& variables = formula_.variables();
  const std::size_t terms = variables.size() + 1;
  is_affine_.assign(steps.size(), false);
  is_needed_.assign(steps.size(), false);
  slot_.assign(steps.size(), -1);
  factors_.assign(steps.size() * terms, 0);
  bounds_.resize(steps.size());
  values_.resize(steps.size());
  const auto factors = [&](std::size_t i) { return std::span(factors_).subspan(i * terms, terms); };
  const auto is_number = [&](int i) {
    const auto f = factors(i).subspan(1);
    return is_affine_[i] && std::all_of(f.begin(), f.end(), [](double x) { return x == 0; });
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const std::span<double> own = factors(i);
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      own[0] = step.value;
      is_affine_[i] = true;
      continue;
    }
    if (step.operation == Operation::variable) {
      const auto place = std::lower_bound(variables.begin(), variables.end(), step.variable);
      slot_[i] = static_cast<int>(place - variables.begin());
      own[slot_[i] + 1] = 1;
      is_affine_[i] = true;
      continue;
    }
    const int left = step.left, right = operand(step, 1), third = operand(step, 2);
    if (is_number(left) && is_number(right) && is_number(third)) {
      own[0] = apply_step(step, factors(left)[0], factors(right)[0], factors(third)[0]);
      is_affine_[i] = true;
      continue;
    }
    const auto combine = [&](double of_left, double of_right) {
      for (std::size_t k = 0; k < terms; ++k) {
        own[k] = of_left * factors(left)[k];
        if (of_right != 0) own[k] += of_right * factors(right)[k];
      }
      is_affine_[i] = true;
    };
    const bool both = is_affine_[left] && is_affine_[right];
    switch (step.operation) {
      case Operation::negate:
        if (is_affine_[left]) combine(-1, 0);
        break;
      case Operation::add:
        if (both) combine(1, 1);
        break;
      case Operation::subtract:
        if (both) combine(1, -1);
        break;
      case Operation::multiply:
        if (both && is_number(right)) {
          combine(factors(right)[0], 0);
        } else if (both && is_number(left)) {
          const double factor = factors(left)[0];
          for (std::size_t k = 0; k < terms; ++k) own[k] = factor * factors(right)[k];
          is_affine_[i] = true;
        }
        break;
      case Operation::divide:
        if (both && is_number(right) && factors(right)[0] != 0) combine(1 / factors(right)[0], 0);
        break;
      default: break;
    }
  }
  is_needed_.back() = true;
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!is_needed_[i] || is_affine_[i]) continue;
    for (int which = 0; which < 3; ++which) is_needed_[operand(steps[i], which)] = true;
  }
}

Bounds FormulaBounds::bound_affine(std::size_t step, const PolynomialArguments& at) const {
  const std::size_t variables = variable_count(), coefficients = at.degree + 1;
  const double* const a = factors_.data() + step * (variables + 1);
  double radius = 0, size = std::abs(a[0]);
  for (std::size_t k = 0; k < variables; ++k) {
    if (a[k + 1] == 0) continue;
    radius += std::abs(a[k + 1]) * at.radius[k];
    double largest = 0;
    for (std::size_t j = 0; j < coefficients; ++j) largest = std::max(largest, std::abs(at.b[k * coefficients + j]));
    size += std::abs(a[k + 1]) * largest;
  }
  if (size == std::abs(a[0])) return {{a[0], a[0]}, {0, 0}};
  const auto coefficient = [&](std::size_t j) {
    double sum = a[0];
    for (std::size_t k = 0; k < variables; ++k) {
      if (a[k + 1] != 0) sum += a[k + 1] * at.b[k * coefficients + j];
    }
    return sum;
  };
  double last = coefficient(0), low = last, high = last, fall = 0, rise = 0;
  for (std::size_t j = 1; j < coefficients; ++j) {
    const double next = coefficient(j), difference = next - last;
    low = std::min(low, next), high = std::max(high, next);
    fall = j == 1 ? difference : std::min(fall, difference);
    rise = j == 1 ? difference : std::max(rise, difference);
    last = next;
  }
  const double round_off = 4 * kEpsilon * size, doubt = radius + round_off;
  const double per_second = at.degree / at.width;
  Interval rate{fall * per_second, rise * per_second};
  if (rate.low > rate.high) std::swap(rate.low, rate.high);
  const double doubt_of_rate = 2 * doubt / std::abs(at.width);
  return {{low - doubt, high + doubt}, {rate.low - doubt_of_rate, rate.high + doubt_of_rate}};
}

Bounds FormulaBounds::bound(const PolynomialArguments& at) {
  const std::span<const Step> steps = formula_.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_needed_[i]) continue;
    bounds_[i] = is_affine_[i]
                     ? bound_affine(i, at)
                     : bound_step(steps[i], bounds_[steps[i].left], bounds_[operand(steps[i], 1)], bounds_[operand(steps[i], 2)]);
  }
  return bounds_.back();
}

double FormulaBounds::value_at(const PolynomialArguments& at, int end) {
  const std::span<const Step> steps = formula_.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.operation == Operation::constant || step.operation == Operation::parameter) {
      values_[i] = step.value;
    } else if (slot_[i] >= 0) {
      values_[i] = at.b[static_cast<std::size_t>(slot_[i]) * (at.degree + 1) + end];
    } else {
      values_[i] = apply_step(step, values_[step.left], values_[operand(step, 1)], values_[operand(step, 2)]);
    }
  }
  return values_.back();
}

// Rates obey the same rules as errors do.
double FormulaBounds::find_error(std::span<const double> variables, std::span<const double> errors) {
  value(variables);
  const std::span<const Step> steps = formula_.steps();
  errors_.assign(steps.size(), 0);
  const auto around = [&](int i, double part) {
    const double x = values_[i], e = errors_[i];
    return Bounds{{x - part * e, x + part * e}, {-e, e}};
  };
  const auto bound_around = [&](const Step& step, double part) {
    return bound_step(step, around(step.left, part), around(operand(step, 1), part), around(operand(step, 2), part));
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.operation == Operation::constant || step.operation == Operation::parameter) continue;
    if (slot_[i] >= 0) {
      errors_[i] = errors[slot_[i]];
      continue;
    }
    const Interval slope = bound_around(step, 0).rate;
    double error = std::max(std::abs(slope.low), std::abs(slope.high));
    if (!std::isfinite(error)) {
      const Interval range = bound_around(step, 1).value;
      error = std::max(range.high - values_[i], values_[i] - range.low);
    }
    errors_[i] = (std::isfinite(error) ? error : 0) + kEpsilon / 2 * std::abs(values_[i]);
  }
  return std::isfinite(errors_.back()) ? errors_.back() : 0;
}

int polynomial_degree(const Expression& formula) {
  const std::span<const Step> steps = formula.steps();
  std::vector<int> degree(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.left < 0) {
      degree[i] = step.operation == Operation::variable ? 1 : 0;
      continue;
    }
    const int left = degree[step.left], right = degree[operand(step, 1)], third = degree[operand(step, 2)];
    if (left < 0 || right < 0 || third < 0) {
      degree[i] = -1;
      continue;
    }
    switch (step.operation) {
      case Operation::negate: degree[i] = left; break;
      case Operation::add:
      case Operation::subtract: degree[i] = std::max(left, right); break;
      case Operation::multiply: degree[i] = left + right; break;
      case Operation::divide: degree[i] = right == 0 ? left : -1; break;
      case Operation::power:
        degree[i] = step.value >= 0 && step.value == std::floor(step.value) && step.value < 100
                        ? left * static_cast<int>(step.value)
                        : (left == 0 && right == 0 ? 0 : -1);
        break;
      default: degree[i] = left == 0 && right == 0 && third == 0 ? 0 : -1;
    }
  }
  return degree.back();
}

}  // namespace vinculum
