// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "siconos.h"

#include <vector>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

namespace vinculum::peers {

namespace {

// Its matrices are column by column.
class Problem {
 public:
  Problem(std::span<const double> M, std::span<const double> q) : columns_(M.size()), q_(q.begin(), q.end()) {
    const int n = static_cast<int>(q.size());
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) columns_[static_cast<std::size_t>(j) * n + i] = M[static_cast<std::size_t>(i) * n + j];
    }
    matrix_ = NM_create_from_data(NM_DENSE, n, n, columns_.data());
    problem_ = {n, matrix_, q_.data()};
  }
  ~Problem() {
    matrix_->matrix0 = nullptr;  // is ours
    NM_clear(matrix_);
    free(matrix_);
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  LinearComplementarityProblem* get() { return &problem_; }

 private:
  std::vector<double> columns_, q_;
  NumericsMatrix* matrix_ = nullptr;
  LinearComplementarityProblem problem_{};
};

}  // namespace

int count_siconos_solutions(std::span<const double> M, std::span<const double> q) {
  Problem problem(M, q);
  SolverOptions* options = solver_options_create(SICONOS_LCP_ENUM);
  options->iparam[SICONOS_LCP_IPARAM_ENUM_MULTIPLE_SOLUTIONS] = 1;
  std::vector<double> z(q.size()), w(q.size());
  int info = 0;
  lcp_enum_init(problem.get(), options, 1);
  lcp_enum(problem.get(), z.data(), w.data(), &info, options);
  const int count = options->iparam[SICONOS_LCP_IPARAM_ENUM_NUMBER_OF_SOLUTIONS];
  lcp_enum_reset(problem.get(), options, 1);
  solver_options_delete(options);
  return count;
}

bool solve_siconos_lemke(std::span<const double> M, std::span<const double> q, std::span<double> z, std::span<double> w) {
  Problem problem(M, q);
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  int info = 0;
  lcp_lexicolemke(problem.get(), z.data(), w.data(), &info, options);
  solver_options_delete(options);
  return info == 0;
}

}  // namespace vinculum::peers
