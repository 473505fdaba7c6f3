// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"

namespace vinculum {

// Which joints with friction stick, or slip and which way, at a state, written into its modes: by their velocity, and, with
// `by_forces`, where that is zero by the forces (settle_frictional.h). Contacts hold as they do. A state that the rows forbid is
// left to who tells so.
std::optional<Failure> settle_joint_friction(const Model& model, State& state, bool by_forces);

}  // namespace vinculum
