// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// All choices of modes at one moment: the rod that slides on the ground, in closed form, and problems drawn at random against
// plain enumeration.
#include "vinculum/decision/local_choices.h"

#include <cmath>
#include <random>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <Eigen/LU>

#include "vinculum/constraints/contact_law.h"
#include "vinculum/decision/pose_local_problem.h"
#include "vinculum/decision/settle_frictional.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing::local_choices {
namespace {

constexpr double kGravity = 9.81;

Model rod_on_ground(double mass, double length, double angle, double speed, double turn, double friction) {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: {{ rod: {{ joint: {{ axes: [tx, ty, rz] }}, mass: {0}, inertia: {1}, com: [{2}, 0, 0] }} }}
environment: {{ ground: {{ surface: plane, rotation: {{ axis: x, angle: -90 deg }} }} }}
contacts: {{ tip: {{ body: rod, with: ground, point: [0, 0, 0], forbid: [normal, forward], friction: {6} }} }}
initial: {{ rod.rz: {3}, "rod.tx'": {4}, "rod.rz'": {5} }}
)",
                                     mass, mass * length * length / 12, length / 2, angle, speed, turn, friction));
}

// The tip's normal acceleration is A N + b while it slides with the sign s of its velocity:
//
//   A = (1 + 3 cos² θ + 3 s μ sin θ cos θ)/m ,  b = -g + (l/2) ω² sin θ ;
//
// A > 0: one solution, b < 0 presses, b > 0 parts; A < 0: none for b < 0, two for b > 0. Critical μ/μ = (1 + 3 c²)/(3 μ s c).
TEST(LocalChoices, RodOnTheGroundInClosedForm) {
  std::mt19937 random(15);
  std::uniform_real_distribution<double> angles(0.2, 1.4), masses(0.5, 3), lengths(0.5, 2), turns(-9, 9), frictions(0.2, 4);
  int none = 0, one = 0, two = 0;
  for (int i = 0; i < 200; ++i) {
    const double m = masses(random), l = lengths(random), theta = angles(random), omega = turns(random), mu = frictions(random);
    const double s = i % 4 == 0 ? 1 : -1, c = std::cos(theta), n = std::sin(theta);
    const double A = (1 + 3 * c * c + 3 * s * mu * n * c) / m, b = -kGravity + 0.5 * l * omega * omega * n;
    if (std::abs(A * m) < 1e-3 || std::abs(b) < 1e-3) continue;
    const Model model = rod_on_ground(m, l, theta, s * 1.5, omega, mu);
    ConstraintSet set(model);
    Workspace workspace(model);
    ASSERT_FALSE(let_slip_what_slips(set, model.initial_state(), 1e-9));
    const auto found = find_choices(set, model.initial_state(), workspace);
    ASSERT_TRUE(found) << found.failure().message;
    ASSERT_TRUE(found->choices);
    const auto& list = found->choices->found;
    const size_t expected = A > 0 ? 1 : b < 0 ? 0 : 2;
    (expected == 0 ? none : expected == 1 ? one : two) += 1;
    ASSERT_EQ(list.size(), expected) << "A " << A << ", b " << b;
    if (s < 0)
      EXPECT_NEAR(found->critical.value_or(0), (1 + 3 * c * c) / (3 * mu * n * c), 1e-11 * (1 + *found->critical));
    else
      EXPECT_FALSE(found->critical);
    for (const LocalChoice& choice : list) {
      const bool slides = choice.words == "tip slides";
      EXPECT_TRUE(slides || choice.words == "tip parts") << choice.words;
      EXPECT_NEAR(choice.R[0], slides ? -b / A : 0, 1e-10 * std::abs(b / A));
      EXPECT_NEAR(choice.x[0], slides ? 0 : b, 1e-10 * std::abs(b));
      EXPECT_EQ(choice.sign, slides && A < 0 ? -1 : 1);
    }
    // Of two it parts: that is where growing friction leads.
    if (expected > 0) {
      ASSERT_TRUE(found->choices->chosen);
      EXPECT_EQ(list[*found->choices->chosen].words, b < 0 ? "tip slides" : "tip parts");
    } else {
      EXPECT_FALSE(found->choices->chosen);
    }
  }
  EXPECT_GT(none, 10);
  EXPECT_GT(one, 50);
  EXPECT_GT(two, 10);
}

