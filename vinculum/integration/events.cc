// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/events.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "vinculum/math/find_zero.h"
#include "vinculum/math/polynomial.h"

namespace vinculum {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kIntervals = 8;
constexpr double kZero = 4 * kEpsilon;  // a sample this small, relative to the largest, is zero
constexpr double kRoundOffOfPolynomial =
    64 * kEpsilon;                        // relative to the sum of its terms, two roundings for each of some thirty
constexpr double kTouch = 64 * kEpsilon;  // so is the value at an extremum, computed from an interpolated state

int sign(double x) { return (x > 0) - (x < 0); }

using Samples = std::array<double, kIntervals + 1>;

// The slopes at the samples of the polynomial through all of them, per interval. With the weights w_j = (-1)^j C(8, j) of
// equidistant points, p'_i = Σ_{j≠i} (w_j / w_i) (g_j - g_i) / (i - j).
Samples slopes_at_samples(const Samples& g) {
  constexpr Samples kWeight = {1, -8, 28, -56, 70, -56, 28, -8, 1};
  Samples slopes{};
  for (int i = 0; i <= kIntervals; ++i) {
    for (int j = 0; j <= kIntervals; ++j) {
      if (j != i) slopes[i] += kWeight[j] / kWeight[i] * (g[j] - g[i]) / (i - j);
    }
  }
  return slopes;
}

// A function that falls from a and then rises to b over an interval: above the tangents where it is convex. Zero is within reach
// if twice the way down to where they meet leads there.
bool may_reach_zero(double a, double fall, double b, double rise) {
  const double low = (a * rise + b * fall - fall * rise) / (fall + rise);
  return a == 0 || 2 * low <= std::min(a, b);
}

void sort_in_time(std::vector<EventCrossing>& found, double t0, double t1) {
  std::stable_sort(found.begin(), found.end(),
                   [&](const EventCrossing& a, const EventCrossing& b) { return t1 > t0 ? a.t < b.t : a.t > b.t; });
}

}  // namespace

struct EventLocator::Step {
  const Integrator& integrator;
  double t0, t1;

  double length() const { return t1 - t0; }
  double sample_time(int j) const { return j == kIntervals ? t1 : t0 + length() * j / kIntervals; }
};

EventLocator::EventLocator(int count, int dimension, Functions functions)
    : count_(count),
      functions_(std::move(functions)),
      last_(count),
      y_(dimension),
      g_(count),
      samples_(count * (kIntervals + 1)) {}

void EventLocator::restart(double t, std::span<const double> y) {
  assert(y.size() == y_.size());
  last_t_ = t;
  functions_(t, y, last_);
}

void EventLocator::restore(double t, std::vector<double> memory) {
  assert(static_cast<int>(memory.size()) == count_);
  last_t_ = t;
  last_ = std::move(memory);
}

void EventLocator::evaluate(const Step& step, double t, std::span<double> g) {
  step.integrator.interpolate(t, y_);
  functions_(t, y_, g);
}

double EventLocator::value(const Step& step, double t, int event) {
  evaluate(step, t, g_);
  return g_[event];
}

// The derivative of g, times a small δ, by the polynomial through five points δ apart around t, moved to lie within the step.
double EventLocator::slope(const Step& step, double t, int event) {
  const double delta = step.length() / 512;
  const double first = step.t0 + 2 * delta, last = step.t1 - 2 * delta;
  const double middle = std::clamp(t, std::min(first, last), std::max(first, last));
  const double left2 = value(step, middle - 2 * delta, event), left = value(step, middle - delta, event);
  const double centre = value(step, middle, event);
  const double right = value(step, middle + delta, event), right2 = value(step, middle + 2 * delta, event);

  const double odd = right - left, odd2 = right2 - left2, even = right + left - 2 * centre, even2 = right2 + left2 - 2 * centre;
  const double u = (t - middle) / delta;
  return (8 * odd - odd2) / 12 + u * ((16 * even - even2) / 12 + u * ((odd2 - 2 * odd) / 4 + u * (even2 - 4 * even) / 6));
}

std::vector<EventCrossing> EventLocator::locate(const Integrator& integrator, double t0, double t1) {
  std::vector<EventCrossing> found;
  if (count_ == 0 || t0 == t1) return found;
  const Step step{integrator, t0, t1};

  const auto sample = [&](int j) { return std::span(samples_).subspan(j * count_, count_); };
  if (t0 == last_t_) {
    std::copy(last_.begin(), last_.end(), samples_.begin());
  } else {
    evaluate(step, t0, sample(0));
  }
  for (int j = 1; j <= kIntervals; ++j) evaluate(step, step.sample_time(j), sample(j));

  for (int event = 0; event < count_; ++event) locate_one(step, event, found);
  sort_in_time(found, t0, t1);
  last_t_ = t1;
  return found;
}

std::vector<EventCrossing> EventLocator::locate(std::span<const double> coefficients, double t0, double t1) {
  std::vector<EventCrossing> found;
  if (count_ == 0 || t0 == t1) return found;
  const std::size_t terms = coefficients.size() / count_;
  std::vector<double> polynomial(terms);
  for (int event = 0; event < count_; ++event) {
    // In x = (t - t0)/h. The first value is that at the last step's end: no crossing is lost, or told twice, between two steps.
    double power = 1;
    for (std::size_t n = 0; n < terms; ++n, power *= t1 - t0) polynomial[n] = power * coefficients[n * count_ + event];
    if (t0 == last_t_) polynomial[0] = last_[event];
    locate_roots(polynomial, event, t0, t1, found);
  }
  sort_in_time(found, t0, t1);
  last_t_ = t1;
  return found;
}

