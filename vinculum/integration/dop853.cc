// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/dop853.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <utility>

#include "vinculum/integration/dop853_table.h"

namespace vinculum {

using namespace dop853;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Step-size control: h_new = h · safety · error^-α · previous_error^β within bounds. β > 0 damps the oscillations of the step
// where stability limits it.
constexpr double kBeta = 0.06;
constexpr double kAlpha = 1.0 / 8 - 0.2 * kBeta;
constexpr double kSafety = 0.9;
constexpr double kLargestShrink = 1.0 / 3;
constexpr double kLargestGrowth = 6;
constexpr double kLeastError = 1e-4;

// The last step may be longer than wanted by this factor, rather than leave a remnant.
constexpr double kStretch = 1.1;

// A step must be so many units in the last place of t.
constexpr double kLeastUnits = 16;

// Σ weight · k of component i. The terms are unrolled, so that a loop over i is a plain sum of arrays.
template <const auto& terms>
inline double sum(const double* k, std::size_t n, std::size_t i) {
  return [&]<std::size_t... j>(std::index_sequence<j...>) { return (... + (terms[j].weight * k[(terms[j].stage - 1) * n + i])); }
  (std::make_index_sequence<std::size(terms)>{});
}

// An exponent of all ones (infinite or not a number) overflows into the sign bit; in integers, so that the loop vectorises.
bool all_finite(const double* x, std::size_t n) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63, kExponentUnit = std::uint64_t{1} << 52;
  std::uint64_t overflow = 0;
  for (std::size_t i = 0; i < n; ++i) overflow |= (std::bit_cast<std::uint64_t>(x[i]) & ~kSign) + kExponentUnit;
  return (overflow & kSign) == 0;
}

}  // namespace

void Dop853::start(System& system, const IntegratorState& from, const IntegratorOptions& options) {
  const std::size_t n = from.y.size();
  assert(static_cast<int>(n) == system.dimension());
  assert(options.relative_tolerance >= 0 && options.absolute_tolerance > 0 && options.largest_step > 0);
  system_ = &system;
  options_ = options;

  t_ = t0_ = from.t;
  y_ = from.y;
  next_step_ = from.next_step;
  const bool resumed = from.memory.size() == 2 + n;
  previous_error_ = resumed ? from.memory[0] : kLeastError;
  evaluations_ = resumed ? static_cast<long>(from.memory[1]) : 0;
  carry_.assign(n, 0);
  if (resumed) std::copy(from.memory.begin() + 2, from.memory.end(), carry_.begin());
  derivative_known_ = dense_known_ = false;

  for (auto* scratch : {&trial_, &trial_carry_, &y0_, &argument_}) scratch->resize(n);
  absolute_.resize(n);
  for (std::size_t i = 0; i < n; ++i) absolute_[i] = options.absolute_tolerance * options.scale(i);
  k_.resize(kStages * n);
  dense_.resize(7 * n);
}

std::vector<double> Dop853::first_memory(const std::vector<double>& carry) {
  std::vector<double> memory{kLeastError, 0};
  memory.insert(memory.end(), carry.begin(), carry.end());
  return memory;
}

// f(t, y) is not kept: whoever goes on computes it again, without counting it twice.
IntegratorState Dop853::state() const {
  IntegratorState state{t_, y_, next_step_, {previous_error_, static_cast<double>(evaluations_ - derivative_known_)}};
  state.memory.insert(state.memory.end(), carry_.begin(), carry_.end());
  return state;
}

void Dop853::correct(std::span<const double> y) {
  assert(y.size() == y_.size());
  std::copy(y.begin(), y.end(), y_.begin());
  std::fill(carry_.begin(), carry_.end(), 0);
  derivative_known_ = dense_known_ = false;
}

bool Dop853::evaluate(double t, const std::vector<double>& y, double* derivative) const {
  ++evaluations_;
  return system_->compute_derivative(t, y, {derivative, y.size()}) && all_finite(derivative, y.size());
}

template <const auto& terms>
bool Dop853::evaluate_stage(int number, double t0, const std::vector<double>& y0, double h) const {
  const std::size_t n = y0.size();
  const double* const k = k_.data();
  const double* const y = y0.data();
  double* const __restrict argument = argument_.data();
  for (std::size_t i = 0; i < n; ++i) argument[i] = y[i] + h * sum<terms>(k, n, i);
  return evaluate(t0 + kNode[number] * h, argument_, stage(number));
}