// The least friction with which a uniform rod has the paradox is 4/3, at tan θ = 2.
TEST(LocalChoices, LeastFrictionOfTheParadox) {
  double least = HUGE_VAL, at = 0;
  for (double theta = 0.9; theta < 1.3; theta += 1e-3) {
    const Model model = rod_on_ground(2, 0.7, theta, -1, 0, 1);
    ConstraintSet set(model);
    Workspace workspace(model);
    ASSERT_FALSE(let_slip_what_slips(set, model.initial_state(), 1e-9));
    const auto found = find_choices(set, model.initial_state(), workspace);
    ASSERT_TRUE(found && found->critical);
    if (*found->critical < least) least = *found->critical, at = theta;
  }
  EXPECT_NEAR(least, 4.0 / 3, 1e-6);
  EXPECT_NEAR(std::tan(at), 2, 5e-3);
}

// On ground with a stiffness the load of a foot is k d + c d' = 20 N and not a multiplier: with friction 0.5 a push of 8 N holds,
// one of 12 N slips.
TEST(LocalChoices, FootOnCompliantGround) {
  for (const auto& [push, words] : {std::pair(8, "foot sticks"), {12, "foot slips forward"}}) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ block: {{ joint: {{ axes: [tx, tz] }}, mass: 2 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [forward], friction: 0.5, laws: {{ normal: {{ stiffness: 1000, viscous: 20 }} }} }} }}
forces: {{ push: {{ body: block, force: [{}, 0, 0] }} }}
initial: {{ block.tz: -0.01, "block.tz'": -0.5 }}
)",
                                                    push));
    const State state = model.initial_state();
    const ConstraintSet set(model);
    Workspace workspace(model);
    const auto rows = compute_constraint_rows(set, state);
    ASSERT_TRUE(rows);
    EXPECT_NEAR(compute_law_push(model.contacts()[0], rows->contacts[0]), 1000 * 0.01 + 20 * 0.5, 1e-12);
    const auto found = find_choices(set, state, workspace);
    ASSERT_TRUE(found) << found.failure().message;
    ASSERT_TRUE(found->choices && found->choices->chosen);
    EXPECT_EQ(found->choices->found[*found->choices->chosen].words, words);
  }
}

