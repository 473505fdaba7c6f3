// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Conditions and designs of theory 2, section 7 and worked problem W8.
#include "vinculum/analysis/balance_design.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "vinculum/analysis/row_reduction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

using enum BalanceProperty;

BalanceConditions conditions_of(const Model& model, BalanceProperty property, const std::vector<int>& drives = {}) {
  const auto gears = find_gears(model, drives);
  EXPECT_TRUE(gears);
  const auto conditions = find_balance_conditions(model, property, *gears);
  EXPECT_TRUE(conditions) << conditions.failure().message;
  EXPECT_GT(conditions->kept, 1e4 * conditions->dropped);
  return *conditions;
}

using Texts = std::vector<std::string>;

Model planar_arm() {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  a: { joint: {type: revolute, axis: z}, mass: 4, com: [0.25, 0, 0], inertia: 0.09 }
  b: { parent: a, joint: {type: revolute, axis: z, origin: [0.5, 0, 0]}, mass: 2.5, com: [0.2, 0, 0], inertia: 0.04 }
)yaml");
}

// Rows (1, 0) and (1, e), of unit length: the first pivot is the column x of length √(1 + 1/(1 + e²)), what is left of the column
// y is e/√(1 + e²) · (its part across x).
TEST(ReducedRows, SmallestPivotIsComparedWithTheLargest) {
  const double e = 1e-3, size = std::sqrt(1 + e * e), first = std::sqrt(1 + 1 / (size * size));
  Eigen::MatrixXd equations(2, 2);
  equations << 1, 0, 1, e;
  const ReducedRows reduced = reduce_rows(equations, {0, 1});
  ASSERT_EQ(reduced.pivots.size(), 2u);
  // |det| = e/size is the product of both lengths.
  EXPECT_NEAR(reduced.kept, e / size / first / first, 1e-15);
}

TEST(BalanceConditions, OfThePlanarArm) {
  const Model model = planar_arm();
  const Texts no_moments{"b.sx = 0", "b.sy = 0", "a.sx + 0.5*b.m = 0", "a.sy = 0"};
  EXPECT_EQ(conditions_of(model, static_balance).texts, no_moments);
  EXPECT_EQ(conditions_of(model, force).texts, no_moments);
  EXPECT_EQ(conditions_of(model, constant_mass_matrix).texts, (Texts{"b.sx = 0", "b.sy = 0"}));

  const BalanceConditions decoupling = conditions_of(model, decoupled);
  EXPECT_EQ(decoupling.texts, (Texts{"b.Jzz = 0", "b.sx = 0", "b.sy = 0"}));
  EXPECT_EQ(decoupling.impossible, (std::vector<bool>{true, false, false}));
  EXPECT_NEAR(decoupling.values[0], 0.04 + 2.5 * 0.2 * 0.2, 1e-15);
  EXPECT_EQ(decoupling.holds, (std::vector<bool>{false, false, true}));
}

// A motor on the ground that drives the second link by a belt: its angle is that of the link against the ground.
TEST(BalanceConditions, AbsoluteAnglesAreDecoupledWithoutInertiaBeingZero) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: z}, mass: 4, com: [0.25, 0, 0], inertia: 0.09 }
  motor: { joint: {type: revolute, axis: z}, mass: 1, inertia: 0.01 }
  b: { parent: a, joint: {type: revolute, axis: z, origin: [0.5, 0, 0]}, mass: 2.5, com: [0.2, 0, 0], inertia: 0.04 }
velocity_constraints: { belt: "motor' = a' + b'" }
)yaml");
  EXPECT_EQ(conditions_of(model, decoupled, {0, 1}).texts, (Texts{"b.sx = 0", "b.sy = 0"}));
  EXPECT_EQ(find_gears(model, {1, 2})->independent, (std::vector<int>{1, 2}));
}

Model spatial_arm(const char* elbow) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  b1: {{ joint: {{type: revolute, axis: z}}, mass: 3, com: [0, 0, 0.1], inertia: 0.1 }}
  b2: {{ parent: b1, joint: {{type: revolute, axis: y, origin: [{}]}}, mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.1, 0.1] }}
  b3: {{ parent: b2, joint: {{type: revolute, axis: y, origin: [0.4, 0, 0]}}, mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.05, 0.05] }}
)yaml",
                                     elbow));
}

