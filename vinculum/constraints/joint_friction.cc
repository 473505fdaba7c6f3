// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/joint_friction.h"

#include <algorithm>

#include <fmt/core.h>

namespace vinculum {

const Grip* find_joint_friction(const Model& model) {
  const auto found = std::ranges::find_if(model.grips(), [](const Grip& grip) { return grip.joint >= 0; });
  return found == model.grips().end() ? nullptr : &*found;
}

void choose_joint_slips(const Model& model, std::span<const double> accelerations, State& state) {
  if (find_joint_friction(model) == nullptr) return;
  if (state.modes.empty()) state.modes = model.usual_modes();
  for (const Grip& grip : model.grips()) {
    if (grip.joint < 0) continue;
    const int v = model.bodies()[grip.joint].v;
    const double way = state.v[v] != 0 ? state.v[v] : accelerations[v];
    state.modes[grip.mode] = way > 0 ? Grip::forward : way < 0 ? Grip::backward : Grip::sticks;
  }
}

std::vector<bool> list_held_joints(const Model& model) {
  std::vector<bool> held(model.rows().size(), false);
  for (const Grip& grip : model.grips()) {
    if (grip.joint >= 0) held[grip.rows[0]] = true;
  }
  return held;
}

std::optional<Failure> refuse_joint_friction(const Model& model, std::string_view what) {
  const Grip* const joint = find_joint_friction(model);
  if (joint == nullptr) return std::nullopt;
  return Failure{
      "VN-RUN-175", fmt::format("{} does not take dry friction of joints, and joint '{}' has it", what, joint->name),
      "use `simulate`, `evaluate`, `inverse` or `equilibrium`; or leave the friction out, or write it as a smooth law: "
      "forces: {rub: {joint: NAME, law: \"-2*tanh(NAME'/0.01)\"}}"};
}

}  // namespace vinculum
