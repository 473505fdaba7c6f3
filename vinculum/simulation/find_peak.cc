// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/find_peak.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

namespace {

constexpr double kEnough = 1e-10;  // relative: a peak that is higher by less is none
constexpr double kUnsure = 4;      // how many times what a parabola promises may be there
constexpr double kPulse = 0.5;     // of the height: what falls by more from a look to the next is no parabola,
constexpr double kEndPulse = 0.3;  // at an end, where one side is not known,
constexpr double kNearKnown = 0.1;
constexpr double kNearEnd = 0.25;  // of the distance to the neighbour

double slope(const PeakPoint& a, const PeakPoint& b) { return (b.value - a.value) / (b.t - a.t); }
double bend(const PeakPoint& a, const PeakPoint& b, const PeakPoint& c) { return (slope(b, c) - slope(a, b)) / (c.t - a.t); }

// A top beside a look that is higher than its neighbours.
struct Top {
  double t = 0, value = 0;
  double gain = 0;  // beside the look; 0: none
};

// The three points from `first` on and the nearer of the two beside them.
struct Curve {
  Curve(std::span<const PeakPoint> points, size_t first)
      : a(points[first]), b(points[first + 1]), c(points[first + 2]), curvature(bend(a, b, c)) {
    const PeakPoint* before = first > 0 ? &points[first - 1] : nullptr;
    const PeakPoint* after = first + 3 < points.size() ? &points[first + 3] : nullptr;
    if (before != nullptr && after != nullptr) (std::abs(a.t - before->t) < std::abs(after->t - c.t) ? after : before) = nullptr;
    if (before != nullptr) third = (curvature - bend(*before, a, b)) / (c.t - before->t);
    if (after != nullptr) third = (bend(b, c, *after) - curvature) / (after->t - a.t);
  }

  // Of the parabola, and how far what the cubic term does to its slope moves it.
  double find_top() const { return 0.5 * (a.t + b.t) - slope(a, b) / (2 * curvature); }
  double find_shift(double top) const {
    const double x = top - a.t, y = top - b.t, z = top - c.t, reach = 0.5 * std::abs(c.t - a.t);
    return std::clamp(-third * (y * z + x * z + x * y) / (2 * curvature), -reach, reach);
  }

  const PeakPoint &a, &b, &c;
  double curvature, third = 0;  // f[abc], f[abcd]
};

// Where the look is at the top already as far as the cubic knows, one beside it tells what that does not know.
Top find_top_inside(std::span<const PeakPoint> points, size_t middle) {
  const Curve curve(points, middle - 1);
  const PeakPoint& b = curve.b;
  if (b.value < curve.a.value || b.value < curve.c.value || !(curve.curvature < 0)) return {};
  const double top = curve.find_top(), shift = curve.find_shift(top), doubt = 0.1 * std::abs(shift);
  const double least = std::min(curve.a.t, curve.c.t), most = std::max(curve.a.t, curve.c.t);
  double t = std::clamp(top + shift, 0.5 * (least + b.t), 0.5 * (most + b.t));
  const double distance = std::abs(t - b.t) + doubt;
  if (std::abs(t - b.t) < doubt) t = b.t + 0.1 * shift;
  return {t, b.value, -curve.curvature * distance * distance};
}

// At the first point, or at the last: where the cubic rises inward from there. Where it falls by less than its last term may be
// wrong by, or its top is just outside, a point nearer to the end decides.
Top find_top_at_end(std::span<const PeakPoint> points, bool last) {
  const auto point = [&](size_t i) -> const PeakPoint& { return last ? points[points.size() - 1 - i] : points[i]; };
  const PeakPoint &end = point(0), &next = point(1), &far = point(2);
  if (end.value < next.value) return {};
  const double to_next = end.t - next.t, to_far = end.t - far.t, inward = to_next > 0 ? -1 : 1;
  const double parabola = bend(end, next, far);
  const double third = points.size() > 3 ? (bend(next, far, point(3)) - parabola) / (point(3).t - end.t) : 0;
  const double curvature = parabola + third * (to_next + to_far);
  const double doubt = std::abs(third * to_next * to_far);
  const double rise = inward * (slope(end, next) + parabola * to_next + third * to_next * to_far);
  const double near = kNearEnd * std::abs(to_next);
  if (rise > 0) {
    const double distance = curvature < 0 ? std::min(rise / (-2 * curvature), 2 * near) : 2 * near;
    return {end.t + inward * distance, end.value, 0.5 * rise * distance};
  }
  const double bow = -curvature * near;
  if (rise + doubt < 0 && rise + 2 * bow < 0) return {};
  return {end.t + inward * near, end.value, near * std::max(doubt, bow)};
}

}  // namespace

PeakLooks where_to_look_for_peak(std::span<const PeakPoint> points, double known) {
  if (points.size() < 3) return {};
  size_t top = 0;
  for (size_t i = 1; i < points.size(); ++i) {
    if (points[i].value > points[top].value) top = i;
  }
  // A pulse between looks: nearer first.
  const double height = points[top].value;
  if (height > known - kNearKnown * std::abs(known)) {
    const bool has_left = top > 0, has_right = top + 1 < points.size();
    const auto fall_to = [&](size_t i) { return height - points[i].value; };
    const auto beside = [&](size_t i) { return points[top].t + 0.25 * (points[i].t - points[top].t); };
    if (has_left && has_right && std::max(fall_to(top - 1), fall_to(top + 1)) > kPulse * std::abs(height))
      return {{beside(top - 1), beside(top + 1)}, 2};
    const size_t neighbour = has_left ? top - 1 : top + 1;
    if (has_left != has_right && fall_to(neighbour) > kEndPulse * std::abs(height)) return {{beside(neighbour), 0}, 1};
  }
  Top best;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == points.size();
    const Top found = is_end ? find_top_at_end(points, i > 0) : find_top_inside(points, i);
    const double enough = kEnough * std::abs(found.value);
    const bool can_beat = found.gain > enough && found.value + kUnsure * found.gain > std::max(known, height) + enough;
    if (can_beat && (best.gain == 0 || found.value + found.gain > best.value + best.gain)) best = found;
  }
  if (best.gain == 0) return {};
  return {{best.t, 0}, 1};
}

}  // namespace vinculum