void EventLocator::locate_roots(std::vector<double>& polynomial, int event, double t0, double t1,
                                std::vector<EventCrossing>& found) {
  double size = 0, slope = 0;
  for (std::size_t n = 0; n < polynomial.size(); ++n) {
    size += std::abs(polynomial[n]);
    slope += static_cast<double>(n) * polynomial[n];
  }
  if (!std::isfinite(size)) return;
  // What a series leaves out is of the size of its last terms.
  const std::size_t last = polynomial.size() - 1;
  const double left_out = last > 1 ? 4 * (std::abs(polynomial[last]) + std::abs(polynomial[last - 1])) : 0;
  const double h = t1 - t0, round_off = kRoundOffOfPolynomial * size + left_out;
  const int forward = sign(h);
  const auto value_at = [&](double t) { return evaluate_polynomial(polynomial, (t - t0) / h); };
  for (const RootInterval& root : isolate_roots(polynomial, round_off)) {
    if (root.touch) {
      found.push_back({event, t0 + h * (root.low + root.high) / 2, 0});
    } else {
      const double after = root.high == 1 ? t1 : t0 + h * root.high;
      const double t = find_zero(value_at, t0 + h * root.low, root.value_low, after, root.value_high);
      found.push_back({event, t, sign(root.value_high) * forward});
    }
  }
  // A zero at the end is told now, and forgotten.
  double end = evaluate_polynomial(polynomial, 1);
  if (std::abs(end) <= round_off) {
    end = 0;
    const bool crosses = std::abs(slope) > std::sqrt(kEpsilon) * size;
    if (size > 0) found.push_back({event, t1, crosses ? sign(slope) * forward : 0});
  }
  last_[event] = end;
}

void EventLocator::locate_one(const Step& step, int event, std::vector<EventCrossing>& found) {
  Samples g;
  double scale = 0;
  for (int j = 0; j <= kIntervals; ++j) {
    g[j] = samples_[j * count_ + event];
    if (std::isfinite(g[j])) scale = std::max(scale, std::abs(g[j]));
  }
  // The first value keeps the sign it had at the last step's end: no crossing is lost between two steps.
  for (int j = 1; j <= kIntervals; ++j) {
    if (std::abs(g[j]) <= kZero * scale) g[j] = 0;
  }
  last_[event] = g[kIntervals];

  const Samples slopes = slopes_at_samples(g);
  const auto value_at = [&](double t) { return value(step, t, event); };
  const auto slope_at = [&](double t) { return slope(step, t, event); };
  const int forward = sign(step.length());
  const auto cross = [&](double before, double g_before, double after, double g_after) {
    found.push_back({event, find_zero(value_at, before, g_before, after, g_after), sign(g_after) * forward});
  };

  for (int j = 0; j < kIntervals; ++j) {
    const double t_a = step.sample_time(j), t_b = step.sample_time(j + 1);
    const int sign_a = sign(g[j]), sign_b = sign(g[j + 1]);
    if (!std::isfinite(g[j]) || !std::isfinite(g[j + 1])) continue;

    if (sign_a * sign_b < 0) {
      cross(t_a, g[j], t_b, g[j + 1]);
    } else if (sign_a != 0 && sign_b == 0) {
      const bool last = j + 1 == kIntervals;
      const int direction = last ? direction_at_end(step, event, sign_a) : sign(g[j + 2]) == -sign_a ? -sign_a * forward : 0;
      found.push_back({event, t_b, direction});
    } else if (sign_b != 0 && sign_b * slopes[j] < 0 && sign_b * slopes[j + 1] > 0 &&
               may_reach_zero(std::abs(g[j]), std::abs(slopes[j]), std::abs(g[j + 1]), std::abs(slopes[j + 1]))) {
      // |g| falls, then rises.
      const double slope_a = slope_at(t_a), slope_b = slope_at(t_b);
      if (slope_a * slope_b >= 0) continue;
      const double t_m = find_zero(slope_at, t_a, slope_a, t_b, slope_b);
      const double g_m = value_at(t_m);
      if (std::abs(g_m) <= kTouch * scale) {
        if (sign_a != 0) found.push_back({event, t_m, 0});
      } else if (sign(g_m) == -sign_b) {
        if (sign_a != 0) cross(t_a, g[j], t_m, g_m);
        cross(t_m, g_m, t_b, g[j + 1]);
      }
    }
  }
}

// A zero at the step's end whose other side is still unknown: crossing if its order is odd. g halves with the distance for a
// simple zero, falls to a quarter for a double one.
int EventLocator::direction_at_end(const Step& step, int event, int sign_before) {
  const double delta = step.length() / 64;
  const double near = value(step, step.t1 - delta, event), far = value(step, step.t1 - 2 * delta, event);
  if (near == 0) return 0;
  const bool odd = std::lround(std::log2(std::abs(far / near))) % 2 != 0;
  return odd ? -sign_before * sign(step.length()) : 0;
}

}  // namespace vinculum
