// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/limit_load.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vinculum {
namespace {

// The body of theory 5, W5 and W8, between two planes: velocities x, y, z of the mass centre, turning about x, y, z; at rest with
// the angle phi. A unit force F at the point p has the generalised force (F, p x F).
RestProblem body_between_planes(double h1, double h2, bool with_moments) {
  const double a[3][2] = {{0.5, 0.45}, {-0.3, -0.32}, {-0.25, -0.2}}, b[3][2] = {{0.02, -0.03}, {0.42, 0.4}, {-0.38, -0.45}},
               r[3][2] = {{.06, .08}, {.05, .07}, {.09, .06}}, f[3][2] = {{.2, .35}, {.25, .4}, {.3, .3}}, h[2] = {h1, h2};
  const double c = std::cos(0.3), s = std::sin(0.3);
  RestProblem problem;
  for (int k = 0; k < 3; ++k) {
    RestProblem::Pair pair;
    for (int p = 0; p < 2; ++p) {
      const double x = a[k][p] * c - b[k][p] * s, y = a[k][p] * s + b[k][p] * c, z = h[p];
      RestFace& face = p == 0 ? pair.face1 : pair.face2;
      const double up = p == 0 ? -1 : 1;
      face.push.resize(6), face.shear.resize(6, 2), face.spin.resize(6);
      face.push << 0, 0, up, up * y, -up * x, 0;
      face.shear.col(0) << 1, 0, 0, 0, z, -y;
      face.shear.col(1) << 0, 1, 0, -z, 0, x;
      face.spin << 0, 0, 0, 0, 0, 1;
      face.friction = f[k][p];
      face.radius = with_moments ? r[k][p] : 0;
    }
    problem.pairs.push_back(pair);
  }
  problem.constant.resize(6), problem.load.resize(6);
  problem.constant << 0, 0, -29.43, 0, 0, 0;
  problem.load << 4, 2.5, 0, 0, 0, 0.8;
  problem.held.resize(6, 0);
  // Products of inertia in fixed axes: I_xz = -J_xz.
  const double Jxz = 0.12 * c + 0.08 * s, Jyz = 0.12 * s - 0.08 * c;
  problem.mass = Eigen::MatrixXd::Zero(6, 6);
  problem.mass.diagonal() << 3, 3, 3, 0.9, 0.9, 0.9;
  problem.mass(3, 5) = problem.mass(5, 3) = -Jxz;
  problem.mass(4, 5) = problem.mass(5, 4) = -Jyz;
  return problem;
}

// Theory 5, W8.
TEST(LimitLoad, BodyBetweenPlanes) {
  const auto limit = find_limit_load(body_between_planes(0.45, -0.6, true));
  ASSERT_TRUE(limit) << limit.failure().message;
  EXPECT_EQ(limit->verdict, LimitLoad::Verdict::limited);
  EXPECT_NEAR(limit->alpha, 1.972875174971, 1e-11);
  EXPECT_EQ(limit->faces, (Faces{2, 2, 2}));
  EXPECT_NEAR(limit->signed_reactions[0], 18.828879696404, 1e-9);
  EXPECT_NEAR(limit->signed_reactions[1], 7.956766166590, 1e-9);
  EXPECT_NEAR(limit->signed_reactions[2], 2.644354137006, 1e-9);
  EXPECT_NEAR(limit->slip_direction[0], 0.555922580128, 1e-10);
  EXPECT_NEAR(limit->slip_direction[1], 0.279272604611, 1e-10);
  EXPECT_NEAR(limit->slip_direction[5], 0.782915638634, 1e-10);
  ASSERT_TRUE(limit->kinematic_alpha);
  EXPECT_NEAR(*limit->kinematic_alpha, 1.972875174971, 1e-11);
  ASSERT_TRUE(limit->first_loss);
  EXPECT_NEAR(*limit->first_loss, 1.972875174971, 1e-10);
  ASSERT_TRUE(limit->paper_alpha);
  EXPECT_NEAR(*limit->paper_alpha, 0.920165143672, 2e-8);  // feasible to 1e-9 of the loads
}

// The factor has the unit of the constant loads beside the load: a load written a thousand million times smaller has a factor as
// many times larger.
TEST(LimitLoad, OfALoadInAnotherUnit) {
  RestProblem problem = body_between_planes(0.45, -0.6, true);
  problem.load *= 1e-9;
  const auto limit = find_limit_load(problem);
  ASSERT_TRUE(limit) << limit.failure().message;
  EXPECT_EQ(limit->verdict, LimitLoad::Verdict::limited);
  EXPECT_NEAR(limit->alpha, 1.972875174971e9, 1e-2);
}

TEST(LimitLoad, BodyWithoutSpinMomentsAndWithoutHeight) {
  const auto points = find_limit_load(body_between_planes(0.45, -0.6, false));
  ASSERT_TRUE(points);
  EXPECT_NEAR(points->alpha, 1.970549827519, 1e-10);
  const auto flat = find_limit_load(body_between_planes(0, 0, true));
  ASSERT_TRUE(flat);
  EXPECT_NEAR(flat->alpha, 1.842202807119, 1e-10);
}

// Friction bears every load on the tall body, by wedging it between the planes; 8 directions alone call another variant
// unbounded, wrongly. But nothing has wedged it, and from some load on, beyond the 1.15696 that the faces (2, 2, 2) bear, a slip
// starts (7.5).
TEST(LimitLoad, TallBodyRestsOnlyIfWedged) {
  auto weaker = body_between_planes(1, -1.5, true);
  for (auto& pair : weaker.pairs) pair.face1.friction *= 0.9, pair.face2.friction *= 0.9;
  for (const RestProblem& problem : {body_between_planes(1, -1.5, true), weaker}) {
    const auto limit = find_limit_load(problem, {}, false);
    ASSERT_TRUE(limit);
    EXPECT_EQ(limit->verdict, LimitLoad::Verdict::limited);
    EXPECT_TRUE(limit->can_wedge);
    EXPECT_GT(limit->alpha, 1.15696);
    ASSERT_FALSE(limit->wedged.empty());
    EXPECT_TRUE(std::isinf(limit->wedged.back().high));
    EXPECT_NEAR(limit->wedged.back().low, limit->alpha, 1e-4);
    // A slip starts just above, and none just below.
    EXPECT_TRUE(find_breakaway(problem, 1.01 * limit->alpha));
    EXPECT_FALSE(find_breakaway(problem, 0.99 * limit->alpha));
  }
}

// Theory 5, W8 at alpha = 3: how it starts.
TEST(LimitLoad, Breakaway) {
  const auto problem = body_between_planes(0.45, -0.6, true);
  EXPECT_TRUE(check_rest(problem, 1.97)->rests);
  EXPECT_FALSE(check_rest(problem, 1.98)->rests);
  const auto start = find_breakaway(problem, 3);
  ASSERT_TRUE(start) << start.failure().message;
  EXPECT_NEAR(start->acceleration[0], 1.265595917660, 1e-11);
  EXPECT_NEAR(start->acceleration[1], 0.669194751794, 1e-11);
  EXPECT_NEAR(start->acceleration[5], 1.437095098736, 1e-11);
  EXPECT_NEAR(start->signed_reactions[0], 19.077334297502, 1e-10);
  EXPECT_NEAR(start->signed_reactions[1], 7.943885059594, 1e-10);
  EXPECT_NEAR(start->signed_reactions[2], 2.408780642904, 1e-10);
}

// Theory 5, W10: velocities x, y, turning; friction along one line, so the program is exact.
RestProblem drawer(double e) {
  RestProblem problem;
  for (const double a : {-0.25, 0.25}) {
    RestProblem::Pair pair;
    for (int p = 0; p < 2; ++p) {
      RestFace& face = p == 0 ? pair.face1 : pair.face2;
      const double up = p == 0 ? -1 : 1, b = p == 0 ? 0.3 : -0.3;
      face.push = Eigen::Vector3d(0, up, up * a);
      face.shear = Eigen::MatrixXd::Zero(3, 2);
      face.shear.col(0) = Eigen::Vector3d(1, 0, -b);
      face.spin = Eigen::Vector3d::Zero();
      face.friction = 0.25;
    }
    problem.pairs.push_back(pair);
  }
  problem.constant = Eigen::Vector3d(0, -1, 0);
  problem.load = Eigen::Vector3d(1, 0, -e);
  problem.held.resize(3, 0);
  problem.mass = Eigen::Matrix3d::Identity();
  return problem;
}

TEST(LimitLoad, Drawer) {
  const auto near = find_limit_load(drawer(0.5)), middle = find_limit_load(drawer(0.9)), far = find_limit_load(drawer(1.1));
  ASSERT_TRUE(near && middle && far);
  EXPECT_NEAR(near->alpha, 0.25, 1e-14);
  EXPECT_EQ(near->faces, (Faces{2, 2}));
  EXPECT_NEAR(middle->alpha, 0.75, 1e-14);
  EXPECT_EQ(middle->faces, (Faces{1, 2}));
  EXPECT_EQ(far->verdict, LimitLoad::Verdict::self_locking);
  EXPECT_FALSE(far->first_loss);
  // Jams when e ≥ L/(2f) = 1, whatever the weight.
  EXPECT_EQ(find_limit_load(drawer(0.999))->verdict, LimitLoad::Verdict::limited);
  EXPECT_EQ(find_limit_load(drawer(1.001))->verdict, LimitLoad::Verdict::self_locking);
}

// Nothing pushes the slider down and it is pulled: rest at no factor but 0; with a side pull it slides away for all.
TEST(LimitLoad, NoRest) {
  auto problem = drawer(0.5);
  problem.constant = Eigen::Vector3d(3, -1, 0);
  problem.load = Eigen::Vector3d(1, 0, 0);
  const auto limit = find_limit_load(problem);
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->verdict, LimitLoad::Verdict::no_rest);
  // Rest needs a push back: alpha from -3.25 to -2.75.
  ASSERT_EQ(limit->intervals.size(), 1u);
  EXPECT_NEAR(limit->intervals[0].low, -3.25, 1e-12);
  EXPECT_NEAR(limit->intervals[0].high, -2.75, 1e-12);
  problem.load.setZero();
  EXPECT_EQ(find_limit_load(problem).failure().code, "VN-VARIANT-021");
}

}  // namespace
}  // namespace vinculum
