// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Worked problems of theory 2, section 12, through the model file. Twelve digits are printed there.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "tests/support/worked_trees.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

constexpr double kPrinted = 2e-12;  // the last printed digit, and round-off of values up to some ten

void expect_values(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "at " << i;
}

TEST(WorkedProblems, W1_PlanarArmWithASlide) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1.5, com: [.3, 0, 0], inertia: .05 }
  b1: { parent: b0, joint: {type: prismatic, axis: x, origin: [.1, 0, 0]}, mass: .8, com: [.2, 0, 0], inertia: .02 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [.4, 0, 0]}, mass: .5, com: [.25, 0, 0], inertia: .03 }
initial: { b0: .7, b1: .35, b2: -1.1, "b0'": 1.3, "b1'": -.4, "b2'": .9 }
)");
  Workspace workspace(model);
  const State& state = model.initial_state();
  const InverseDynamics inverse = compute_inverse_dynamics(model, state, std::vector<double>{.5, 1.7, -2.1}, workspace);
  expect_values(inverse.forces, {11.343279119632, 8.375991039868, 1.025934984483}, kPrinted);
  EXPECT_NEAR_VECTOR(inverse.reactions_W[0].force, (Vector3{-0.326337558270, 26.923742366967, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(inverse.reactions_W[1].force, (Vector3{0.400273904788, 12.526580425972, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(inverse.reactions_W[2].force, (Vector3{-0.336260672833, 4.806072606000, 0}), kPrinted);
  EXPECT_NEAR(inverse.reactions_W[0].moment.z, 11.343279119632, kPrinted);
  EXPECT_NEAR(inverse.reactions_W[1].moment.z, 3.679036144518, kPrinted);
  EXPECT_NEAR(inverse.reactions_W[2].moment.z, 1.025934984483, kPrinted);

  Eigen::Matrix3d A;
  A << 1.061889175803, .111400920008, .109444587901, .111400920008, 1.3, .111400920008, .109444587901, .111400920008, .06125;
  EXPECT_LT((compute_mass_matrix(model, state, workspace) - A).cwiseAbs().maxCoeff(), kPrinted);
}

TEST(WorkedProblems, W2_BranchedTree) {
  const auto [model, state] = testing::branched_tree();
  Workspace workspace(model);
  const auto forward = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(forward);
  expect_values(
      forward->accelerations,
      {-2.285303820194, 1.013947128480, -0.473278845863, -7.576412476551, 9.353258806725, -12.647909573581, -24.465694679674},
      2e-11);
  EXPECT_NEAR_VECTOR(forward->reactions_W[0].force, (Vector3{-3.636321094562, -8.005054053020, 39.740981391435}), 2e-11);
  EXPECT_NEAR_VECTOR(forward->reactions_W[3].force, (Vector3{1.103622837132, 0.930947693673, -1.613423874833}), kPrinted);
  EXPECT_NEAR_VECTOR(forward->reactions_W[1].moment, (Vector3{0.208338751144, -0.596225130389, -0.370445674592}), kPrinted);
  EXPECT_NEAR_VECTOR(forward->reactions_W[3].moment, (Vector3{-0.046784468022, -0.000323787478, -0.018866520932}), kPrinted);

  const Eigen::VectorXd diagonal = compute_mass_matrix(model, state, workspace).diagonal();
  expect_values({diagonal.begin(), diagonal.end()},
                {1.807160040710, 2.001072802888, 0.390264336372, .172, 0.423477753293, .5, .03427}, kPrinted);
  const Energy energy = compute_energy(model, state, workspace);
  EXPECT_NEAR(energy.kinetic, 0.504905657788, kPrinted);
  EXPECT_NEAR(energy.potential, -22.879096483326, 2e-11);
}

TEST(WorkedProblems, W4_TriplePendulum) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [.9, 0, 0]}, mass: .6, com: [.4, 0, 0], inertia: .04 }
initial: { b0: -pi/2 + .6, b1: .2, b2: -.3, "b0'": .3, "b1'": -.2, "b2'": .5 }
)");
  Workspace workspace(model);
  const auto forward = compute_forward_dynamics(model, model.initial_state(), workspace);
  ASSERT_TRUE(forward);
  expect_values(forward->accelerations, {-3.854641846930, -2.883297136923, 15.450581203558}, 2e-11);
  Eigen::Matrix3d A;
  A << 5.228427202750, 2.377566283026, .581153681318, 2.377566283026, 1.256705363302, .342352681651, .581153681318, .342352681651,
      .136;
  EXPECT_LT((compute_mass_matrix(model, model.initial_state(), workspace) - A).cwiseAbs().maxCoeff(), kPrinted);
  EXPECT_NEAR(compute_energy(model, model.initial_state(), workspace).total(), -23.413137308402, 2e-11);
}

TEST(WorkedProblems, W5_LagrangeTop) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  top: { joint: {type: spherical}, mass: 1, com: [0, 0, .3], inertia: [.02, .02, .01] }
initial: { top.qw: cos(.2), top.qx: sin(.2), top.wx: .5, top.wy: .3, top.wz: 60 }
)");
  Workspace workspace(model);
  const State& state = model.initial_state();
  EXPECT_NEAR(compute_energy(model, state, workspace).total(), 20.729382505350, 2e-11);
  EXPECT_NEAR_VECTOR(compute_momentum(model, state, workspace).angular, (Vector3{.055, -0.203255992583, 0.565487401698}),
                     kPrinted);

  // Euler's equations by hand: A w1' = (A - C) w2 w3 + m g l γ2, A w2' = -(A - C) w1 w3 - m g l γ1, C w3' = 0.
  const double A = .02 + .09, C = .01, mgl = 9.81 * .3;
  const Vector3 gamma{0, std::sin(.4), std::cos(.4)};  // Rᵀ e3 for a turn of .4 about x
  const auto forward = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(forward);
  expect_values(forward->accelerations, {((A - C) * .3 * 60 + mgl * gamma.y) / A, (-(A - C) * .5 * 60 - mgl * gamma.x) / A, 0},
                1e-12);
}

}  // namespace
}  // namespace vinculum
