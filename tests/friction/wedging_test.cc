// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Faces that can press each other without any load: a self-stress that nothing has made is not rest (theory 5, 7.5).
#include <cmath>

#include <gtest/gtest.h>

#include "tests/friction/variant_problems.h"
#include "tests/support/read_case.h"
#include "vinculum/friction/critical_friction.h"
#include "vinculum/friction/find_variants.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_statics.h"
#include "vinculum/friction/unwedged_rest.h"

namespace vinculum::testing::wedging {
namespace {

LimitLoad limit_of(const Model& model, const std::string& load) {
  Workspace workspace(model);
  const State& state = model.initial_state();
  const auto force = compute_load(model, state, load);
  if (!force) throw std::runtime_error(force.failure().message);
  const auto statics = reduce_guides_at_rest(ConstraintSet(model), state, *force, workspace);
  if (!statics) throw std::runtime_error(statics.failure().message);
  const auto limit = find_limit_load(statics->problem);
  if (!limit) throw std::runtime_error(limit.failure().message);
  return *limit;
}

Standing standing_of(const Model& model) {
  Workspace workspace(model);
  const auto standing = decide_standing(ConstraintSet(model), model.initial_state(), workspace);
  if (!standing) throw std::runtime_error(standing.failure().message);
  return *standing;
}

// A sash of weight W = 39.24 N, shoes L = 0.3 m apart, lifted by 60 N at the offset e from its middle: each shoe bears F e/L, so
// that it rises where  F (1 - 2 f e/L) > W  and sinks where  F (1 + 2 f e/L) < W , whatever its width (the drawer's law).
TEST(Wedging, LimitOfASashIsThatOfTheDrawersLaw) {
  for (const double e : {0.0, 0.2}) {
    const Model model = read_case("guides/sash.yaml", {{"offset", std::to_string(e) + " m"}});
    const LimitLoad limit = limit_of(model, "hand");
    const double loss = 2 * 0.35 * e / 0.3, balance = 39.24 / 60;
    EXPECT_TRUE(limit.can_wedge);
    EXPECT_EQ(limit.verdict, LimitLoad::Verdict::limited);
    EXPECT_NEAR(limit.alpha, balance / (1 - loss), 1e-9) << e;
    // Friction would bear everything, but for the loads in between only by a self-stress.
    ASSERT_EQ(limit.intervals.size(), 1u);
    EXPECT_TRUE(std::isinf(limit.intervals[0].low) && std::isinf(limit.intervals[0].high));
    ASSERT_EQ(limit.wedged.size(), 2u) << e;
    EXPECT_NEAR(limit.wedged[0].high, balance / (1 + loss), 1e-9) << e;
    EXPECT_NEAR(limit.wedged[1].low, balance / (1 - loss), 1e-9) << e;
    EXPECT_FALSE(limit.first_loss);
  }
  // Below f = L/width = 1/3 nothing can wedge, and the limit is the same.
  const LimitLoad narrow = limit_of(read_case("guides/sash.yaml", {{"f", "0.333"}, {"offset", "0.2 m"}}), "hand");
  EXPECT_FALSE(narrow.can_wedge);
  EXPECT_NEAR(narrow.alpha, 0.654 / (1 - 2 * 0.333 * 0.2 / 0.3), 1e-9);
  EXPECT_TRUE(narrow.wedged.empty());
}

// Beyond e = L/(2f) = 0.42857 m it jams: no load of any size moves it.
TEST(Wedging, DrawerLocksItselfBeyondItsLimitOffset) {
  EXPECT_EQ(limit_of(read_case("guides/wd.yaml", {{"e", "0.44"}}), "pull").verdict, LimitLoad::Verdict::self_locking);
  const LimitLoad free = limit_of(read_case("guides/wd.yaml", {{"e", "0.42"}}), "pull");
  EXPECT_EQ(free.verdict, LimitLoad::Verdict::limited);
  EXPECT_NEAR(free.alpha, 0, 1e-9);
}

TEST(Wedging, AtAStartItSlidesUnlessItCannot) {
  const Standing middle = standing_of(read_case("guides/sash.yaml"));
  EXPECT_EQ(middle.answer, Standing::Answer::several);
  EXPECT_TRUE(middle.can_wedge);
  EXPECT_EQ(standing_of(read_case("guides/sash.yaml", {{"f", "0.333"}})).answer, Standing::Answer::breakaway);
  const Standing jammed = standing_of(read_case("guides/sash.yaml", {{"offset", "0.45 m"}}));
  EXPECT_EQ(jammed.answer, Standing::Answer::rest);
  EXPECT_TRUE(jammed.can_wedge);
  // A load between the two limits rests without being wedged.
  EXPECT_EQ(standing_of(read_case("guides/sash.yaml", {{"offset", "0.2 m"}, {"lift", "45 N"}})).answer, Standing::Answer::rest);
  // Pads too: three of them between planes, and no load on any.
  EXPECT_EQ(standing_of(read_case("guides/plate_wedge.yaml")).answer, Standing::Answer::several);
}

// Theory 7, W16 (a): shoes 0.3 m apart, width 0.8 m, f = 0.4, a pull of 30 N at 0.2 m: (1 - 2 f e/L) 30/5 = 2.8 m/s^2.
TEST(Wedging, DrawerOfW16Starts) {
  const Model model = read_case("guides/wd.yaml", {{"f", "0.4"}, {"w", "0.8"}, {"e", "0.3"}, {"l", "0.45"}});
  // Another one: L = 0.45 m, width 0.8 m: f < L/w, it cannot wedge; pull 20 N at 0.3 m on 4 kg.
  EXPECT_EQ(standing_of(model).answer, Standing::Answer::breakaway);
  const Model wide = read_case("guides/wd.yaml", {{"f", "0.4"}, {"w", "0.8"}, {"e", "0.2"}});
  ASSERT_EQ(standing_of(wide).answer, Standing::Answer::several);
  const Standing standing = standing_of(wide);
  ConstraintSet set(wide);
  set.set_modes(standing.modes);
  Workspace workspace(wide);
  const auto dynamics = compute_constrained_dynamics(set, standing.leaving, workspace);
  ASSERT_TRUE(dynamics);
  EXPECT_NEAR(dynamics->solution.accelerations[0], (1 - 2 * 0.4 * 0.2 / 0.3) * 20 / 4, 1e-12);
}

// A force along which nothing presses, and a load that presses on either face: it rests where f |alpha| 100 N >= 10 N, so not at
// 0.
TEST(Wedging, LoadsOnBothSidesOfNothing) {
  RestProblem problem;
  RestProblem::Pair pair;
  for (RestFace* face : {&pair.face1, &pair.face2}) {
    face->push = Eigen::Vector2d(0, face == &pair.face1 ? -1 : 1);
    face->shear = Eigen::MatrixXd::Zero(2, 2);
    face->shear(0, 0) = 1;
    face->spin = Eigen::Vector2d::Zero();
    face->friction = 0.5;
  }
  problem.pairs.push_back(pair);
  problem.constant = Eigen::Vector2d(10, 0);
  problem.load = Eigen::Vector2d(0, -100);
  problem.held.resize(2, 0);
  problem.mass = Eigen::MatrixXd::Identity(2, 2);
  const auto limit = find_limit_load(problem);
  ASSERT_TRUE(limit);
  ASSERT_EQ(limit->intervals.size(), 2u);
  EXPECT_NEAR(limit->intervals[0].high, -0.2, 1e-9);
  EXPECT_NEAR(limit->intervals[1].low, 0.2, 1e-9);
  EXPECT_FALSE(limit->rests_unloaded);
  EXPECT_FALSE(limit->first_loss);
}

// det(B0 + s F) = 1 - 1e-5 s^2 : a critical factor far above 1, beside entries of F of the size of 1.
TEST(Wedging, CriticalFrictionFarAboveOne) {
  VariantProblem problem;
  problem.F1 = Eigen::MatrixXd::Zero(2, 2);
  problem.F2 = Eigen::MatrixXd::Zero(2, 2);
  problem.F2(0, 1) = -1;
  problem.F2(1, 0) = -1e-5;
  problem.B1 = -Eigen::MatrixXd::Identity(2, 2);
  problem.B2 = Eigen::MatrixXd::Identity(2, 2) + problem.F2;
  problem.d = Eigen::Vector2d(1, 1);
  const auto critical = find_critical_friction(problem);
  ASSERT_TRUE(critical);
  ASSERT_TRUE(critical->scale);
  EXPECT_NEAR(*critical->scale, std::sqrt(1e5), 1e-6);
  EXPECT_EQ(critical->faces, (Faces{2, 2}));
}

// Every variant has the determinant (1 - s)² + (e s)²: it comes near zero at s = 1, and has none for a small e that is not zero.
TEST(Wedging, NoCriticalFrictionOfComplexEigenvalues) {
  for (const double e : {1e-3, 0.0}) {
    VariantProblem problem;
    problem.F1 = problem.F2 = Eigen::MatrixXd::Zero(2, 2);
    problem.F1 << 1, -e, e, 1;
    problem.F2 = -problem.F1;
    problem.B1 = -Eigen::MatrixXd::Identity(2, 2) + problem.F1;
    problem.B2 = Eigen::MatrixXd::Identity(2, 2) + problem.F2;
    problem.d = Eigen::Vector2d(1, 1);
    const auto critical = find_critical_friction(problem);
    ASSERT_TRUE(critical);
    EXPECT_EQ(critical->scale.has_value(), e == 0) << e;
    if (e == 0) EXPECT_NEAR(critical->scale.value_or(0), 1, 1e-12);
  }
}

// Two copies of a problem that do not feel each other, beyond the number of pairs that could be done as one: the same factor.
TEST(Wedging, CriticalFrictionOfIndependentPairs) {
  VariantProblem problem;
  const Eigen::Index m = 40;
  problem.F1 = Eigen::MatrixXd::Zero(m, m);
  problem.F2 = Eigen::MatrixXd::Zero(m, m);
  for (Eigen::Index k = 0; k < m; k += 2) problem.F2(k, k + 1) = problem.F2(k + 1, k) = k == 20 ? -0.5 : -0.25;
  problem.B1 = -Eigen::MatrixXd::Identity(m, m);
  problem.B2 = Eigen::MatrixXd::Identity(m, m) + problem.F2;
  problem.d = Eigen::VectorXd::Ones(m);
  const auto critical = find_critical_friction(problem);
  ASSERT_TRUE(critical) << critical.failure().message;
  EXPECT_NEAR(critical->scale.value_or(0), 2, 1e-12);
}

// The second pair is unloaded without friction; friction of the first one loads it on face 1:  N_1 = 1 , s/2 - N_2 = 0 .
TEST(Wedging, FrictionLoadsAPairOnTheFaceItWillPress) {
  VariantProblem problem;
  problem.F1 = Eigen::MatrixXd::Zero(2, 2);
  problem.F2 = Eigen::MatrixXd::Zero(2, 2);
  problem.F2(1, 0) = 0.5;
  problem.B1 = -Eigen::MatrixXd::Identity(2, 2);
  problem.B2 = Eigen::MatrixXd::Identity(2, 2) + problem.F2;
  problem.d = Eigen::Vector2d(1, 0);
  const auto path = follow_friction(problem);
  ASSERT_TRUE(path);
  ASSERT_FALSE(path->pieces.empty());
  EXPECT_EQ(path->pieces.front().faces, (Faces{2, 1}));
  EXPECT_TRUE(path->switches.empty());
  EXPECT_TRUE(path->connected());
  EXPECT_NEAR(path->signed_reactions[1], -0.5, 1e-12);
}

// Copies of a problem that do not feel each other end where the one does: the pencils of equal blocks, on which QZ does not
// always converge.
TEST(Wedging, CopiesOfAProblemEndTogether) {
  for (const VariantProblem& one : {vinculum::test::bar_clamp(0.25, 1).problem(), vinculum::test::bar_clamp(0.1, 1).problem(),
                                    vinculum::test::w2_prism(3).problem(), vinculum::test::three_variants()}) {
    const auto alone = follow_friction(one);
    ASSERT_TRUE(alone);
    const Eigen::Index m = one.pairs();
    for (const Eigen::Index copies : {2, 4, 8}) {
      VariantProblem many;
      many.unit = one.unit;
      for (auto matrix : {&VariantProblem::B1, &VariantProblem::B2, &VariantProblem::F1, &VariantProblem::F2}) {
        many.*matrix = Eigen::MatrixXd::Zero(copies * m, copies * m);
        for (Eigen::Index i = 0; i < copies; ++i) (many.*matrix).block(i * m, i * m, m, m) = one.*matrix;
      }
      many.d = one.d.replicate(copies, 1);
      const auto together = follow_friction(many);
      ASSERT_TRUE(together) << together.failure().message;
      EXPECT_EQ(together->reason, alone->reason) << m << " pairs, " << copies << " copies";
      EXPECT_NEAR(together->end, alone->end, 1e-9) << m << " pairs, " << copies << " copies";
    }
  }
}

// Eight sliders, friction of the one at fault c = -40:  (2 + c s) N_1 + f s N_2 = d ,  -c s N_1 + (2 - f s) N_2 = d , hence
// N_2 = 0 at s = 1/40. Round-off of 2^-55 as a reduction leaves it. QZ does not converge on the pencil of this N_2 = 0.
TEST(Wedging, OneOfManySlidersChangesItsFace) {
  const double round_off = std::ldexp(1, -55), f = 0.04, c = -40;
  for (const Eigen::Index at_fault : {0, 1}) {
    const Eigen::Index m = 16;
    VariantProblem problem;
    problem.F1 = problem.F2 = Eigen::MatrixXd::Zero(m, m);
    problem.B2 = 2 * Eigen::MatrixXd::Identity(m, m);
    for (Eigen::Index i = 0; i < m; i += 2) {
      const double first = i == 2 * at_fault ? c : f;
      problem.F2.block(i, i, 2, 2) << first + 2 * round_off, f, -first, -f - 2 * round_off;
      problem.B2(i, i + 1) = round_off, problem.B2(i + 1, i) = -round_off;
    }
    problem.B1 = -problem.B2;
    problem.B2 += problem.F2;
    problem.d = Eigen::VectorXd::Constant(m, 9.81);
    const auto path = follow_friction(problem);
    ASSERT_TRUE(path) << path.failure().message;
    ASSERT_FALSE(path->switches.empty());
    EXPECT_EQ(path->switches[0].pair, 2 * at_fault + 1);
    EXPECT_NEAR(path->switches[0].scale, 0.025, 1e-12);
  }
}

}  // namespace
}  // namespace vinculum::testing::wedging
