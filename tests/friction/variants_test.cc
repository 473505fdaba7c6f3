// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "variant_problems.h"
#include "vinculum/friction/compare_forms.h"
#include "vinculum/friction/critical_friction.h"
#include "vinculum/friction/find_variants.h"

namespace vinculum {
namespace {

using test::bar_clamp;
using test::three_variants;
using test::w2_prism;

Variants variants_of(const VariantProblem& problem) {
  const auto variants = find_variants(problem, number_pairs(problem.pairs()));
  EXPECT_TRUE(variants) << (variants ? "" : variants.failure().message);
  return variants ? *variants : Variants{};
}

void expect_reactions(const Eigen::VectorXd& n, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(n.size(), static_cast<Eigen::Index>(expected.size()));
  for (Eigen::Index k = 0; k < n.size(); ++k) EXPECT_NEAR(n[k], expected[k], tolerance) << "pair " << k + 1;
}

double critical_scale(const VariantProblem& problem) {
  const auto critical = find_critical_friction(problem);
  return critical && critical->scale ? *critical->scale : std::numeric_limits<double>::infinity();
}

// Theory 5, W2: one variant whatever the load; a moment lifts the front to the other face.
TEST(Variants, Prism) {
  const auto down = variants_of(w2_prism(3).problem());
  EXPECT_EQ(down.verdict, VariantVerdict::unique);
  ASSERT_EQ(down.solutions().size(), 1u);
  EXPECT_EQ(down.solutions()[0].faces, (Faces{2, 2}));
  expect_reactions(down.solutions()[0].signed_reactions, {11.264171779141105, 8.355828220858896}, 2e-14);
  EXPECT_NEAR(w2_prism(3).acceleration({2, 2}, down.solutions()[0].signed_reactions, 2, 10), 2.411312883435583, 2e-14);
  EXPECT_EQ(down.solutions()[0].jacobian_sign, 1);
  EXPECT_EQ(down.chosen, 0);

  const auto lifted = variants_of(w2_prism(15).problem());
  ASSERT_EQ(lifted.solutions().size(), 1u);
  EXPECT_EQ(lifted.solutions()[0].faces, (Faces{2, 1}));
  expect_reactions(lifted.solutions()[0].signed_reactions, {25.112063492063490, -5.492063492063491}, 4e-14);
  EXPECT_NEAR(w2_prism(15).acceleration({2, 1}, lifted.solutions()[0].signed_reactions, 2, 10), 1.802285714285714, 4e-14);
  EXPECT_NEAR(critical_scale(w2_prism(3).problem()), 15.818181818181815, 2e-13);
  EXPECT_EQ(is_unique_for_all_loads(w2_prism(3).problem()), true);
}

// Theory 5, W3: f_crit = L/(2 b0) = 0.2.
TEST(Variants, BarClampMovesJamsAndHasTwo) {
  const auto moves = variants_of(bar_clamp(0.1, 1).problem());
  EXPECT_EQ(moves.verdict, VariantVerdict::unique);
  expect_reactions(moves.solutions()[0].signed_reactions, {10.5, -9.5}, 2e-14);
  EXPECT_NEAR(critical_scale(bar_clamp(0.1, 1).problem()), 2, 1e-14);

  const auto jams = variants_of(bar_clamp(0.25, 1).problem());
  EXPECT_EQ(jams.verdict, VariantVerdict::none);
  EXPECT_EQ(jams.path.reason, FrictionPath::Reason::jam);
  EXPECT_NEAR(jams.path.end, 0.8, 1e-14);
  EXPECT_EQ(is_unique_for_all_loads(bar_clamp(0.25, 1).problem()), false);

  const auto two = variants_of(bar_clamp(0.25, -1).problem());
  EXPECT_EQ(two.verdict, VariantVerdict::several);
  ASSERT_EQ(two.solutions().size(), 2u);
  ASSERT_TRUE(two.chosen);
  const RealisedVariant& chosen = two.solutions()[*two.chosen];
  const RealisedVariant& other = two.solutions()[1 - *two.chosen];
  EXPECT_EQ(chosen.faces, (Faces{1, 2}));
  expect_reactions(chosen.signed_reactions, {-1.722222222222222, 2.722222222222222}, 4e-15);
  EXPECT_NEAR(bar_clamp(0.25, -1).acceleration({1, 2}, chosen.signed_reactions, 1, 0), -1.111111111111111, 4e-15);
  EXPECT_EQ(chosen.jacobian_sign, 1);
  EXPECT_EQ(other.faces, (Faces{2, 1}));
  expect_reactions(other.signed_reactions, {20.5, -19.5}, 4e-14);
  EXPECT_EQ(other.jacobian_sign, -1);
  EXPECT_EQ(two.sign_sum, 0);
}

// Theory 5, W4 and section 8: the rod in a slot, m = L = 1; B, F and d from its formulas.
VariantProblem rod_in_slot(double f, double omega) {
  const double c = 1 / std::sqrt(5.0), s = 2 / std::sqrt(5.0), sliding = -1;
  VariantProblem p;
  const auto number = [](double value) { return Eigen::MatrixXd::Constant(1, 1, value); };
  p.F1 = p.F2 = number(3 * sliding * f * s * c);
  p.B2 = number(1 + 3 * c * c) + p.F2;
  p.B1 = -number(1 + 3 * c * c) + p.F1;
  // Acceleration of the tip without the reaction: ydd = -g, and the tip hangs at -L/2 (c, s): + ω² L/2 s; its acceleration is 0.
  p.d = Eigen::VectorXd::Constant(1, 9.81 - omega * omega * 0.5 * s);
  return p;
}

TEST(Variants, RodInASlot) {
  const auto slow = variants_of(rod_in_slot(1, 0));
  EXPECT_EQ(slow.verdict, VariantVerdict::unique);
  EXPECT_NEAR(slow.solutions()[0].signed_reactions[0], 24.525, 1e-13);
  EXPECT_NEAR(critical_scale(rod_in_slot(1, 0)), 4.0 / 3, 1e-14);

  const auto fast = variants_of(rod_in_slot(2, 6));
  EXPECT_EQ(fast.verdict, VariantVerdict::several);
  ASSERT_TRUE(fast.chosen);
  EXPECT_NEAR(fast.solutions()[*fast.chosen].signed_reactions[0], -1.572422359499621, 1e-14);
  EXPECT_NEAR(fast.solutions()[1 - *fast.chosen].signed_reactions[0], 7.862111797498105, 1e-13);

  const auto jam = variants_of(rod_in_slot(2, 0));
  EXPECT_EQ(jam.verdict, VariantVerdict::none);
  EXPECT_NEAR(jam.path.end, 2.0 / 3, 1e-14);
}

// Theory 5, W11: three, two of them of the right sign; only one is reached.
TEST(Variants, ThreeAreRealised) {
  const auto variants = variants_of(three_variants());
  EXPECT_EQ(variants.verdict, VariantVerdict::several);
  ASSERT_EQ(variants.solutions().size(), 3u);
  ASSERT_TRUE(variants.chosen);
  const RealisedVariant& chosen = variants.solutions()[*variants.chosen];
  EXPECT_EQ(chosen.faces, (Faces{2, 2, 1, 2}));
  EXPECT_EQ(chosen.jacobian_sign, 1);
  expect_reactions(chosen.signed_reactions, {0.058563432475868, 0.438281738874947, -0.067888580064834, 0.403686508190294}, 1e-13);
  for (const RealisedVariant& solution : variants.solutions()) {
    if (solution.faces == Faces{2, 2, 2, 1}) {
      EXPECT_EQ(solution.jacobian_sign, 1);
      expect_reactions(solution.signed_reactions, {0.230514241513923, 0.756819040686844, 0.712342422895536, -0.069582582292044},
                       1e-13);
    } else if (solution.faces == Faces{2, 2, 2, 2}) {
      EXPECT_EQ(solution.jacobian_sign, -1);
      expect_reactions(solution.signed_reactions, {0.143990982319442, 0.591550102584576, 0.270637802998954, 0.222438366651483},
                       1e-13);
    } else {
      EXPECT_EQ(solution.faces, chosen.faces);
    }
  }
  EXPECT_NEAR(critical_scale(three_variants()), 0.817536539648498, 1e-13);
}

TEST(Variants, LargestReactionOnEitherFace) {
  EXPECT_EQ(largest_reaction(Eigen::Vector3d(-5, 2, 0), 1), 5);
  EXPECT_EQ(largest_reaction(Eigen::Vector3d(-5, 2, 0), 8), 8);
  EXPECT_EQ(largest_reaction(Eigen::VectorXd(), 0.5), 0.5);
}

// The theory has no worked problem of these verdicts; here they are by hand.
// A weight right above pair 2: pair 1 carries nothing, whichever face it has.
TEST(Variants, UnloadedPairIsDegenerate) {
  auto prism = bar_clamp(0, -0.1);
  const auto variants = variants_of(prism.problem());
  EXPECT_EQ(variants.verdict, VariantVerdict::degenerate);
  ASSERT_EQ(variants.solutions().size(), 1u);
  EXPECT_EQ(variants.solutions()[0].faces, (Faces{0, 2}));
  expect_reactions(variants.solutions()[0].signed_reactions, {0, 1}, 1e-15);
  EXPECT_EQ(variants.solutions()[0].jacobian_sign, 1);
  EXPECT_EQ(variants.chosen, 0);
}

// At f = f_crit the determinant of (2, 1) is zero: (1, 0.1 f/f_crit ..) columns (1, 0) and (-1, 0): any N with N1 - N2 = 1
// carries a weight without moment.
TEST(Variants, CriticalFrictionHasAFamily) {
  const auto variants = variants_of(bar_clamp(0.2, 0).problem());
  EXPECT_EQ(variants.verdict, VariantVerdict::singular);
  ASSERT_FALSE(variants.enumeration.families.empty());
  const VariantFamily& family = variants.enumeration.families[0];
  EXPECT_EQ(family.faces, (Faces{2, 1}));
  EXPECT_NEAR(family.signed_reactions.sum(), 1, 1e-9);
  // With a moment the equations of that variant contradict each other: no family.
  const auto loaded = variants_of(bar_clamp(0.2, 1).problem());
  EXPECT_EQ(loaded.verdict, VariantVerdict::none);
}

// One pair, friction beyond the critical one on one face only: B2 = 1 - 2, B1 = -1 + 0.5, d = -1. Face 2: N = 1, of the wrong
// sign and met by no growing friction; face 1: N = 2. Without face 1's solution one is left: B1 = -1 + 1.5 > 0.
TEST(Variants, OneThatIsNotConnected) {
  const auto number = [](double value) { return Eigen::MatrixXd::Constant(1, 1, value); };
  const VariantProblem problem{number(0.5), number(-1), number(1.5), number(-2), Eigen::VectorXd::Constant(1, -1)};
  const auto variants = variants_of(problem);
  EXPECT_EQ(variants.verdict, VariantVerdict::unique_not_connected);
  ASSERT_EQ(variants.solutions().size(), 1u);
  EXPECT_EQ(variants.solutions()[0].faces, (Faces{2}));
  EXPECT_EQ(variants.solutions()[0].jacobian_sign, -1);
  EXPECT_EQ(variants.path.reason, FrictionPath::Reason::jam);
  EXPECT_NEAR(variants.path.end, 2.0 / 3, 1e-15);
}

TEST(Variants, WrongPairsAreRefused) {
  // Pairs at one place.
  auto one_place = w2_prism(3);
  for (auto& pair : one_place.a) pair[0] = pair[1] = 0.3;
  const auto dependent = find_variants(one_place.problem(), {"rail.1", "rail.2"});
  ASSERT_FALSE(dependent);
  EXPECT_EQ(dependent.failure().code, "VN-VARIANT-004");
  EXPECT_NE(dependent.failure().message.find("rail."), std::string::npos) << dependent.failure().message;
  // The upper face of pair 1 lies beyond the lower one of pair 2.
  auto crossed = w2_prism(3);
  crossed.a[0][0] = 0.6;
  const auto overlap = find_variants(crossed.problem(), {"rail.1", "rail.2"});
  ASSERT_FALSE(overlap);
  EXPECT_EQ(overlap.failure().code, "VN-VARIANT-003");
  // Sizes and numbers.
  auto odd = w2_prism(3).problem();
  odd.F1.resize(2, 1);
  EXPECT_EQ(find_variants(odd, number_pairs(2)).failure().code, "VN-VARIANT-001");
  odd = w2_prism(3).problem();
  odd.B1(0, 0) = std::nan("");
  EXPECT_EQ(find_variants(odd, number_pairs(2)).failure().code, "VN-VARIANT-001");
}

// Sliders with pads anywhere, friction up to 3, loads of every kind: the verdict of plain enumeration, and what is known of
// prisms: below the critical friction exactly one, beyond it the sign rule and continuation agree.
TEST(Variants, HundredThousandPrisms) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int unique = 0, several = 0, none = 0, disconnected = 0;
  for (int count = 0; count < 100000; ++count) {
    test::Prism prism{};
    for (int k = 0; k < 2; ++k) {
      for (int p = 0; p < 2; ++p) {
        prism.a[k][p] = (k == 0 ? -0.5 : 0.5) + 0.3 * uniform(random);
        prism.b[k][p] = uniform(random);
        prism.f[k][p] = 1.5 * (1 + uniform(random));
      }
    }
    prism.P_y = uniform(random), prism.M = uniform(random);
    const VariantProblem problem = prism.problem();
    int plain = 0;
    for (int p1 = 1; p1 <= 2; ++p1) {
      for (int p2 = 1; p2 <= 2; ++p2) {
        const Eigen::Matrix2d B = columns_of(problem, {p1, p2});
        const double det = B.determinant();
        const double N1 = (problem.d[0] * B(1, 1) - problem.d[1] * B(0, 1)) / det;
        const double N2 = (B(0, 0) * problem.d[1] - B(1, 0) * problem.d[0]) / det;
        plain += N1 >= 0 && N2 >= 0 ? 1 : 0;
      }
    }
    const auto found = enumerate_variants(problem);
    ASSERT_TRUE(found);
    ASSERT_EQ(static_cast<int>(found->solutions.size()), plain) << "prism " << count;
    (plain == 0 ? none : plain == 1 ? unique : several) += 1;
    if (count % 100 != 0) continue;
    const Variants variants = variants_of(problem);
    // Beyond the critical friction all determinants may have one sign again, the other one: unique, and not connected.
    if (is_unique_for_all_loads(problem) == true) EXPECT_EQ(plain, 1) << "prism " << count;
    if (critical_scale(problem) > 1) {
      EXPECT_EQ(is_unique_for_all_loads(problem), true) << "prism " << count;
      EXPECT_EQ(variants.verdict, VariantVerdict::unique) << "prism " << count;
    }
    if (variants.chosen) EXPECT_EQ(variants.solutions()[*variants.chosen].jacobian_sign, 1) << "prism " << count;
    disconnected += variants.verdict == VariantVerdict::unique_not_connected ? 1 : 0;
  }
  EXPECT_GT(unique, 30000);
  EXPECT_GT(several, 1000);
  EXPECT_GT(none, 1000);
  EXPECT_GT(disconnected, 0);
}

// More pairs than 20, weakly coupled in a chain: M has entries from 1 down to round-off, and every load has exactly one variant.
TEST(Variants, LongChainsHaveTheirOneVariant) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const Eigen::Index m : {21, 22, 24}) {
    VariantProblem chain;
    chain.F1 = chain.F2 = Eigen::MatrixXd::Zero(m, m);
    for (Eigen::Index i = 0; i + 1 < m; ++i)
      chain.F1(i, i + 1) = chain.F1(i + 1, i) = chain.F2(i, i + 1) = chain.F2(i + 1, i) = 0.1;
    chain.B2 = 2 * Eigen::MatrixXd::Identity(m, m) + chain.F2;
    chain.B1 = -2 * Eigen::MatrixXd::Identity(m, m) + chain.F1;
    chain.d = Eigen::VectorXd::NullaryExpr(m, [&] { return uniform(random); });
    ASSERT_EQ(is_unique_for_all_loads(chain), true);
    const auto all = enumerate_variants(chain);
    ASSERT_EQ(all->solutions.size(), 1u) << m;
    const auto quick = pivot_by_lemke(chain);
    ASSERT_TRUE(quick);
    EXPECT_LT((sign_reactions(quick->faces, quick->N) - all->solutions[0].signed_reactions).cwiseAbs().maxCoeff(), 1e-10) << m;
  }
}

