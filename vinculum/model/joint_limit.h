// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "vinculum/model/impact_law.h"

namespace vinculum {

// How far, how fast and how hard a joint may move: of one coordinate and its rate.
struct JointLimit {
  std::string name;  // of the coordinate: elbow, wrist.rx
  int coordinate = 0, velocity = 0;
  double lower = -std::numeric_limits<double>::infinity();  // [rad] or [m]
  double upper = std::numeric_limits<double>::infinity();
  std::optional<double> speed;   // [rad/s] or [m/s]
  std::optional<double> effort;  // [N*m] or [N] of what drives it
  ImpactLaw restitution;         // of an impact on either end
};

}  // namespace vinculum
