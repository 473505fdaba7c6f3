// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/contact_switching.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum {

std::vector<int> list_lifting_contacts(const ConstraintSet& constraints) {
  std::vector<int> list;
  for (size_t i = 0; i < constraints.contacts.size(); ++i) {
    if (constraints.contacts[i].can_lift_off()) list.push_back(static_cast<int>(i));
  }
  return list;
}

std::optional<Failure> hold_what_touches(ConstraintSet& set, const State& start) {
  const std::vector<int> lifting = list_lifting_contacts(set);
  std::vector<bool> holding(set.contacts.size(), true);
  for (int contact : lifting) holding[contact] = false;
  set.hold(holding);
  const auto rows = compute_row_values(set, start);
  if (!rows) return rows.failure();
  for (int contact : lifting) {
    const ContactState& at = rows->contacts[contact];
    holding[contact] = *at.gap[0] <= kTouching && at.rate[0] <= kTouching;
  }
  set.hold(holding);
  return std::nullopt;
}

std::string switch_name(const Contact& contact, bool lifts_off, bool unilateral) {
  return (!unilateral ? "pull:" : lifts_off ? "lift-off:" : "touch-down:") + contact.name;
}

ContactSwitching::ContactSwitching(MotionSystem& system, const Model& model, bool unilateral, double tolerance)
    : system_(system),
      model_(model),
      unilateral_(unilateral),
      depth_of_touch_(std::clamp(10 * tolerance, 1e-10, 1e-4)),
      lifting_(list_lifting_contacts(system.constraints())),
      workspace_(model) {}

// What would rise by less does not: it must be more than the depth that a contact may come up from.
double ContactSwitching::least_rise() const { return std::max(kTouching, 10 * depth_of_touch_); }

void ContactSwitching::evaluate(const State& state, std::span<const double> y, const Outcome<ConstrainedDynamics>& dynamics,
                                std::span<double> g) {
  const ConstraintSet& constraints = system_.constraints();
  bool all_determined = true;
  for (size_t k = 0; k < lifting_.size(); ++k) {
    g[k] = 1;
    if (!dynamics) continue;
    const auto row = constraints.find_row(lifting_[k], ContactAxis::normal);
    if (!row) {
      g[k] = *dynamics->rows.contacts[lifting_[k]].gap[0] + depth_of_touch_;
    } else if (dynamics->solution.analysis.determinate[*row]) {
      g[k] = dynamics->solution.multipliers[*row];
      if (g[k] < 0 && unilateral_) g[k] = judge_pull(state, lifting_[k], g[k]);
    } else {
      all_determined = false;
    }
  }
  if (all_determined || !unilateral_) return;

  // A reaction that is not determined tells nothing: there it is the gap's acceleration, on the constraints to round-off.
  corrected_.assign(y.begin(), y.end());
  system_.correct(state.t, corrected_);
  const auto parting = compute_parting_accelerations(constraints, system_.unpack(state.t, corrected_), workspace_);
  for (size_t k = 0; parting && k < lifting_.size(); ++k) {
    const auto row = constraints.find_row(lifting_[k], ContactAxis::normal);
    if (row && !dynamics->solution.analysis.determinate[*row] && (*parting)[lifting_[k]] > 0) g[k] = -(*parting)[lifting_[k]];
  }
}

// A contact whose reaction pulls lets go, unless it would press in at once: then it is its other rows that lift it.
double ContactSwitching::judge_pull(const State& state, int contact, double pull) {
  const Contact& of = system_.constraints().contacts[contact];
  if (of.forbid.size() == 1 && !of.sliding_friction) return pull;
  const auto released = compute_released_acceleration(system_.constraints(), state, contact, workspace_);
  return released && *released < 0 ? -*released : pull;
}

void ContactSwitching::begin_above_zero(std::span<double> g) const {
  for (size_t k = 0; unilateral_ && k < lifting_.size(); ++k) {
    if (system_.holding()[lifting_[k]]) g[k] = std::max(g[k], std::numeric_limits<double>::min());
  }
}

double ContactSwitching::find_touch(int contact, double begin, double down, const std::function<State(double)>& state_at) const {
  double t = down;
  for (int i = 0; i < 6; ++i) {
    const auto rows = compute_row_values(system_.constraints(), state_at(t));
    if (!rows) break;
    const double gap = *rows->contacts[contact].gap[0], rate = rows->contacts[contact].rate[0];
    if ((down - begin) * rate >= 0) return down;
    if (gap >= 0) break;
    t -= gap / rate;
    if ((t - begin) * (down - begin) <= 0) return down;
  }
  return t;
}

std::optional<Failure> ContactSwitching::release(State& state) {
  if (!unilateral_) return std::nullopt;
  ConstraintSet constraints(model_);
  if (auto failure = hold_what_touches(constraints, state)) return failure;
  system_.hold(constraints.holding);
  return system_.settle(state, least_rise());
}

std::optional<Failure> ContactSwitching::switch_contact(int contact, State& state, const std::function<void(int, bool)>& told) {
  std::vector<bool> held = system_.holding();
  const bool lifts_off = held[contact];
  if (!lifts_off) told(contact, false);
  held[contact] = true;
  if (auto failure = system_.settle(state, least_rise(), lifts_off ? contact : -1)) return failure;
  for (size_t k = 0; k < held.size(); ++k) {
    if (held[k] != system_.holding()[k]) told(static_cast<int>(k), held[k]);
  }
  return std::nullopt;
}

}  // namespace vinculum
