// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of impact: W14 and W20 of theory 7, closed forms, and energy that none but Newton's makes.
#include "vinculum/decision/impact_problem.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "vinculum/constraints/least_forces.h"

namespace vinculum::testing {
namespace {

using Law = ImpactLaw::Kind;

// Rows: the normal, then its tangents.
ImpactProblem struck_once(const Eigen::MatrixXd& W, const Eigen::VectorXd& rates, double friction, ImpactLaw law) {
  ImpactProblem problem;
  problem.W = W;
  problem.rates = rates;
  ImpactProblem::Contact contact;
  for (int i = 1; i < W.rows(); ++i) contact.tangents.push_back(i);
  contact.friction = friction;
  contact.law = law;
  contact.approach = -rates[0];
  problem.contacts.push_back(contact);
  return problem;
}

// Kane's double pendulum: rods 0.9 m 1.3 kg and 0.7 m 0.8 kg at 25 and 40 deg from the vertical, whose tip strikes the floor.
struct KanePendulum {
  KanePendulum() {
    const double l1 = 0.9, l2 = 0.7, m1 = 1.3, m2 = 0.8, a1 = 25 * M_PI / 180, a2 = 40 * M_PI / 180;
    mass << m1 * l1 * l1 / 3 + m2 * l1 * l1, m2 * l1 * l2 / 2 * std::cos(a1 - a2), m2 * l1 * l2 / 2 * std::cos(a1 - a2),
        m2 * l2 * l2 / 3;
    rows << l1 * std::sin(a1), l2 * std::sin(a2), l1 * std::cos(a1), l2 * std::cos(a2);
  }
  ImpactProblem strike(ImpactLaw law) const { return struck_once(rows * mass.inverse() * rows.transpose(), rows * v, 0.5, law); }
  Eigen::Matrix2d mass, rows;
  Eigen::Vector2d v{-0.4, -0.9};
};

TEST(ImpactProblem, KanesPendulumByThreeLaws) {
  const KanePendulum kane;
  struct {
    Law kind;
    double along, normal, made, upper, lower;
  } cases[] = {{Law::newton, -0.507274631633, 1.014549263265, 0.101867168682, -1.081038045820, 1.780523509915},
               {Law::poisson, 0.096907676199, 0.322814607363, -0.084277178601, -0.703460775403, 1.174608389829},
               {Law::energetic, 0.089150512164, 0.338328935431, -0.080603568454, -0.713875102290, 1.215598534551}};
  for (const auto& expected : cases) {
    const ImpactProblem problem = kane.strike({expected.kind, 0.7, 0});
    const auto R = solve_impact(problem);
    ASSERT_TRUE(R);
    EXPECT_NEAR((*R)[0], expected.normal, 1e-11);
    EXPECT_NEAR((*R)[1], expected.along, 1e-11);
    EXPECT_NEAR(-energy_lost(problem, *R), expected.made, 1e-11);
    const Eigen::Vector2d after = kane.v + kane.mass.inverse() * kane.rows.transpose() * *R;
    EXPECT_NEAR(after[0], expected.upper, 1e-11);
    EXPECT_NEAR(after[1], expected.lower, 1e-11);
  }
}

// W14 b and c: in space the slip turns during the impact; at last it stops, and sticks.
TEST(ImpactProblem, SlipTurnsInSpace) {
  Eigen::Matrix3d W;  // normal, two tangents
  W << 1.1, 0.42, -0.27, 0.42, 1.9, 0.31, -0.27, 0.31, 1.4;
  const auto slides = solve_impact(struck_once(W, Eigen::Vector3d(-1.6, 1.2, -0.9), 0.35, {Law::energetic, 0.6, 0}));
  ASSERT_TRUE(slides);
  EXPECT_NEAR((*slides)[0], 2.763425924294, 1e-10);
  EXPECT_NEAR((*slides)[1], -0.743727442205, 1e-10);
  EXPECT_NEAR((*slides)[2], 0.617918510751, 1e-10);
  const ImpactProblem stops = struck_once(W, Eigen::Vector3d(-1.6, 0.5, -0.3), 0.8, {Law::energetic, 0.6, 0});
  const auto stuck = solve_impact(stops);
  ASSERT_TRUE(stuck);
  EXPECT_NEAR((*stuck)[0], 3.100681136748, 1e-9);
  EXPECT_NEAR((*stuck)[1], -1.121622340791, 1e-9);
  EXPECT_NEAR((*stuck)[2], 1.060633451834, 1e-9);
  const Eigen::VectorXd after = stops.rates + W * *stuck;
  EXPECT_NEAR(after[0], 1.053296835295, 1e-9);
  EXPECT_NEAR(after.tail(2).norm(), 0, 1e-9);
  EXPECT_NEAR(energy_lost(stops, *stuck), 1.287076698070, 1e-9);
}

// A mass of 2 kg without coupling of normal and tangent: every law leaves with e c and, as far as friction allows, with -et s.
TEST(ImpactProblem, TangentialRestitution) {
  const Eigen::Matrix2d W = Eigen::Matrix2d::Identity() / 2;
  for (const Law kind : {Law::newton, Law::poisson, Law::energetic}) {
    const auto sprung = solve_impact(struck_once(W, Eigen::Vector2d(-1, 0.3), 0.5, {kind, 0.5, 0.4}));
    ASSERT_TRUE(sprung);
    EXPECT_NEAR((*sprung)[0], 2 * 1.5, 1e-12);
    EXPECT_NEAR((*sprung)[1], -2 * 1.4 * 0.3, 1e-12);
    const auto slides = solve_impact(struck_once(W, Eigen::Vector2d(-1, 0.3), 0.1, {kind, 0.5, 0.4}));
    ASSERT_TRUE(slides);
    EXPECT_NEAR((*slides)[0], 2 * 1.5, 1e-12);
    EXPECT_NEAR((*slides)[1], -0.1 * 2 * 1.5, 1e-12);
  }
}

// W20: three equal balls in a row, the first with 1 m/s. Together -1/3, 2/3, 2/3; one after the other 0, 0, 1.
TEST(ImpactProblem, CradleDependsOnTheOrder) {
  ImpactProblem problem;
  problem.W = (Eigen::Matrix2d() << 2, -1, -1, 2).finished();
  problem.rates = Eigen::Vector2d(-1, 0);
  for (int i = 0; i < 2; ++i) {
    ImpactProblem::Contact contact;
    contact.normal = i;
    contact.law.coefficient = 1;
    contact.approach = i == 0 ? 1 : 0;
    problem.contacts.push_back(contact);
  }
  const auto R = solve_impact(problem);
  ASSERT_TRUE(R);
  EXPECT_NEAR((*R)[0], 4.0 / 3, 1e-12);
  EXPECT_NEAR((*R)[1], 2.0 / 3, 1e-12);
  const OtherOrder other = find_other_order(problem, *R);
  EXPECT_TRUE(other.compared);
  ASSERT_TRUE(other.R);
  EXPECT_NEAR((*other.R)[0], 1, 1e-12);
  EXPECT_NEAR((*other.R)[1], 1, 1e-12);

  // Without coupling no order matters.
  problem.W(0, 1) = problem.W(1, 0) = 0;
  problem.contacts[1].approach = 0.5;
  problem.rates[1] = -0.5;
  EXPECT_FALSE(find_other_order(problem, *solve_impact(problem)).R);
}

// Poisson's and the energetic law never make energy, of one contact; Newton's does with friction. The energetic law keeps e² of
// the normal work.
TEST(ImpactProblem, OnlyNewtonsLawMakesEnergy) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> uniform(0, 1);
  int made = 0;
  for (int i = 0; i < 400; ++i) {
    const int n = i % 2 == 0 ? 2 : 3;
    Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c <= r; ++c) L(r, c) = r == c ? 0.2 + uniform(random) : 2 * uniform(random) - 1;
    }
    const Eigen::MatrixXd W = L * L.transpose();
    Eigen::VectorXd rates = Eigen::VectorXd::NullaryExpr(n, [&] { return 4 * uniform(random) - 2; });
    rates[0] = -0.2 - uniform(random);
    const double mu = 1.5 * uniform(random), e = uniform(random);
    const double before = rates.dot(W.ldlt().solve(rates)) / 2;
    for (const Law kind : {Law::newton, Law::poisson, Law::energetic}) {
      const ImpactProblem problem = struck_once(W, rates, mu, {kind, e, 0});
      const auto R = solve_impact(problem);
      if (!R) continue;
      EXPECT_GE((*R)[0], 0);
      EXPECT_LE(R->tail(n - 1).norm(), mu * (*R)[0] * (1 + 1e-9));
      const double lost = energy_lost(problem, *R);
      if (kind == Law::newton) {
        made += lost < -1e-6 * before ? 1 : 0;
      } else {
        EXPECT_GE(lost, -1e-9 * before) << i;
      }
    }
  }
  EXPECT_GT(made, 4);
}

