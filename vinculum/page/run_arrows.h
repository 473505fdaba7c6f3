// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/page/report.h"
#include "vinculum/simulation/recorder.h"

namespace vinculum {

// What is given to the bodies of a run, over its samples: arrows of drives (given motions and `joint:` laws, along or about the
// axis of their joint) and of loads (`body:` forces), and the curves of springs. `states` are those of the recorded
// rows, which have the forces of given motions.
void add_given_forces(const Model& model, const std::vector<State>& states, const Recorder& run, Report& report);

}  // namespace vinculum
