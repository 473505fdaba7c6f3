// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/complementarity.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "vinculum/math/complementarity_tree.h"

namespace vinculum {

namespace {

constexpr double kZero = 1e-12;

// w - M z - d z0 = q, one row for each basic variable: the columns of w, of z, of z0, then the right side. d is all ones. The
// columns of w hold the inverse of the basis.
class Tableau {
 public:
  Tableau(std::span<const double> M, std::span<const double> q)
      : n_(static_cast<int>(q.size())), width_(2 * n_ + 2), entries_(n_ * width_), basis_(n_) {
    for (int i = 0; i < n_; ++i) {
      at(i, i) = 1;
      for (int j = 0; j < n_; ++j) at(i, n_ + j) = -M[i * n_ + j];
      at(i, artificial()) = -1;
      at(i, right_side()) = q[i];
      basis_[i] = i;
    }
  }

  int artificial() const { return 2 * n_; }
  int basic(int row) const { return basis_[row]; }
  double value(int row) const { return entries_[row * width_ + right_side()]; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  // The row that leaves first as z0 enters: the lexicographically least of (q, 1).
  int find_first_row() const {
    int least = 0;
    for (int i = 1; i < n_; ++i) {
      if (precedes(i, 1, least, 1)) least = i;
    }
    return least;
  }

  // The row that leaves as a variable enters, or -1 on a ray. z0 leaves as soon as it may.
  int find_leaving_row(int entering) const {
    int least = -1;
    for (int i = 0; i < n_; ++i) {
      const double pivot = at(i, entering);
      if (pivot > kZero && (least < 0 || precedes(i, pivot, least, at(least, entering)))) least = i;
    }
    if (least < 0) return -1;
    const double smallest = value(least) / at(least, entering);
    for (int i = 0; i < n_; ++i) {
      const double pivot = at(i, entering);
      if (basis_[i] == artificial() && pivot > kZero && value(i) / pivot <= smallest + kZero) return i;
    }
    return least;
  }

  void pivot(int row, int entering) {
    const double inverse = 1 / at(row, entering);
    for (int j = 0; j < width_; ++j) at(row, j) *= inverse;
    for (int i = 0; i < n_; ++i) {
      const double factor = i == row ? 0 : at(i, entering);
      for (int j = 0; factor != 0 && j < width_; ++j) at(i, j) -= factor * at(row, j);
    }
    basis_[row] = entering;
  }

 private:
  int right_side() const { return 2 * n_ + 1; }
  double& at(int i, int j) { return entries_[i * width_ + j]; }
  double at(int i, int j) const { return entries_[i * width_ + j]; }

  // Is (right side, inverse of the basis)/pivot lexicographically less in row a than in row b?
  bool precedes(int a, double pivot_a, int b, double pivot_b) const {
    const double first = value(a) / pivot_a - value(b) / pivot_b;
    if (std::abs(first) > kZero) return first < 0;
    for (int j = 0; j < n_; ++j) {
      const double next = at(a, j) / pivot_a - at(b, j) / pivot_b;
      if (std::abs(next) > kZero) return next < 0;
    }
    return false;
  }

  int n_, width_;
  std::vector<double> entries_;
  std::vector<int> basis_;
};

}  // namespace

std::optional<ComplementaritySolution> solve_complementarity(std::span<const double> M, std::span<const double> q) {
  const int n = static_cast<int>(q.size());
  assert(M.size() == q.size() * q.size());

  // Units: rows and columns by 1/√M_ii, then q by its largest.
  std::vector<double> scale(n, 1.0), scaled_M(M.begin(), M.end()), scaled_q(q.begin(), q.end());
  for (int i = 0; i < n; ++i) {
    if (M[i * n + i] > 0) scale[i] = 1 / std::sqrt(M[i * n + i]);
  }
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) scaled_M[i * n + j] *= scale[i] * scale[j];
    scaled_q[i] *= scale[i];
    largest = std::max(largest, std::abs(scaled_q[i]));
  }
  ComplementaritySolution solution{std::vector<double>(n), std::vector<double>(q.begin(), q.end())};
  if (std::all_of(q.begin(), q.end(), [](double value) { return value >= 0; })) return solution;
  if (!std::isfinite(largest)) return std::nullopt;
  for (double& value : scaled_q) value /= largest;