// Quick solvers: what they find is realised; on problems that are unique for all loads Lemke never fails.
TEST(Variants, QuickSolversFindRealisedVariants) {
  std::mt19937 random(6);
  for (int count = 0; count < 200; ++count) {
    const VariantProblem problem = test::random_problem(random, 2 + count % 6, 0.1, 0);
    if (is_unique_for_all_loads(problem) != true) continue;
    const auto all = enumerate_variants(problem);
    ASSERT_EQ(all->solutions.size(), 1u);
    for (const auto& quick :
         {find_quick_variant(problem), pivot_by_lemke(problem), find_quick_variant(problem, all->solutions[0].faces)}) {
      ASSERT_TRUE(quick) << "problem " << count;
      EXPECT_LT((sign_reactions(quick->faces, quick->N) - all->solutions[0].signed_reactions).cwiseAbs().maxCoeff(),
                1e-9 * largest_reaction(quick->N))
          << quick->by;
    }
    EXPECT_STREQ(find_quick_variant(problem, all->solutions[0].faces)->by, "warm start");
  }
}

// Theory 5, 4.7: an infeasible program proves the jam; a Gauss function that does not vanish proves nothing.
TEST(Variants, OtherFormsHaveLimits) {
  const OtherForms jam = compare_forms(bar_clamp(0.25, 1).problem());
  EXPECT_FALSE(jam.program_feasible);
  EXPECT_GT(jam.least_Z, 0.01);
  EXPECT_FALSE(jam.lemke_found);
  const OtherForms moves = compare_forms(w2_prism(3).problem());
  EXPECT_TRUE(moves.program_is_variant);
  EXPECT_TRUE(moves.program_certified);
  EXPECT_EQ(moves.least_Z, 0);
  EXPECT_TRUE(moves.lemke_found);
}

