// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/contact_law.h"

#include <algorithm>
#include <cmath>

#include "vinculum/expression/evaluate_at.h"

namespace vinculum {

namespace {

constexpr double kNoGap = 1e-8;  // [m] a gap up to this is none

const ContactLaw& normal_law(const Contact& contact) { return contact.laws.at(ContactAxis::normal); }

}  // namespace

double compute_law_force(const ContactLaw& law, double gap, double gap_rate) {
  if (!law.only_pushes()) return -law.stiffness * gap - law.viscous * gap_rate;
  const double depth = std::max(-gap, 0.0), rate = -gap_rate;
  if (!law.formula) return law.stiffness * std::pow(depth, law.exponent) * (1 + law.dissipation * rate) + law.viscous * rate;
  BindingsOf<double> bindings;
  bindings.surface_x = depth;
  bindings.surface_y = rate;
  return evaluate_at(*law.formula, bindings);
}

double compute_acting_force(const ContactLaw& law, double gap, double gap_rate) {
  const double force = compute_law_force(law, gap, gap_rate);
  if (!law.only_pushes()) return force;
  return gap > kNoGap || force < 0 ? 0 : force;
}

double compute_law_push(const Contact& contact, const ContactState& at) {
  return std::max(compute_acting_force(normal_law(contact), at.gap[0].value_or(0), at.rate[0]), 0.0);
}

double compute_pressing(const Contact& contact, const ContactState& at) {
  const ContactLaw& law = normal_law(contact);
  const double gap = at.gap[0].value_or(0), unit = law.stiffness > 0 ? law.stiffness : 1;
  return std::min(compute_law_force(law, gap, at.rate[0]), -unit * gap);
}

std::optional<Failure> hold_what_presses(ConstraintSet& set, const State& state) {
  const std::vector<Contact>& contacts = set.model.contacts();
  const auto decided = [&](const Contact& contact) { return contact.is_pressed_by_law() && set.parts(contact); };
  if (std::ranges::none_of(contacts, decided)) return std::nullopt;
  std::vector<int> modes = set.modes;
  for (const Contact& contact : contacts) {
    if (decided(contact)) modes[contact.mode] = 0;
  }
  set.set_modes(modes);
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  for (size_t i = 0; i < contacts.size(); ++i) {
    if (!decided(contacts[i])) continue;
    const ContactState& at = rows->contacts[i];
    const double gap = at.gap[0].value_or(HUGE_VAL), force = compute_law_force(normal_law(contacts[i]), gap, at.rate[0]);
    // One that just touches presses unless it leaves.
    const bool is_down = gap < -kNoGap ? force > 0 : gap <= kNoGap && at.rate[0] <= 0;
    modes[contacts[i].mode] = is_down ? 1 : 0;
  }
  set.set_modes(modes);
  return std::nullopt;
}

}  // namespace vinculum
