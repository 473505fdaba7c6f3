// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/taut_strings.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/decision/impact.h"

namespace vinculum {

std::optional<Failure> find_taut_strings(const Model& model, State& state, bool by_forces) {
  ConstraintSet set(model, state);
  set.follow(false);
  const bool parts = std::ranges::any_of(model.contacts(), [&](const Contact& contact) { return set.parts(contact); });
  if (model.strings().empty() && !parts) return std::nullopt;
  if (state.modes.empty()) state.modes = model.usual_modes();
  const std::vector<bool> said = set.holding();
  if (auto failure = hold_what_touches(set, state)) return failure;
  std::vector<bool> holding = set.holding();
  for (size_t k = 0; k < holding.size(); ++k) holding[k] = holding[k] && said[k];
  set.hold(holding);
  state.modes = set.modes;
  if (!by_forces || check_state(model, state, 1e-8)) return std::nullopt;
  Workspace workspace(model);
  if (!settle_forces(set, state, workspace)) state.modes = set.modes;
  return std::nullopt;
}

std::optional<Failure> check_tensions(const ConstraintSet& set, const Eigen::VectorXd& multipliers) {
  constexpr double kOfTheLargest = 1e-9;  // round-off of a multiplier
  const double size = multipliers.size() == 0 ? 0 : multipliers.lpNorm<Eigen::Infinity>();
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const double tension = multipliers[static_cast<Eigen::Index>(i)];
    if (set.rows[i].from<StringRow>() == nullptr || tension >= -kOfTheLargest * size) continue;
    return Failure{"VN-STRING-011", fmt::format("{} would have to push: tension {:.4g} N", set.rows[i].element, tension),
                   "a string only pulls; take it out, or start where it hangs below what holds it"};
  }
  return std::nullopt;
}

}  // namespace vinculum
