// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/enumerate_variants.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>

#include "vinculum/decision/choice_tree.h"
#include "vinculum/math/linear_program.h"

namespace vinculum {

namespace {

// Above this many pairs linear programs help, once the tree has grown: weakly coupled problems never need them.
constexpr Eigen::Index kPairsWithoutPrograms = 20;
constexpr std::uint64_t kNodesWithoutPrograms = 1u << 15;
constexpr double kRegularBase = 1e-10;  // 1/cond(B2)

void add_solution(const Faces& faces, const Eigen::VectorXd& N, int sign, double unit, VariantEnumeration& result) {
  const double nothing = kUnloaded * largest_reaction(N, unit);
  RealisedVariant solution{faces, sign_reactions(faces, N), sign};
  for (Eigen::Index k = 0; k < N.size(); ++k) {
    if (std::abs(N[k]) <= nothing) solution.faces[k] = 0, solution.signed_reactions[k] = 0;
  }
  for (RealisedVariant& other : result.solutions) {
    const double same = kSameReactions * largest_reaction(other.signed_reactions, unit);
    if ((other.signed_reactions - solution.signed_reactions).cwiseAbs().maxCoeff() > same) continue;
    if (other.jacobian_sign != sign) other.jacobian_sign = 0;
    return;
  }
  result.solutions.push_back(std::move(solution));
}

bool is_singular(const VariantProblem& problem, const Faces& faces) {
  return !(columns_of(problem, faces).partialPivLu().rcond() > kSingular);
}

// All variants whose first faces are `fixed`, by columns eliminated with tests of rank.
void enumerate_by_columns(const VariantProblem& problem, const Faces& fixed, VariantEnumeration& result) {
  const Eigen::Index m = problem.pairs();
  ChoiceProblem choices{problem.d, {}};
  for (Eigen::Index k = 0; k < m; ++k) {
    auto both = loaded_face(-problem.B1.col(k), -problem.B2.col(k));
    if (k < static_cast<Eigen::Index>(fixed.size())) both = {both[fixed[k] - 1]};
    choices.items.push_back(std::move(both));
  }
  const auto faces_of = [&](const ModeChoice& choice) {
    Faces faces = fixed;
    for (std::size_t k = fixed.size(); k < choice.chosen.size(); ++k) faces.push_back(choice.chosen[k] + 1);
    return faces;
  };
  const auto reactions_of = [&](const Faces& faces, const ModeChoice& choice) {
    Eigen::VectorXd N(m);
    for (Eigen::Index k = 0; k < m; ++k) N[k] = choice.unknowns[k][0];
    return sign_reactions(faces, N);
  };
  const Choices found = enumerate_choices(choices);
  result.nodes += found.nodes;
  result.skipped += found.singular;
  for (const ModeChoice& choice : found.found) {
    const Faces faces = faces_of(choice);
    if (const auto N = try_variant(problem, faces)) {
      add_solution(faces, *N, relative_jacobian_sign(problem, faces), problem.unit, result);
    } else if (is_singular(problem, faces)) {
      ++result.skipped;
      result.families.push_back({faces, reactions_of(faces, choice)});
    }
  }
  for (const ModeChoice& family : found.families) {
    const Faces faces = faces_of(family);
    result.families.push_back({faces, reactions_of(faces, family)});
  }
}

// Is there z ≥ 0 with all values of the table ≥ 0? Only a combination of the rows that proves it says no:  y ≥ 0 , yᵀ(entries) ≤
// 0 and yᵀ(constants) < 0 , to eight digits, so that whatever the simplex method takes for a proof is seen to be one.
bool may_be_met(const ComplementarityTree::Table& table) {
  LinearProgram program;
  program.equations = Eigen::MatrixXd::Zero(table.rows, table.columns + table.rows);
  program.right.resize(table.rows);
  for (int i = 0; i < table.rows; ++i) {
    double size = std::abs(table.constants[i]);
    for (int j = 0; j < table.columns; ++j) size = std::max(size, std::abs(table.entries[j][i]));
    if (size == 0) size = 1;
    for (int j = 0; j < table.columns; ++j) program.equations(i, j) = table.entries[j][i] / size;
    program.equations(i, table.columns + i) = -1;
    program.right[i] = -table.constants[i] / size;
  }
  program.upper = Eigen::VectorXd::Constant(program.equations.cols(), std::numeric_limits<double>::infinity());
  program.cost = Eigen::VectorXd::Ones(program.equations.cols());
  const auto solution = solve_linear_program(program);
  if (!solution || solution->feasible) return true;
  constexpr double kProven = 1e-8;
  const Eigen::VectorXd y = solution->proof.cwiseMax(0.0);
  const double against = y.dot(program.right), most = (y.transpose() * program.equations.leftCols(table.columns)).maxCoeff();
  return !(most <= kProven * against && against > kProven * y.maxCoeff());
}

}  // namespace

Outcome<VariantEnumeration> enumerate_variants(const VariantProblem& problem, VariantWorkspace& workspace,
                                               const AskStop& ask_stop) {
  const Eigen::Index m = problem.pairs();
  if (auto failure = check_sizes(problem)) return *failure;
  if (m > ComplementarityTree::kMost)
    return Failure{"VN-VARIANT-002", fmt::format("{} pairs of faces are more than {}", m, ComplementarityTree::kMost),
                   "leave out guides whose loaded faces are not in question"};
  VariantEnumeration result;

  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(problem.B2);
  if (!(lu.rcond() > kRegularBase)) {
    enumerate_by_columns(problem, {}, result);
    return result;
  }
  workspace.M.resize(static_cast<std::size_t>(m) * m);
  workspace.q.resize(m);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor>(workspace.M.data(), m, m) = -lu.solve(problem.B1);
  Eigen::Map<Eigen::VectorXd>(workspace.q.data(), m) = lu.solve(problem.d);

  bool stopped = false;
  std::uint64_t asked = 0;
  ComplementarityTree& tree = workspace.tree;
  const ComplementarityTree::Bound bound = [&](const ComplementarityTree::Table& table) {
    stopped = stopped || (++asked % 16 == 0 && is_stopped(ask_stop));
    if (stopped) return false;
    if (m <= kPairsWithoutPrograms || tree.nodes() < kNodesWithoutPrograms) return true;
    result.bounded_by_programs = true;
    return may_be_met(table);
  };
  const bool needs_bound = ask_stop || m > kPairsWithoutPrograms;
  tree.run(workspace.M, workspace.q, needs_bound ? bound : ComplementarityTree::Bound{});
  if (stopped) return stopped_failure();
  result.nodes = tree.nodes();

  Faces faces(m);
  for (std::size_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    const auto [set, sign, values] = tree.leaf(leaf);
    for (Eigen::Index k = 0; k < m; ++k) faces[k] = (set >> k & 1u) != 0 ? 1 : 2;
    // A basis that passed all pivots and is singular still: its rank decides.
    if (is_singular(problem, faces)) {
      enumerate_by_columns(problem, faces, result);
    } else if (const auto N = try_variant(problem, faces)) {
      add_solution(faces, *N, sign == 0 ? 0 : relative_jacobian_sign(problem, faces), problem.unit, result);
    }
  }
  for (const auto& [set, depth] : tree.open()) {
    Faces fixed(depth + 1);
    for (int k = 0; k <= depth; ++k) fixed[k] = k == depth || (set >> k & 1u) != 0 ? 1 : 2;
    enumerate_by_columns(problem, fixed, result);
  }
  return result;
}

Outcome<VariantEnumeration> enumerate_variants(const VariantProblem& problem) {
  VariantWorkspace workspace;
  return enumerate_variants(problem, workspace);
}

}  // namespace vinculum
