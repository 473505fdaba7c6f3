// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// Is the multiplier of a constraint of the set no more than round-off of what it is solved from? With m = 1/(D_i A⁻¹ D_iᵀ) and
// its own terms, each without its sign:                                                                  theory 8, section 2.4
//
//   |lambda_i| ≤ 256 eps m (|D_i| |v'| + |gamma_i| + Σ_j |D_i| |A⁻¹D_jᵀ lambda_j|)
//
// A contact that carries nothing has such a push at every moment, of either sign: it stays in touch.
bool is_no_push(const ConstraintSet& set, const State& state, const ConstrainedDynamics& dynamics, int row, Workspace& workspace);

}  // namespace vinculum