// The impact without collision: the slide stops at once. Its impulses are  Λ = -W⁻¹(0, v) , and with det W = 4/m²
//
//   Λ_n = 3 m |v| sin θ cos θ / 4 ,   Λ_t = m |v| (1 + 3 cos² θ)/4 ,   energy lost  Λ_t |v| / 2 ;
//
// about the tip nothing turns the rod: m l² ω⁺/3 = m l² ω⁻/3 + m |v| l sin θ/2 .
TEST(LocalChoices, ImpactWithoutCollision) {
  std::mt19937 random(51);
  std::uniform_real_distribution<double> angles(0.9, 1.3), masses(0.5, 3), lengths(0.5, 2), turns(-2, 2), speeds(0.3, 3);
  int stays = 0;
  for (int i = 0; i < 40; ++i) {
    const double m = masses(random), l = lengths(random), theta = angles(random), omega = turns(random), v = speeds(random);
    const double c = std::cos(theta), n = std::sin(theta), mu = 1.1 * (1 + 3 * c * c) / (3 * n * c);
    const Model model = rod_on_ground(m, l, theta, -v, omega, mu);
    ConstraintSet set(model);
    Workspace workspace(model);
    State state = model.initial_state();
    ChoiceRecord record;
    const auto failure = settle_frictional(set, state, {}, workspace, record);
    ASSERT_FALSE(failure) << failure->message;
    EXPECT_EQ(record.jams, 1);
    EXPECT_EQ(record.jammed, "tip");
    EXPECT_NEAR(record.impulse, 0.75 * m * v * n * c, 1e-10);
    EXPECT_NEAR(record.lost, m * v * v * (1 + 3 * c * c) / 8, 1e-10);
    EXPECT_NEAR(state.v[0], 0, 1e-12);
    EXPECT_NEAR(state.v[1], 0, 1e-12);
    EXPECT_NEAR(state.v[2], omega + 1.5 * v * n / l, 1e-11);
    // It turns about its tip then, if friction bears that: N = m (g + z''), T = m x'' of its middle; else it slips or parts.
    const double w = state.v[2], turning = -1.5 * kGravity * c / l;
    const double push = m * (kGravity + 0.5 * l * (turning * c - w * w * n)), shear = -0.5 * m * l * (turning * n + w * w * c);
    if (!(push > 0 && std::abs(shear) < mu * push)) continue;
    ++stays;
    EXPECT_TRUE(set.holds(0));
    EXPECT_EQ(set.modes[model.grips()[0].mode], Grip::sticks);
  }
  EXPECT_GT(stays, 10);
}

// Several rows that push or part with friction among them, and faces of guides: plain enumeration over all 2^k.
TEST(LocalChoices, MixedProblemsAgainstPlainEnumeration) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int several = 0, none = 0;
  for (int i = 0; i < 300; ++i) {
    const int pushes = 1 + i % 3, faces = i % 2, n = pushes + faces;
    LocalProblem problem;
    Eigen::MatrixXd L(n, n);
    for (double& entry : L.reshaped()) entry = normal(random);
    const Eigen::MatrixXd W0 = L * L.transpose() + 0.2 * Eigen::MatrixXd::Identity(n, n);
    Eigen::MatrixXd F(n, n);
    for (double& entry : F.reshaped()) entry = 1.2 * normal(random);
    problem.W = W0 + F, problem.F = F;
    problem.b.resize(n);
    for (double& entry : problem.b) entry = normal(random);
    for (int k = 0; k < pushes; ++k) problem.blocks.push_back({GripBlock::Kind::pushes, {k}, 0, 0, -1});
    for (int k = pushes; k < n; ++k) {
      Eigen::VectorXd rub1(n), rub2(n);
      for (double& entry : rub1) entry = 0.8 * normal(random);
      for (double& entry : rub2) entry = 0.8 * normal(random);
      problem.faces.push_back({k, -W0.col(k) + rub1, W0.col(k) + rub2, rub1, rub2});
      problem.W.col(k).setZero(), problem.F.col(k).setZero();
    }
    for (int k = 0; k < n; ++k) problem.names.push_back(fmt::format("r{}", k));
    int count = 0;
    for (unsigned choice = 0; choice < (1u << n); ++choice) {
      Eigen::MatrixXd columns(n, n);
      for (int k = 0; k < n; ++k) {
        const bool first = (choice >> k & 1u) != 0;
        if (k < pushes)
          columns.col(k) = first ? Eigen::VectorXd(-problem.W.col(k)) : Eigen::VectorXd(Eigen::VectorXd::Unit(n, k));
        else
          columns.col(k) = -(first ? problem.faces[k - pushes].face1 : problem.faces[k - pushes].face2);
      }
      const Eigen::VectorXd u = columns.fullPivLu().solve(problem.b);
      if (u.minCoeff() >= 0) ++count;
    }
    const auto found = find_local_choices(problem);
    ASSERT_TRUE(found);
    EXPECT_EQ(static_cast<int>(found->found.size()), count) << i;
    for (const LocalChoice& choice : found->found) {
      for (int k = 0; k < pushes; ++k) {
        EXPECT_GE(choice.R[k], 0);
        EXPECT_NEAR(choice.R[k] * choice.x[k], 0, 1e-7);
      }
      for (int k = pushes; k < n; ++k) EXPECT_NEAR(choice.x[k], 0, 1e-7);
    }
    several += count > 1, none += count == 0;
  }
  EXPECT_GT(several, 10);
  EXPECT_GT(none, 10);
}

