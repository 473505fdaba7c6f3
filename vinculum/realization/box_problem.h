// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Eigen/Core>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Which constraints stick and which slip:  x = W R + b ,  R_i in -R^i Sgn(x_i) .                              theory 3, section 7
//
// W is symmetric and positive definite: R is unique, the least of ½ RᵀWR + bᵀR in the box |R_i| <= R^i.
struct BoxSolution {
  Eigen::VectorXd forces, slip_accelerations;
  std::vector<int> modes;  // 0 sticks, +-1 the sign of its slip
};

// Failures VN-REALIZE-005 if W is not symmetric and positive definite, -003 if a bound is not positive.
Outcome<BoxSolution> solve_box_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& b, const Eigen::VectorXd& bounds);

}  // namespace vinculum
