// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Minimise cost · x  subject to  equations x = right ,  0 <= x <= upper (may be infinite). Numbers should be of the order of 1.
struct LinearProgram {
  Eigen::MatrixXd equations;
  Eigen::VectorXd right;
  Eigen::VectorXd upper;
  Eigen::VectorXd cost;      // positive
  bool is_feasible = false;  // known beforehand: no proof of the contrary is looked for
};

// A best x, or the proof that there is none (Farkas): the combination y of the equations with  y·right > y·(equations x)  for
// every x within the bounds.
struct LinearProgramSolution {
  bool feasible = false;
  Eigen::VectorXd x;
  Eigen::VectorXd prices;  // of the equations: no column has  prices·column > cost
  Eigen::VectorXd proof;
};

// By the simplex method of CLP. Failure VN-BALANCE-004 if it gives up.
Outcome<LinearProgramSolution> solve_linear_program(const LinearProgram& program);

}  // namespace vinculum