// Several contacts on one body by Poisson's law: with e = 0 all laws are Newton's, and the energetic law gives back no more than
// e² of what each normal took.
TEST(ImpactProblem, SeveralContactsByTwoPhases) {
  ImpactProblem problem;
  problem.W = (Eigen::Matrix2d() << 2, 0.5, 0.5, 1).finished();
  problem.rates = Eigen::Vector2d(-1, -0.8);
  for (int i = 0; i < 2; ++i) {
    ImpactProblem::Contact contact;
    contact.normal = i;
    contact.approach = -problem.rates[i];
    problem.contacts.push_back(contact);
  }
  const Eigen::Vector2d compression = problem.W.inverse() * -problem.rates;
  for (auto& contact : problem.contacts) contact.law = {Law::poisson, 0.5, 0};
  const auto poisson = solve_impact(problem);
  ASSERT_TRUE(poisson);
  EXPECT_NEAR((*poisson - 1.5 * compression).norm(), 0, 1e-12);
  for (auto& contact : problem.contacts) contact.law.kind = Law::energetic;
  const auto energetic = solve_impact(problem);
  ASSERT_TRUE(energetic);
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector2d expansion = *energetic - compression, after = problem.W * expansion;
    const double spent = -compression[i] * problem.rates[i] / 2, back = expansion[i] * after[i] / 2;
    EXPECT_LE(back, 0.25 * spent * (1 + 1e-9));
    EXPECT_GT(expansion[i], 0);
  }
  EXPECT_GT(energy_lost(problem, *energetic), 0);
}

// Four legs under one weight share it equally, whatever their order.
TEST(LeastForces, RedundantSupportsShareTheLoad) {
  const Eigen::MatrixXd W = Eigen::MatrixXd::Ones(4, 4);
  std::vector<GripBlock> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back({GripBlock::Kind::pushes, {i}, 0, 0, -1});
  const auto found = solve_with_least_forces(W, Eigen::VectorXd::Constant(4, -8), blocks);
  ASSERT_TRUE(found);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(found->R[i], 2, 1e-10);
}

}  // namespace
}  // namespace vinculum::testing