Outcome<StepReport> Dop853::advance(double t_end) {
  assert(std::isfinite(t_end));
  StepReport report{t_, t_};
  if (t_end == t_) return report;

  if (!derivative_known_) derivative_known_ = evaluate(t_, y_, stage(13));
  if (!derivative_known_) return give_up(0, Attempt::no_derivative);
  std::copy_n(stage(13), y_.size(), stage(1));

  const double direction = t_end > t_ ? 1 : -1;
  const double distance = std::abs(t_end - t_);
  const double least = kLeastUnits * kEpsilon * std::abs(t_);
  double wanted = next_step_ != 0 ? std::abs(next_step_) : std::max(choose_first_step(direction), 2 * least);
  const double looked = std::abs(system_->find_step(t_, y_, direction * std::min(kStretch * wanted, distance)));
  const double longest = looked < std::min(wanted, distance) ? std::min(looked, options_.largest_step) : options_.largest_step;
  wanted = std::min(wanted, longest);

  // The end is reached by one step, perhaps a little longer than wanted, or by two equal ones, never by a remnant.
  double h = 0;
  bool shortened = false;
  for (Attempt last = Attempt::too_coarse;; ++report.rejected) {
    if (options_.wants_to_stop && options_.wants_to_stop()) return stopped_at(t_);
    const bool lands = distance <= std::min(kStretch * wanted, longest);
    const bool halves = !lands && distance < 2 * wanted;
    shortened = halves || (lands && distance < wanted);
    report.t1 = lands ? t_end : t_ + direction * (halves ? distance / 2 : wanted);
    h = report.t1 - t_;
    if (!lands && std::abs(h) <= least) return give_up(h, last);
    last = attempt(report.t1, h);
    if (last == Attempt::accepted) {
      const double safe = find_safe_part(report.t1);
      if (safe >= 1) break;
      wanted = part_to_keep(safe) * std::abs(h);
      last = Attempt::too_coarse;
      continue;
    }
    const double shrink = last == Attempt::no_derivative ? 0.5 : std::max(kLargestShrink, kSafety * std::pow(error_, -kAlpha));
    wanted = shrink * std::abs(h);
  }

  // A step cut to land says nothing against the step that was wanted.
  const double growth = kSafety * std::pow(error_, -kAlpha) * std::pow(previous_error_, kBeta);
  const double next = std::abs(h) * std::clamp(growth, kLargestShrink, report.rejected ? 1 : kLargestGrowth);
  next_step_ = direction * std::min(shortened ? std::max(next, wanted) : next, options_.largest_step);
  if (!shortened) previous_error_ = std::max(error_, kLeastError);

  t0_ = std::exchange(t_, report.t1);
  y0_.swap(y_);
  y_.swap(trial_);
  carry_.swap(trial_carry_);
  dense_known_ = dense_of_trial_;
  report.evaluations = std::exchange(evaluations_, 0);
  return report;
}

// Hairer, Nørsett, Wanner I, section II.4: a step for which an Euler step and the second derivative are both small.
double Dop853::choose_first_step(double direction) const {
  const std::size_t n = y_.size();
  const double* const f0 = stage(1);
  double* const f1 = stage(2);
  const auto norm = [&](auto&& component) {
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double ratio = component(i) / (absolute_[i] + options_.relative_tolerance * std::abs(y_[i]));
      total += ratio * ratio;
    }
    return n > 0 ? std::sqrt(total / static_cast<double>(n)) : 0;
  };

  const double size = norm([&](std::size_t i) { return y_[i]; });
  // In units of the time scale, so that the powers below compare numbers.
  const double T = options_.time_scale;
  const double speed = norm([&](std::size_t i) { return T * f0[i]; });
  double h = T * (size > 1e-5 && speed > 1e-5 ? 0.01 * size / speed : 1e-6);
  h = std::min(h, options_.largest_step);

  for (std::size_t i = 0; i < n; ++i) argument_[i] = y_[i] + direction * h * f0[i];
  if (!evaluate(t_ + direction * h, argument_, f1)) return h / 10;
  const double bend = norm([&](std::size_t i) { return T * (f1[i] - f0[i]); }) * T / h;
  const double steepest = std::max(speed, bend);
  return std::min(100 * h, steepest > 1e-15 ? T * std::pow(0.01 / steepest, 1.0 / 8) : std::max(1e-6 * T, 1e-3 * h));
}

