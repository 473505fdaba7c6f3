// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/self_stress.h"

#include <cmath>

#include "vinculum/math/linear_program.h"

namespace vinculum {

Outcome<bool> has_self_stress(const Eigen::MatrixXd& edges) {
  LinearProgram program;
  const Eigen::Index count = edges.cols();
  if (count == 0) return false;
  program.equations.resize(edges.rows() + 1, count);
  // Each equation in its own unit: forces beside moments, whatever the size of the model.
  constexpr double kNothing = 1e-12;
  const double largest = edges.size() > 0 ? edges.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < edges.rows(); ++i) {
    const double size = edges.row(i).cwiseAbs().maxCoeff();
    program.equations.row(i) = edges.row(i) * (size > kNothing * largest ? 1 / size : 0);
  }
  program.equations.row(edges.rows()).setOnes();
  program.right = Eigen::VectorXd::Unit(edges.rows() + 1, edges.rows());
  program.upper = Eigen::VectorXd::Constant(count, HUGE_VAL);
  program.cost = Eigen::VectorXd::Ones(count);
  const auto solved = solve_linear_program(program);
  if (!solved) return solved.failure();
  return solved->feasible;
}

}  // namespace vinculum
