// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/impact_report.h"

namespace vinculum {

// Of RowScales: a body this near to a surface rests on it where it is pressed there, and a speed up to this is none.
inline constexpr double kTouching = 1e-8;
// A gap up to this is none but for round-off. What comes in from up to kClosing is struck at the same instant: a motion is known
// no better. All other gaps are gaps.
inline constexpr double kGapRoundOff = 1e-12, kClosing = 1e-10;

// Rows of one sign (Model::one_sided()) that are followed: they hold at the start if they touch and do not part, and if they are
// as near as kTouching and fall in. So do contacts whose normal is carried by a law (contact_law.h).
std::optional<Failure> hold_what_touches(ConstraintSet& set, const State& start);

// Which one-sided rows are struck at a start: they touch and come nearer, and a state that names its modes has them apart, as the
// last one before an impact has. To start so is no violation of the row.
Outcome<std::vector<bool>> list_struck(const ConstraintSet& set, const State& start);

// What takes part where bodies strike: all that holds, and what is followed and touches.
std::vector<bool> list_touching(const ConstraintSet& set, const ConstraintRows& rows);

// Which one-sided rows (contacts, stops, strings) hold, and at what velocities, when one loses its push or is struck. theory 1,
// section 8
//
//   impact   A (v⁺ - v⁻) = Dᵀ Λ ,   0 ≤ u⁺ - e max(-u⁻, 0)  ⟂  Λ_n ≥ 0 ,  u = D_n v - F_n        Newton's; e = 0: plastic
//            other laws of impact: impact_problem.h
//   forces   A v' = b + D̃ᵀ λ ,      0 ≤ D_n v' - γ_n  ⟂  λ_n ≥ 0
//
// n: the normals of all contacts that touch and can lift off, stops, and strings at their length. The other rows of a contact
// hold as long as it does, and are eliminated; a contact that parts takes them away. So are all that are not followed, if they
// hold. Two cases have no answer of this kind, and get that of unbounded friction:
//
//   - an impact that a contact cannot be kept out of, but that throws it off by its tangential impulse alone: it is thrown off;
//   - a contact that could hold only by pulling and would, let go, press in at once: friction lifts it. It holds, and pulls.
//
// `leaving` (an index into Model::one_sided(), as everywhere here) is the one that has just lost its push (-1: none): it goes
// unless it would press in at once. A contact that would rise by less than `least_rise` (of the length scale) before it falls
// back stays: rocking ever faster comes to an end. In and out: the modes of `set`. Failure VN-CONTACT-017 if no pushes keep the
// bodies apart.
std::optional<Failure> settle_one_sided(ConstraintSet& set, State& state, Workspace& workspace, int leaving = -1,
                                        double least_rise = kTouching, std::vector<ImpactReport>* impacts = nullptr);

// The same of forces alone, at a state whose velocities obey the rows: which of those that hold go on to.
std::optional<Failure> settle_forces(ConstraintSet& set, const State& state, Workspace& workspace, int leaving = -1);

// D_n v' - γ_n of every one-sided row with those that hold pushing and not pulling, as `forces` above: positive where a contact
// parts. Unlike the pushes it is unique, whether or not these are determined.
Outcome<std::vector<double>> compute_parting_accelerations(const ConstraintSet& set, const State& state, Workspace& workspace);

// The same of one if it let go, with all rows of its element, and the others held as they do.
Outcome<double> compute_released_acceleration(const ConstraintSet& set, const State& state, int one_sided, Workspace& workspace);

}  // namespace vinculum