// What the tree has no answer to is refused, never answered by half: round cones, a normal with two grips, families of reactions.
TEST(LocalChoices, RoundConesAndFamiliesAreRefused) {
  LocalProblem round;
  round.W = Eigen::MatrixXd::Identity(3, 3);
  round.F = Eigen::MatrixXd::Zero(3, 3);
  round.b = Eigen::Vector3d(-1, 0.3, 0.2);
  round.blocks = {{GripBlock::Kind::pushes, {0}, 0, 0, -1}, {GripBlock::Kind::grips, {1, 2}, 0, 0.5, 0}};
  round.names = {"foot", "foot", "foot"};
  EXPECT_FALSE(find_local_choices(round));
  LocalProblem twice = round;
  twice.blocks = {{GripBlock::Kind::pushes, {0}, 0, 0, -1},
                  {GripBlock::Kind::grips, {1}, 0, 0.5, 0},
                  {GripBlock::Kind::grips, {2}, 0, 0.5, 0}};
  EXPECT_FALSE(find_local_choices(twice));
  LocalProblem pressed = round;
  pressed.blocks = {{GripBlock::Kind::pushes, {0}, 0, 0, -1},
                    {GripBlock::Kind::pushes, {1}, 0, 0, -1},
                    {GripBlock::Kind::grips, {2}, 0, 0.5, -1, {{0, 0.5}, {1, 0.5}}}};
  EXPECT_FALSE(find_local_choices(pressed));

  // Two contacts that carry the same: any share of the load. Where both part there is nothing to share, and one choice.
  LocalProblem shared;
  shared.W = Eigen::MatrixXd::Ones(2, 2);
  shared.F = Eigen::MatrixXd::Zero(2, 2);
  shared.blocks = {{GripBlock::Kind::pushes, {0}, 0, 0, -1}, {GripBlock::Kind::pushes, {1}, 0, 0, -1}};
  shared.names = {"left", "right"};
  shared.b = Eigen::Vector2d(-3, -3);
  EXPECT_FALSE(find_local_choices(shared));
  shared.b = Eigen::Vector2d(3, 3);
  const auto parts = find_local_choices(shared);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->found.size(), 1u);
  EXPECT_EQ(parts->found[0].words, "left parts, right parts");
}

// The same problem in other units has the same choices: loads of 1e-12 N are not nothing where there are no larger ones.
TEST(LocalChoices, SmallProblemsHaveTheirChoices) {
  const Model model = rod_on_ground(1, 1, std::atan(2.0), -1, 6, 2);
  ConstraintSet set(model);
  Workspace workspace(model);
  ASSERT_FALSE(let_slip_what_slips(set, model.initial_state(), 1e-9));
  const auto posed = pose_local_problem(set, model.initial_state(), workspace);
  ASSERT_TRUE(posed);
  LocalProblem small = posed->problem;
  small.W *= 1e12, small.F *= 1e12;
  const auto large_choices = find_local_choices(posed->problem), small_choices = find_local_choices(small);
  ASSERT_TRUE(large_choices && small_choices);
  ASSERT_EQ(large_choices->found.size(), 2u);
  ASSERT_EQ(small_choices->found.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(small_choices->found[i].words, large_choices->found[i].words);
    EXPECT_LT((1e12 * small_choices->found[i].R - large_choices->found[i].R).cwiseAbs().maxCoeff(), 1e-9);
  }
}

}  // namespace
}  // namespace vinculum::testing::local_choices
