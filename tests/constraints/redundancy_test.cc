// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/core.h>

#include "tests/constraints/worked.h"
#include "vinculum/constraints/redundancy.h"

namespace vinculum::testing {
namespace {

// Theory 1, W8a: redundant: bar on two ball supports.
TEST(Redundancy, BarOnTwoBallSupports) {
  const Worked at(R"(
vinculum: 1
bodies:
  bar: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 2, com: [0.1, 0.15, -0.2], inertia: [0.2, 0.25, 0.1] }
environment:
  ground: { surface: plane }
contacts:
  touch0: { body: bar, with: ground, frame: {on_body: {point: [0, -0.5, 0]}, on_environment: {point: [0, -0.5, 0], rotation: [0.5, -0.5, -0.5, -0.5]}}, forbid: [normal, lateral, forward] }
  touch1: { body: bar, with: ground, frame: {on_body: {point: [0, 0.5, 0]}, on_environment: {point: [0, 0.5, 0], rotation: [0.5, -0.5, -0.5, -0.5]}}, forbid: [normal, lateral, forward] }
)",
                  0, {0, 0, 0, 0, 0.4, 0}, {0, 0, 0, 0, 1.5, 0});
  at.expect_jacobian({{0, 0, 1, -0.5, 0, -0.194709171154325},
                      {1, 0, 0, 0, 0, 0.460530497001442},
                      {0, 1, 0, 0, 0, 0},
                      {0, 0, 1, 0.5, 0, 0.194709171154325},
                      {1, 0, 0, 0, 0, -0.460530497001442},
                      {0, 1, 0, 0, 0, 0}});
  at.expect_rhs({0, 0, 0, 0, 0, 0});
  at.expect_gamma({0, 0, 0, 0, 0, 0});
  at.expect_accelerations({0, 0, 0, 0, 0.79726884289861, 0});
  at.expect_multipliers(
      {7.21053023128422, -0.146939959120428, -1.59872115546023e-14, 13.3909847152421, -0.272888495509366, 1.55431223447522e-14});
  at.expect_reaction_forces({-0.419828454629794, 0, 20.6015149465263, 3.09022724197895, 0, 1.26139431198828});
  EXPECT_EQ(at.rank(), 5);
  EXPECT_EQ(at.determinate(), (std::vector<bool>{true, true, false, true, true, false}));
}

// Theory 1, W8b: redundant: table on four sliding supports.
TEST(Redundancy, TableOnFourSlidingSupports) {
  const Worked at(R"(
vinculum: 1
bodies:
  table: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 20, com: [0.1, 0.05, 0.7], inertia: [2, 3, 4] }
environment:
  ground: { surface: plane }
contacts:
  touch0: { body: table, with: ground, point: [0.5, 0.3, 0], forward: [0, 1, 0], forbid: [normal] }
  touch1: { body: table, with: ground, point: [-0.5, 0.3, 0], forward: [0, 1, 0], forbid: [normal] }
  touch2: { body: table, with: ground, point: [-0.5, -0.3, 0], forward: [0, 1, 0], forbid: [normal] }
  touch3: { body: table, with: ground, point: [0.5, -0.3, 0], forward: [0, 1, 0], forbid: [normal] }
)",
                  0, {0, 0, 0, 0, 0, 0.3}, {0.4, 0.2, 0, 0, 0, 0.5});
  at.expect_jacobian({{0, 0, 1, 0.434361050068352, -0.389012182564401, 0},
                      {0, 0, 1, 0.138840843407012, 0.566324306561205, 0},
                      {0, 0, 1, -0.434361050068352, 0.389012182564401, 0},
                      {0, 0, 1, -0.138840843407012, -0.566324306561205, 0}});
  at.expect_gamma({0, 0, 0, 0});
  at.expect_accelerations({0.020189409644887, 0.0193297112805883, 0, -2.17968004756486e-14, -1.94124575389073e-14, 0});
  at.expect_multipliers({67.035, 47.415, 31.065, 50.6850000000001});
  at.expect_reaction_forces({0, 0, 196.2, 15.1699574130177, -15.8446486892967, 0});
  EXPECT_EQ(at.rank(), 3);
  EXPECT_EQ(at.determinate(), (std::vector<bool>{false, false, false, false}));
}

// Theory 1, X6: planar sleigh with the normal forbidden too: a zero row.
TEST(Redundancy, RowNoJointCanFeel) {
  const Worked at(R"(
vinculum: 1
bodies:
  sleigh: { joint: {axes: [tx, ty, rz]}, mass: 3, com: [0.25, 0, 0], inertia: [0.4, 0.4, 0.4] }
environment:
  ground: { surface: plane }
contacts:
  touch: { body: sleigh, with: ground, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [normal, lateral] }
)",
                  0, {0.1, 0.2, 0.5}, {1.05309907426845, 0.575310646325044, 0.8});
  at.expect_jacobian({{0, 0, 0}, {0.479425538604203, -0.877582561890372, 0}});
  at.expect_rhs({0, 0});
  at.expect_gamma({0, -0.960000000000002});
  at.expect_accelerations({-0.319835307157576, 0.919187345591432, -1.22553191489362});
  at.expect_multipliers({0, -1.96085106382979});
  EXPECT_EQ(at.rank(), 1);
  EXPECT_EQ(at.determinate(), (std::vector<bool>{false, true}));
}

// Two arms of 1 m on the ground with their tips: one lies, the other stands but for 1 mrad, and hardly feels what presses on its
// tip. Each row alone says all of its arm, so only what the joints feel of them tells that one motion is almost free.
TEST(Redundancy, RowHardlyFeltIsTheWeakest) {
  const double angle = M_PI / 2 - 1e-3;
  const Worked at(fmt::format(R"(
vinculum: 1
bodies:
  lying: {{ joint: {{type: revolute, axis: y}}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }}
  standing: {{ joint: {{type: revolute, axis: y, origin: [0, 1, {:.17g}]}}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }}
contacts:
  left: {{ body: lying, with: world, point: [1, 0, 0], forbid: [normal] }}
  right: {{ body: standing, with: world, point: [1, 0, 0], forbid: [normal] }}
)",
                              std::sin(angle)),
                  0, {0, angle}, {0, 0});
  Workspace workspace(at.model());
  const auto mass = factorize_mass_matrix(at.set(), compute_mass_matrix(at.model(), at.state(), workspace), at.dynamics().rows.D);
  ASSERT_TRUE(mass);
  const WeakestConstraint weakest =
      find_weakest_constraint(at.set(), mass->factor, at.dynamics().rows, at.dynamics().solution.analysis);
  EXPECT_NEAR(weakest.ratio, std::sin(1e-3), 1e-12);
  EXPECT_EQ(weakest.motion, "1 standing'");
}

}  // namespace
}  // namespace vinculum::testing