  // z0 enters; then always the complement of what has left, until z0 leaves.
  Tableau tableau(scaled_M, scaled_q);
  int row = tableau.find_first_row(), entering = tableau.artificial();
  for (int pivots = 0;; ++pivots) {
    const int leaving = tableau.basic(row);
    tableau.pivot(row, entering);
    if (leaving == tableau.artificial()) break;
    entering = tableau.complement(leaving);
    row = tableau.find_leaving_row(entering);
    const int kMostPivots = 100 * (n + 1);
    if (row < 0 || pivots > kMostPivots) return std::nullopt;
  }
  std::fill(solution.w.begin(), solution.w.end(), 0.0);
  for (int i = 0; i < n; ++i) {
    const int variable = tableau.basic(i), k = variable % n;
    const double value = largest * std::max(tableau.value(i), 0.0);
    (variable < n ? solution.w[k] : solution.z[k]) = variable < n ? value / scale[k] : value * scale[k];
  }
  return solution;
}

namespace {

constexpr double kNothing = 1e-12;  // of the largest of q, and of a pivot beside its row

// z of M z + q = 0 over the indices of `set`, zero elsewhere; none if singular.
std::optional<std::vector<double>> solve_subset(std::span<const double> M, std::span<const double> q, std::uint64_t set) {
  const std::size_t n = q.size();
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < n; ++i) {
    if (set >> i & 1u) index.push_back(i);
  }
  const std::size_t m = index.size();
  std::vector<std::vector<double>> rows(m, std::vector<double>(m + 1));
  double size = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      rows[i][j] = M[index[i] * n + index[j]];
      size = std::max(size, std::abs(rows[i][j]));
    }
    rows[i][m] = -q[index[i]];
  }
  for (std::size_t k = 0; k < m; ++k) {
    const auto pivot = std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(),
                                        [&](const auto& a, const auto& b) { return std::abs(a[k]) < std::abs(b[k]); });
    std::swap(rows[k], *pivot);
    if (!(std::abs(rows[k][k]) > kNothing * size)) return std::nullopt;
    for (std::size_t i = k + 1; i < m; ++i) {
      const double factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j <= m; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  std::vector<double> z(n, 0.0);
  for (std::size_t k = m; k-- > 0;) {
    double value = rows[k][m];
    for (std::size_t j = k + 1; j < m; ++j) value -= rows[k][j] * z[index[j]];
    z[index[k]] = value / rows[k][k];
  }
  return z;
}

}  // namespace

// Bases of the tree; where a pivot vanishes, all sets below that decision by themselves.
std::vector<ComplementaritySolution> enumerate_complementarity(std::span<const double> M, std::span<const double> q) {
  const std::size_t n = q.size();
  assert(n <= static_cast<std::size_t>(ComplementarityTree::kMost) && M.size() == n * n);
  double size = 0;
  for (double value : q) size = std::max(size, std::abs(value));
  std::vector<ComplementaritySolution> solutions;
  const auto offer = [&](const std::vector<double>& z, std::uint64_t set) {
    ComplementaritySolution found{z, std::vector<double>(q.begin(), q.end())};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) found.w[i] += M[i * n + j] * found.z[j];
      if (set >> i & 1u) found.w[i] = 0;
      if (!(found.w[i] >= -kNothing * size && found.z[i] >= -kNothing * size)) return;
    }
    // The same solution by another set, where something is zero on both sides.
    const auto same = [&](const ComplementaritySolution& other) {
      for (std::size_t i = 0; i < n; ++i) {
        if (std::abs(other.z[i] - found.z[i]) > 1e-9 * size || std::abs(other.w[i] - found.w[i]) > 1e-9 * size) return false;
      }
      return true;
    };
    if (std::none_of(solutions.begin(), solutions.end(), same)) solutions.push_back(std::move(found));
  };
  ComplementarityTree tree;
  tree.run(M, q);
  for (std::size_t k = 0; k < tree.leaf_count(); ++k) {
    const std::uint64_t set = tree.leaf(k).set;
    if (const auto z = solve_subset(M, q, set)) offer(*z, set);
  }
  for (const auto& [set, depth] : tree.open()) {
    const std::size_t below = n - static_cast<std::size_t>(depth) - 1;
    for (std::uint64_t rest = 0; rest < std::uint64_t{1} << below; ++rest) {
      const std::uint64_t all = set | std::uint64_t{1} << depth | rest << (depth + 1);
      if (const auto z = solve_subset(M, q, all)) offer(*z, all);
    }
  }
  return solutions;
}

}  // namespace vinculum
