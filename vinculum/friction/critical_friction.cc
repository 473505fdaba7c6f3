// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/critical_friction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>

#include <fmt/core.h>
#include <Eigen/LU>

#include "vinculum/math/complementarity_tree.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr Eigen::Index kMostComplete = 20;  // pairs: 2^20 pivots
constexpr double kDependentPairs = 1e-12;
constexpr double kRealRoot = 1e-7;

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// xᵀMx > 0 for all x, after the rows got a diagonal of ones: then all principal minors are positive.
bool has_positive_part(const RowMajorMatrix& M) {
  if (!(M.diagonal().minCoeff() > 0)) return false;
  const Eigen::MatrixXd scaled = M.diagonal().cwiseInverse().asDiagonal() * M;
  const Cholesky cholesky(0.5 * (scaled + scaled.transpose()));
  if (!cholesky.is_positive()) return false;
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    if (!(cholesky.pivot(i) > kDependentPairs)) return false;
  }
  return true;
}

Faces faces_of(std::uint64_t set, Eigen::Index m) {
  Faces faces(m, 2);
  for (Eigen::Index k = 0; k < m; ++k) {
    if ((set >> k & 1u) != 0) faces[k] = 1;
  }
  return faces;
}

std::string to_text(const Faces& faces) {
  std::string text;
  for (const int face : faces) text += fmt::format("{}{}", text.empty() ? "(" : ", ", face);
  return text + ")";
}

Failure dependent_failure(const VariantProblem& problem, const Faces& faces, const std::vector<std::string>& names) {
  const PivotedQr qr = factorize_columns(columns_of(problem, faces, 0), kDependentPairs);
  std::string who;
  for (std::size_t k = qr.rank; k < qr.order.size(); ++k) who += (who.empty() ? "'" : ", '") + names[qr.order[k]] + "'";
  return {"VN-VARIANT-004",
          fmt::format("without friction the faces {} are statically indeterminate: the reaction of pair {} is not unique",
                      to_text(faces), who.empty() ? "'" + names.back() + "'" : who),
          "move the pair so that it removes another motion, or remove it, or model its compliance by a contact with `laws`"};
}

