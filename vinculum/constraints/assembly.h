// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/projection.h"

namespace vinculum {

// What keeps its value while the rest is found.
struct Held {
  std::vector<int> coordinates;  // by their velocities
  std::vector<int> velocities;
};

// By names: a coordinate (`crank`), a velocity (`crank'`, `top.wx`), or a component of a quaternion, which stands for the whole
// orientation. Failure VN-USAGE-001 names what is not there.
Outcome<Held> find_held(const Model& model, const std::vector<std::string>& names);

// A mechanism put together from a rough start.
struct Assembly {
  State state;
  std::vector<std::string> held;      // coordinates that kept their values: as many as degrees of freedom of position
  bool keeps_start = true;            // false: no position with these values was found, and the nearest one was taken instead
  double position = 0, velocity = 0;  // largest residuals that are left
  std::vector<State> others;  // other positions with the same held coordinates: the mechanism can be assembled in several ways
};

// Closes all gaps and projects the velocities onto the constraints. Held values are kept and the rest moves
// as little as possible (projection.h). If nothing is held, as many coordinates as remain free keep their
// values, those that `initial` names first. If no such position exists, the result is the nearest one.
//
// Failures VN-CONTACT-013 if the gaps cannot be closed, -130 if the velocities cannot obey the constraints.
Outcome<Assembly> assemble(const ConstraintSet& set, const State& start, Workspace& workspace, const Held& held = {});

// Tries other starts for what is not held, to find out whether there is a second way to assemble it; what is not found may exist
// all the same.
void look_for_others(const ConstraintSet& set, Workspace& workspace, Assembly& assembly);

}  // namespace vinculum
