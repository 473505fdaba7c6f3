// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/math/spatial.h"
#include "vinculum/model/model.h"

namespace vinculum {

// Where an environment body E is and how it moves at a time, world axes.
struct EnvironmentMotion {
  Matrix3 R_WE = kIdentity3;
  Vector3 p_WE;
  Twist velocity;  // of its origin; angular
  Twist acceleration;
};

// From the exact derivatives of its laws:  R = R0 R1(a1) R2(a2) ..,  each turn adds a' u to w and a'' u + w × a' u to w', u its
// axis as turned so far.
EnvironmentMotion compute_environment_motion(const EnvironmentBody& body, double t, std::vector<double>& scratch);

}  // namespace vinculum
