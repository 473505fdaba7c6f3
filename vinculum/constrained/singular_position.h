// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/constraints/redundancy.h"
#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// Constraints that depend on each other do so everywhere (they are redundant), or at this position only: it is singular. To
// second order in a motion q ⊕ s u, D u = 0, the reactions z that do nothing (Dᵀz = 0) stay so only if
//
//   B_z(u, w) = zᵀ D'(u) w = 0   for all u, w with D u = D w = 0
//
// On a regular manifold of this dimension B vanishes. Otherwise the possible directions u of a motion form
// the cone B(u, u) = 0: several branches cross, and at rest the branch of the motion is not determined.
//
// D'(u) by central differences; B is compared with the whole effect of D'(u). `rows`: of compute_constraint_rows at `state`.
struct SingularPosition {
  std::vector<int> rows;  // of the set: those that depend on each other here only
  std::string names;      // of these, "pin.normal, pin.forward"
};
std::optional<SingularPosition> find_singular_position(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                       const Cholesky& mass_factor, const RowAnalysis& analysis);

// A singular position as a refusal (VN-CONTACT-100): accelerations are not unique there. None elsewhere.
//
// Tangents of contacts that friction holds may coincide at an instant, as those of two wheels straight ahead: they are velocity
// constraints, no branches of positions cross there, and as long as they agree accelerations are unique (theory 7, 1.5). What
// needs the rank nearby, derivatives and series, refuses them too.
enum class CoincidingTangents { refused, allowed };
std::optional<Failure> check_regular_position(const ConstraintSet& set, const State& state, Workspace& workspace,
                                              CoincidingTangents tangents = CoincidingTangents::refused);

}  // namespace vinculum
