// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/core.h>

#include "vinculum/verdict/outcome.h"

// Why there are no accelerations, in the same words whichever form was asked.
namespace vinculum {

inline Failure singular_mass_matrix(const std::string& direction) {
  return {
      "VN-RUN-002",
      fmt::format("the mass matrix is singular: nothing has inertia against the motion {}, so its acceleration is not determined",
                  direction),
      "give the last body of the chain a mass and an inertia about this axis, drive the coordinate by `motions`, or leave the "
      "joint out"};
}

inline Failure no_finite_value(double t) {
  return {"VN-RUN-003", fmt::format("a force or a law of motion has no finite value at t = {:g} s", t),
          "check divisions, roots and logarithms in `forces` and `motions` at this state"};
}

}  // namespace vinculum
