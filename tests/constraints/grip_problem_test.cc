// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/grip_problem.h"

#include <cmath>

#include <gtest/gtest.h>

namespace vinculum {

using Kind = GripBlock::Kind;

// W9c of theory 3.
TEST(GripProblem, BoxOfThreeRows) {
  Eigen::Matrix3d W;
  W << 2, 0.3, -0.5, 0.3, 1.5, 0.2, -0.5, 0.2, 1;
  const Eigen::Vector3d b(4, -1, 0.5);
  const auto found =
      solve_grip_problem(W, b, {{Kind::grips, {0}, 1.0, 0, -1}, {Kind::grips, {1}, 1.2, 0, -1}, {Kind::grips, {2}, 0.6, 0, -1}});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->R.isApprox(Eigen::Vector3d(-1, 0.946666666666667, -0.6), 1e-14)) << found->R.transpose();
  EXPECT_TRUE((found->x - Eigen::Vector3d(2.584, 0, 0.589333333333333)).norm() < 1e-14) << found->x.transpose();
}

// A disk: the force has the length of the bound and points against the acceleration, whatever W.
TEST(GripProblem, DiskSlipsAgainstItsAcceleration) {
  Eigen::Matrix2d W;
  W << 2, 0.7, 0.7, 1;
  const auto found = solve_grip_problem(W, Eigen::Vector2d(3, -2), {{Kind::grips, {0, 1}, 0.5, 0, -1}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->R.norm(), 0.5, 1e-15);
  EXPECT_LT((found->x / found->x.norm() + found->R / 0.5).norm(), 1e-14);
  const auto stuck = solve_grip_problem(W, Eigen::Vector2d(0.3, -0.2), {{Kind::grips, {0, 1}, 0.9, 0, -1}});
  ASSERT_TRUE(stuck);
  EXPECT_LT(stuck->x.norm(), 1e-15);
  EXPECT_LT((W * stuck->R + Eigen::Vector2d(0.3, -0.2)).norm(), 1e-15);
}

// A push with friction that hangs on it. By hand: the tangent slides forward, R_t = -mu R_n, so W_nn R_n - mu W_nt R_n = -b_n.
TEST(GripProblem, FrictionFollowsThePush) {
  Eigen::Matrix2d W;
  W << 1, 0.4, 0.4, 2;
  const auto found =
      solve_grip_problem(W, Eigen::Vector2d(-3, 5), {{Kind::pushes, {0}, 0, 0, -1}, {Kind::grips, {1}, 0, 0.5, 0}});
  ASSERT_TRUE(found);
  const double push = 3 / (1 - 0.5 * 0.4);
  EXPECT_NEAR(found->R[0], push, 1e-13);
  EXPECT_NEAR(found->R[1], -0.5 * push, 1e-13);
  EXPECT_NEAR(found->x[0], 0, 1e-13);
  EXPECT_GT(found->x[1], 0);
}

// Sliding friction that presses in faster than the push lifts, W_nn - mu W_nt < 0: nothing settles (Painlevé).
TEST(GripProblem, PainleveIsNotSettled) {
  const Eigen::MatrixXd W = Eigen::MatrixXd::Constant(1, 1, 1 - 0.9 * 2);
  EXPECT_FALSE(solve_grip_problem(W, Eigen::VectorXd::Constant(1, -3), {{Kind::pushes, {0}, 0, 0, -1}}));
}

// A normal that holds both ways and pulls brings no friction: W R + b = 0 along it alone, and the tangent slips freely.
TEST(GripProblem, NormalThatPullsHasNoFriction) {
  Eigen::Matrix2d W;
  W << 1, 0.4, 0.4, 2;
  const auto found = solve_grip_problem(W, Eigen::Vector2d(3, 5), {{Kind::held, {0}, 0, 0, -1}, {Kind::grips, {1}, 0, 0.5, 0}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->R[0], -3, 1e-13);
  EXPECT_EQ(found->R[1], 0);
  EXPECT_NEAR(found->x[1], 5 - 0.4 * 3, 1e-13);
  const GripBlock grip{Kind::grips, {1}, 0, 0.5, 0};
  EXPECT_EQ(grip.reach(Eigen::Vector2d(-3, 0)), 0);
  EXPECT_EQ(grip.reach(Eigen::Vector2d(4, 0)), 2);
}

}  // namespace vinculum
