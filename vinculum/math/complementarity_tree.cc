// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/complementarity_tree.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vinculum {

namespace {

constexpr double kDead = 1e-6;       // of the largest of q: a constant this negative is no round-off
constexpr double kLeaf = 1e-7;       // of the largest value of a leaf
constexpr double kSame = 1e-10;      // of the largest value: two leaves are one
constexpr double kVanishing = 1e-9;  // of the largest entry of its column
constexpr double kNoMinor = 1e-13;   // of the largest entry of its row: a pivot that is zero
constexpr int kBoundFrom = 14;       // undecided indices
constexpr int kWidth = 4;            // columns are padded to whole registers

// z_d is in: with u = the column of d without its pivot, every column c becomes  c - u c_d/pivot , and c_d becomes -c_d/pivot.
inline void pivot_column(const double* from, const double* u, int d, double inverse, int stride, double* to) {
  const double factor = from[d] * inverse;
  for (int i = 0; i < stride; ++i) to[i] = from[i] - u[i] * factor;
  to[d] = -factor;
}

// Four at a time: one chain of maxima would wait for itself.
inline double largest_of(const double* u, int stride) {
  double most[kWidth] = {};
  for (int i = 0; i < stride; i += kWidth) {
    for (int k = 0; k < kWidth; ++k) most[k] = std::max(most[k], std::abs(u[i + k]));
  }
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

}  // namespace

void ComplementarityTree::run(std::span<const double> M, std::span<const double> q, const Bound& bound) {
  n_ = static_cast<int>(q.size());
  assert(n_ <= kMost && M.size() == q.size() * q.size());
  stride_ = (n_ + kWidth - 1) / kWidth * kWidth;
  // Tables a whole number of pages apart would have the loads of one wait for the stores to the next.
  level_ = static_cast<std::size_t>(n_ + 1) * stride_;
  constexpr std::size_t kPage = 4096 / sizeof(double);
  while (level_ % kPage < kPage / 4 || level_ % kPage > 3 * kPage / 4) level_ += 2 * kWidth;
  const std::size_t size = (static_cast<std::size_t>(n_) + 1) * level_;
  if (tables_.size() < size) tables_.resize(size);
  columns_.resize((static_cast<std::size_t>(n_) + 1) * (n_ + 1));
  sets_.clear(), signs_.clear(), values_.clear(), open_.clear();
  nodes_ = 0;
  bound_ = bound ? &bound : nullptr;

  double scale = 0;
  for (const double value : q) scale = std::max(scale, std::abs(value));
  negative_ = -kDead * scale;
  for (int j = 0; j <= n_; ++j) {
    double* to = column(0, j);
    for (int i = 0; i < n_; ++i) to[i] = j < n_ ? M[static_cast<std::size_t>(i) * n_ + j] : q[i];
    std::fill(to + n_, to + stride_, 0.0);
    columns(0)[j] = to;
  }
  visit(0, 0, 0, 1);
}

// The depth up to which every row with a negative constant has a positive entry among the columns from there on; below the depth
// asked for, there is none already. The columns of a level fall away one by one, so this is found once for all of its nodes.
int ComplementarityTree::find_death(int depth, const double* const* of_level) const {
  const double* const constants = of_level[n_];
  int last = n_;
  for (int i = 0; i < n_; ++i) {
    if (!(constants[i] < negative_)) continue;
    int j = n_ - 1;
    while (j >= depth && !(of_level[j][i] > 0)) --j;
    last = std::min(last, j);
    if (last < depth) break;
  }
  return last;
}

void ComplementarityTree::keep_leaf(const double* constants, std::uint64_t set, int sign) {
  double least = 0, most = 0;
  for (int i = 0; i < n_; ++i) least = std::min(least, constants[i]), most = std::max(most, constants[i]);
  const double nothing = std::max(kLeaf * most, -negative_ * (kLeaf / kDead));
  if (least < -nothing) return;
  bool degenerate = false;
  for (int i = 0; i < n_; ++i) degenerate = degenerate || constants[i] <= nothing;
  for (std::size_t k = 0; degenerate && k < sets_.size(); ++k) {
    const double* const other = values_.data() + k * static_cast<std::size_t>(n_);
    bool same = true;
    for (int i = 0; i < n_ && same; ++i) {
      const bool other_side = ((sets_[k] ^ set) >> i & 1u) != 0;
      same = std::abs(other_side ? constants[i] + other[i] : constants[i] - other[i]) <= kSame * (most + nothing);
    }
    if (!same) continue;
    if (signs_[k] != sign) signs_[k] = 0;
    return;
  }
  signs_.push_back(sign);
  sets_.push_back(set);
  values_.insert(values_.end(), constants, constants + n_);
}

void ComplementarityTree::visit(int depth, int level, std::uint64_t set, int sign) {
  const double* const* const of_level = columns(level);
  const double* const constants = of_level[n_];
  const int death = find_death(depth, of_level);
  for (;; ++depth) {
    ++nodes_;
    if (depth == n_) return keep_leaf(constants, set, sign);
    if (depth > death) return;
    if (bound_ != nullptr && n_ - depth >= kBoundFrom && !(*bound_)({n_, n_ - depth, of_level + depth, constants})) return;

    // In: the pivot, if there is one. Out is the same table without this column.
    const double* const u = of_level[depth];
    if (!(std::abs(u[depth]) > kVanishing * largest_of(u, stride_))) {
      open_.push_back({set, depth});
      continue;
    }
    const double inverse = 1 / u[depth];
    const double** const next = columns(level + 1);
    for (int j = depth + 1; j <= n_; ++j) {
      const double* const from = of_level[j];
      if (from[depth] == 0) {
        next[j] = from;
      } else {
        double* const to = column(level + 1, j);
        pivot_column(from, u, depth, inverse, stride_, to);
        next[j] = to;
      }
    }
    visit(depth + 1, level + 1, set | std::uint64_t{1} << depth, inverse > 0 ? sign : -sign);
  }
}

PositiveMinors check_principal_minors(std::span<const double> M, int n) {
  assert(M.size() == static_cast<std::size_t>(n) * n);
  std::vector<double> tables(static_cast<std::size_t>(n + 1) * n * n);
  std::copy(M.begin(), M.end(), tables.begin());
  PositiveMinors minors;
  std::vector<double> sizes(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) sizes[i] = std::max(sizes[i], std::abs(M[static_cast<std::size_t>(i) * n + j]));
  }
  // Rows and columns from `depth` on: what is left of M when the indices of `set` before are eliminated.
  const auto visit = [&](auto&& self, int depth, double* table, std::uint64_t set) -> void {
    for (; depth < n && minors.all; ++depth) {
      const double pivot = table[depth * n + depth];
      const std::uint64_t in = set | std::uint64_t{1} << depth;
      if (!(pivot > kNoMinor * sizes[depth])) {
        minors = {false, in};
        return;
      }
      double* const next = table + static_cast<std::ptrdiff_t>(n) * n;
      for (int i = depth + 1; i < n; ++i) {
        const double factor = table[i * n + depth] / pivot;
        for (int j = depth + 1; j < n; ++j) next[i * n + j] = table[i * n + j] - factor * table[depth * n + j];
      }
      self(self, depth + 1, next, in);
    }
  };
  visit(visit, 0, tables.data(), 0);
  return minors;
}

}  // namespace vinculum
