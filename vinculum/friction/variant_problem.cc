// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/variant_problem.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>

#include "vinculum/math/complementarity.h"

namespace vinculum {

namespace {

// N of one variant, if its equations can be trusted.
std::optional<Eigen::VectorXd> solve_variant(const VariantProblem& problem, const Faces& faces) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(columns_of(problem, faces));
  if (!(lu.rcond() > kSingular)) return std::nullopt;
  Eigen::VectorXd N = lu.solve(problem.d);
  if (!N.allFinite()) return std::nullopt;
  return N;
}

int sign_of_determinant(const Eigen::MatrixXd& A) {
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(A);
  double sign = static_cast<double>(lu.permutationP().determinant());
  for (Eigen::Index i = 0; i < A.rows(); ++i) sign *= lu.matrixLU()(i, i) > 0 ? 1 : lu.matrixLU()(i, i) < 0 ? -1 : 0;
  return static_cast<int>(sign);
}

bool pushes_everywhere(const Eigen::VectorXd& N, double unit) {
  return N.size() == 0 || N.minCoeff() >= -kUnloaded * largest_reaction(N, unit);
}

}  // namespace

std::optional<Failure> check_sizes(const VariantProblem& problem) {
  const Eigen::Index m = problem.pairs();
  const struct {
    const char* name;
    const Eigen::MatrixXd& matrix;
  } matrices[] = {{"B1", problem.B1}, {"B2", problem.B2}, {"F1", problem.F1}, {"F2", problem.F2}};
  if (m == 0) return Failure{"VN-VARIANT-001", "the problem has no pairs: d is empty", "give d one entry for each pair of faces"};
  for (const auto& [name, matrix] : matrices) {
    if (matrix.rows() != m || matrix.cols() != m)
      return Failure{"VN-VARIANT-001", fmt::format("{} is {} by {}, but d has {} entries", name, matrix.rows(), matrix.cols(), m),
                     "all matrices have one row and one column for each pair of faces"};
    if (!matrix.allFinite()) return Failure{"VN-VARIANT-001", fmt::format("{} has an entry that is not a number", name), ""};
    if (const double most = matrix.cwiseAbs().maxCoeff(); most > kLargestEntry)
      return Failure{"VN-VARIANT-001",
                     fmt::format("{} has an entry of size {:.3g}, beyond what can be computed with", name, most),
                     "scale the equations, or take units that belong to them"};
  }
  if (!problem.d.allFinite()) return Failure{"VN-VARIANT-001", "d has an entry that is not a number", ""};
  return std::nullopt;
}

Eigen::MatrixXd columns_of(const VariantProblem& problem, const Faces& faces, double scale) {
  const Eigen::Index m = problem.pairs();
  Eigen::MatrixXd columns(m, m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const auto& [B, F] = faces[k] == 1 ? std::tie(problem.B1, problem.F1) : std::tie(problem.B2, problem.F2);
    columns.col(k) = B.col(k);
    if (scale != 1) columns.col(k) += (scale - 1) * F.col(k);
  }
  return columns;
}

VariantProblem scale_friction(const VariantProblem& problem, double scale) {
  return {problem.B1 + (scale - 1) * problem.F1,
          problem.B2 + (scale - 1) * problem.F2,
          scale * problem.F1,
          scale * problem.F2,
          problem.d,
          problem.unit};
}

int relative_jacobian_sign(const VariantProblem& problem, const Faces& faces) {
  return sign_of_determinant(columns_of(problem, faces)) * sign_of_determinant(columns_of(problem, faces, 0));
}

Eigen::VectorXd sign_reactions(const Faces& faces, const Eigen::VectorXd& N) {
  Eigen::VectorXd n = N;
  for (Eigen::Index k = 0; k < n.size(); ++k) {
    if (faces[k] == 1) n[k] = -n[k];
  }
  return n;
}

double largest_reaction(const Eigen::VectorXd& N, double unit) {
  return N.size() == 0 ? unit : std::max(unit, N.cwiseAbs().maxCoeff());
}

std::optional<Eigen::VectorXd> try_variant(const VariantProblem& problem, const Faces& faces) {
  auto N = solve_variant(problem, faces);
  if (!N || !pushes_everywhere(*N, problem.unit)) return std::nullopt;
  return N->cwiseMax(0.0).eval();
}

// The Jacobian of Φ is that of the variant which n has by its signs, so its step leads to the n of that variant.
GaussMinimum minimise_gauss_function(const VariantProblem& problem, const Faces& start) {
  const Eigen::Index m = problem.pairs();
  const auto mismatch = [&](const Eigen::VectorXd& n) -> Eigen::VectorXd {
    return problem.B2 * n.cwiseMax(0.0) + problem.B1 * (-n).cwiseMax(0.0) - problem.d;
  };
  Faces faces = start;
  Eigen::VectorXd n = Eigen::VectorXd::Zero(m);
  double Z = problem.d.squaredNorm();
  for (int iteration = 0; iteration < 4 * static_cast<int>(m) + 8; ++iteration) {
    const auto N = solve_variant(problem, faces);
    if (!N) break;
    if (pushes_everywhere(*N, problem.unit)) return {0, QuickVariant{faces, N->cwiseMax(0.0), "Newton"}};
    const Eigen::VectorXd step = sign_reactions(faces, *N) - n;
    bool better = false;
    for (double length = 1; length > 1e-4 && !better; length /= 2) {
      const Eigen::VectorXd next = n + length * step;
      const double Z_next = mismatch(next).squaredNorm();
      better = Z_next < Z;
      if (better) n = next, Z = Z_next;
    }
    if (!better) break;
    for (Eigen::Index k = 0; k < m; ++k) faces[k] = n[k] < 0 ? 1 : 2;
  }
  return {Z, std::nullopt};
}

std::optional<QuickVariant> pivot_by_lemke(const VariantProblem& problem) {
  const Eigen::Index m = problem.pairs();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(problem.B2);
  if (!(lu.rcond() > kSingular)) return std::nullopt;
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M = -lu.solve(problem.B1);
  const Eigen::VectorXd q = lu.solve(problem.d);
  const auto solution =
      solve_complementarity({M.data(), static_cast<std::size_t>(M.size())}, {q.data(), static_cast<std::size_t>(m)});
  if (!solution) return std::nullopt;
  Faces faces(m);
  for (Eigen::Index k = 0; k < m; ++k) faces[k] = solution->z[k] > solution->w[k] ? 1 : 2;
  const auto N = try_variant(problem, faces);
  if (!N) return std::nullopt;
  return QuickVariant{faces, *N, "Lemke"};
}

std::optional<QuickVariant> find_quick_variant(const VariantProblem& problem, const Faces& last) {
  if (!last.empty()) {
    if (const auto N = try_variant(problem, last)) return QuickVariant{last, *N, "warm start"};
  }
  const Faces start = last.empty() ? Faces(problem.pairs(), 2) : last;
  if (auto found = minimise_gauss_function(problem, start).found) return found;
  return pivot_by_lemke(problem);
}

}  // namespace vinculum
