// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// The dynamics with rows by the forms that are written for reading: A and h of the form, the rows (of the aggregate form from its
// structural matrix), and the joint reactions by the form's own inverse problem, with what the rows do as given forces.
Outcome<ConstrainedDynamics> compute_constrained_vector_dynamics(const ConstraintSet& set, const State& state,
                                                                 ConstraintRows rows, Workspace& workspace);
Outcome<ConstrainedDynamics> compute_constrained_aggregate_dynamics(const ConstraintSet& set, const State& state,
                                                                    ConstraintRows rows, Workspace& workspace);

}  // namespace vinculum
