// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// A gap up to this is no gap.
inline constexpr double kTouching = 1e-8;  // [m]

// Which contacts hold, and at what velocities, at a moment when one loses its push or touches down.        theory 1, section 8
//
//   impact   A (v⁺ - v⁻) = Dᵀ Λ ,   0 ≤ D_n v⁺ - F_n  ⟂  Λ_n ≥ 0          plastic: what is pressed together stays together
//   forces   A v' = b + D̃ᵀ λ ,      0 ≤ D_n v' - γ_n  ⟂  λ_n ≥ 0
//
// n: the normals of all contacts that touch and can lift off. The other rows of a contact hold as long as it does, and are
// eliminated; a contact that parts takes them away. Two cases have no answer of this kind, and get that of unbounded friction:
//
//   - an impact that a contact cannot be kept out of, but that throws it off by its tangential impulse alone: it is thrown off;
//   - a contact that could hold only by pulling and would, let go, press in at once: friction lifts it. It holds, and pulls.
//
// `leaving` is the contact that has just lost its push (-1: none): it goes unless it would press in at once. A contact that would
// rise by less than `least_rise` [m] before it falls back stays: rocking ever faster comes to an end. In and out: `set.holding`.
// Failure VN-CONTACT-017 if no pushes keep the bodies apart.
std::optional<Failure> settle_contacts(ConstraintSet& set, State& state, Workspace& workspace, int leaving = -1,
                                       double least_rise = kTouching);

// D_n v' - γ_n of every contact with those that hold pushing and not pulling, as `forces` above: positive where a contact parts.
// Unlike the pushes it is unique, whether or not these are determined. The other entries are zero.
Outcome<std::vector<double>> compute_parting_accelerations(const ConstraintSet& set, const State& state, Workspace& workspace);

// The same of one contact if it let go of all its rows and the others held as they do.
Outcome<double> compute_released_acceleration(const ConstraintSet& set, const State& state, int contact, Workspace& workspace);

}  // namespace vinculum
