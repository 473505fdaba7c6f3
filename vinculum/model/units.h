// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// SI units of q, v and generalised forces, in the order of the model: "rad", "m", "1" (quaternions); "rad/s", "m/s"; "N*m", "N".
// Further states may have none ("").
struct StateUnits {
  std::vector<std::string> coordinates;
  std::vector<std::string> velocities;
  std::vector<std::string> forces;
};
StateUnits state_units(const Model& model);

// Behind a number: " N*m"; nothing behind a pure number ("1"), and where bare numbers leave the unit open ("").
std::string behind_number(std::string_view unit);
// Of a sentence, to four digits: "151.1 N*m"; angles also in degrees, "0.5146 rad (29.48 deg)".
std::string in_sentence(double value, std::string_view unit);
// Of a column of a table: "torque [N*m]"; the name alone where the unit is open.
std::string column_title(std::string_view name, std::string_view unit);
// Before the name of a mode, whose column has words instead of numbers: "mode:foot".
inline constexpr std::string_view kModeColumn = "mode:";

}  // namespace vinculum
