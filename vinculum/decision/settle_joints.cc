// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/settle_joints.h"

#include "vinculum/constraints/joint_friction.h"
#include "vinculum/decision/settle_frictional.h"

namespace vinculum {

namespace {

constexpr double kStillJoint = 1e-9;  // of the velocity scale of a row

}  // namespace

std::optional<Failure> settle_joint_friction(const Model& model, State& state, bool by_forces) {
  if (find_joint_friction(model) == nullptr) return std::nullopt;
  ConstraintSet set(model, state);
  set.follow(false, false);
  if (auto failure = let_slip_what_slips(set, state, kStillJoint)) return failure;
  if (state.modes.empty()) state.modes = model.usual_modes();
  for (const Grip& grip : model.grips()) {
    if (grip.joint >= 0) state.modes[grip.mode] = set.modes[grip.mode];
  }
  if (!by_forces || check_state(model, state, 1e-8)) return std::nullopt;
  FrictionalChange change;
  change.still = kStillJoint;
  Workspace workspace(model);
  ChoiceRecord record;
  State settled = state;
  if (auto failure = settle_frictional(set, settled, change, workspace, record)) return failure;
  for (const Grip& grip : model.grips()) {
    if (grip.joint >= 0) state.modes[grip.mode] = set.modes[grip.mode];
  }
  return std::nullopt;
}

}  // namespace vinculum
