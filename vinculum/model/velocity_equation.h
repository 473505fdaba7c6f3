// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/expression/expression.h"

namespace vinculum {

// One equation of a velocity constraint, or of a joint that friction holds, linear in the velocities (theory 3, section 1): the
// slip, left minus right, with its exact derivatives.
//
//   s(t, q, v) = Σ d_k(q, t) v_k - F(q, t) = 0 ;   s' = Σ d_k v_k' - gamma ,   -gamma = ∂s/∂t + Σ ∂s/∂q_j q_j'
struct VelocityEquation {
  struct Term {
    int index = 0;
    Expression factor;
  };

  int constraint = 0;  // index into description().velocity_constraints, or -1:
  int joint = -1;      // the friction of this body's joint holds its velocity, v = 0
  Expression slip;
  Expression given;                 // F
  std::vector<Term> by_velocity;    // d_k
  std::vector<Term> by_coordinate;  // ∂s/∂q_j
  Expression by_time;
};

VelocityEquation compile_equation(int constraint, const Expression& slip);
VelocityEquation hold_joint(int body, int velocity, const std::string& name);

}  // namespace vinculum
