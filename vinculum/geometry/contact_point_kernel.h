// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/core.h>

#include "vinculum/geometry/contact_geometry_kernel.h"
#include "vinculum/geometry/near_places.h"
#include "vinculum/math/visit.h"
#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

// Where a contact touches, on numbers: Newton's method from the foot below the centre, which is right where the surface is
// gentle, else from every near place (near_places.h). Private to contact_state.cc.
namespace vinculum {

namespace {

std::string element(const Model& model, const Contact& contact) {
  return fmt::format("contact '{}' of body '{}'", contact.name, model.bodies()[contact.body].name);
}

Failure no_trihedron(const Model& model, const Contact& contact, const char* direction, const char* hint) {
  return {"VN-CONTACT-001",
          fmt::format("{}: {} is parallel to the normal, so the axes lateral and forward are not determined",
                      element(model, contact), direction),
          hint};
}
Failure search_failed(const Model& model, const Contact& contact) {
  return {"VN-CONTACT-003", fmt::format("{}: no point of contact with the surface was found", element(model, contact)),
          "is the body near the surface, and has the surface slopes there"};
}
Failure search_unfinished(const Model& model, const Contact& contact) {
  return {
      "VN-CONTACT-003",
      fmt::format("{}: the search for its point of contact did not end: the surface changes too fast", element(model, contact)),
      "give the surface by a smoother formula: one whose waves are longer than 1e-4 of the radius"};
}
constexpr const char* kWiderValley =
    "a valley must be wider than the wheel or the sphere; smooth the surface or take a smaller radius";
Failure several_contacts(const Model& model, const Contact& contact) {
  return {"VN-CONTACT-004",
          fmt::format("{}: the surface is more curved than the body here, so that it is touched at several points",
                      element(model, contact)),
          kWiderValley};
}
Failure several_contacts(const Model& model, const Contact& contact, const Vector3& a, const Vector3& b) {
  return {"VN-CONTACT-004",
          fmt::format("{} touches the surface at two points, ({:.6g}, {:.6g}) and ({:.6g}, {:.6g}) m", element(model, contact),
                      a.x, a.y, b.x, b.y),
          kWiderValley};
}

constexpr double kParallel = 1e-9;  // sine of an angle that gives no direction
constexpr double kSearchTolerance = 1e-14;
constexpr int kMostSearchSteps = 60;

// ---- the search on numbers -------------------------------------------------------------------------------------------

// Newton's steps until they are round-off: twice the size of the last one before they stop shrinking. A step is halved while it
// does not bring the equations nearer to zero (theory 6, 3.1).
template <class Improve, class Residual>
VINCULUM_INLINE bool iterate(ContactUnknowns<double>& unknowns, const Improve& improve, const Residual& residual) {
  constexpr int kMostHalvings = 10;
  constexpr double kSolved = 1e-10;
  double last = HUGE_VAL, now = residual(unknowns);
  for (int i = 0; i < kMostSearchSteps; ++i) {
    const std::array<double, 4> before = unknowns.z;
    improve(unknowns);
    double next = residual(unknowns);
    for (int halved = 0; !(next <= now) && !(next < kSearchTolerance) && halved < kMostHalvings; ++halved) {
      for (int k = 0; k < 4; ++k) unknowns.z[k] = before[k] + (unknowns.z[k] - before[k]) / 2;
      if (!std::isfinite(unknowns.z[0])) return false;
      next = residual(unknowns);
    }
    now = next;
    double step = 0, size = 1;
    for (int k = 0; k < 4; ++k) {
      if (!std::isfinite(unknowns.z[k])) return false;
      step = std::max(step, std::abs(unknowns.z[k] - before[k]));
      size = std::max(size, std::abs(unknowns.z[k]));
    }
    if (step <= kSearchTolerance * size || (step < 1e-10 * size && step >= 0.5 * last)) return now <= kSolved * size;
    last = step;
  }
  return false;
}

// How a search ended.
enum class Found { nothing, saddle, contact };

// From a start in `found`. The distance is smallest there if t_i · (t_j + (a + d) n_j) is positive definite: the surface curves
// less than the sphere.
VINCULUM_INLINE Found polish_sphere(const Contact& contact, const SphereGeometry& sphere, const Vector3& X,
                                    ContactUnknowns<double>& found) {
  const auto residual = [&](const ContactUnknowns<double>& unknowns) __attribute__((always_inline)) {
    const SurfacePoint<double> at = surface_point(contact.surface, unknowns.z[0], unknowns.z[1]);
    return norm(X - at.p - (sphere.radius + unknowns.z[2]) * at.n);
  };
  const bool converged = iterate(
      found,
      [&](ContactUnknowns<double> & unknowns)
          __attribute__((always_inline)) { improve_sphere(contact.surface, X, sphere.radius, unknowns.z); },
      residual);
  if (!converged) return Found::nothing;
  const SurfacePoint<double> at = surface_point(contact.surface, found.z[0], found.z[1]);
  const auto [n_x, n_y] = normal_derivatives(contact.surface, at);
  const double reach = sphere.radius + found.z[2];
  const double xx = dot(at.t_x, at.t_x + reach * n_x), yy = dot(at.t_y, at.t_y + reach * n_y),
               xy = dot(at.t_x, at.t_y + reach * n_y);
  return xx > 0 && xx * yy - xy * xy > 0 ? Found::contact : Found::saddle;
}

// The same for a wheel. Smallest over the rim:  -rad·n + tau·(n_x x_θ + n_y y_θ) > 0 , (x_θ, y_θ, d_θ) = how the foot follows the
// rim.
VINCULUM_INLINE Found polish_wheel(const Contact& contact, const WheelGeometry& wheel, const BodyInCarrier<double>& body,
                                   ContactUnknowns<double>& found) {
  const Vector3 center = body.x + body.R * wheel.center;
  const auto residual = [&](const ContactUnknowns<double>& unknowns) __attribute__((always_inline)) {
    const SurfacePoint<double> at = surface_point(contact.surface, unknowns.z[0], unknowns.z[1]);
    const Rim<double> rim = rim_at(wheel, body.R, unknowns.start, unknowns.z[3]);
    const Vector3 rest = center + wheel.radius * rim.radius - at.p - unknowns.z[2] * at.n;
    const double along = wheel.radius * dot(rim.tangent, at.n);
    return std::sqrt(dot(rest, rest) + along * along);
  };
  const bool converged = iterate(
      found,
      [&](ContactUnknowns<double> & unknowns)
          __attribute__((always_inline)) { improve_wheel(contact.surface, wheel, body, unknowns); },
      residual);
  if (!converged) return Found::nothing;
  const SurfacePoint<double> at = surface_point(contact.surface, found.z[0], found.z[1]);
  const Rim<double> rim = rim_at(wheel, body.R, found.start, found.z[3]);
  const auto m = wheel_matrix(wheel, rim, at, normal_derivatives(contact.surface, at), found.z[2]);
  const Vector3 along = wheel.radius * rim.tangent;
  const auto follow = solve_small<3, double>(
      {{{m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}}}, {along.x, along.y, along.z});
  return m[3][3] + m[3][0] * follow[0] + m[3][1] * follow[1] > 0 ? Found::contact : Found::saddle;
}

// ---- the nearest place -----------------------------------------------------------------------------------------------

// Where a contact is, and the next place where the surface is as near or comes near: none if there is no other one, or if it is
// farther than a hundredth of the radius.
struct FoundContact {
  ContactUnknowns<double> unknowns;
  std::optional<double> beside;  // its gap
  Vector3 beside_at;             // in the axes of the carrier
};

constexpr double kWindow = 1e-2, kTouches = 1e-6, kSameGap = 1e-9;  // beside the radius

struct Candidate {
  ContactUnknowns<double> unknowns;
  bool is_smooth = true;
  double gap() const { return unknowns.z[2]; }
};

// A contact that touches is where it touches, though another place may be nearer by a round-off or have come inside; one that is
// apart, or is pressed in by its law, is at its nearest place. `candidates`: nearest first.
VINCULUM_INLINE const Candidate& choose_candidate(const std::vector<Candidate>& candidates, double radius, bool touches) {
  const Candidate* chosen = &candidates.front();
  for (const Candidate& candidate : candidates) {
    if (touches && std::abs(candidate.gap()) <= kTouches * radius && std::abs(candidate.gap()) < std::abs(chosen->gap()))
      chosen = &candidate;
  }
  return *chosen;
}

// `first`: how the search from the foot below the centre ended, in `found`. polish(place, unknowns) starts from a near place;
// point(candidate) is its point in the carrier.
template <class Polish, class PointOf>
std::optional<Failure> search_everywhere(const Model& model, const Contact& contact, const SweptShape& shape, bool touches,
                                         Found first, const Polish& polish, const PointOf& point, FoundContact& found) {
  const NearPlaces& places = find_near_places(contact.surface, shape, kWindow * shape.radius, touches);
  if (!places.is_complete) return search_unfinished(model, contact);
  static thread_local std::vector<Candidate> candidates;  // no evaluation allocates
  candidates.clear();
  for (const NearPlace& place : places.list) {
    Candidate candidate;
    candidate.is_smooth = polish(place, candidate.unknowns) == Found::contact;
    if (!candidate.is_smooth) candidate.unknowns.z[2] = place.gap;
    candidates.push_back(candidate);
  }
  if (candidates.empty()) {
    // Far away the nearest place below serves as well as any.
    if (first == Found::contact && !touches) return std::nullopt;
    return search_failed(model, contact);
  }
  std::ranges::sort(candidates, {}, &Candidate::gap);
  const Candidate& chosen = choose_candidate(candidates, shape.radius, touches && !contact.is_pressed_by_law());
  if (!chosen.is_smooth) return first == Found::saddle ? several_contacts(model, contact) : search_failed(model, contact);
  found.unknowns = chosen.unknowns;
  found.beside.reset();
  for (const Candidate& other : candidates) {
    if (&other == &chosen || found.beside) continue;
    found.beside = other.gap();
    found.beside_at = point(other.unknowns);
    if (touches && std::abs(other.gap() - chosen.gap()) <= kSameGap * shape.radius)
      return several_contacts(model, contact, point(chosen.unknowns), point(other.unknowns));
  }
  return std::nullopt;
}

VINCULUM_INLINE std::optional<Failure> find_sphere_contact(const Model& model, const Contact& contact,
                                                           const SphereGeometry& sphere, const BodyInCarrier<double>& body,
                                                           bool touches, FoundContact& found) {
  const Vector3 X = body.x + body.R * sphere.center;
  const SurfacePoint<double> below = surface_point(contact.surface, X.x, X.y);
  std::array<double, 4>& z = found.unknowns.z;
  z = {X.x, X.y, (X.z - below.p.z) / below.root - sphere.radius, 0};
  const Found first = polish_sphere(contact, sphere, X, found.unknowns);
  if (first == Found::contact && contact.surface.is_plane) return std::nullopt;
  const SweptShape shape = place_shape(contact, body.R, body.x);
  if (first == Found::contact && is_gentle(contact.surface, shape, sphere.radius + std::max(z[2], 0.0))) return std::nullopt;
  const auto polish = [&](const NearPlace& place, ContactUnknowns<double>& unknowns) {
    const double distance = place.gap + sphere.radius;
    unknowns.z = {place.at[0], place.at[1], (X.z < below.p.z ? -distance : distance) - sphere.radius, 0};
    return polish_sphere(contact, sphere, X, unknowns);
  };
  const auto point = [&](const ContactUnknowns<double>& at) { return surface_point(contact.surface, at.z[0], at.z[1]).p; };
  return search_everywhere(model, contact, shape, touches, first, polish, point, found);
}

VINCULUM_INLINE std::optional<Failure> find_wheel_contact(const Model& model, const Contact& contact, const WheelGeometry& wheel,
                                                          const BodyInCarrier<double>& body, bool touches, FoundContact& found) {
  // Start: the rim point farthest along -n, n taken at the foot of the centre.
  const Vector3 center = body.x + body.R * wheel.center, axis = body.R * wheel.axis;
  const SurfacePoint<double> foot = surface_point(contact.surface, center.x, center.y);
  const Vector3 down = dot(axis, foot.n) * axis - foot.n;
  const auto flat = [&] {
    return no_trihedron(model, contact, "the axis of the wheel", "a wheel that lies flat has no rolling direction");
  };
  const auto start_at = [&](const Vector3& outward, ContactUnknowns<double>& unknowns) __attribute__((always_inline)) {
    const Vector3 lowest = center + wheel.radius * outward;
    const SurfacePoint<double> below = surface_point(contact.surface, lowest.x, lowest.y);
    unknowns.start = transpose_times(body.R, outward);
    unknowns.z = {lowest.x, lowest.y, (lowest.z - below.p.z) / below.root, 0};
  };
  Found first = Found::nothing;
  const bool lies_flat = norm(down) < kParallel;
  if (lies_flat && contact.surface.is_plane) return flat();
  if (!lies_flat) {
    start_at((1 / norm(down)) * down, found.unknowns);
    first = polish_wheel(contact, wheel, body, found.unknowns);
  }
  if (first != Found::contact || !contact.surface.is_plane) {
    const SweptShape shape = place_shape(contact, body.R, body.x);
    const bool is_only =
        first == Found::contact && is_gentle(contact.surface, shape, wheel.radius + std::max(found.unknowns.z[2], 0.0));
    if (!is_only) {
      const auto polish = [&](const NearPlace& place, ContactUnknowns<double>& unknowns) {
        start_at(shape.outward_at(place.at[0], 0), unknowns);
        return polish_wheel(contact, wheel, body, unknowns);
      };
      const auto point = [&](const ContactUnknowns<double>& at) { return surface_point(contact.surface, at.z[0], at.z[1]).p; };
      if (auto failure = search_everywhere(model, contact, shape, touches, first, polish, point, found))
        return lies_flat && failure->kind() == FailureKind::no_solution ? flat() : failure;
    }
  }
  const SurfacePoint<double> at = surface_point(contact.surface, found.unknowns.z[0], found.unknowns.z[1]);
  if (norm(cross(axis, at.n)) < kParallel) return flat();
  return std::nullopt;
}

// `forward` must have a part along the surface.
VINCULUM_INLINE std::optional<Failure> check_heading(const Model& model, const Contact& contact,
                                                     const BodyInCarrier<double>& body, double x, double y) {
  const Vector3 n = surface_point(contact.surface, x, y).n;
  if (norm(tangential_heading(contact, body.R, n)) < kParallel)
    return no_trihedron(model, contact, "the direction `forward`", "choose a heading that lies in the surface");
  return std::nullopt;
}

VINCULUM_INLINE std::optional<Failure> find_contact_of(const PointGeometry& point, const Model& model, const Contact& contact,
                                                       const BodyInCarrier<double>& body, bool, FoundContact&) {
  const Vector3 P = body.x + body.R * point.point;
  return check_heading(model, contact, body, P.x, P.y);
}
VINCULUM_INLINE std::optional<Failure> find_contact_of(const WheelGeometry& wheel, const Model& model, const Contact& contact,
                                                       const BodyInCarrier<double>& body, bool touches, FoundContact& found) {
  return find_wheel_contact(model, contact, wheel, body, touches, found);
}
VINCULUM_INLINE std::optional<Failure> find_contact_of(const SphereGeometry& sphere, const Model& model, const Contact& contact,
                                                       const BodyInCarrier<double>& body, bool touches, FoundContact& found) {
  if (auto failure = find_sphere_contact(model, contact, sphere, body, touches, found)) return failure;
  return check_heading(model, contact, body, found.unknowns.z[0], found.unknowns.z[1]);
}
VINCULUM_INLINE std::optional<Failure> find_contact_of(const FrameGeometry&, const Model&, const Contact&,
                                                       const BodyInCarrier<double>&, bool, FoundContact&) {
  return std::nullopt;
}

VINCULUM_INLINE std::optional<Failure> find_contact(const Model& model, const Contact& contact, const BodyInCarrier<double>& body,
                                                    bool touches, FoundContact& found) {
  return visit_in_place(
      [&](const auto& geometry)
          __attribute__((always_inline)) { return find_contact_of(geometry, model, contact, body, touches, found); },
      contact.geometry);
}

}  // namespace

}  // namespace vinculum