// The tree, the Gray code and one decomposition for each variant: the same solutions, also where pairs are unloaded, variants
// singular or the whole hyperstatic.
TEST(Variants, TreeGrayCodeAndDirectEnumerationAgree) {
  std::mt19937 random(15);
  int solutions = 0, none = 0, several = 0, families = 0;
  for (int count = 0; count < 2000; ++count) {
    const Eigen::Index m = 1 + count % 10;
    const int kind = count / 10 % 4;
    const VariantProblem problem = test::random_problem(random, m, std::vector{0.1, 0.5, 2.0}[count / 40 % 3], kind);
    const auto tree = enumerate_variants(problem);
    ASSERT_TRUE(tree);
    for (const auto& plain : {test::enumerate_directly(problem), test::enumerate_by_gray_code(problem)}) {
      ASSERT_EQ(tree->families.empty(), !plain.family) << "problem " << count << ", kind " << kind << ", m = " << m;
      ASSERT_EQ(tree->solutions.size(), plain.solutions.size()) << "problem " << count << ", kind " << kind << ", m = " << m;
      for (const RealisedVariant& solution : tree->solutions) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const Eigen::VectorXd& n : plain.solutions)
          nearest = std::min(nearest, (n - solution.signed_reactions).cwiseAbs().maxCoeff() / largest_reaction(n));
        EXPECT_LT(nearest, 1e-8) << "problem " << count;
      }
    }
    solutions += static_cast<int>(tree->solutions.size());
    none += tree->solutions.empty() && tree->families.empty() ? 1 : 0;
    several += tree->solutions.size() > 1 ? 1 : 0;
    families += tree->families.empty() ? 0 : 1;
  }
  EXPECT_GT(solutions, 500);
  EXPECT_GT(none, 50);
  EXPECT_GT(several, 50);
  EXPECT_GT(families, 50);
}

}  // namespace
}  // namespace vinculum
