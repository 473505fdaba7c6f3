// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/complementarity.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace vinculum {

namespace {

constexpr double kZero = 1e-12;

// w - M z - d z0 = q, one row for each basic variable: the columns of w, of z, of z0, then the right side. d is all ones. The
// columns of w hold the inverse of the basis.
class Tableau {
 public:
  Tableau(std::span<const double> M, std::span<const double> q, std::vector<double>& entries, std::vector<int>& basis)
      : n_(static_cast<int>(q.size())), width_(2 * n_ + 2), entries_(entries), basis_(basis) {
    entries_.assign(static_cast<std::size_t>(n_ * width_), 0.0);
    basis_.resize(q.size());
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
  std::vector<double>& entries_;
  std::vector<int>& basis_;
};

}  // namespace

std::span<double> ComplementaritySolutions::next_z() {
  const std::size_t needed = (count_ + 1) * n_;
  if (z_.size() < needed) z_.resize(needed), w_.resize(needed);
  const auto z = std::span(z_).subspan(count_ * n_, n_);
  std::ranges::fill(z, 0.0);
  return z;
}

void ComplementaritySolutions::find_one(std::span<const double> M, std::span<const double> q) {
  n_ = q.size(), count_ = 0;
  const int n = static_cast<int>(n_);
  assert(M.size() == q.size() * q.size());

  // Units: rows and columns by 1/√M_ii, then q by its largest.
  scale_.assign(n_, 1.0);
  scaled_M_.assign(M.begin(), M.end());
  scaled_q_.assign(q.begin(), q.end());
  for (int i = 0; i < n; ++i) {
    if (M[i * n + i] > 0) scale_[i] = 1 / std::sqrt(M[i * n + i]);
  }
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) scaled_M_[i * n + j] *= scale_[i] * scale_[j];
    scaled_q_[i] *= scale_[i];
    largest = std::max(largest, std::abs(scaled_q_[i]));
  }
  const std::span<double> z = next_z(), w(w_.data(), n_);
  std::ranges::copy(q, w.begin());
  if (std::ranges::all_of(q, [](double value) { return value >= 0; })) {
    count_ = 1;
    return;
  }
  if (!std::isfinite(largest)) return;
  for (double& value : scaled_q_) value /= largest;

  // z0 enters; then always the complement of what has left, until z0 leaves.
  Tableau tableau(scaled_M_, scaled_q_, entries_, basis_);
  int row = tableau.find_first_row(), entering = tableau.artificial();
  for (int pivots = 0;; ++pivots) {
    const int leaving = tableau.basic(row);
    tableau.pivot(row, entering);
    if (leaving == tableau.artificial()) break;
    entering = tableau.complement(leaving);
    row = tableau.find_leaving_row(entering);
    const int kMostPivots = 100 * (n + 1);
    if (row < 0 || pivots > kMostPivots) return;
  }
  std::ranges::fill(w, 0.0);
  for (int i = 0; i < n; ++i) {
    const int variable = tableau.basic(i), k = variable % n;
    const double value = largest * std::max(tableau.value(i), 0.0);
    (variable < n ? w[k] : z[k]) = variable < n ? value / scale_[k] : value * scale_[k];
  }
  count_ = 1;
}

namespace {

constexpr double kNothing = 1e-12;  // of the largest of q, and of a pivot beside its row

ComplementaritySolution solution_of(const ComplementaritySolutions& all, std::size_t k) {
  return {{all.z(k).begin(), all.z(k).end()}, {all.w(k).begin(), all.w(k).end()}};
}

}  // namespace

// z of M z + q = 0 over the indices of `set`, zero elsewhere; false if singular.
bool ComplementaritySolutions::solve_subset(std::span<const double> M, std::span<const double> q, std::uint64_t set,
                                            std::span<double> z) {
  std::array<std::size_t, ComplementarityTree::kMost> index{};
  std::size_t m = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    if (set >> i & 1u) index[m++] = i;
  }
  rows_.resize(std::max(rows_.size(), m * (m + 1)));
  const auto row = [&](std::size_t i) { return std::span(rows_).subspan(i * (m + 1), m + 1); };
  double size = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      row(i)[j] = M[index[i] * n_ + index[j]];
      size = std::max(size, std::abs(row(i)[j]));
    }
    row(i)[m] = -q[index[i]];
  }
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < m; ++i) {
      if (std::abs(row(i)[k]) > std::abs(row(pivot)[k])) pivot = i;
    }
    if (pivot != k) std::ranges::swap_ranges(row(k), row(pivot));
    if (!(std::abs(row(k)[k]) > kNothing * size)) return false;
    for (std::size_t i = k + 1; i < m; ++i) {
      const double factor = row(i)[k] / row(k)[k];
      for (std::size_t j = k; j <= m; ++j) row(i)[j] -= factor * row(k)[j];
    }
  }
  for (std::size_t k = m; k-- > 0;) {
    double value = row(k)[m];
    for (std::size_t j = k + 1; j < m; ++j) value -= row(k)[j] * z[index[j]];
    z[index[k]] = value / row(k)[k];
  }
  return true;
}

void ComplementaritySolutions::offer(std::span<const double> M, std::span<const double> q, std::uint64_t set, double size) {
  const std::span<double> z = next_z();
  if (!solve_subset(M, q, set, z)) return;
  const std::span<double> w = std::span(w_).subspan(count_ * n_, n_);
  std::ranges::copy(q, w.begin());
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) w[i] += M[i * n_ + j] * z[j];
    if (set >> i & 1u) w[i] = 0;
    if (!(w[i] >= -kNothing * size && z[i] >= -kNothing * size)) return;
  }
  // The same solution by another set, where something is zero on both sides.
  for (std::size_t k = 0; k < count_; ++k) {
    bool same = true;
    for (std::size_t i = 0; i < n_ && same; ++i)
      same = !(std::abs(this->z(k)[i] - z[i]) > 1e-9 * size || std::abs(this->w(k)[i] - w[i]) > 1e-9 * size);
    if (same) return;
  }
  ++count_;
}

// Bases of the tree; where a pivot vanishes, all sets below that decision by themselves.
void ComplementaritySolutions::enumerate(std::span<const double> M, std::span<const double> q) {
  n_ = q.size(), count_ = 0;
  assert(n_ <= static_cast<std::size_t>(ComplementarityTree::kMost) && M.size() == n_ * n_);
  double size = 0;
  for (const double value : q) size = std::max(size, std::abs(value));
  tree_.run(M, q);
  for (std::size_t k = 0; k < tree_.leaf_count(); ++k) offer(M, q, tree_.leaf(k).set, size);
  for (const auto& [set, depth] : tree_.open()) {
    const std::size_t below = n_ - static_cast<std::size_t>(depth) - 1;
    for (std::uint64_t rest = 0; rest < std::uint64_t{1} << below; ++rest)
      offer(M, q, set | std::uint64_t{1} << depth | rest << (depth + 1), size);
  }
}

std::optional<ComplementaritySolution> solve_complementarity(std::span<const double> M, std::span<const double> q) {
  ComplementaritySolutions found;
  found.find_one(M, q);
  if (found.count() == 0) return std::nullopt;
  return solution_of(found, 0);
}

std::vector<ComplementaritySolution> enumerate_complementarity(std::span<const double> M, std::span<const double> q) {
  ComplementaritySolutions found;
  found.enumerate(M, q);
  std::vector<ComplementaritySolution> solutions;
  for (std::size_t k = 0; k < found.count(); ++k) solutions.push_back(solution_of(found, k));
  return solutions;
}

}  // namespace vinculum
