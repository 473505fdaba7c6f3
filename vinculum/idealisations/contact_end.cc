// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/contact_end.h"

#include <fmt/core.h>

#include "vinculum/geometry/swept_shape.h"
#include "vinculum/math/visit.h"

namespace vinculum {

std::optional<Failure> find_contact_end(const ConstraintSet& set, const State& state) {
  constexpr double kFlat = 1e-4;    // sine of the angle between axis and normal
  constexpr double kAsNear = 1e-6;  // beside the radius
  const auto rows = compute_row_values(set, state);
  if (!rows) return std::nullopt;
  for (size_t i = 0; i < set.model.contacts().size(); ++i) {
    const Contact& contact = set.model.contacts()[i];
    const ContactState& at = rows->contacts[i];
    if (!set.is_there(contact)) continue;
    const std::string element = fmt::format("contact '{}' of body '{}'", contact.name, set.model.bodies()[contact.body].name);
    const auto lies_flat =
        Overloaded{[](const PointGeometry&) { return false; }, [](const SphereGeometry&) { return false; },
                   [](const FrameGeometry&) { return false; },
                   [&](const WheelGeometry& wheel) { return norm(cross(at.R_WB * wheel.axis, at.E_W.x)) < kFlat; }};
    if (std::visit(lies_flat, contact.geometry)) {
      return Failure{
          "VN-CONTACT-001",
          fmt::format("{}: the wheel comes to lie flat at t = {:.6g} s, where it touches with its whole rim", element, state.t),
          "a thin wheel rolls on one point; end the run before, or let the body land on several `point` contacts"};
    }
    if (auto failure = find_second_contact(set.model, contact, at, kAsNear, state.t)) return failure;
  }
  return std::nullopt;
}

std::optional<Failure> find_second_contact(const Model& model, const Contact& contact, const ContactState& at, double margin,
                                           std::optional<double> since) {
  if (!at.beside || *at.beside > margin * radius_of(contact)) return std::nullopt;
  const Vector3 &a = at.point_W, &b = at.beside_W;
  const std::string when = since ? fmt::format(" from t = {:.6g} s on", *since) : "";
  return Failure{
      "VN-CONTACT-004",
      fmt::format("contact '{}' of body '{}' touches the surface at two points{}: ({:.6g}, {:.6g}, {:.6g}) and ({:.6g}, "
                  "{:.6g}, {:.6g}) m",
                  contact.name, model.bodies()[contact.body].name, when, a.x, a.y, a.z, b.x, b.y, b.z),
      "a contact has one point: smooth the surface, or take a smaller radius"};
}

}  // namespace vinculum
