// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/linear_program.h"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <coin/Clp_C_Interface.h>

#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr double kFeasible = 1e-9, kDependent = 1e-12;
constexpr double kNoEntry = 1e-13;  // of the largest: the simplex method's scaling goes astray on round-off

struct SimplexResult {
  int status = 0;  // 0: optimal
  double value = 0;
  Eigen::VectorXd x, prices;
};

SimplexResult run_simplex(const Eigen::MatrixXd& columns, const Eigen::VectorXd& right, const Eigen::VectorXd& upper,
                          const Eigen::VectorXd& cost) {
  const int rows = static_cast<int>(columns.rows()), count = static_cast<int>(columns.cols());
  const double nothing = columns.size() > 0 ? kNoEntry * columns.cwiseAbs().maxCoeff() : 0;
  std::vector<CoinBigIndex> start{0};
  std::vector<int> index;
  std::vector<double> value;
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (std::abs(columns(i, j)) <= nothing) continue;
      index.push_back(i);
      value.push_back(columns(i, j));
    }
    start.push_back(static_cast<CoinBigIndex>(index.size()));
  }
  const std::unique_ptr<Clp_Simplex, void (*)(Clp_Simplex*)> simplex(Clp_newModel(), Clp_deleteModel);
  Clp_setLogLevel(simplex.get(), 0);
  Clp_setPrimalTolerance(simplex.get(), kFeasible);
  Clp_loadProblem(simplex.get(), count, rows, start.data(), index.data(), value.data(), nullptr, upper.data(), cost.data(),
                  right.data(), right.data());
  Clp_primal(simplex.get(), 0);
  SimplexResult result;
  result.status = Clp_status(simplex.get());
  result.value = Clp_objectiveValue(simplex.get());
  result.x = Eigen::Map<const Eigen::VectorXd>(Clp_primalColumnSolution(simplex.get()), count);
  result.prices = Eigen::Map<const Eigen::VectorXd>(Clp_dualRowSolution(simplex.get()), rows);
  return result;
}

// The corner found, to round-off: the unknowns that are at no bound from the equations.
Eigen::VectorXd sharpen(const LinearProgram& program, Eigen::VectorXd x) {
  std::vector<Eigen::Index> inner;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    if (x[j] <= kFeasible)
      x[j] = 0;
    else if (x[j] >= program.upper[j] - kFeasible)
      x[j] = program.upper[j];
    else
      inner.push_back(j);
  }
  if (inner.empty()) return x;
  const Eigen::MatrixXd columns = program.equations(Eigen::all, inner);
  const Eigen::VectorXd correction = solve_least_squares(columns, program.right - program.equations * x, kDependent).x;
  for (size_t k = 0; k < inner.size(); ++k) x[inner[k]] += correction[static_cast<Eigen::Index>(k)];
  return x;
}

Failure no_answer() {
  return {"VN-BALANCE-004", "the linear program of the design has no answer to be trusted",
          "check sites and bounds: numbers of very different size make it so"};
}

}  // namespace

Outcome<LinearProgramSolution> solve_linear_program(const LinearProgram& program) {
  const Eigen::Index rows = program.equations.rows(), count = program.equations.cols();
  LinearProgramSolution solution;

  // First how much of the equations must be left open: min Σ (p + n) ,  equations x + p - n = right.
  Eigen::MatrixXd columns(rows, count + 2 * rows);
  columns << program.equations, Eigen::MatrixXd::Identity(rows, rows), -Eigen::MatrixXd::Identity(rows, rows);
  Eigen::VectorXd upper(columns.cols()), cost(columns.cols());
  upper << program.upper, Eigen::VectorXd::Constant(2 * rows, std::numeric_limits<double>::infinity());
  cost << Eigen::VectorXd::Zero(count), Eigen::VectorXd::Ones(2 * rows);
  constexpr double kClosed = 1e-8;
  if (!program.is_feasible) {
    const SimplexResult open = run_simplex(columns, program.right, upper, cost);
    if (open.status != 0) return no_answer();
    if (open.value > kClosed) {
      solution.proof = open.prices;
      return solution;
    }
  }

  // Then the cheapest that leaves no more open than round-off.
  upper.tail(2 * rows).setConstant(2 * kClosed);
  cost << program.cost, Eigen::VectorXd::Ones(2 * rows) * (1 + program.cost.sum());
  const SimplexResult cheapest = run_simplex(columns, program.right, upper, cost);
  if (cheapest.status != 0) return no_answer();
  solution.feasible = true;
  solution.prices = cheapest.prices;
  solution.x = sharpen(program, cheapest.x.head(count));
  return solution;
}

}  // namespace vinculum
