// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"

namespace vinculum {

// Why a run ends at a state beyond which it has no derivative, if a contact is the reason; none: no contact is.
//
// VN-CONTACT-001: a wheel comes to lie flat, and its point of contact runs round the rim ever faster.
// VN-CONTACT-004: a wheel or a sphere has come to touch at a second point, as in a valley narrower than itself.
std::optional<Failure> find_contact_end(const ConstraintSet& set, const State& state);

// VN-CONTACT-004 with both places, if a contact that touches is as near as `margin` of its radius at another one.
std::optional<Failure> find_second_contact(const Model& model, const Contact& contact, const ContactState& at, double margin,
                                           std::optional<double> since = {});

}  // namespace vinculum