Dop853::Attempt Dop853::attempt(double t1, double h) {
  const bool evaluated =
      evaluate_stage<kStage2>(2, t_, y_, h) && evaluate_stage<kStage3>(3, t_, y_, h) && evaluate_stage<kStage4>(4, t_, y_, h) &&
      evaluate_stage<kStage5>(5, t_, y_, h) && evaluate_stage<kStage6>(6, t_, y_, h) && evaluate_stage<kStage7>(7, t_, y_, h) &&
      evaluate_stage<kStage8>(8, t_, y_, h) && evaluate_stage<kStage9>(9, t_, y_, h) && evaluate_stage<kStage10>(10, t_, y_, h) &&
      evaluate_stage<kStage11>(11, t_, y_, h) && evaluate_stage<kStage12>(12, t_, y_, h);
  if (!evaluated) return Attempt::no_derivative;

  // y1 + carry1 = y0 + carry0 + h Σ b k (Knuth's two-sum): increments below round-off of y add up instead of being lost, so that
  // a motion slower than round-off does not stand still. The slots of the stages not yet in use hold the errors.
  const std::size_t n = y_.size();
  const double relative = options_.relative_tolerance;
  const double* const absolute = absolute_.data();
  const double* const k = k_.data();
  const double* const y0 = y_.data();
  const double* const carry0 = carry_.data();
  double* const __restrict y1 = trial_.data();
  double* const __restrict carry1 = trial_carry_.data();
  double* const __restrict error5 = stage(14);
  double* const __restrict error3 = stage(15);
  for (std::size_t i = 0; i < n; ++i) {
    const double slope = sum<kSolution>(k, n, i);
    const double increment = carry0[i] + h * slope;
    const double sum1 = y0[i] + increment;
    const double taken = sum1 - y0[i];
    y1[i] = sum1;
    carry1[i] = (y0[i] - (sum1 - taken)) + (increment - taken);
    const double scale = absolute[i] + relative * std::max(std::abs(y0[i]), std::abs(sum1));
    error5[i] = sum<kError5>(k, n, i) / scale;
    error3[i] = (slope - sum<kThirdOrder>(k, n, i)) / scale;
  }
  double fifth = 0, third = 0;
  for (std::size_t i = 0; i < n; ++i) {
    fifth += error5[i] * error5[i];
    third += error3[i] * error3[i];
  }

  // |e5|² / √(|e5|² + 0.01 |e3|²): of order 8 where both are asymptotic, and safe where they are not (section II.10).
  const double denominator = std::sqrt(static_cast<double>(n) * (fifth + 0.01 * third));
  error_ = denominator > 0 ? std::abs(h) * fifth / denominator : 0;
  if (!all_finite(trial_.data(), n)) error_ = std::numeric_limits<double>::infinity();
  if (!(error_ <= 1)) return Attempt::too_coarse;

  return evaluate(t1, trial_, stage(13)) ? Attempt::accepted : Attempt::no_derivative;
}

// Leaves the integrator at its last accepted state, without a step to interpolate over.
Failure Dop853::give_up(double h, Attempt reason) {
  t0_ = t_;
  derivative_known_ = false;
  if (reason == Attempt::no_derivative) {
    return {"VN-RUN-011", fmt::format("the equations have no finite derivative {} t = {}", h == 0 ? "at" : "beyond", t_),
            "look for a root of a negative number, a division by zero or a singular mass matrix there"};
  }
  return {"VN-RUN-010", fmt::format("the step fell to {:.2g} at t = {}, which is round-off of t", h, t_),
          "the solution may be singular there; if it is only stiff, choose the integrator cvode or arkode"};
}

