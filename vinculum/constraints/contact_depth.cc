// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/contact_depth.h"

#include <array>
#include <cmath>

#include "vinculum/constraints/contact_geometry_kernel.h"
#include "vinculum/constraints/contact_state.h"

namespace vinculum {

namespace {

// Downhill from a point of a net by ever smaller steps along the axes.
template <class Function>
double descend_on_plane(const Function& f, std::array<double, 2> at, double value, double step) {
  constexpr double kLeast = 1e-6;  // of the first step: the value is that much squared too high
  for (const double last = kLeast * step; step > last;) {
    bool moved = false;
    for (int k = 0; k < 2; ++k) {
      for (double sign : {1.0, -1.0}) {
        std::array<double, 2> tried = at;
        tried[k] += sign * step;
        const double found = f(tried);
        if (found < value) at = tried, value = found, moved = true;
      }
    }
    if (!moved) step /= 2;
  }
  return value;
}

double sphere_depth(const SurfaceLaw& surface, const Vector3& X, double radius) {
  constexpr int kHalf = 8;
  constexpr int kSide = 2 * kHalf + 1;
  const double spacing = radius / kHalf;
  const auto distance = [&](const std::array<double, 2>& at) {
    BindingsOf<double> bindings;
    bindings.surface_x = at[0];
    bindings.surface_y = at[1];
    const double z = evaluate_at(surface.f, bindings);
    return std::isfinite(z) ? std::sqrt((at[0] - X.x) * (at[0] - X.x) + (at[1] - X.y) * (at[1] - X.y) + (z - X.z) * (z - X.z))
                            : HUGE_VAL;
  };
  std::array<std::array<double, kSide>, kSide> net;
  const auto place = [&](int i, int j) { return std::array{X.x + (i - kHalf) * spacing, X.y + (j - kHalf) * spacing}; };
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) net[i][j] = distance(place(i, j));
  }
  const auto is_lowest = [&](int i, int j) {
    for (int k = std::max(i - 1, 0); k <= std::min(i + 1, kSide - 1); ++k) {
      for (int l = std::max(j - 1, 0); l <= std::min(j + 1, kSide - 1); ++l) {
        if (net[k][l] < net[i][j]) return false;
      }
    }
    return true;
  };
  double nearest = HUGE_VAL;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      // From farther away than this the way down does not lead inside, between points of the net.
      if (net[i][j] > 1.5 * radius || !is_lowest(i, j)) continue;
      nearest = std::min(nearest, descend_on_plane(distance, place(i, j), net[i][j], spacing / 2));
    }
  }
  return radius - nearest;
}

// The same on a line: where both sides are higher, the bottom of the parabola through all three is near, much nearer than they
// are to each other.
template <class Function>
double descend_on_line(const Function& f, double at, double step) {
  constexpr double kLeast = 1e-3;  // of the first step: the parabola leaves much less
  double value = f(at);
  for (const double last = kLeast * step; step > last;) {
    const double left = f(at - step), right = f(at + step);
    if (left < value || right < value) {
      at += left < right ? -step : step;
      value = std::min(left, right);
      continue;
    }
    const double bend = left - 2 * value + right;
    if (bend > 0) {
      const double bottom = at + 0.5 * step * (left - right) / bend, found = f(bottom);
      if (found < value) at = bottom, value = found;
    }
    step /= 64;
  }
  return value;
}

// Points of the net are compared by how high above the surface they are, which tells inside from outside as the distance from its
// tangent plane does, and takes no slopes.
double wheel_depth(const SurfaceLaw& surface, const RoundPlace& place, double radius) {
  constexpr int kAround = 64;
  const Vector3 across = std::abs(place.axis.x) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  const Vector3 first = unit_of(cross(place.axis, across)), second = cross(place.axis, first);
  const auto rim = [&](double around) { return place.center + radius * (std::cos(around) * first + std::sin(around) * second); };
  const auto finite = [](double value) { return std::isfinite(value) ? value : HUGE_VAL; };
  const auto distance = [&](double around) {
    const Vector3 p = rim(around);
    const SurfacePoint<double> below = surface_point(surface, p.x, p.y);
    return finite((p.z - below.p.z) / below.root);
  };
  static const auto kCircle = [] {
    std::array<std::array<double, 2>, kAround> points;
    for (int i = 0; i < kAround; ++i) points[i] = {std::cos(2 * M_PI * i / kAround), std::sin(2 * M_PI * i / kAround)};
    return points;
  }();
  // Several points at once: most of the time is that of reading the formula.
  constexpr int kLanes = 4;
  std::array<double, kAround> net;
  for (int i = 0; i < kAround; i += kLanes) {
    BindingsOf<Pack<kLanes>> bindings;
    std::array<double, kLanes> x, y, z;
    for (int k = 0; k < kLanes; ++k) {
      const Vector3 p = place.center + radius * (kCircle[i + k][0] * first + kCircle[i + k][1] * second);
      x[k] = p.x, y[k] = p.y, z[k] = p.z;
    }
    bindings.surface_x = Pack<kLanes>::load(x.data());
    bindings.surface_y = Pack<kLanes>::load(y.data());
    const Pack<kLanes> heights = Pack<kLanes>::load(z.data()) - evaluate_at(surface.f, bindings);
    for (int k = 0; k < kLanes; ++k) net[i + k] = finite(heights[k]);
  }
  double lowest = HUGE_VAL;
  for (int i = 0; i < kAround; ++i) {
    if (net[i] > net[(i + 1) % kAround] || net[i] > net[(i + kAround - 1) % kAround]) continue;
    lowest = std::min(lowest, descend_on_line(distance, 2 * M_PI * i / kAround, M_PI / kAround));
  }
  return -lowest;
}

}  // namespace

bool may_be_reached_into(const Contact& contact) {
  return !contact.surface.is_plane &&
         (std::holds_alternative<SphereGeometry>(contact.geometry) || std::holds_alternative<WheelGeometry>(contact.geometry));
}

std::optional<RoundPlace> find_round_place(const Model& model, const Contact& contact, double t,
                                           std::span<const FrameMotion> links) {
  const auto body = compute_relative_motion(model, contact, t, links);
  if (!body) return std::nullopt;
  if (const auto* wheel = std::get_if<WheelGeometry>(&contact.geometry))
    return RoundPlace{body->p + body->R * wheel->center, body->R * wheel->axis};
  return RoundPlace{body->p + body->R * std::get<SphereGeometry>(contact.geometry).center, {0, 0, 1}};
}

double compute_depth(const Contact& contact, const RoundPlace& place) {
  if (const auto* wheel = std::get_if<WheelGeometry>(&contact.geometry))
    return wheel_depth(contact.surface, place, wheel->radius);
  return sphere_depth(contact.surface, place.center, std::get<SphereGeometry>(contact.geometry).radius);
}

}  // namespace vinculum
