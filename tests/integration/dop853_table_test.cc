// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/integration/dop853_table.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace vinculum::dop853 {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

using Weights = std::array<double, kStages + 1>;

Weights to_weights(std::span<const Term> terms) {
  Weights weights{};
  for (const Term& term : terms) weights[term.stage] = term.weight;
  return weights;
}

// The rows a_i, k13 being f(t1, y1).
std::array<Weights, kStages + 1> rows() {
  return {Weights{},
          Weights{},
          to_weights(kStage2),
          to_weights(kStage3),
          to_weights(kStage4),
          to_weights(kStage5),
          to_weights(kStage6),
          to_weights(kStage7),
          to_weights(kStage8),
          to_weights(kStage9),
          to_weights(kStage10),
          to_weights(kStage11),
          to_weights(kStage12),
          to_weights(kSolution),
          to_weights(kStage14),
          to_weights(kStage15),
          to_weights(kStage16)};
}

// A rooted tree with what the order conditions need: Σ b_i Φ_i = 1/γ makes the terms of the tree agree (section II.2 of the
// book).
struct Tree {
  int order = 1;
  double gamma = 1;
  Weights phi{};  // Φ_i = Π over the branches of Σ_j a_ij Φ_j
};

// All trees up to the order: a tree is a root with a multiset of smaller trees, taken in non-ascending number.
std::vector<Tree> all_trees(int largest_order) {
  const auto a = rows();
  std::vector<Tree> trees;
  Tree root;
  root.phi.fill(1);
  for (int order = 1; order <= largest_order; ++order) {
    std::vector<Tree> found;
    const auto grow = [&](auto&& self, const Tree& tree, std::size_t last) -> void {
      if (tree.order == order) {
        found.push_back(tree);
        found.back().gamma *= order;
        return;
      }
      for (std::size_t branch = 0; branch <= last && branch < trees.size(); ++branch) {
        if (tree.order + trees[branch].order > order) continue;
        Tree grown = tree;
        grown.order += trees[branch].order;
        grown.gamma *= trees[branch].gamma;
        for (int i = 1; i <= kStages; ++i) {
          double sum = 0;
          for (int j = 1; j <= kStages; ++j) sum += a[i][j] * trees[branch].phi[j];
          grown.phi[i] *= sum;
        }
        self(self, grown, branch);
      }
    };
    grow(grow, root, trees.size());
    trees.insert(trees.end(), found.begin(), found.end());
  }
  return trees;
}

double tree_sum(const Weights& b, const Weights& phi) {
  double sum = 0;
  for (int i = 1; i <= kStages; ++i) sum += b[i] * phi[i];
  return sum;
}

double absolute_sum(const Weights& b) {
  double sum = 0;
  for (int i = 1; i <= kStages; ++i) sum += std::abs(b[i]);
  return sum;
}

// What rounding one row of the scheme and one sum over its stages can do: no Φ_j exceeds 1, and Σ|a_ij| < 100 in every row.
double round_off(const Weights& b) { return 100 * kEpsilon * absolute_sum(b); }

// Together these tests are sharp: a relative change of 1e-10 in any one coefficient of the table breaks at least one of them.

// 1, 1, 2, 4, 9, 20, 48, 115 trees of order 1..8 (Cayley).
TEST(Dop853Table, TreesAreCounted) {
  std::array<int, 9> count{};
  for (const Tree& tree : all_trees(8)) ++count[tree.order];
  EXPECT_EQ(count, (std::array<int, 9>{0, 1, 1, 2, 4, 9, 20, 48, 115}));
}

