// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/model/model.h"

namespace vinculum {

// The values of Model::outputs().quantities that follow from the motion alone: accelerations, points, forces of laws and springs.
// Those of constraints and of other outputs are left as they are. Without v' nothing that depends on it is computed. Nothing is
// allocated from the second call on.
void compute_motion_quantities(const Model& model, const State& state, std::span<const double> accelerations,
                               Workspace& workspace, std::span<double> values);

}  // namespace vinculum
