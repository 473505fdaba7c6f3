// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vinculum {

struct RunEvent {
  double t = 0;
  std::string name;                      // of the model file, or kind:subject
  std::string kind, subject;             // "lift-off" of "foot"; "event" of the model file
  int direction = 0;                     // of the event's function: +1 rising, -1 falling, 0 touching
  std::optional<int> face{};             // of a guide's pair, the new one; 0: unloaded
  std::vector<double> rest_direction{};  // of a rest: v/|v| at last
  // Of an impact: the impulses of the rows of its element, of the first event of an instant those of all rows without one too,
  // and the energy that these rows took away [J]. The sum over the events of an instant is that of the impact.
  struct Impulse {
    std::string row;
    double impulse = 0;  // [N*s], or [N*m*s] of a row that turns
  };
  std::vector<Impulse> impulses{};
  std::optional<double> energy_lost{};
};

// A quantity that should stay as it was at the start.
struct IntegralDrift {
  std::string name;  // "E", or "E - W" where forces do work W; then what find_integrals found: "Px"
  std::string unit;
  double start = 0;
  double drift = 0;  // largest absolute departure
};

}  // namespace vinculum
