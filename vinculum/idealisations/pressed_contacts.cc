// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/pressed_contacts.h"

#include <algorithm>
#include <limits>

#include "vinculum/constraints/contact_law.h"
#include "vinculum/idealisations/grips.h"
#include "vinculum/idealisations/one_sided_rows.h"

namespace vinculum {

bool has_pressed_contacts(const Model& model) {
  return std::ranges::any_of(model.contacts(), [](const Contact& contact) { return contact.is_pressed_by_law(); });
}

namespace {

Occurrence occurrence(EventKind kind, const Model& model, int contact) {
  return {kind, {ElementKind::contact, contact}, model.contacts()[contact].name};
}

}  // namespace

void tell_pressed(const Model& model, const std::vector<int>& before, const std::vector<int>& after,
                  const Idealisation::Tell& tell) {
  for (int i = 0; i < static_cast<int>(model.contacts().size()); ++i) {
    const Contact& contact = model.contacts()[i];
    if (!contact.is_pressed_by_law() || before[contact.mode] == after[contact.mode]) continue;
    tell(occurrence(after[contact.mode] == 1 ? EventKind::touch_down : EventKind::lift_off, model, i));
  }
}

PressedContacts::PressedContacts(MotionSystem& system, const Model& model) : system_(system), model_(model) {
  for (size_t i = 0; i < model.contacts().size(); ++i) {
    if (model.contacts()[i].is_pressed_by_law()) guarded_.push_back(static_cast<int>(i));
  }
}

void PressedContacts::evaluate_guards(Moment& moment, std::span<double> guards) {
  std::fill(guards.begin(), guards.end(), 1.0);
  const ConstrainedDynamics* dynamics = moment.solution();
  if (dynamics == nullptr) return;
  for (size_t i = 0; i < guarded_.size(); ++i) {
    const Contact& of = contact(static_cast<int>(i));
    const ContactState& at = dynamics->rows.contacts[guarded_[i]];
    if (!parts(static_cast<int>(i)))
      guards[i] = compute_law_force(of.laws.at(ContactAxis::normal), at.gap[0].value_or(0), at.rate[0]);
    else
      guards[i] = (moment.set().is_there(of) ? 1 : -1) * compute_pressing(of, at);
  }
}

void PressedContacts::begin_above_zero(std::span<double> guards) const {
  for (size_t i = 0; i < guarded_.size(); ++i) {
    if (parts(static_cast<int>(i))) guards[i] = std::max(guards[i], std::numeric_limits<double>::min());
  }
}

std::optional<Failure> PressedContacts::begin(State& state, const Tell&) {
  ConstraintSet constraints = system_.constraints();
  if (auto failure = hold_what_presses(constraints, state)) return failure;
  system_.set_modes(constraints.modes);
  state.modes = constraints.modes;
  return std::nullopt;
}

Idealisation::Passed PressedContacts::pass(int guard, double, double t, bool falls, const StateAt&) {
  if (!falls) return {};
  const int of = guarded_[guard];
  if (!parts(guard)) return {occurrence(EventKind::pull, model_, of), {}};
  const bool presses = system_.constraints().is_there(contact(guard));
  return {occurrence(presses ? EventKind::lift_off : EventKind::touch_down, model_, of), t};
}

std::optional<Failure> PressedContacts::decide(int guard, State& state, const Tell& tell) {
  const std::vector<int> before = system_.constraints().modes;
  std::vector<int> modes = before;
  modes[contact(guard).mode] = 1 - modes[contact(guard).mode];
  system_.set_modes(modes);
  // Its other constraints begin or end to hold: what that does to velocities and to other contacts is decided with them.
  if (auto failure = system_.settle(state, kTouching)) return failure;
  tell_pressed(model_, before, state.modes, tell);
  tell_one_sided(model_, before, state.modes, tell);
  tell_grips(model_, before, state.modes, tell);
  return std::nullopt;
}

void PressedContacts::list_events(std::vector<Occurrence>& events) const {
  for (int i = 0; i < guard_count(); ++i) {
    if (!parts(i)) events.push_back(occurrence(EventKind::pull, model_, guarded_[i]));
    for (const EventKind kind : {EventKind::lift_off, EventKind::touch_down}) {
      if (parts(i)) events.push_back(occurrence(kind, model_, guarded_[i]));
    }
  }
}

}  // namespace vinculum