TEST(BalanceConditions, ConstantMassMatrixOfASpatialArm) {
  EXPECT_EQ(conditions_of(spatial_arm("0, 0, 0.3"), constant_mass_matrix).texts,
            (Texts{"b3.Jxx - b3.Jzz = 0", "b3.Jxy = 0", "b3.Jxz = 0", "b3.Jyz = 0", "b2.Jxx - b2.Jzz - 0.16*b3.m = 0",
                   "b2.Jxy - 0.4*b3.sy = 0", "b2.Jxz = 0", "b2.Jyz = 0", "b3.sx = 0", "b3.sz = 0"}));
  const BalanceConditions off_axis = conditions_of(spatial_arm("0.3, 0, 0"), constant_mass_matrix);
  EXPECT_EQ(off_axis.rank(), 12);
  EXPECT_EQ(off_axis.texts[10], "b2.sx + 0.4*b3.m = 0");
  EXPECT_EQ(off_axis.texts[11], "b2.sz = 0");
}

// The general rule for static balance: what lies along a joint's axis is handed to the base.
TEST(BalanceConditions, StaticBalanceHandsTheAxialPartToTheBase) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  base: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, 0.1], inertia: 0.1 }
  wrist: { parent: base, joint: {type: revolute, axis: z, origin: [0, 0, 0.4]}, mass: 1, com: [0.1, 0, 0.1], inertia: 0.1 }
)yaml");
  EXPECT_EQ(conditions_of(model, static_balance).texts,
            (Texts{"wrist.sx = 0", "wrist.sy = 0", "wrist.sz + base.sz + 0.4*wrist.m = 0", "base.sx = 0"}));
}

// What is zero for a reason leaves round-off, and that is no condition.
TEST(BalanceConditions, NoneWhereThePropertyHoldsForEveryBody) {
  const Model top = read_model_text(R"yaml(
vinculum: 1
bodies:
  top: { joint: {type: spherical}, mass: 1, com: [0.1, 0.2, 0.3], inertia: [0.02, 0.03, 0.01] }
)yaml");
  EXPECT_EQ(conditions_of(top, constant_mass_matrix).rank(), 0);  // in the axes of the body it is constant
  const Model upright = read_model_text(R"yaml(
vinculum: 1
gravity: [1, 2, -9]
bodies:
  turret: { joint: {type: revolute, axis: [1, 2, -9]}, mass: 1, com: [0.1, 0.2, 0.3], inertia: [0.02, 0.03, 0.04] }
)yaml");
  EXPECT_EQ(conditions_of(upright, static_balance).rank(), 0);
  EXPECT_EQ(conditions_of(upright, force).rank(), 2);
}

TEST(BalanceConditions, ArmsWithTwoSlidesHaveNoConstantMassMatrix) {
  const auto last_condition = [](const char* second, const char* third) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  b1: {{ joint: {{type: revolute, axis: z}}, mass: 1, inertia: 0.1 }}
  b2: {{ parent: b1, joint: {{type: prismatic, axis: {}}}, mass: 1, inertia: 0.1 }}
  b3: {{ parent: b2, joint: {{type: prismatic, axis: {}}}, mass: 1, inertia: 0.1 }}
)yaml",
                                                    second, third));
    const BalanceConditions conditions = conditions_of(model, constant_mass_matrix);
    EXPECT_TRUE(conditions.impossible.back());
    return conditions.texts.back();
  };
  EXPECT_EQ(last_condition("z", "x"), "b3.m = 0");
  EXPECT_EQ(last_condition("x", "z"), "b3.m + b2.m = 0");
  EXPECT_EQ(last_condition("x", "y"), "b2.m = 0");
}

TEST(BalanceConditions, RefuseWhatIsNoTreeWithGears) {
  const char* const text = R"yaml(
vinculum: 1
bodies:
  sled: { joint: {type: planar}, mass: 1, inertia: 0.1 }
)yaml";
  const Model blade = read_model_text(std::string(text) +
                                      "velocity_constraints: { blade: \"sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0\" }\n");
  EXPECT_EQ(find_gears(blade).failure().code, "VN-BALANCE-001");
  const Model driven = read_model_text(std::string(text) + "velocity_constraints: { belt: \"sled.tx' = 2\" }\n");
  EXPECT_EQ(find_gears(driven).failure().code, "VN-BALANCE-001");
  const Model contact = read_model_text(std::string(text) +
                                        "contacts: { foot: { body: sled, with: world, point: [0, 0, 0], forbid: [lateral] } }\n");
  EXPECT_EQ(find_balance_conditions(contact, force, *find_gears(contact)).failure().code, "VN-BALANCE-002");
}