// Of the attempted step, which the error control would accept. First by the cubic through values and derivatives of its ends,
// without a further evaluation: how far it is off is seen at two stages, 8 and 10, whose arguments are good to the fourth order.
// Only if that cannot be shown to be safe, by the continuous solution.
double Dop853::find_safe_part(double t1) {
  dense_of_trial_ = false;
  const std::span<const int> components = system_->checked_components();
  if (components.empty()) return 1;
  const std::size_t n = y_.size();
  const double h = t1 - t_;
  const double* const k = k_.data();
  polynomial_.sees = StepPolynomial::Sees::stages;
  polynomial_.t0 = t_;
  polynomial_.t1 = t1;
  polynomial_.reserve(components, 3);
  for (std::size_t j = 0; j < components.size(); ++j) {
    const int i = components[j];
    const double y0 = y_[i], y1 = trial_[i], rise0 = h * k[i], rise1 = h * k[12 * n + i];
    const std::span<double> b = polynomial_.bernstein(j);
    b[0] = y0, b[1] = y0 + rise0 / 3, b[2] = y1 - rise1 / 3, b[3] = y1;
    const auto distance = [&](double s, double increment) {
      const double r = 1 - s;
      return std::abs(y0 + increment - (r * r * r * b[0] + 3 * s * r * r * b[1] + 3 * s * s * r * b[2] + s * s * s * b[3]));
    };
    polynomial_.radius(j) =
        2 * std::max(distance(kNode[8], h * sum<kStage8>(k, n, i)), distance(kNode[10], h * sum<kStage10>(k, n, i)));
  }
  if (system_->check_step(polynomial_) >= 1) return 1;

  compute_dense_output(t_, y_, trial_, h);
  dense_of_trial_ = true;
  polynomial_.reserve(components, 7);
  const double* const p = dense_.data();
  for (std::size_t j = 0; j < components.size(); ++j) {
    const int i = components[j];
    const std::span<double> b = polynomial_.bernstein(j);
    // s q(s) and (1 - s) q(s) of a polynomial q of degree n: b_i i/(n + 1) of the one before, and b_i (n + 1 - i)/(n + 1).
    std::fill(b.begin(), b.end(), 0.0);
    b[0] = p[6 * n + i];
    for (int degree = 0; degree < 7; ++degree) {
      const bool by_s = degree % 2 == 0;
      for (int m = degree + 1; m >= 0; --m) {
        const double before = m > 0 ? b[m - 1] : 0, same = m <= degree ? b[m] : 0;
        b[m] = (by_s ? m * before : (degree + 1 - m) * same) / (degree + 1);
      }
      const double term = degree < 6 ? p[(5 - degree) * n + i] : y_[i];
      for (int m = 0; m <= degree + 1; ++m) b[m] += term;
    }
    const double scale =
        options_.absolute_tolerance + options_.relative_tolerance * std::max(std::abs(y_[i]), std::abs(trial_[i]));
    polynomial_.radius(j) = 10 * error_ * scale;
  }
  return system_->check_step(polynomial_);
}

void Dop853::compute_dense_output(double t0, const std::vector<double>& y0, const std::vector<double>& y1, double h) const {
  const std::size_t n = y0.size();
  const double* const k = k_.data();
  const bool evaluated = evaluate_stage<kStage14>(14, t0, y0, h) && evaluate_stage<kStage15>(15, t0, y0, h) &&
                         evaluate_stage<kStage16>(16, t0, y0, h);
  double* const p = dense_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const double p1 = y1[i] - y0[i];
    const double p2 = h * k[i] - p1;
    p[i] = p1;
    p[n + i] = p2;
    p[2 * n + i] = p1 - h * k[12 * n + i] - p2;
    p[3 * n + i] = evaluated ? h * sum<kDense4>(k, n, i) : 0;
    p[4 * n + i] = evaluated ? h * sum<kDense5>(k, n, i) : 0;
    p[5 * n + i] = evaluated ? h * sum<kDense6>(k, n, i) : 0;
    p[6 * n + i] = evaluated ? h * sum<kDense7>(k, n, i) : 0;
  }
  dense_known_ = true;
}

void Dop853::interpolate(double t, std::span<double> y) const {
  const std::size_t n = y_.size();
  assert(y.size() == n);
  if (t == t_ || t0_ == t_) {
    std::copy(y_.begin(), y_.end(), y.begin());
    return;
  }
  if (!dense_known_) compute_dense_output(t0_, y0_, y_, t_ - t0_);
  const double s = (t - t0_) / (t_ - t0_), r = 1 - s;
  const double* const p = dense_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const double inner = p[3 * n + i] + s * (p[4 * n + i] + r * (p[5 * n + i] + s * p[6 * n + i]));
    y[i] = y0_[i] + s * (p[i] + r * (p[n + i] + s * (p[2 * n + i] + r * inner)));
  }
}

}  // namespace vinculum
