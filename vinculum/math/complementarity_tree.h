// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace vinculum {

// Every complementary basis of  w = M z + q ,  w ≥ 0 ,  z ≥ 0 ,  wᵀz = 0  by a decision tree (theory 5, 4.8). For each
// index, either z_d = 0 (its column is removed) or w_d = 0 (one pivot, its column is removed). The remainder is a table
//
//   value_i = constant_i + Σ_{undecided j} entry_ij z_j ,   z_j ≥ 0 ,
//
// and a matrix row with a negative constant and no positive entry cannot be satisfied: no solution exists below that node.
// Weakly coupled problems end after a few nodes per contact. A pivot leaves most of their columns unchanged, and these are
// not copied. All solutions, or the proof that there is none, cost microseconds. A path has at most n pivots, so round-off
// does not grow with the number of bases. Nothing is allocated once the tree has seen a problem of that size.
class ComplementarityTree {
 public:
  static constexpr int kMost = 62;  // indices

  // A basis that may be a solution. Bit i of `set` is 1 if z_i is in it; `values` has z_i, or w_i otherwise; `sign` is that
  // of the principal minor of `set`. Constants down to -1e-7 of the largest pass: the caller confirms with its own tolerance.
  // Of bases with the same values, where something is zero on both sides, the first is kept; sign 0 if theirs differ.
  struct Leaf {
    std::uint64_t set = 0;
    int sign = 1;
    const double* values = nullptr;
  };
  // All bases whose first `depth` decisions are `set`, and whose next one, w_depth = 0, has a vanishing pivot: not decided here.
  struct Open {
    std::uint64_t set = 0;
    int depth = 0;
  };

  // Can the table below a node be met at all? Asked, if given, where at least `bound_from` indices are undecided. A linear
  // program can answer.
  struct Table {
    int rows = 0, columns = 0;
    const double* const* entries = nullptr;  // the columns of undecided indices
    const double* constants = nullptr;
  };
  using Bound = std::function<bool(const Table&)>;

  // M row by row, n by n.
  void run(std::span<const double> M, std::span<const double> q, const Bound& bound = {});

  std::size_t leaf_count() const { return sets_.size(); }
  Leaf leaf(std::size_t k) const { return {sets_[k], signs_[k], values_.data() + k * static_cast<std::size_t>(n_)}; }
  const std::vector<Open>& open() const { return open_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  double* column(int level, int j) {
    return tables_.data() + static_cast<std::size_t>(level) * level_ + static_cast<std::size_t>(j) * stride_;
  }
  // The columns of a level, the constants last: its own, or those of a level above where its pivot left them as they were.
  const double** columns(int level) { return columns_.data() + static_cast<std::size_t>(level) * (n_ + 1); }
  int find_death(int depth, const double* const* of_level) const;
  void visit(int depth, int level, std::uint64_t set, int sign);
  void keep_leaf(const double* constants, std::uint64_t set, int sign);

  int n_ = 0, stride_ = 0;
  std::size_t level_ = 0;  // doubles a table
  double negative_ = 0;    // constants below are negative beyond round-off
  const Bound* bound_ = nullptr;
  std::uint64_t nodes_ = 0;
  // One table a pivot on the path: columns 0 .. n-1, then the constants.
  std::vector<double> tables_;
  std::vector<const double*> columns_;
  std::vector<std::uint64_t> sets_;
  std::vector<int> signs_;
  std::vector<double> values_;
  std::vector<Open> open_;
};

// Are all principal minors of M positive (a P-matrix: exactly one solution for every q)? By the same tree: a minor is the product
// of the pivots on its path. If not, `set` is an index set whose minor is not positive. Cost 2ⁿ.
struct PositiveMinors {
  bool all = true;
  std::uint64_t set = 0;
};
PositiveMinors check_principal_minors(std::span<const double> M, int n);

}  // namespace vinculum
