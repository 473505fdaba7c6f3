// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "vinculum/constraints/contact_search_kernel.h"
#include "vinculum/math/pack.h"

namespace vinculum {

namespace {

double finite_or_far(double value) { return std::isfinite(value) ? value : HUGE_VAL; }

double height_of(const SurfaceLaw& surface, double x, double y) {
  if (surface.is_plane) return 0;
  BindingsOf<double> bindings;
  bindings.surface_x = x;
  bindings.surface_y = y;
  return evaluate_at(surface.f, bindings);
}

// The surface at several places at once: most of the time is that of reading the formula.
constexpr int kPlacesAtOnce = 4;
std::array<double, kPlacesAtOnce> heights_of(const SurfaceLaw& surface, const std::array<double, kPlacesAtOnce>& x,
                                             const std::array<double, kPlacesAtOnce>& y) {
  BindingsOf<Pack<kPlacesAtOnce>> bindings;
  bindings.surface_x = Pack<kPlacesAtOnce>::load(x.data());
  bindings.surface_y = Pack<kPlacesAtOnce>::load(y.data());
  const Pack<kPlacesAtOnce> found = evaluate_at(surface.f, bindings);
  std::array<double, kPlacesAtOnce> heights;
  for (int k = 0; k < kPlacesAtOnce; ++k) heights[k] = found[k];
  return heights;
}

// Downhill on a line: where both sides are higher, the bottom of the parabola through all three is near, much nearer than they
// are to each other.
template <class Function>
double descend_on_line(const Function& f, double& at, double step) {
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
    if (bend > 0 && std::isfinite(bend)) {
      const double bottom = at + 0.5 * step * (left - right) / bend, found = f(bottom);
      if (found < value) at = bottom, value = found;
    }
    step /= 64;
  }
  return value;
}

// Downhill on a plane by ever smaller steps along its axes.
template <class Function>
double descend_on_plane(const Function& f, std::array<double, 2>& at, double value, double step) {
  constexpr double kLeast = 1e-6;  // of the first step: the value is that much squared too high
  for (const double last = kLeast * step; step > last;) {
    bool moved = false;
    for (int k = 0; k < 2; ++k) {
      for (const double sign : {1.0, -1.0}) {
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

}  // namespace

// Points of the net are compared by how high above the surface they are, which tells inside from outside as the distance from its
// tangent plane does, and takes no slopes.
std::vector<RimStart> list_rim_starts(const SurfaceLaw& surface, const Vector3& center, const Vector3& axis, double radius) {
  constexpr int kAround = 64;
  static const auto kCircle = [] {
    std::array<std::array<double, 2>, kAround> points;
    for (int i = 0; i < kAround; ++i) points[i] = {std::cos(2 * M_PI * i / kAround), std::sin(2 * M_PI * i / kAround)};
    return points;
  }();
  const Vector3 across = std::abs(axis.x) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  const Vector3 first = unit_of(cross(axis, across)), second = cross(axis, first);
  const auto outward = [&](double around) { return std::cos(around) * first + std::sin(around) * second; };
  const auto height = [&](double around) {
    const Vector3 p = center + radius * outward(around);
    const SurfacePoint<double> below = surface_point(surface, p.x, p.y);
    return finite_or_far((p.z - below.p.z) / below.root);
  };
  std::array<double, kAround> net;
  for (int i = 0; i < kAround; i += kPlacesAtOnce) {
    std::array<double, kPlacesAtOnce> x, y, z;
    for (int k = 0; k < kPlacesAtOnce; ++k) {
      const Vector3 p = center + radius * (kCircle[i + k][0] * first + kCircle[i + k][1] * second);
      x[k] = p.x, y[k] = p.y, z[k] = p.z;
    }
    const auto ground = heights_of(surface, x, y);
    for (int k = 0; k < kPlacesAtOnce; ++k) net[i + k] = finite_or_far(z[k] - ground[k]);
  }
  // What is far above the lowest point of the net is not the lowest point of the rim.
  const double limit = *std::min_element(net.begin(), net.end()) + radius / 2;
  std::vector<RimStart> starts;
  for (int i = 0; i < kAround; ++i) {
    if (!(net[i] < limit) || net[i] > net[(i + 1) % kAround] || net[i] > net[(i + kAround - 1) % kAround]) continue;
    double around = 2 * M_PI * i / kAround;
    const double found = descend_on_line(height, around, M_PI / kAround);
    if (std::isfinite(found)) starts.push_back({outward(around), found});
  }
  std::ranges::sort(starts, {}, &RimStart::height);
  return starts;
}

std::vector<FootStart> list_foot_starts(const SurfaceLaw& surface, const Vector3& center, double radius) {
  constexpr int kHalf = 8, kSide = 2 * kHalf + 1, kCells = kSide * kSide;
  const auto distance = [&](const std::array<double, 2>& at) {
    const double dx = at[0] - center.x, dy = at[1] - center.y, dz = height_of(surface, at[0], at[1]) - center.z;
    return finite_or_far(std::sqrt(dx * dx + dy * dy + dz * dz));
  };
  const double below = distance({center.x, center.y});
  const double reach = std::isfinite(below) && below > 0 ? std::min(below, 8 * radius) : 2 * radius, spacing = reach / kHalf;
  const auto place = [&](int cell) {
    return std::array{center.x + (cell % kSide - kHalf) * spacing, center.y + (cell / kSide - kHalf) * spacing};
  };
  std::array<double, kCells> net;
  for (int cell = 0; cell < kCells; cell += kPlacesAtOnce) {
    std::array<double, kPlacesAtOnce> x, y;
    for (int k = 0; k < kPlacesAtOnce; ++k) x[k] = place(cell + k)[0], y[k] = place(cell + k)[1];
    const auto ground = heights_of(surface, x, y);
    for (int k = 0; k < kPlacesAtOnce && cell + k < kCells; ++k)
      net[cell + k] = finite_or_far(std::hypot(x[k] - center.x, y[k] - center.y, ground[k] - center.z));
  }
  const auto is_lowest = [&](int cell) {
    const int i = cell % kSide, j = cell / kSide;
    for (int k = std::max(i - 1, 0); k <= std::min(i + 1, kSide - 1); ++k) {
      for (int l = std::max(j - 1, 0); l <= std::min(j + 1, kSide - 1); ++l) {
        if (net[k + kSide * l] < net[cell]) return false;
      }
    }
    return true;
  };
  // From farther away than this the way down does not lead to the nearest point, between points of the net.
  const double limit = 1.5 * *std::min_element(net.begin(), net.end());
  std::vector<FootStart> starts;
  for (int cell = 0; cell < kCells; ++cell) {
    if (!(net[cell] <= limit) || !is_lowest(cell)) continue;
    std::array<double, 2> at = place(cell);
    const double found = descend_on_plane(distance, at, net[cell], spacing / 2);
    if (std::isfinite(found)) starts.push_back({at[0], at[1], found});
  }
  std::ranges::sort(starts, {}, &FootStart::distance);
  return starts;
}

double compute_least_gap(const Contact& contact, const BodyInCarrier<double>& body) {
  constexpr double kNowhere = 1e30;  // [m] where the surface has no value there is nothing to touch
  if (const auto* wheel = std::get_if<WheelGeometry>(&contact.geometry)) {
    const auto starts = list_rim_starts(contact.surface, body.x + body.R * wheel->center, body.R * wheel->axis, wheel->radius);
    return starts.empty() ? kNowhere : starts[0].height;
  }
  if (const auto* sphere = std::get_if<SphereGeometry>(&contact.geometry)) {
    const Vector3 center = body.x + body.R * sphere->center;
    const auto starts = list_foot_starts(contact.surface, center, sphere->radius);
    if (starts.empty()) return kNowhere;
    // A centre that is below the surface is inside.
    const double ground = height_of(contact.surface, center.x, center.y);
    return (center.z < ground ? -starts[0].distance : starts[0].distance) - sphere->radius;
  }
  const Vector3 p = body.x + body.R * std::get<PointGeometry>(contact.geometry).point;
  const SurfacePoint<double> below = surface_point(contact.surface, p.x, p.y);
  const double gap = (p.z - below.p.z) / below.root;
  return std::isfinite(gap) ? gap : kNowhere;
}

}  // namespace vinculum
