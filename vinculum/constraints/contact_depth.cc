// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/contact_depth.h"

#include <cmath>

#include "vinculum/constraints/contact_search_kernel.h"
#include "vinculum/constraints/contact_state.h"

namespace vinculum {

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
  if (const auto* wheel = std::get_if<WheelGeometry>(&contact.geometry)) {
    const auto starts = list_rim_starts(contact.surface, place.center, place.axis, wheel->radius);
    return starts.empty() ? -HUGE_VAL : -starts[0].height;
  }
  const double radius = std::get<SphereGeometry>(contact.geometry).radius;
  const auto starts = list_foot_starts(contact.surface, place.center, radius);
  return starts.empty() ? -HUGE_VAL : radius - starts[0].distance;
}

}  // namespace vinculum
