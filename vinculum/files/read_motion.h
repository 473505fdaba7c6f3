// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// A motion as a table over time.
struct GivenMotion {
  std::vector<State> states;
  std::vector<std::vector<double>> accelerations;  // of each state
  bool differentiated = false;                     // velocities or accelerations came from a spline
  std::vector<std::string> given;                  // coordinates and velocities that the table gives; others keep the start
};

// From a CSV file with columns `t`, coordinates, velocities and accelerations `a(VELOCITY)`; units in
// brackets are for people. Columns not there: coordinates and velocities keep the model's start; velocities
// that are rates of given coordinates, and accelerations, come from a cubic spline. states.csv of a run is
// such a file. Two lines of the same time are a jump of velocities or forces: splines end there.
std::optional<GivenMotion> read_motion(const std::string& path, const Model& model, Diagnostics& diagnostics);

}  // namespace vinculum
