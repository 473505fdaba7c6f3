// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// What kind of constraint a row is.
struct RowKind {
  bool holonomic = true;   // it limits positions, alone or together with the other rows
  bool stationary = true;  // no given motion enters it
  double curl = 0;         // largest dω on two motions that all rows allow; 0 where the row is the rate of a gap
  std::string text;        // "holonomic, stationary: ..", for people
};

// Rows that are rates of a gap are holonomic by construction. The others are put to the test of Frobenius on the motions Δ which
// all rows allow (time among them): ω = D_i dπ - F_i dt can be integrated together with the rest if
//
//   dω(a, b) = ∂_a ω(b) - ∂_b ω(a) - ω([a, b]) = 0   for all a, b in Δ
//
// [a, b] = a × b for the angular velocities of a ball, else 0. Derivatives by central differences, accurate to about 1e-9; tested
// at the state and at nearby ones. "Non-holonomic" is then certain, "holonomic" as certain as three positions make it.
//
// Fails as compute_constraint_rows does. Cost: two evaluations of all rows per velocity and position.
Outcome<std::vector<RowKind>> classify_rows(const ConstraintSet& set, const State& state, Workspace& workspace);

}  // namespace vinculum
