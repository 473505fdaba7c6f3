// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum {

// Powers of metre, kilogram and second. Angles are numbers: rad = 1.
struct Dimension {
  int length = 0;
  int mass = 0;
  int time = 0;

  auto operator<=>(const Dimension&) const = default;
};

inline constexpr Dimension kDimensionless{0, 0, 0};
inline constexpr Dimension kLength{1, 0, 0};
inline constexpr Dimension kMass{0, 1, 0};
inline constexpr Dimension kTime{0, 0, 1};
inline constexpr Dimension kVelocity{1, 0, -1};
inline constexpr Dimension kAcceleration{1, 0, -2};
inline constexpr Dimension kAngularVelocity{0, 0, -1};
inline constexpr Dimension kForce{1, 1, -2};
inline constexpr Dimension kMoment{2, 1, -2};
inline constexpr Dimension kInertia{2, 1, 0};
inline constexpr Dimension kStiffness{0, 1, -2};  // N/m
inline constexpr Dimension kViscous{0, 1, -1};    // N s/m

constexpr Dimension operator*(Dimension a, Dimension b) { return {a.length + b.length, a.mass + b.mass, a.time + b.time}; }
constexpr Dimension operator/(Dimension a, Dimension b) { return {a.length - b.length, a.mass - b.mass, a.time - b.time}; }

// In SI: value * factor / divisor, both whole where they can be, so that 7 cm is 0.07 m to the last bit.
struct Unit {
  double factor = 1;
  double divisor = 1;
  Dimension dimension;
};

// m cm mm km um in ft | kg g lb | s ms min h | rad deg rev | N kN mN lbf | J kJ | W kW | Pa kPa MPa GPa bar | Hz rpm
std::optional<Unit> find_unit(std::string_view name);
std::vector<std::string> unit_names();

// As a person writes it: "kg", "m/s^2", "N*m", "1"; "a mass (kg)" is describe(kMass).
std::string to_text(Dimension dimension);
std::string describe(Dimension dimension);

}  // namespace vinculum
