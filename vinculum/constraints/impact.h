// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// Settles which contacts hold after one of them has let go or touched down, and the velocities with them.  theory 1, section 8
//
//   A (v⁺ - v⁻) = Dᵀ Λ ,  D v⁺ = F           what touches stays: a plastic impact
//
// Contacts that can lift off only push: those whose impulse, and then whose reaction, would have to pull let go, the worst first.
// `holding` and the rows of `set` are what holds in the end.
std::optional<Failure> settle_contacts(ConstraintSet& set, std::vector<bool>& holding, State& state, Workspace& workspace);

}  // namespace vinculum
