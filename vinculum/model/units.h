// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// SI units of q, v and generalised forces, in the order of the model: "rad", "m", "1" (quaternions); "rad/s", "m/s"; "N*m", "N".
struct StateUnits {
  std::vector<std::string> coordinates;
  std::vector<std::string> velocities;
  std::vector<std::string> forces;
};
StateUnits state_units(const Model& model);

}  // namespace vinculum
