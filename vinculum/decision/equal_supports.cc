// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/equal_supports.h"

#include <algorithm>

#include "vinculum/constraints/least_forces.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr double kRedundant = 1e-10;      // a singular value of W_n, beside the largest: as ranks of rows
constexpr double kRoundOffOfPush = 1e-9;  // of a normal, beside the largest, and of a rate that would press in

using Indices = std::vector<int>;

// Rows that press: one-sided ones, and those that friction takes its bound from.
Indices list_normals(const std::vector<GripBlock>& blocks) {
  Indices normals;
  for (const GripBlock& block : blocks) {
    if (block.kind == GripBlock::Kind::pushes) normals.push_back(block.rows[0]);
    if (block.normal >= 0) normals.push_back(block.normal);
  }
  std::ranges::sort(normals);
  normals.erase(std::unique(normals.begin(), normals.end()), normals.end());
  return normals;
}

Eigen::MatrixXd find_range(const Eigen::MatrixXd& Wn) {
  const SingularValues parts = find_singular_values((Wn + Wn.transpose()) / 2);
  Eigen::Index rank = 0;
  while (rank < parts.values.size() && parts.values[rank] > kRedundant * parts.values[0]) ++rank;
  return parts.U.leftCols(rank);
}

// The problem in y and the rows that are no normals; E leads back: R = E R'.
struct Reduced {
  Eigen::MatrixXd E;
  std::vector<GripBlock> blocks;
};

Reduced reduce(Eigen::Index size, const Indices& normals, const Indices& loaded, const Eigen::MatrixXd& U,
               const std::vector<GripBlock>& blocks) {
  const auto place_in = [](const Indices& list, int row) {
    const auto found = std::ranges::find(list, row);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  };
  Indices others;
  for (int row = 0; row < size; ++row) {
    if (place_in(normals, row) < 0) others.push_back(row);
  }
  const int first = static_cast<int>(others.size());
  Reduced reduced{Eigen::MatrixXd::Zero(size, first + U.cols()), {}};
  for (int j = 0; j < first; ++j) reduced.E(others[j], j) = 1;
  for (size_t i = 0; i < loaded.size(); ++i) reduced.E.row(loaded[i]).tail(U.cols()) = U.row(static_cast<Eigen::Index>(i));
  for (GripBlock block : blocks) {
    if (place_in(normals, block.rows[0]) >= 0) continue;
    for (int& row : block.rows) row = place_in(others, row);
    if (const int i = block.normal < 0 ? -1 : place_in(loaded, block.normal); i >= 0) {
      for (int j = 0; j < U.cols(); ++j) block.shares.push_back({first + j, U(i, j)});
    } else if (block.normal >= 0) {
      block.friction = 0;  // unloaded
    }
    block.normal = -1;
    reduced.blocks.push_back(block);
  }
  for (int j = 0; j < U.cols(); ++j) reduced.blocks.push_back({GripBlock::Kind::held, {first + j}, 0, 0, -1});
  return reduced;
}

// mu |x| of each loaded normal, of what slips: the part across the range of U, beside the whole.
double compute_split(const Indices& loaded, const Eigen::MatrixXd& U, const std::vector<GripBlock>& blocks,
                     const Eigen::VectorXd& x) {
  Eigen::VectorXd rubs = Eigen::VectorXd::Zero(U.rows());
  for (const GripBlock& block : blocks) {
    const auto found = std::ranges::find(loaded, block.normal);
    if (block.normal >= 0 && found != loaded.end()) rubs[found - loaded.begin()] += block.friction * x(block.rows).norm();
  }
  return rubs.isZero(0) ? 0 : (rubs - U * (U.transpose() * rubs)).norm() / rubs.norm();
}

}  // namespace

std::optional<OnEqualSupports> solve_on_equal_supports(const Eigen::MatrixXd& W, const Eigen::MatrixXd& F,
                                                       const Eigen::VectorXd& b, const std::vector<GripBlock>& blocks) {
  const Indices normals = list_normals(blocks);
  const Eigen::MatrixXd without_friction = W - F;
  // What a normal carries that no joint feels nobody knows.
  if (std::ranges::any_of(normals, [&](int row) { return !(without_friction(row, row) > 0); })) return std::nullopt;
  Indices loaded = normals;
  bool is_redundant = false;
  while (!loaded.empty()) {
    const Eigen::MatrixXd U = find_range(without_friction(loaded, loaded));
    is_redundant = is_redundant || U.cols() < static_cast<Eigen::Index>(loaded.size());
    if (!is_redundant) return std::nullopt;
    const Reduced reduced = reduce(b.size(), normals, loaded, U, blocks);
    const auto found = solve_with_least_forces(reduced.E.transpose() * W * reduced.E, reduced.E.transpose() * b, reduced.blocks);
    if (!found) return std::nullopt;
    OnEqualSupports answer;
    GripSolution& solution = answer.solution;
    solution.R = reduced.E * found->R;
    solution.x = W * solution.R + b;
    const double size = solution.R(normals).lpNorm<Eigen::Infinity>();
    const auto weakest = std::ranges::min_element(loaded, {}, [&](int row) { return solution.R[row]; });
    if (solution.R[*weakest] < -kRoundOffOfPush * size) {
      loaded.erase(weakest);
      continue;
    }
    const double rate = b.lpNorm<Eigen::Infinity>();
    for (const int row : normals) {
      const bool is_loaded = std::ranges::find(loaded, row) != loaded.end();
      if (solution.x[row] < -kRoundOffOfPush * rate || (is_loaded && solution.x[row] > kRoundOffOfPush * rate))
        return std::nullopt;
    }
    answer.split = compute_split(loaded, U, blocks, solution.x);
    return answer;
  }
  return std::nullopt;
}

}  // namespace vinculum
