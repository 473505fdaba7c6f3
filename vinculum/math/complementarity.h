// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/math/complementarity_tree.h"

namespace vinculum {

// The linear complementarity problem: z and w with
//
//   w = M z + q ,  w ≥ 0 ,  z ≥ 0 ,  wᵀz = 0
//
// by Lemke's complementary pivots with the lexicographic rule, so that degenerate problems end too. M row by row. Where M is
// symmetric and positive semidefinite, singular or not, a solution is found if there is one, and w is the same for all of them.
// Other matrices: one solution if the pivots lead to it; for a P-matrix they do. None: the pivots end on a ray.
//
// Numbers up to 1e-12 of their row and column, or of the largest of q, count as zero.
struct ComplementaritySolution {
  std::vector<double> z, w;
};
std::optional<ComplementaritySolution> solve_complementarity(std::span<const double> M, std::span<const double> q);

// Both of these in memory that is kept: nothing is allocated from the second problem of a size on.
class ComplementaritySolutions {
 public:
  void find_one(std::span<const double> M, std::span<const double> q);
  void enumerate(std::span<const double> M, std::span<const double> q);

  std::size_t count() const { return count_; }
  std::span<const double> z(std::size_t k) const { return std::span(z_).subspan(k * n_, n_); }
  std::span<const double> w(std::size_t k) const { return std::span(w_).subspan(k * n_, n_); }

 private:
  std::span<double> next_z();  // of the solution after the last, zero; with w = q
  bool solve_subset(std::span<const double> M, std::span<const double> q, std::uint64_t set, std::span<double> z);
  void offer(std::span<const double> M, std::span<const double> q, std::uint64_t set, double size);

  std::size_t n_ = 0, count_ = 0;
  std::vector<double> z_, w_, rows_, scale_, scaled_M_, scaled_q_, entries_;
  std::vector<int> basis_;
  ComplementarityTree tree_;
};

// Every isolated solution: one with a neighbourhood that contains no other. By the decision tree (complementarity_tree.h), which
// has a few nodes per index where the rows of the matrix M are weakly coupled, 2ⁿ at worst.
std::vector<ComplementaritySolution> enumerate_complementarity(std::span<const double> M, std::span<const double> q);

}  // namespace vinculum
