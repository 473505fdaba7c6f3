// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/model/units.h"

#include <numbers>

#include <fmt/core.h>

namespace vinculum {

StateUnits state_units(const Model& model) {
  StateUnits units;
  const auto add = [&](const char* coordinate, int count) {
    for (int k = 0; k < count; ++k) units.coordinates.emplace_back(coordinate);
  };
  const auto add_rates = [&](const char* velocity, const char* force, int count) {
    for (int k = 0; k < count; ++k) {
      units.velocities.emplace_back(velocity);
      units.forces.emplace_back(force);
    }
  };
  for (const Link& link : model.tree().links) {
    switch (link.kind) {
      case LinkKind::fixed: break;
      case LinkKind::revolute:
      case LinkKind::screw:
        add("rad", 1);
        add_rates("rad/s", "N*m", 1);
        break;
      case LinkKind::prismatic:
        add("m", 1);
        add_rates("m/s", "N", 1);
        break;
      case LinkKind::free:
        add("m", 3);
        add_rates("m/s", "N", 3);
        [[fallthrough]];
      case LinkKind::spherical:
        add("1", 4);
        add_rates("rad/s", "N*m", 3);
        break;
    }
  }
  for (const ExtraState& state : model.extra_states()) units.coordinates.push_back(state.unit);
  return units;
}

std::string behind_number(std::string_view unit) { return unit.empty() || unit == "1" ? "" : fmt::format(" {}", unit); }

std::string in_sentence(double value, std::string_view unit) {
  const std::string text = fmt::format("{:.4g}{}", value, behind_number(unit));
  return unit == "rad" ? fmt::format("{} ({:.4g} deg)", text, value * 180 / std::numbers::pi) : text;
}

std::string column_title(std::string_view name, std::string_view unit) {
  return unit.empty() ? std::string(name) : fmt::format("{} [{}]", name, unit);
}

}  // namespace vinculum
