// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/root_locus.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/math/find_zero.h"

namespace vinculum {

namespace {

using Complex = std::complex<double>;

class Tracer {
 public:
  Tracer(const std::string& parameter, const std::function<Outcome<Linearisation>(double)>& at)
      : parameter_(parameter), at_(at) {}

  std::optional<RootLocus::Point> compute(double value) {
    const auto linear = at_(value);
    if (!linear) {
      failure_ = linear.failure();
      failure_->message = fmt::format("at {} = {:.10g}: {}", parameter_, value, failure_->message);
      return std::nullopt;
    }
    RootLocus::Point point;
    point.value = value;
    const std::vector<Mode> modes = find_modes(*linear);
    for (const Mode& mode : modes) {
      if (mode.is_ignorable) continue;
      point.eigenvalues.push_back(mode.eigenvalue);
      if (mode.eigenvalue.imag() > 0) point.eigenvalues.push_back(std::conj(mode.eigenvalue));
    }
    point.stability = judge_stability(modes);
    return point;
  }

  // An eigenvalue that is zero within round-off counts as a neighbouring steady motion there, and is missing.
  static void complete(RootLocus::Point& point, size_t count) {
    point.eigenvalues.resize(std::max(count, point.eigenvalues.size()));
    point.growth = point.eigenvalues.empty() ? 0 : largest(point).real();
  }

  static Complex largest(const RootLocus::Point& point) {
    return *std::max_element(point.eigenvalues.begin(), point.eigenvalues.end(), [](const Complex& a, const Complex& b) {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
  }

  const std::optional<Failure>& failure() const { return failure_; }

 private:
  std::string parameter_;
  const std::function<Outcome<Linearisation>(double)>& at_;
  std::optional<Failure> failure_;
};

// Each eigenvalue takes the place of the nearest one before, nearest pairs first.
void put_in_order(const RootLocus::Point& before, RootLocus::Point& point) {
  const size_t n = point.eigenvalues.size();
  struct Distance {
    double length;
    size_t to, from;
  };
  std::vector<Distance> distances;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) distances.push_back({std::abs(before.eigenvalues[i] - point.eigenvalues[j]), i, j});
  }
  std::stable_sort(distances.begin(), distances.end(), [](const Distance& a, const Distance& b) { return a.length < b.length; });
  std::vector<bool> taken(n, false), placed(n, false);
  std::vector<Complex> ordered(n);
  for (const auto& [length, to, from] : distances) {
    if (taken[to] || placed[from]) continue;
    taken[to] = placed[from] = true;
    ordered[to] = point.eigenvalues[from];
  }
  point.eigenvalues = std::move(ordered);
}

size_t count_pairs(const RootLocus::Point& point) {
  return static_cast<size_t>(
      std::count_if(point.eigenvalues.begin(), point.eigenvalues.end(), [](const Complex& value) { return value.imag() > 0; }));
}

// The two real eigenvalues nearest to each other, or the pair nearest to the axis: their middle.
double middle_of_nearest(const RootLocus::Point& point) {
  double least = HUGE_VAL, middle = 0;
  for (size_t i = 0; i < point.eigenvalues.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Complex a = point.eigenvalues[i], b = point.eigenvalues[j];
      const bool meet = (a.imag() == 0 && b.imag() == 0) || a == std::conj(b);
      if (!meet || std::abs(a - b) >= least) continue;
      least = std::abs(a - b);
      middle = 0.5 * (a.real() + b.real());
    }
  }
  return middle;
}

std::optional<RootLocus::Meeting> find_meeting(Tracer& tracer, const RootLocus::Point& a, const RootLocus::Point& b) {
  RootLocus::Point low = a, high = b;
  const double round_off = 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a.value), std::abs(b.value));
  while (high.value - low.value > round_off) {
    auto middle = tracer.compute(0.5 * (low.value + high.value));
    if (!middle) return std::nullopt;
    if (middle->value <= low.value || middle->value >= high.value) break;
    (count_pairs(*middle) == count_pairs(a) ? low : high) = std::move(*middle);
  }
  return RootLocus::Meeting{high.value, middle_of_nearest(high), count_pairs(b) > count_pairs(a)};
}

// 1: something grows, -1: all decay, 0: neither, within round-off.
int sign_of_growth(const RootLocus::Point& point) {
  double size = 0;
  for (const Complex& value : point.eigenvalues) size = std::max(size, std::abs(value));
  const double zero = kZeroEigenvalue * size;
  return point.growth > zero ? 1 : point.growth < -zero ? -1 : 0;
}

