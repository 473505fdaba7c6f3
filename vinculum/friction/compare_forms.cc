// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/compare_forms.h"

#include <algorithm>
#include <limits>

#include <Eigen/LU>

#include "vinculum/math/linear_program.h"

namespace vinculum {

OtherForms compare_forms(const VariantProblem& problem) {
  OtherForms forms;
  const Eigen::Index m = problem.pairs();
  double unit = problem.d.cwiseAbs().maxCoeff();
  if (unit == 0) unit = 1;
  LinearProgram program;
  program.equations.resize(m, 2 * m);
  program.equations << problem.B1, problem.B2;
  program.right = problem.d / unit;
  program.upper = Eigen::VectorXd::Constant(2 * m, std::numeric_limits<double>::infinity());
  program.cost = Eigen::VectorXd::Ones(2 * m);
  const auto solution = solve_linear_program(program);
  forms.program_feasible = solution && solution->feasible;
  if (forms.program_feasible) {
    const Eigen::VectorXd t1 = solution->x.head(m), t2 = solution->x.tail(m);
    constexpr double kLoaded = 1e-9;
    forms.program_is_variant = t1.cwiseMin(t2).maxCoeff() <= kLoaded * std::max(1.0, solution->x.maxCoeff());
    Faces faces(m);
    for (Eigen::Index k = 0; k < m; ++k) faces[k] = t1[k] > t2[k] ? 1 : 2;
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(columns_of(problem, faces).transpose());
    if (forms.program_is_variant && lu.rcond() > kSingular) {
      const Eigen::VectorXd y = lu.solve(Eigen::VectorXd::Ones(m));
      double least = std::numeric_limits<double>::infinity();
      for (Eigen::Index k = 0; k < m; ++k) least = std::min(least, 1 - y.dot((faces[k] == 1 ? problem.B2 : problem.B1).col(k)));
      forms.program_certified = least >= 0;
    }
  }
  forms.least_Z = minimise_gauss_function(problem, Faces(m, 2)).Z;
  forms.lemke_found = pivot_by_lemke(problem).has_value();
  return forms;
}

}  // namespace vinculum