// Trees of every kind of joint: parameters that meet the conditions, whether bodies can have them or not, give the property in
// positions that the conditions were not made from. Round-off of a sum of 60 terms of size 1: 1e-13, the reduction may cost a
// factor of 100.
TEST(BalanceConditions, AreEnoughInEveryPosition) {
  for (int seed = 1; seed <= 6; ++seed) {
    for (const BalanceProperty property : {static_balance, constant_mass_matrix}) {
      ModelDescription words = testing::random_tree(seed, 6);
      if (property != static_balance) words.gravity = {};
      const Model model = testing::build(words);
      const BalanceConditions conditions = conditions_of(model, property);
      testing::Random random(seed);
      Eigen::VectorXd parameters(conditions.present.size());
      for (double& value : parameters) value = random.symmetric();
      const Eigen::VectorXd off = conditions.C * parameters;
      for (int i = 0; i < conditions.rank(); ++i) parameters[conditions.pivots[i]] -= off[i];

      DerivativesWorkspace workspace(model);
      RowMatrix Y, Y_start;
      State state = model.initial_state();
      std::vector<double> accelerations(state.v.size(), 0.0);
      if (property != static_balance) {
        for (double& value : accelerations) value = random.symmetric();
        compute_inertia_regressor(model, state, accelerations, workspace, Y_start);
      }
      Eigen::VectorXd step(model.tree().velocities);
      for (double& value : step) value = 2 * random.symmetric();
      move_coordinates(model, step, state.q);
      compute_inertia_regressor(model, state, accelerations, workspace, Y);
      if (property != static_balance) Y -= Y_start;
      const double scale = Y.cwiseAbs().maxCoeff() * parameters.cwiseAbs().maxCoeff();
      EXPECT_LT((Y * parameters).lpNorm<Eigen::Infinity>(), 1e-11 * scale) << seed;
      EXPECT_GT((Y * conditions.present).lpNorm<Eigen::Infinity>(), 1e-3) << seed;
    }
  }
}

// ---- designs -----------------------------------------------------------------------------------------------------------------

Model build(const ModelDescription& words) {
  Diagnostics diagnostics;
  auto model = build_model(words, diagnostics);
  EXPECT_TRUE(model) << (diagnostics.list().empty() ? "" : diagnostics.list()[0].message);
  return std::move(*model);
}

// W8a. Beside the forces of the arm before, what is left must be round-off: 1e-13 of them, masses of 40 kg being moved for 10 kg.
TEST(BalanceDesign, ReactionlessArmWithGearedDiscs) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  link1: { joint: {type: revolute, axis: z}, mass: 4, com: [0.25, 0, 0], inertia: 0.09 }
  disc1: { joint: {type: revolute, axis: z}, mass: 0 }
  link2: { parent: link1, joint: {type: revolute, axis: z, origin: [0.5, 0, 0]}, mass: 2.5, com: [0.2, 0, 0], inertia: 0.04 }
  disc2: { parent: link1, joint: {type: revolute, axis: z, origin: [0.5, 0, 0]}, mass: 2 }
  load: { parent: link2, joint: {type: fixed, origin: [0.4, 0, 0]}, mass: 1.5 }
velocity_constraints:
  gear1: "disc1' + 4*link1' = 0"
  gear2: "disc2' + 4*link2' = 0"
)yaml");
  const auto gears = find_gears(model);
  const BalanceConditions conditions = conditions_of(model, reactionless);
  BalanceSites sites;
  for (const double x : {-0.25, -0.15}) sites.counterweights.push_back({0, {x, 0, 0}});
  for (const double x : {-0.15, -0.1}) sites.counterweights.push_back({2, {x, 0, 0}});
  sites.discs = {{1}, {3}};
  const auto design = design_balance(model, conditions, sites);
  ASSERT_TRUE(design && design->feasible);
  EXPECT_NEAR(design->masses[0], 30.666666666667, 1e-11);
  EXPECT_EQ(design->masses[1], 0);
  EXPECT_NEAR(design->masses[2], 7.333333333333, 1e-11);
  EXPECT_EQ(design->masses[3], 0);
  EXPECT_NEAR(design->inertias[0], 1.5678125, 1e-12);
  EXPECT_NEAR(design->inertias[1], 0.13625, 1e-12);
  EXPECT_NEAR(design->added_mass, 38, 1e-11);

  const BalanceMeasures before = measure_balance(model, *gears), after = measure_balance(build(design->balanced), *gears);
  EXPECT_GT(before.shaking_force, 100);
  EXPECT_GT(before.shaking_moment, 100);
  EXPECT_LT(after.shaking_force, 1e-12 * before.shaking_force);
  EXPECT_LT(after.shaking_moment, 1e-12 * before.shaking_moment);
  EXPECT_LT(after.variation, 1e-13 * 31);
  EXPECT_LT(after.coupling, 1e-13 * 31);
  EXPECT_NEAR(after.inertia[0], 31.35625, 1e-12);
  EXPECT_NEAR(after.inertia[1], 2.725, 1e-13);

  // With bounds too low for the first link, the design says so.
  sites.counterweights[0].most = 20;
  sites.counterweights[1].most = 5;
  const auto bounded = design_balance(model, conditions, sites);
  ASSERT_TRUE(bounded);
  EXPECT_FALSE(bounded->feasible);
  EXPECT_TRUE(bounded->why.starts_with("impossible because load.sx + link2.sx + 0.4*load.m = 0 and link1.sx + ")) << bounded->why;
  EXPECT_NE(bounded->why.find("at the bounds given still"), std::string::npos) << bounded->why;
}