// Where an eigenvalue that stays at zero hides the others, the growth is nothing on one side, and its beginning is known to the
// width of that zero only. The one that grows is then followed by itself across the axis: chords over ever shorter distances.
// None if it stays on the axis beyond: then its square goes through zero, and the beginning is known well enough.
struct Crossing {
  double value = 0;
  Complex eigenvalue;
};
std::optional<Crossing> follow_across(Tracer& tracer, const RootLocus::Point& a, const RootLocus::Point& b, double value,
                                      bool grows) {
  const double width = b.value - a.value;
  Crossing crossing{value, {}};
  std::optional<Complex> known;
  const auto nearest = [&](double x) -> std::optional<Complex> {
    const auto point = tracer.compute(x);
    if (!point || point->eigenvalues.empty()) return std::nullopt;
    if (!known) return Tracer::largest(*point);
    return *std::min_element(point->eigenvalues.begin(), point->eigenvalues.end(), [&](const Complex& one, const Complex& other) {
      return std::abs(one - *known) < std::abs(other - *known);
    });
  };
  bool is_found = false;
  for (const double part : {1e-3, 1e-4, 1e-5, 1e-6}) {
    const double reach = part * width * (grows ? 1 : -1);
    const double growing = crossing.value + reach, decaying = crossing.value - reach;
    if (std::min(growing, decaying) <= a.value || std::max(growing, decaying) >= b.value) continue;
    const auto after = nearest(growing);
    if (!after) return std::nullopt;
    known = after;
    const auto before = nearest(decaying);
    if (!before) return std::nullopt;
    const double rise = after->real() - before->real();
    // On the axis its real part is round-off beside what it has on the other side.
    if (!(after->real() > 0) || !(before->real() < -1e-3 * after->real())) return std::nullopt;
    crossing.value = decaying + (growing - decaying) * -before->real() / rise;
    crossing.eigenvalue = 0.5 * (*after + *before);
    is_found = true;
  }
  return is_found ? std::optional(crossing) : std::nullopt;
}

// Between points of different signs: the zero of the growth; or, where it is nothing on one side, where that begins.
std::optional<RootLocus::Change> find_change(Tracer& tracer, const RootLocus::Point& a, const RootLocus::Point& b) {
  const size_t count = a.eigenvalues.size();
  const int sign_a = sign_of_growth(a), sign_b = sign_of_growth(b);
  bool failed = false;
  const auto growth = [&](double x) {
    auto point = tracer.compute(x);
    failed = failed || !point;
    if (failed) return 0.0;
    Tracer::complete(*point, count);
    return sign_a * sign_b != 0 ? point->growth : sign_of_growth(*point) == sign_a ? -1.0 : 1.0;
  };
  double value = sign_a * sign_b != 0 ? find_zero(growth, a.value, a.growth, b.value, b.growth)
                                      : find_zero(growth, a.value, -1.0, b.value, 1.0);
  // Near the zero the eigenvalue itself is round-off, and is taken for one: a chord across is better.
  const double reach = 1e-7 * std::max(std::abs(value), b.value - a.value);
  if (sign_a * sign_b != 0 && value - reach > a.value && value + reach < b.value) {
    const double before = growth(value - reach), after = growth(value + reach);
    if (before * after < 0) value += reach * (before + after) / (before - after);
  }
  if (!failed && sign_a * sign_b == 0) {
    if (const auto crossing = follow_across(tracer, a, b, value, sign_b > sign_a))
      return RootLocus::Change{crossing->value, {0, std::abs(crossing->eigenvalue.imag())}, sign_b > sign_a};
    failed = tracer.failure().has_value();
  }
  auto there = failed ? std::nullopt : tracer.compute(value);
  if (!there) return std::nullopt;
  Tracer::complete(*there, count);
  const double frequency = std::abs(Tracer::largest(*there).imag());
  return RootLocus::Change{value, {0, frequency}, sign_b > sign_a};
}

}  // namespace

Outcome<RootLocus> trace_root_locus(const std::string& parameter, double from, double to, int count,
                                    const std::function<Outcome<Linearisation>(double)>& at) {
  Tracer tracer(parameter, at);
  RootLocus locus;
  size_t most = 0;
  for (int i = 0; i < count; ++i) {
    auto point = tracer.compute(i == count - 1 ? to : from + (to - from) * i / (count - 1));
    if (!point) return *tracer.failure();
    most = std::max(most, point->eigenvalues.size());
    locus.points.push_back(std::move(*point));
  }
  for (size_t i = 0; i < locus.points.size(); ++i) {
    Tracer::complete(locus.points[i], most);
    if (i > 0) put_in_order(locus.points[i - 1], locus.points[i]);
  }
  for (size_t i = 1; i < locus.points.size(); ++i) {
    const RootLocus::Point &a = locus.points[i - 1], &b = locus.points[i];
    // A point that happens to lie on the zero belongs to the interval of its neighbours.
    const bool on_zero =
        sign_of_growth(b) == 0 && i + 1 < locus.points.size() && sign_of_growth(a) * sign_of_growth(locus.points[i + 1]) == -1;
    const bool before_on_zero = i > 1 && sign_of_growth(a) == 0 && sign_of_growth(locus.points[i - 2]) * sign_of_growth(b) == -1;
    const RootLocus::Point& end = on_zero ? locus.points[i + 1] : b;
    if (!before_on_zero && sign_of_growth(a) != sign_of_growth(end)) {
      const auto change = find_change(tracer, a, end);
      if (!change) return *tracer.failure();
      locus.changes.push_back(*change);
    }
    if (count_pairs(a) != count_pairs(b)) {
      const auto meeting = find_meeting(tracer, a, b);
      if (!meeting) return *tracer.failure();
      locus.meetings.push_back(*meeting);
    }
  }
  return locus;
}

}  // namespace vinculum
