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

}  // namespace vinculum