// Pairs that feel each other, directly or through others: a load on one accelerates the other along its normal.
std::vector<std::vector<Eigen::Index>> list_connected(const VariantProblem& problem) {
  const Eigen::Index m = problem.pairs();
  std::vector<std::vector<Eigen::Index>> blocks;
  std::vector<bool> taken(static_cast<std::size_t>(m), false);
  for (Eigen::Index first = 0; first < m; ++first) {
    if (taken[static_cast<std::size_t>(first)]) continue;
    std::vector<Eigen::Index> block{first};
    taken[static_cast<std::size_t>(first)] = true;
    for (std::size_t next = 0; next < block.size(); ++next) {
      const Eigen::Index i = block[next];
      for (Eigen::Index j = 0; j < m; ++j) {
        if (taken[static_cast<std::size_t>(j)]) continue;
        const auto couples = [&](const Eigen::MatrixXd& matrix) { return matrix(i, j) != 0 || matrix(j, i) != 0; };
        if (!couples(problem.B1) && !couples(problem.B2) && !couples(problem.F1) && !couples(problem.F2)) continue;
        block.push_back(j);
        taken[static_cast<std::size_t>(j)] = true;
      }
    }
    std::sort(block.begin(), block.end());
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

PairingCheck check_pairing(const VariantProblem& problem, const std::vector<std::string>& names) {
  const Eigen::Index m = problem.pairs();
  const Faces second(m, 2);
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(columns_of(problem, second, 0));
  if (!(lu.rcond() > kDependentPairs)) return {dependent_failure(problem, second, names)};
  const RowMajorMatrix M = -lu.solve(columns_of(problem, Faces(m, 1), 0));
  if (has_positive_part(M)) return {};
  if (m > kMostComplete) return {std::nullopt, true};
  const PositiveMinors minors = check_principal_minors({M.data(), static_cast<std::size_t>(M.size())}, static_cast<int>(m));
  if (minors.all) return {};
  if (!M.allFinite() || minors.set == 0)
    return {Failure{"VN-VARIANT-040", "the entries for the pairs differ too much in size: their determinants are not finite",
                    "bring the entries of the problem, or the points of the faces, to sizes that belong together"}};
  // The last index made it so; without it the minor is still positive.
  const int last = 63 - std::countl_zero(minors.set);
  const Faces one = faces_of(minors.set, m), other = faces_of(minors.set & ~(std::uint64_t{1} << last), m);
  if (!(columns_of(problem, one, 0).partialPivLu().rcond() > kDependentPairs)) return {dependent_failure(problem, one, names)};
  return {
      Failure{"VN-VARIANT-003",
              fmt::format("without friction variants {} and {} have determinants of opposite sign: pair '{}' overlaps another",
                          to_text(other), to_text(one), names[last]),
              "pair each face with the one opposite to it"}};
}

std::optional<bool> is_unique_for_all_loads(const VariantProblem& problem) {
  const Eigen::Index m = problem.pairs();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(problem.B2);
  if (!(lu.rcond() > kSingular)) return false;
  const RowMajorMatrix M = -lu.solve(problem.B1);
  if (has_positive_part(M)) return true;
  if (m > kMostComplete) return std::nullopt;
  return check_principal_minors({M.data(), static_cast<std::size_t>(M.size())}, static_cast<int>(m)).all;
}

Outcome<CriticalFriction> find_critical_friction(const VariantProblem& problem, const AskStop& ask_stop, Eigen::Index most) {
  const Eigen::Index m = problem.pairs();
  if (const auto blocks = list_connected(problem); blocks.size() > 1) {
    CriticalFriction least;
    for (const std::vector<Eigen::Index>& block : blocks) {
      const VariantProblem part{problem.B1(block, block), problem.B2(block, block), problem.F1(block, block),
                                problem.F2(block, block), problem.d(block),         problem.unit};
      const auto of_part = find_critical_friction(part, ask_stop, most);
      if (!of_part) return of_part.failure();
      if (!of_part->scale || (least.scale && *least.scale <= *of_part->scale)) continue;
      least.scale = of_part->scale;
      least.faces.assign(static_cast<std::size_t>(m), 2);
      for (std::size_t i = 0; i < block.size(); ++i) least.faces[static_cast<std::size_t>(block[i])] = of_part->faces[i];
    }
    return least;
  }
  if (m > most)
    return Failure{"VN-VARIANT-006",
                   fmt::format("the critical friction of {} connected pairs needs 2^{} eigenvalue problems", m, m),
                   fmt::format("it is computed up to {} pairs", most)};
  // Round-off makes of a zero that stands there three times, as of stages that slide in each other, eigenvalues of the size of
  // its cube root.
  constexpr double kNoEigenvalue = 1e-5;  // beside the norm
  CriticalFriction critical;
  double largest = 0;  // 1/s
  for (std::uint64_t set = 0; set < std::uint64_t{1} << m; ++set) {
    if (set % 64 == 0 && is_stopped(ask_stop)) return stopped_failure();
    const Faces faces = faces_of(set, m);
    const Eigen::MatrixXd B0 = columns_of(problem, faces, 0), F = columns_of(problem, faces, 1) - B0;
    // det(B0 + s F) = 0 where 1/s is an eigenvalue of -B0⁻¹F; none is larger than its norms.
    const Eigen::MatrixXd C = -B0.partialPivLu().solve(F);
    const double norm = std::min(C.cwiseAbs().rowwise().sum().maxCoeff(), C.cwiseAbs().colwise().sum().maxCoeff());
    if (!(norm > largest)) continue;
    for (const std::complex<double>& value : find_eigenvalues(C).values) {
      const bool real = std::abs(value.imag()) <= kRealRoot * std::abs(value);
      if (!real || value.real() <= largest || value.real() <= kNoEigenvalue * norm) continue;
      largest = value.real();
      critical.scale = 1 / largest;
      critical.faces = faces;
    }
  }
  return critical;
}

}  // namespace vinculum
