// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/expression/expression.h"

namespace vinculum {

// One equation of a velocity constraint, linear in the velocities (theory 3, section 1): the slip, left minus right, with its
// exact derivatives.
//
//   s(t, q, v) = Σ d_k(q, t) v_k - F(q, t) = 0 ;   s' = Σ d_k v_k' - gamma ,   -gamma = ∂s/∂t + Σ ∂s/∂q_j q_j'
struct VelocityEquation {
  struct Term {
    int index = 0;
    Expression factor;
  };

  int constraint = 0;  // index into description().velocity_constraints
  Expression slip;
  Expression given;                 // F
  std::vector<Term> by_velocity;    // d_k
  std::vector<Term> by_coordinate;  // ∂s/∂q_j
  Expression by_time;
};

VelocityEquation compile_equation(int constraint, const Expression& slip);

}  // namespace vinculum
