// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/sparse_constraints.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/motion_platform.h"
#include "vinculum/constraints/projection.h"

// The worked problems of theory 1 are solved both ways in worked.h; here what they do not reach.
namespace vinculum {
namespace {

double norm_of(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// A state beside the constraints comes back onto them by the structure of the tree as by dense matrices: positions and
// velocities, on a base that moves.
TEST(SparseConstraints, ProjectsAsTheDenseSolveDoes) {
  using testing::MotionPlatform;
  const Model model = read_model_text(
      MotionPlatform::text(std::vector<double>(6, 1100.0), "surface: plane, position: [\"0.05*sin(3*t)\", 0, 0]"));
  const ConstraintSet set(model);
  Workspace workspace(model);
  const auto start =
      project_state(set, {0, MotionPlatform::place({0.02, 0.01, 1.5, 0.03, 0, 0.02}), std::vector<double>(48)}, workspace);
  ASSERT_TRUE(start) << start.failure().message;
  State beside = start->state;
  for (size_t i = 0; i < beside.q.size(); ++i) beside.q[i] += 1e-6 * std::sin(1.0 + static_cast<double>(i));
  for (size_t i = 0; i < beside.v.size(); ++i) beside.v[i] += 1e-3 * std::cos(2.0 * static_cast<double>(i));

  State dense = beside, quick = beside;
  SparseConstraints sparse(set);
  ASSERT_TRUE(keep_on_constraints(set, dense, workspace));
  ASSERT_TRUE(keep_on_constraints(set, quick, workspace, &sparse));
  EXPECT_GT(norm_of(beside.q, dense.q), 1e-7);
  EXPECT_GT(norm_of(beside.v, dense.v), 1e-4);
  // Both ways end within round-off of the constraints; along them they may differ by what Newton's second step does, (1e-6)².
  EXPECT_LT(norm_of(quick.q, dense.q), 1e-11);
  EXPECT_LT(norm_of(quick.v, dense.v), 1e-8);
  const auto rows = compute_row_values(set, quick);
  for (const auto& gap : rows->gap) EXPECT_LT(std::abs(gap.value_or(0)), 1e-14);
  EXPECT_LT(rows->rate.lpNorm<Eigen::Infinity>(), 1e-13);
}

// Legs that let go are passed over, and come back.
TEST(SparseConstraints, FollowsContactsThatLetGo) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
name: block on two feet
bodies:
  block: { joint: { axes: [tx, tz, ry] }, mass: 2, inertia: [0.1, 0.2, 0.1] }
environment: { ground: { surface: plane } }
contacts:
  left: { body: block, with: ground, point: [-0.5, 0, -0.5], forbid: [normal, forward] }
  right: { body: block, with: ground, point: [0.5, 0, -0.5], forbid: [normal] }
initial: { block.tz: 0.5 }
)yaml");
  ConstraintSet set(model);
  SparseConstraints sparse(set);
  Workspace workspace(model);
  const State state = model.initial_state();
  const auto standing = compute_constrained_dynamics(set, state, workspace, &sparse);
  ASSERT_TRUE(standing);
  EXPECT_EQ(standing->rows.D.size(), 0) << "the quick way needs no dense rows";
  EXPECT_NEAR(standing->solution.multipliers[0], 9.81, 1e-13);
  EXPECT_NEAR(standing->solution.multipliers[2], 9.81, 1e-13);

  // On its left foot alone it falls over: alpha (I + m |r|²) = m g x.
  set.hold({true, false});
  const auto falling = compute_constrained_dynamics(set, state, workspace, &sparse);
  ASSERT_TRUE(falling);
  EXPECT_EQ(falling->rows.D.size(), 0);
  EXPECT_NEAR(falling->dynamics.accelerations[2], 2 * 9.81 * 0.5 / (0.2 + 2 * 0.5), 1e-13);

  set.hold({true, true});
  EXPECT_NEAR(compute_constrained_dynamics(set, state, workspace, &sparse)->solution.multipliers[2], 9.81, 1e-13);
}

}  // namespace
}  // namespace vinculum
