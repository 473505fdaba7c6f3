// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "vinculum/model/model.h"

namespace vinculum {

// The `Grip` of the first joint with friction; null if there is none.
const Grip* find_joint_friction(const Model& model);

// Friction constraints of joints, by Row::index: without them (ConstraintSet::leave_out), joints move as if frictionless.
std::vector<bool> list_held_joints(const Model& model);

// Which of them slip in a motion that is given, and which way, written into the modes of the state: by the velocity, and where
// that is zero by the acceleration.
void choose_joint_slips(const Model& model, std::span<const double> accelerations, State& state);

// For what takes no such model: failure VN-RUN-175, with `what` as its subject.
std::optional<Failure> refuse_joint_friction(const Model& model, std::string_view what);

}  // namespace vinculum