TEST(Dop853Table, NodesAreRowSums) {
  const auto a = rows();
  const Weights ones = all_trees(1)[0].phi;
  for (int i = 1; i <= kStages; ++i) EXPECT_NEAR(tree_sum(a[i], ones), kNode[i], kEpsilon * absolute_sum(a[i])) << "stage " << i;
  EXPECT_NEAR(kNode[2], (12 - 2 * std::sqrt(6)) / 135, kEpsilon);
  EXPECT_NEAR(kNode[3], (6 - std::sqrt(6)) / 45, kEpsilon);
  EXPECT_NEAR(kNode[4], (6 - std::sqrt(6)) / 30, kEpsilon);
  EXPECT_NEAR(kNode[5], (6 + std::sqrt(6)) / 30, kEpsilon);
}

// Σ b_i c_i^(q-1) = 1/q, the conditions of the bushy trees, here to the last digits.
TEST(Dop853Table, QuadratureToOrderEight) {
  const Weights b = to_weights(kSolution);
  for (int q = 1; q <= 8; ++q) {
    double sum = 0, size = 0;
    for (int i = 1; i <= kStages; ++i) {
      sum += b[i] * std::pow(kNode[i], q - 1);
      size += std::abs(b[i]) * std::pow(kNode[i], q - 1);
    }
    EXPECT_NEAR(sum, 1.0 / q, 4 * kEpsilon * size) << "order " << q;
  }
}

TEST(Dop853Table, SolutionHasOrderEight) {
  const Weights b = to_weights(kSolution);
  for (const Tree& tree : all_trees(8)) {
    EXPECT_NEAR(tree_sum(b, tree.phi), 1 / tree.gamma, round_off(b)) << "order " << tree.order;
  }
}

// The errors vanish for all trees up to their order, and do not for one of the next.
TEST(Dop853Table, EstimatesHaveOrdersFiveAndThree) {
  Weights error3 = to_weights(kSolution);
  for (const Term& term : kThirdOrder) error3[term.stage] -= term.weight;
  const Weights error5 = to_weights(kError5);
  double beyond3 = 0, beyond5 = 0;
  for (const Tree& tree : all_trees(6)) {
    const double defect3 = std::abs(tree_sum(error3, tree.phi)), defect5 = std::abs(tree_sum(error5, tree.phi));
    if (tree.order <= 3) {
      EXPECT_LE(defect3, round_off(error3)) << "order " << tree.order;
    }
    if (tree.order <= 5) {
      EXPECT_LE(defect5, round_off(error5)) << "order " << tree.order;
    }
    if (tree.order == 4) beyond3 = std::max(beyond3, defect3);
    if (tree.order == 6) beyond5 = std::max(beyond5, defect5);
  }
  EXPECT_GT(beyond3, 1e-4);
  EXPECT_GT(beyond5, 1e-5);
}

// Σ b_i(s) Φ_i = s^order / γ for all trees up to order 7 and every s.
TEST(Dop853Table, ContinuousSolutionHasOrderSeven) {
  const Weights b = to_weights(kSolution);
  const Weights d4 = to_weights(kDense4), d5 = to_weights(kDense5), d6 = to_weights(kDense6), d7 = to_weights(kDense7);
  const auto trees = all_trees(8);
  for (const double s : {0.1, 0.3, 0.5, 0.77, 0.95}) {
    const double r = 1 - s;
    Weights at{};
    for (int i = 1; i <= kStages; ++i) {
      const double first = i == 1, last = i == 13;
      const double p1 = b[i], p2 = first - p1, p3 = p1 - last - p2;
      at[i] = s * (p1 + r * (p2 + s * (p3 + r * (d4[i] + s * (d5[i] + r * (d6[i] + s * d7[i]))))));
    }
    double beyond = 0;
    for (const Tree& tree : trees) {
      const double defect = std::abs(tree_sum(at, tree.phi) - std::pow(s, tree.order) / tree.gamma);
      if (tree.order <= 7) {
        EXPECT_LE(defect, round_off(at)) << "order " << tree.order << " at " << s;
      } else {
        beyond = std::max(beyond, defect);
      }
    }
    EXPECT_GT(beyond, 1e-8) << s;
  }
}

}  // namespace
}  // namespace vinculum::dop853
