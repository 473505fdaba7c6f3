// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"

namespace vinculum {

// The force of a law at a gap and its rate, with its sign: k depth^n (1 + d depth') + c depth', or its formula. Laws that only
// push are taken at depth 0 where the gap is open.
double compute_law_force(const ContactLaw& law, double gap, double gap_rate);

// The same as it acts on a contact that holds: laws that only push do not pull, and do nothing across an open gap.
double compute_acting_force(const ContactLaw& law, double gap, double gap_rate);

// The force with which a contact whose normal is carried by a law presses at a state, not negative.
double compute_law_push(const Contact& contact, const ContactState& at);

// What a normal carried by a law does, as one function of the state: positive while it presses [N], negative while it is apart.
//
//   it presses  where  depth > 0 and F > 0 :     min(F, k depth) > 0
//
// so it falls through zero where the force does, also at depth > 0, and rises through it where the body comes down.
double compute_pressing(const Contact& contact, const ContactState& at);

// Which of the contacts with such a normal press at a state: written into the modes of `set`, for those that part.
std::optional<Failure> hold_what_presses(ConstraintSet& set, const State& state);

}  // namespace vinculum
