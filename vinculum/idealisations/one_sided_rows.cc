// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/one_sided_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/constraints/push_round_off.h"
#include "vinculum/decision/impact.h"
#include "vinculum/idealisations/grips.h"

namespace vinculum {

namespace {

constexpr double kSurelyAbove = 1e-3;  // of the scale of a guard, where its multiplier tells nothing

}  // namespace

void tell_one_sided(const Model& model, const std::vector<int>& before, const std::vector<int>& after,
                    const Idealisation::Tell& tell) {
  for (const OneSided& element : model.one_sided()) {
    const int when = model.rows()[element.row].when;
    const bool held = before[element.mode] == when, holds = after[element.mode] == when;
    if (held != holds) tell(held ? element.goes() : element.comes());
  }
}

OneSidedRows::OneSidedRows(MotionSystem& system, const Model& model, Follow follow, double tolerance)
    : system_(system),
      model_(model),
      may_slip_(follow == Follow::frictional),
      depth_of_touch_(depth_of_touch(tolerance)),
      workspace_(model) {
  for (size_t k = 0; k < model.one_sided().size(); ++k) {
    if (follows(static_cast<int>(k)) || model.one_sided()[k].usually_holds) guarded_.push_back(static_cast<int>(k));
  }
}

// What would rise by less does not: it must be more than the depth that a contact may come up from.
double OneSidedRows::least_rise() const { return std::max(kTouching, 10 * depth_of_touch_); }

void OneSidedRows::evaluate_guards(Moment& moment, std::span<double> guards) {
  const ConstraintSet& set = moment.set();
  std::fill(guards.begin(), guards.end(), 1.0);
  const ConstrainedDynamics* dynamics = moment.solution();
  if (dynamics == nullptr) return;
  const std::vector<bool>& determinate = dynamics->solution.analysis.determinate;
  bool all_determined = true;
  for (size_t i = 0; i < guarded_.size(); ++i) {
    const auto row = set.find_row(element(guarded_[i]).row);
    if (!row) {
      const int gap = element(guarded_[i]).row;
      guards[i] = *dynamics->rows.all[gap].gap + depth_of_touch_ * scales_of(model_, gap).position;
    } else if (determinate[*row]) {
      guards[i] = dynamics->solution.multipliers[*row];
      // What touches without a load goes on touching.
      if (guards[i] <= 0 && follows(guarded_[i]) && is_no_push(set, moment.state(), *dynamics, *row, workspace_))
        guards[i] = std::numeric_limits<double>::min();
      if (guards[i] < 0 && follows(guarded_[i])) guards[i] = judge_pull(moment.state(), guarded_[i], guards[i]);
    } else if (dynamics->solution.friction_split > kSplits && !dynamics->forces.coupling.col(*row).isZero(0)) {
      guards[i] = dynamics->solution.multipliers[*row];  // the motion hangs on its share, which does not pull
    } else {
      // Continuous with the case above: which of the two it is may change from look to look.
      guards[i] = std::max(std::abs(dynamics->solution.multipliers[*row]), kSurelyAbove * guard_scale(static_cast<int>(i)));
      all_determined = all_determined && !follows(guarded_[i]);
    }
  }
  if (all_determined) return;

  // A multiplier that is not determined tells nothing: there it is the gap's acceleration, on the constraints to round-off.
  corrected_ = system_.pack(moment.state(), 0);
  if (!system_.leaves_rows_out()) system_.correct(moment.t(), corrected_);
  const auto parting = compute_parting_accelerations(set, system_.unpack(moment.t(), corrected_), workspace_);
  for (size_t i = 0; parting && i < guarded_.size(); ++i) {
    const auto row = set.find_row(element(guarded_[i]).row);
    const double parts = (*parting)[guarded_[i]];
    if (row && follows(guarded_[i]) && !determinate[*row] && parts > 0) guards[i] = -parts;
  }
}

// Of the multiplier, while the row is there; else of the gap.
double OneSidedRows::guard_scale(int guard) const {
  const OneSided& of = element(guarded_[guard]);
  const RowScales scales = scales_of(model_, of.row);
  if (!system_.constraints().find_row(of.row)) return scales.position;
  return model_.scales().force() * model_.scales().length / scales.position;
}

// What pulls lets go, unless it would press in at once: then it is the other rows of its element that lift it.
double OneSidedRows::judge_pull(const State& state, int k, double pull) {
  if (!element(k).others_hang_on_it) return pull;
  const auto released = compute_released_acceleration(system_.constraints(), state, k, workspace_);
  return released && *released < 0 ? -*released : pull;
}

void OneSidedRows::begin_above_zero(std::span<double> guards) const {
  for (size_t i = 0; i < guarded_.size(); ++i) {
    if (follows(guarded_[i]) && system_.constraints().holds(guarded_[i]))
      guards[i] = std::max(guards[i], std::numeric_limits<double>::min());
  }
}

// The time between `begin` and `down` at which what is down has touched: its gap was zero then. Newton's steps back, unless it
// came to be down from rest.
double OneSidedRows::find_touch(int k, double begin, double down, const StateAt& state_at) const {
  double t = down;
  for (int i = 0; i < 6; ++i) {
    const auto rows = compute_row_values(system_.constraints(), state_at(t));
    if (!rows) break;
    const RowAt& at = rows->all[element(k).row];
    if ((down - begin) * at.rate >= 0) return down;
    if (*at.gap >= 0) break;
    t -= *at.gap / at.rate;
    if ((t - begin) * (down - begin) <= 0) return down;
  }
  return t;
}

std::optional<Failure> OneSidedRows::begin(State& state, const Tell& tell) {
  if (!system_.constraints().follows_any()) return std::nullopt;
  ConstraintSet constraints = system_.constraints();
  if (auto failure = hold_what_touches(constraints, state)) return failure;
  const auto struck = list_struck(constraints, state);
  if (!struck) return struck.failure();
  system_.set_modes(constraints.modes);
  const auto rows = compute_row_values(constraints, state);
  if (!rows) return rows.failure();
  if (auto failure = system_.settle(state, least_rise())) return failure;
  for (int k = 0; k < static_cast<int>(model_.one_sided().size()); ++k) {
    if (!(*struck)[static_cast<size_t>(k)] || !system_.has_struck(element(k).row)) continue;
    tell(element(k).comes());
    if (!system_.constraints().holds(k)) tell(element(k).goes());
  }
  // What touches and is not struck, and parts all the same: it would have to pull.
  for (int k = 0; k < static_cast<int>(model_.one_sided().size()); ++k) {
    const bool is_struck = rows->all[element(k).row].rate < -kTouching * scales_of(model_, element(k).row).velocity;
    if (constraints.holds(k) && !is_struck && !system_.constraints().holds(k)) tell(element(k).goes());
  }
  return std::nullopt;
}

Idealisation::Passed OneSidedRows::pass(int guard, double begin, double t, bool falls, const StateAt& state_at) {
  if (!falls) return {};
  const int k = guarded_[guard];
  if (!follows(k)) return {Occurrence{EventKind::pull, element(k).element, element(k).name}, {}};
  const bool holds = system_.constraints().holds(k);
  return {holds ? element(k).goes() : element(k).comes(), holds ? t : find_touch(k, begin, t, state_at)};
}

std::optional<Failure> OneSidedRows::decide(int guard, State& state, const Tell& tell) {
  const int k = guarded_[guard];
  std::vector<bool> held = system_.constraints().holding();
  const bool parts = held[k];
  const std::vector<int> before = system_.constraints().modes;
  if (!parts) tell(element(k).comes());
  held[k] = true;
  if (auto failure = system_.settle(state, least_rise(), parts ? k : -1)) return failure;
  const std::vector<bool> holding = system_.constraints().holding();
  for (size_t i = 0; i < held.size(); ++i) {
    const OneSided& other = element(static_cast<int>(i));
    if (held[i] != holding[i]) tell(held[i] ? other.goes() : other.comes());
    if (held[i] || holding[i] || !system_.has_struck(other.row)) continue;
    tell(other.comes());  // it came and went with the first
    tell(other.goes());
  }
  if (may_slip_) tell_grips(model_, before, state.modes, tell);
  return std::nullopt;
}

void OneSidedRows::list_events(std::vector<Occurrence>& events) const {
  for (const int k : guarded_) {
    if (!follows(k)) events.push_back({EventKind::pull, element(k).element, element(k).name});
    if (follows(k)) events.insert(events.end(), {element(k).goes(), element(k).comes()});
  }
}

}  // namespace vinculum
