// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/contact_end.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/constraints/contact_depth.h"
#include "vinculum/constraints/contact_search_kernel.h"

namespace vinculum {

namespace {

// At how many points of a wheel or a sphere the surface is as near as at the nearest one.
int count_touching_points(const Contact& contact, const RoundPlace& place) {
  constexpr double kAsNear = 1e-6;  // beside the radius
  if (const auto* wheel = std::get_if<WheelGeometry>(&contact.geometry)) {
    const auto starts = list_rim_starts(contact.surface, place.center, place.axis, wheel->radius);
    return static_cast<int>(std::ranges::count_if(
        starts, [&](const RimStart& start) { return start.height <= starts[0].height + kAsNear * wheel->radius; }));
  }
  const double radius = std::get<SphereGeometry>(contact.geometry).radius;
  const auto starts = list_foot_starts(contact.surface, place.center, radius);
  return static_cast<int>(std::ranges::count_if(
      starts, [&](const FootStart& start) { return start.distance <= starts[0].distance + kAsNear * radius; }));
}

}  // namespace

std::optional<Failure> find_contact_end(const ConstraintSet& set, const State& state) {
  constexpr double kFlat = 1e-4;  // sine of the angle between axis and normal
  const auto rows = compute_row_values(set, state);
  if (!rows) return std::nullopt;
  for (size_t i = 0; i < set.model.contacts().size(); ++i) {
    const Contact& contact = set.model.contacts()[i];
    const ContactState& at = rows->contacts[i];
    if (!set.is_there(contact)) continue;
    const std::string element = fmt::format("contact '{}' of body '{}'", contact.name, set.model.bodies()[contact.body].name);
    const auto* wheel = std::get_if<WheelGeometry>(&contact.geometry);
    if (wheel != nullptr && norm(cross(at.R_WB * wheel->axis, at.E_W.x)) < kFlat) {
      return Failure{
          "VN-CONTACT-001",
          fmt::format("{}: the wheel comes to lie flat at t = {:.6g} s, where it touches with its whole rim", element, state.t),
          "a thin wheel rolls on one point; end the run before, or let the body land on several `point` contacts"};
    }
    if (!may_be_reached_into(contact)) continue;
    const auto place = find_round_place(set.model, contact, state.t, rows->links);
    if (place && count_touching_points(contact, *place) > 1) {
      return Failure{"VN-CONTACT-004",
                     fmt::format("{}: it touches the surface at several points from t = {:.6g} s on, and a contact has one",
                                 element, state.t),
                     "a valley must be wider than the wheel or the sphere; smooth the surface or take a smaller radius"};
    }
  }
  return std::nullopt;
}

}  // namespace vinculum
