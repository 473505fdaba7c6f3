// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

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

// Every solution that no neighbourhood shares with another one, by the decision tree
// (complementarity_tree.h): a few nodes per index for weak coupling, 2ⁿ at worst.
std::vector<ComplementaritySolution> enumerate_complementarity(std::span<const double> M, std::span<const double> q);

}  // namespace vinculum
