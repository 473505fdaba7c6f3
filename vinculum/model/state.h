// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/model/model.h"

namespace vinculum {

// Brings the quaternions of a start state to unit length: with a warning where one is off by more than 1e-9, untouched where it
// is within round-off. A quaternion without length is an error.
void normalize_quaternions(const Model& model, State& state, Diagnostics& diagnostics);

// Index of the first of the four components of a link's quaternion in q, or -1.
int quaternion_index(const Link& link);

}  // namespace vinculum
