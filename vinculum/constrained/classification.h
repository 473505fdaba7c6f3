// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// The kind of a constraint.
struct RowKind {
  bool holonomic = true;   // it limits positions, alone or together with the other constraints
  bool stationary = true;  // no given motion enters it
  std::string text;        // "holonomic, stationary: ..", for people
};

// Rows that are rates of a gap are holonomic by construction. The others are put to the test of Frobenius: let Δ be the motions
// that all rows allow, time among them. If by motions of Δ in turn (X, Y, -X, -Y) a row's forbidden direction is reached, it
// limits no position:
//
//   ω([X, Y]) ≠ 0 , or ω([X, [Y, Z]]) ≠ 0 , ..     for some fields X, Y, Z, .. in Δ ;  ω = D_i dπ - F_i dt
//
// The fields are constants projected onto Δ, [X, Y] = ∂_X Y - ∂_Y X + X × Y (the last for the angular velocities of balls), by
// differences in the model's own lengths, up to brackets of four fields, at the state and at nearby ones. A bracket vanishes if
// it is at most 1e-7 of the terms that cancel in it (∂_X Y, ∂_Y X, X × Y along the row), whatever their size, above round-off, or
// if differences of two widths do not agree on it; of three choices of fields two must reach the row. "Non-holonomic" is then
// certain, "holonomic" as certain as these make it.
//
// Fails as compute_constraint_rows does.
Outcome<std::vector<RowKind>> classify_rows(const ConstraintSet& set, const State& state, Workspace& workspace);

}  // namespace vinculum
