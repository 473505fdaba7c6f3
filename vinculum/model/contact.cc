// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/contact.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/expression/bounds.h"
#include "vinculum/expression/differentiate.h"
#include "vinculum/model/model.h"

namespace vinculum {

namespace {

SurfaceLaw differentiate_surface(const Expression& f) {
  constexpr Variable kX{VariableKind::surface_x, 0}, kY{VariableKind::surface_y, 0};
  SurfaceLaw surface;
  surface.is_plane = f.is_constant() && f.constant_value() == 0;
  surface.f = f;
  surface.f_x = differentiate(f, kX);
  surface.f_y = differentiate(f, kY);
  surface.f_xx = differentiate(surface.f_x, kX);
  surface.f_xy = differentiate(surface.f_x, kY);
  surface.f_yy = differentiate(surface.f_y, kY);
  const auto largest = [](const Expression& formula) { return magnitude(bound_everywhere(formula)); };
  const bool is_smooth = f.is_analytic();
  surface.slope = is_smooth ? std::hypot(largest(surface.f_x), largest(surface.f_y)) : HUGE_VAL;
  surface.bend = is_smooth ? std::max(largest(surface.f_xx), largest(surface.f_yy)) + largest(surface.f_xy) : HUGE_VAL;
  return surface;
}

Vector3 unit(const Vector3& a) { return (1 / norm(a)) * a; }

// Directions of the file at unit length.
void normalize(PointGeometry&) {}
void normalize(WheelGeometry& wheel) { wheel.axis = unit(wheel.axis); }
void normalize(SphereGeometry&) {}
void normalize(FrameGeometry&) {}

}  // namespace

bool Contact::forbids(ContactAxis axis) const { return std::find(forbid.begin(), forbid.end(), axis) != forbid.end(); }
bool Contact::rubs(ContactAxis axis) const {
  return sliding_friction && (axis == ContactAxis::lateral || axis == ContactAxis::forward) && !forbids(axis);
}
std::string Contact::row_name(ContactAxis axis) const { return fmt::format("{}.{}", name, axis_name(axis)); }

std::string_view axis_name(ContactAxis axis) {
  static constexpr std::string_view kNames[] = {"normal", "lateral", "forward", "yaw", "pitch", "roll"};
  return kNames[static_cast<int>(axis)];
}

bool is_moved_by_law(const Model& model, const Contact& contact) { return contact.path || is_moved_by_law(model, contact.with); }

bool is_moved_by_law(const Model& model, const Anchor& end) {
  if (end.on != Anchor::On::environment) return false;
  const EnvironmentBody& carrier = model.environment()[end.index];
  const auto moves = [](const Expression& law) { return !law.is_constant(); };
  return std::any_of(carrier.position.begin(), carrier.position.end(), moves) ||
         std::any_of(carrier.turns.begin(), carrier.turns.end(), [&](const auto& turn) { return moves(turn.angle); });
}

bool does_work(const Model& model, const Contact& contact) {
  return is_moved_by_law(model, contact) || !contact.laws.empty() || contact.sliding_friction;
}

Contact compile_contact(const Model& model, const ContactDescription& words) {
  Contact contact;
  contact.name = words.name;
  contact.body = *model.find_body(*words.body);
  contact.link = model.bodies()[contact.body].link;
  contact.geometry = words.geometry;
  contact.forbid = words.forbid;
  contact.heading = unit(words.forward);
  contact.heading_in_body = words.forward_in_body;
  contact.angular_as_vector = words.angular_as_vector;
  contact.sliding_friction = words.sliding_friction;
  contact.friction = words.friction;
  contact.restitution = words.restitution;
  for (const auto& [axis, law] : words.laws) {
    if (!contact.forbids(axis)) contact.laws.emplace(axis, law);
  }
  std::visit([](auto& geometry) { normalize(geometry); }, contact.geometry);

  if (const auto body = model.find_body(*words.with)) {
    if (*body != kWorld) {
      contact.with = {Anchor::On::body, *body, {}};
      contact.carrier_link = model.bodies()[*body].link;
    }
  } else {
    const auto& environment = model.environment();
    const auto found =
        std::find_if(environment.begin(), environment.end(), [&](const EnvironmentBody& e) { return e.name == *words.with; });
    contact.with = {Anchor::On::environment, static_cast<int>(found - environment.begin()), {}};
    if (found->surface) contact.surface = differentiate_surface(*found->surface);
  }
  if (const auto* path = find_path(contact.geometry)) {
    const auto& [x, y] = *path;
    contact.path = PathLaw{x, y, differentiate_by_time(x), differentiate_by_time(y)};
  }
  return contact;
}

}  // namespace vinculum
