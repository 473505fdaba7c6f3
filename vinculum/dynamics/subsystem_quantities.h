// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "vinculum/math/matrix3.h"
#include "vinculum/math/symmetric3.h"
#include "vinculum/math/vector3.h"

namespace vinculum {

// A subsystem in terms of the user's bodies. World axes, about the body origin, unless stated otherwise.
struct SubsystemQuantities {
  double mass = 0;                    // [kg]
  Vector3 static_moment_W;            // [kg m]
  Vector3 kinetic_moment_W;           // [kg m²/s]
  std::map<int, Matrix3> tensors_W;   // J_ji by body j [kg m²]
  Vector3 augmented_static_moment_B;  // m_di = s_i + Σ_k m_k a_k, body axes: constant                              (9)
  Symmetric3 augmented_inertia_B;     // J_ri = J_oi + Σ_k m_k R_k*R_k, body axes: constant if no child translates  (15)
};

}  // namespace vinculum
