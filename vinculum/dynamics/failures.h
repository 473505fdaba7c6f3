// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <fmt/core.h>

#include "vinculum/model/model.h"
#include "vinculum/verdict/outcome.h"

// Why there are no accelerations, in the same words whichever form was asked.
namespace vinculum {

// Beside what is subtracted on the way, a pivot below this is round-off: nothing has inertia against that motion.
inline constexpr double kNoInertia = 1e-14;

inline Failure singular_mass_matrix(const std::string& direction) {
  return {
      "VN-RUN-002",
      fmt::format("the mass matrix is singular: the motion {} has no inertia, so its acceleration is not determined", direction),
      "give the last body of the chain a mass and an inertia about this axis, drive the coordinate by `motions`, or leave the "
      "joint out"};
}

inline Failure no_finite_value(double t) {
  return {"VN-RUN-003", fmt::format("a force or a law of motion has no finite value at t = {:g} s", t),
          "check divisions, roots and logarithms in `forces` and `motions` at this state"};
}

// Of a quantity, in words: "the mass matrix", "kinetic energy of body 'boom'".
inline Failure beyond_all_numbers(const std::string& quantity) {
  return {"VN-RUN-132", fmt::format("{} is not a finite number: it overflowed, or came from one that did", quantity),
          "some value of the model or the state is larger or smaller than a computation in doubles can take; look at masses, "
          "lengths, "
          "inertias, stiffnesses and units there"};
}

inline Failure different_structure(const std::string& body) {
  return {"VN-RUN-020",
          fmt::format("the variants of a batch are not made alike: body '{}' differs in its joint or its place", body),
          "variants may differ in numbers and laws; give mechanisms of another structure a batch of their own"};
}

// Of matrices that are full by nature, to be asked before memory for them is taken.
inline std::optional<Failure> check_size_of_matrices(const Model& model) {
  constexpr int kMostVelocities = 2000;
  if (model.tree().velocities <= kMostVelocities) return std::nullopt;
  return Failure{"VN-RUN-021",
                 fmt::format("the model has {} velocities; its full matrices are computed for at most {}",
                             model.tree().velocities, kMostVelocities),
                 "use a part of the mechanism, or fewer bodies"};
}

}  // namespace vinculum
