// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/model/description.h"

namespace vinculum {

// Masses, inertias and joint axes that no body can have (theory 2, section 10).
void check_bodies(const std::vector<BodyDescription>& bodies, Diagnostics& diagnostics);

// False for a tensor that check_bodies calls an error unless the body accepts it.
bool is_possible_inertia(const Symmetric3& inertia);

// The tensor that a rigid body can have and that differs least from this one, by the sum of the squares of all nine entries.
Symmetric3 nearest_possible_inertia(const Symmetric3& inertia);

// A direction needs a length. False, with a diagnostic, if it has none or is not finite.
bool check_axis(const Located<Vector3>& axis, const std::string& element, Diagnostics& diagnostics);

}  // namespace vinculum
