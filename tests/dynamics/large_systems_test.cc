// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "bench/models.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum {
namespace {

// A chain of a million bodies is built, checked and evaluated; its accelerations ask for the forces they came from. The forces
// are what is left of joint moments to which n bodies add one after the other: round-off is at most n ε of those.
TEST(LargeSystems, AMillionBodies) {
  ModelDescription words = bench::describe_model("chain1000000");
  ASSERT_EQ(words.bodies.size(), 1'000'000u);
  Diagnostics diagnostics;
  const auto model = build_model(std::move(words), diagnostics);
  ASSERT_TRUE(model);
  const bench::Sample sample = bench::draw_sample(*model, 0);
  Workspace workspace(*model);
  std::vector<double> accelerations(sample.state.v.size());
  ASSERT_TRUE(compute_accelerations(*model, 0, sample.state.q, sample.state.v, accelerations, workspace));
  const InverseDynamics inverse = compute_inverse_dynamics(*model, sample.state, accelerations, workspace);

  double moment = 0, force = 0, largest_acceleration = 0;
  for (const Wrench& wrench : inverse.reactions_W) moment = std::max(moment, norm(wrench.moment));
  for (double value : inverse.forces) force = std::max(force, std::abs(value));
  for (double value : accelerations) largest_acceleration = std::max(largest_acceleration, std::abs(value));
  EXPECT_GT(moment, 1e3);
  EXPECT_GT(largest_acceleration, 1e3);
  EXPECT_LT(force, 1e6 * std::numeric_limits<double>::epsilon() * moment);
}

// Above 128 velocities the lower triangle is mirrored by blocks. Each column is what a unit acceleration asks for beyond none.
TEST(LargeSystems, MassMatrixIsMirroredByBlocks) {
  Diagnostics diagnostics;
  const auto model = build_model(bench::describe_model("chain150"), diagnostics);
  ASSERT_TRUE(model);
  const int n = model->tree().velocities;
  ASSERT_GT(n, 128);
  const State state = bench::draw_sample(*model, 0).state;
  Workspace workspace(*model);
  const Eigen::MatrixXd A = compute_mass_matrix(*model, state, workspace);
  EXPECT_EQ(A, A.transpose());
  std::vector<double> unit(n, 0.0);
  const InverseDynamics still = compute_inverse_dynamics(*model, state, unit, workspace);
  double size = A.cwiseAbs().maxCoeff();
  for (const double force : still.forces) size = std::max(size, std::abs(force));
  for (const int j : {0, 15, 16, 17, 100, n - 1}) {
    unit[j] = 1;
    const InverseDynamics moved = compute_inverse_dynamics(*model, state, unit, workspace);
    for (int i = 0; i < n; ++i) ASSERT_NEAR(A(i, j), moved.forces[i] - still.forces[i], 1e-12 * size) << i << ", " << j;
    unit[j] = 0;
  }
  EXPECT_GT(A.cwiseAbs().minCoeff(), 0);
}

}  // namespace
}  // namespace vinculum
