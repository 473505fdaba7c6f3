// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/math/spatial.h"
#include "vinculum/model/model.h"

namespace vinculum {

// Where an environment body E is and how it moves at a time, world axes.
template <class Scalar>
struct EnvironmentMotionOf {
  Matrix3Of<Scalar> R_WE;
  Vector3Of<Scalar> p_WE;
  TwistOf<Scalar> velocity;  // of its origin; angular
  TwistOf<Scalar> acceleration;
};

using EnvironmentMotion = EnvironmentMotionOf<double>;

// From the exact derivatives of its laws:  R = R0 R1(a1) R2(a2) ..,  each turn adds a' u to w and a'' u + w × a' u to w', u its
// axis as turned so far.
EnvironmentMotion compute_environment_motion(const EnvironmentBody& body, double t, std::vector<double>& scratch);

}  // namespace vinculum
