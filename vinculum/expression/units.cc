// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/units.h"

#include <numbers>

#include <fmt/core.h>

namespace vinculum {

namespace {

using std::numbers::pi;

constexpr Dimension kEnergy = kMoment;
constexpr Dimension kPower{2, 1, -3};
constexpr Dimension kPressure{-1, 1, -2};
constexpr Dimension kFrequency = kAngularVelocity;

struct NamedUnit {
  std::string_view name;
  Unit unit;
};

constexpr NamedUnit kUnits[] = {
    {"m", {1, 1, kLength}},
    {"cm", {1, 100, kLength}},
    {"mm", {1, 1000, kLength}},
    {"km", {1000, 1, kLength}},
    {"um", {1, 1e6, kLength}},
    {"in", {254, 1e4, kLength}},
    {"ft", {3048, 1e4, kLength}},
    {"kg", {1, 1, kMass}},
    {"g", {1, 1000, kMass}},
    {"lb", {45359237, 1e8, kMass}},
    {"s", {1, 1, kTime}},
    {"ms", {1, 1000, kTime}},
    {"min", {60, 1, kTime}},
    {"h", {3600, 1, kTime}},
    {"rad", {1, 1, kDimensionless}},
    {"deg", {pi, 180, kDimensionless}},
    {"rev", {2 * pi, 1, kDimensionless}},
    {"N", {1, 1, kForce}},
    {"kN", {1000, 1, kForce}},
    {"mN", {1, 1000, kForce}},
    {"lbf", {44482216152605, 1e13, kForce}},
    {"J", {1, 1, kEnergy}},
    {"kJ", {1000, 1, kEnergy}},
    {"W", {1, 1, kPower}},
    {"kW", {1000, 1, kPower}},
    {"Pa", {1, 1, kPressure}},
    {"kPa", {1000, 1, kPressure}},
    {"MPa", {1e6, 1, kPressure}},
    {"GPa", {1e9, 1, kPressure}},
    {"bar", {1e5, 1, kPressure}},
    {"Hz", {1, 1, kFrequency}},
    {"rpm", {pi, 30, kFrequency}},
};

struct NamedDimension {
  Dimension dimension;
  std::string_view unit;
  std::string_view name;  // empty: known by its unit only
};

constexpr NamedDimension kDimensions[] = {
    {kLength, "m", "a length"},
    {kMass, "kg", "a mass"},
    {kTime, "s", "a time"},
    {kVelocity, "m/s", "a velocity"},
    {kAcceleration, "m/s^2", "an acceleration"},
    {kAngularVelocity, "1/s", "an angular velocity"},
    {{0, 0, -2}, "1/s^2", "an angular acceleration"},
    {kForce, "N", "a force"},
    {kMoment, "N*m", "a moment"},
    {kInertia, "kg*m^2", "a moment of inertia"},
    {kStiffness, "N/m", "a stiffness"},
    {kViscous, "N*s/m", "a viscous coefficient"},
    {{2, 1, -1}, "N*m*s", ""},
    {kPower, "W", "a power"},
    {kPressure, "Pa", "a pressure"},
};

const NamedDimension* find_named(Dimension dimension) {
  for (const NamedDimension& named : kDimensions) {
    if (named.dimension == dimension) return &named;
  }
  return nullptr;
}

}  // namespace

std::optional<Unit> find_unit(std::string_view name) {
  for (const NamedUnit& named : kUnits) {
    if (named.name == name) return named.unit;
  }
  return std::nullopt;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const NamedUnit& named : kUnits) names.emplace_back(named.name);
  return names;
}

std::string to_text(Dimension dimension) {
  if (const NamedDimension* named = find_named(dimension)) return std::string(named->unit);

  const std::pair<std::string_view, int> powers[] = {{"kg", dimension.mass}, {"m", dimension.length}, {"s", dimension.time}};
  std::string above, below;
  for (const auto& [unit, power] : powers) {
    const int magnitude = power < 0 ? -power : power;
    const std::string factor = magnitude == 1 ? std::string(unit) : fmt::format("{}^{}", unit, magnitude);
    if (power > 0) above += (above.empty() ? "" : "*") + factor;
    if (power < 0) below += "/" + factor;
  }
  return (above.empty() ? "1" : above) + below;
}

std::string describe(Dimension dimension) {
  if (dimension == kDimensionless) return "a number without unit";
  const NamedDimension* named = find_named(dimension);
  if (named == nullptr || named->name.empty()) return "a quantity in " + to_text(dimension);
  return fmt::format("{} ({})", named->name, named->unit);
}

}  // namespace vinculum
