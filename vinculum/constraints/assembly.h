// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/projection.h"

namespace vinculum {

// A mechanism put together from a rough start.
struct Assembly {
  State state;
  std::vector<std::string> held;  // coordinates that kept their values: as many as there are freedoms of position
  bool keeps_start = true;        // false: no position with these values was found, and the nearest one was taken instead
  std::vector<State> others;  // other positions with the same held coordinates: the mechanism can be assembled in several ways
};

// Closes all gaps. As many coordinates as remain free keep their values: those that `initial` names first. Then other starts are
// tried for the rest, to find out whether there is a second way to assemble it; what is not found may exist all the same.
//
// Failure VN-CONTACT-013 if the gaps cannot be closed.
Outcome<Assembly> assemble(const ConstraintSet& set, const State& start, Workspace& workspace);

}  // namespace vinculum
