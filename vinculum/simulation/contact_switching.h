// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/simulation/motion_system.h"

namespace vinculum {

std::vector<int> list_lifting_contacts(const ConstraintSet& constraints);

// Contacts that can lift off hold at the start if they touch and do not part.
std::optional<Failure> hold_what_touches(ConstraintSet& set, const State& start);

// "lift-off:foot", "touch-down:foot"; where contacts hold whatever happens the first is "pull:foot".
std::string switch_name(const Contact& contact, bool lifts_off, bool unilateral);

// The contacts of a run that can lift off. Each has a function of the motion that falls through zero at its event: the normal
// reaction of a contact that holds, the gap of one that does not. Unilateral contacts let go and touch down there; others are
// only told of, for they begin to pull.
class ContactSwitching {
 public:
  ContactSwitching(MotionSystem& system, const Model& model, bool unilateral, double tolerance);

  int count() const { return static_cast<int>(lifting_.size()); }
  int contact(int k) const { return lifting_[k]; }
  bool is_unilateral() const { return unilateral_; }

  // The functions at a state and its solution, if it has one, in the order of the contacts.
  void evaluate(const State& state, std::span<const double> y, const Outcome<ConstrainedDynamics>& dynamics, std::span<double> g);

  // A contact that has been decided to hold pushes, if by nothing: a reaction that begins at round-off below zero has yet to
  // fall.
  void begin_above_zero(std::span<double> g) const;

  // The time between `begin` and `down` at which a contact that is down has touched: its gap was zero then. Newton's steps back,
  // unless it came to be down from rest.
  double find_touch(int contact, double begin, double down, const std::function<State(double)>& state_at) const;

  // Contacts that do not touch, or would have to pull, let go before the first step.
  std::optional<Failure> release(State& state);

  // A contact loses its push or touches down, and all are decided anew: changes the velocities where bodies strike. told(contact,
  // lifts_off) for each that switches.
  std::optional<Failure> switch_contact(int contact, State& state, const std::function<void(int, bool)>& told);

 private:
  double judge_pull(const State& state, int contact, double pull);
  double least_rise() const;

  MotionSystem& system_;
  const Model& model_;
  bool unilateral_;
  // A body is down when it is this far below the surface [m]: less may be an error of one that has just lifted off, and rises
  // with the third power of time.
  double depth_of_touch_;
  std::vector<int> lifting_;
  Workspace workspace_;
  std::vector<double> corrected_;  // scratch
};

}  // namespace vinculum