// W8b
TEST(BalanceDesign, SpatialArmWithConstantMassMatrix) {
  const Model model = spatial_arm("0, 0, 0.3");
  BalanceSites sites;
  sites.counterweights = {{2, {-0.1, 0, 0}}, {2, {0, 0, 0.2}}, {2, {0, 0, -0.2}}, {1, {0, 0, 0.3}}, {1, {0, 0, -0.3}}};
  const auto design = design_balance(model, conditions_of(model, constant_mass_matrix), sites);
  ASSERT_TRUE(design && design->feasible) << design->why;
  EXPECT_NEAR(design->masses[0], 1.5, 1e-12);
  EXPECT_NEAR(design->masses[1], 1.9375 / 2, 1e-12);
  EXPECT_NEAR(design->masses[2], 1.9375 / 2, 1e-12);
  EXPECT_NEAR(design->masses[3] + design->masses[4], 9.777777777778, 1e-12);  // split in any way: b2.sz does not matter
  const auto gears = find_gears(model);
  const BalanceMeasures after = measure_balance(build(design->balanced), *gears);
  EXPECT_NEAR(after.inertia[0], 1.0775, 1e-13);
  EXPECT_NEAR(after.inertia[1], 1.935, 1e-13);
  EXPECT_NEAR(after.inertia[2], 0.165, 1e-14);
  EXPECT_LT(after.variation, 1e-14);
  EXPECT_NEAR(after.coupling, 0.165, 1e-14);
  EXPECT_GT(measure_balance(model, *gears).variation, 0.1);
}

// k a b = m g c: a spring of zero free length from a above the pivot to b on the arm (theory 2, section 7).
TEST(BalanceDesign, SpringOfZeroFreeLength) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 2, com: [0.3, 0, 0], inertia: 0.1 }
forces:
  helper: { between: [world, [0, 0, 0.4]], and: [arm, [0.25, 0, 0]], stiffness: 10, length: 0 }
)yaml");
  const BalanceConditions conditions = conditions_of(model, static_balance);
  EXPECT_EQ(conditions.texts, (Texts{fmt::format("arm.sx - {:.10g}*helper.k = 0", 0.4 * 0.25 / 9.81), "arm.sz = 0"}));
  BalanceSites sites;
  sites.springs = {{0}};
  const auto design = design_balance(model, conditions, sites);
  ASSERT_TRUE(design && design->feasible);
  EXPECT_NEAR(design->stiffnesses[0], 2 * 9.81 * 0.3 / (0.4 * 0.25), 1e-11);
  const auto gears = find_gears(model);
  EXPECT_NEAR(measure_balance(model, *gears).holding, 2 * 9.81 * 0.3 - 10 * 0.4 * 0.25, 0.05);
  EXPECT_LT(measure_balance(build(design->balanced), *gears).holding, 1e-14);
}

TEST(BalanceDesign, ImpossibleBecause) {
  const Model model = planar_arm();
  BalanceSites sites;
  sites.counterweights = {{1, {-0.2, 0, 0}}, {0, {0.1, 0, 0}}};  // on the wrong side of the first joint
  const auto design = design_balance(model, conditions_of(model, force), sites);
  ASSERT_TRUE(design);
  EXPECT_FALSE(design->feasible);
  // s1 + l m2 = 4·0.25 + 0.5·2.5
  EXPECT_EQ(design->why, "impossible because a.sx + 0.5*b.m = 0: it is 2.25 now, and nothing that may be added lowers it");
}

}  // namespace
}  // namespace vinculum
