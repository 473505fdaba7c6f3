// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How the reactions of wedged faces follow their load (theory 7, section 6): a drawer with shoes L apart on a guide of width H,
// pulled with P at the offset e. With n on both shoes, T_1 = -P/2 + tau, T_2 = -P/2 - tau and q = P e:  q = L n - H tau .
#include <cmath>

#include <gtest/gtest.h>

#include "vinculum/friction/held_reactions.h"

namespace vinculum::testing::held_reactions {
namespace {

struct Drawer {
  double L = 0.3, H = 0.8, f = 0.4, P = 30;
  double side = 1;  // -1: pulled at the other side

  HeldFaces faces() const {
    RestProblem problem;
    for (const double x : {-L / 2, L / 2}) {
      RestProblem::Pair pair;
      for (RestFace* const face : {&pair.face1, &pair.face2}) {
        const double inward = face == &pair.face1 ? -1 : 1, y = -inward * H / 2;
        face->push = Eigen::Vector3d(0, inward, inward * x);
        face->shear = Eigen::MatrixXd::Zero(3, 2);
        face->shear.col(0) = Eigen::Vector3d(1, 0, -y);
        face->spin = Eigen::Vector3d::Zero();
        face->friction = f;
      }
      problem.pairs.push_back(pair);
    }
    problem.constant = Eigen::Vector3d::Zero();
    problem.held.resize(3, 0);
    return HeldFaces(problem);
  }
  Eigen::Vector3d load(double e) const { return {P, 0, -side * P * e}; }
  // Sliding along x under the pull at e: both shoes press with P e/L.
  HeldReactions sliding(const HeldFaces& held, double e) const {
    HeldReactions reactions(2);
    for (std::size_t k = 0; k < 2; ++k) {
      const int face = (k == 1) == (side > 0) ? 2 : 1;
      const double n = P * e / L, along = held.cone(k, face).columns()(0, 0);
      reactions[k] = {HeldFace::Mode::sticks, face, n, Eigen::VectorXd::Constant(1, -f * n / along)};
    }
    return reactions;
  }
  double along(const HeldFaces& held, const HeldReactions& at, std::size_t k) const {
    return held.cone(k, at[k].face).columns()(0, 0) * at[k].friction[0];
  }
};

// W16, as printed; mirrored; and a thousand times heavier.
TEST(HeldReactions, DrawerOfW16) {
  for (const double side : {1.0, -1.0}) {
    for (const double scale : {1.0, 1e3}) {
      const Drawer drawer{.P = 30 * scale, .side = side};
      const HeldFaces held = drawer.faces();
      const auto stopped = held.follow(drawer.sliding(held, 0.45), drawer.load(0.45));
      ASSERT_TRUE(stopped.held);
      for (const std::size_t k : {0u, 1u}) {
        EXPECT_NEAR(stopped.reactions[k].N, 45 * scale, 1e-12 * scale);
        EXPECT_NEAR(drawer.along(held, stopped.reactions, k), -15 * scale, 1e-12 * scale);
      }
      const auto freed = held.follow(stopped.reactions, drawer.load(0));
      EXPECT_FALSE(freed.held);
      EXPECT_NEAR(0.45 * (1 - freed.part), 0.370652173913, 1e-12);
      EXPECT_NEAR(freed.reactions[1].N, 44.021739130435 * scale, 1e-9 * scale);
      EXPECT_NEAR(drawer.along(held, freed.reactions, 0), -12.391304347826 * scale, 1e-9 * scale);
      EXPECT_NEAR(drawer.along(held, freed.reactions, 1), -17.608695652174 * scale, 1e-9 * scale);
    }
  }
}

// A growing offset brings shoe 1 to its cone; its slip is against its friction, so it goes on: T_1 = -f n from there on.
TEST(HeldReactions, MicroSlipGoesOnAndTurnsBack) {
  const Drawer drawer;
  const HeldFaces held = drawer.faces();
  const auto stopped = held.follow(drawer.sliding(held, 0.44), drawer.load(0.44));
  const auto raised = held.follow(stopped.reactions, drawer.load(0.55));
  ASSERT_TRUE(raised.held);
  const double n = (drawer.P * 0.55 + drawer.H * drawer.P / 2) / (drawer.L + drawer.f * drawer.H);
  EXPECT_EQ(raised.reactions[0].mode, HeldFace::Mode::slips);
  EXPECT_NEAR(raised.reactions[0].N, n, 1e-9);
  EXPECT_NEAR(drawer.along(held, raised.reactions, 0), -drawer.f * n, 1e-9);
  // Back: it sticks again, n and tau change as if nothing slipped, until shoe 2 comes to its cone and ends it.
  const auto lowered = held.follow(raised.reactions, drawer.load(0));
  EXPECT_FALSE(lowered.held);
  const double tau = drawer.P / 2 - drawer.f * n;
  const double x = (drawer.P / 2 + tau - drawer.f * n) / (drawer.H + drawer.f * drawer.L);
  const double end = 0.55 + x * (drawer.L * drawer.L + drawer.H * drawer.H) / drawer.P;
  EXPECT_NEAR(0.55 * (1 - lowered.part), end, 1e-9);
  EXPECT_NEAR(end, 0.3708274894810659, 1e-15);
}

// The same path in pieces ends in the same reactions.
TEST(HeldReactions, PathsInPiecesAreTheSame) {
  const Drawer drawer;
  const HeldFaces held = drawer.faces();
  const auto stopped = held.follow(drawer.sliding(held, 0.44), drawer.load(0.44));
  HeldReactions pieces = stopped.reactions;
  for (int i = 1; i <= 10; ++i) pieces = held.follow(pieces, drawer.load(0.44 + 0.011 * i)).reactions;
  const auto whole = held.follow(stopped.reactions, drawer.load(0.55));
  for (const std::size_t k : {0u, 1u}) {
    EXPECT_NEAR(pieces[k].N, whole.reactions[k].N, 1e-9);
    EXPECT_NEAR(pieces[k].friction[0], whole.reactions[k].friction[0], 1e-9);
  }
}

// Least 2 n^2 + T_1^2 + T_2^2 : the norm alone would have shoe 1 outside its cone, so that it is on it.
TEST(HeldReactions, LeastWithinTheCones) {
  const Drawer drawer;
  const HeldFaces held = drawer.faces();
  const auto least = held.find_least({1, 2}, drawer.load(0.45));
  ASSERT_TRUE(least);
  const double n = (drawer.P * 0.45 + drawer.H * drawer.P / 2) / (drawer.L + drawer.f * drawer.H);
  EXPECT_NEAR((*least)[0].N, n, 1e-8);
  EXPECT_NEAR(drawer.along(held, *least, 0), -drawer.f * n, 1e-8);
  // With friction enough the norm alone decides: n = L q/(L^2 + H^2), tau = -H q/(L^2 + H^2).
  const Drawer rough{.f = 6};
  const HeldFaces rough_held = rough.faces();
  const auto plain = rough_held.find_least({1, 2}, rough.load(0.45));
  ASSERT_TRUE(plain);
  const double per = rough.P * 0.45 / (rough.L * rough.L + rough.H * rough.H);
  EXPECT_NEAR((*plain)[0].N, rough.L * per, 1e-9);
  EXPECT_NEAR(rough.along(rough_held, *plain, 0), -rough.P / 2 - rough.H * per, 1e-9);
}

}  // namespace
}  // namespace vinculum::testing::held_reactions
