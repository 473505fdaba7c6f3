// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws every tree must obey, on random trees with every kind of joint.
#include <cmath>

#include <gtest/gtest.h>

#include "maximal_coordinates.h"
#include "tests/support/expect.h"
#include "tests/support/random_model.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"

namespace vinculum::testing {
namespace {

class RandomTrees : public ::testing::TestWithParam<int> {
 protected:
  RandomTrees() : random_(GetParam()), model_(make()), workspace_(model_), state_(random_state(model_, random_)) {}

  Model make() {
    ModelDescription words = random_tree(random_.next(), GetParam() % 10 == 0 ? 50 : 2 + GetParam() % 14);
    add_joint_forces(words, random_);
    return build(words);
  }
  std::vector<double> random_accelerations() {
    std::vector<double> a(model_.velocity_names().size());
    for (double& value : a) value = 3 * random_.symmetric();
    return a;
  }
  // The state after a short time, to third order in h: enough for central differences.
  State moved(const State& from, const std::vector<double>& a, double h) {
    State state = from;
    state.t += h;
    std::vector<double> rates(state.q.size());
    for (size_t i = 0; i < state.v.size(); ++i) state.v[i] = from.v[i] + 0.5 * h * a[i];
    // q' = N(q) v with the middle velocity, by the midpoint rule
    compute_coordinate_rates(model_, from.q, state.v, rates);
    State middle = from;
    for (size_t i = 0; i < state.q.size(); ++i) middle.q[i] = from.q[i] + 0.5 * h * rates[i];
    compute_coordinate_rates(model_, middle.q, state.v, rates);
    for (size_t i = 0; i < state.q.size(); ++i) state.q[i] = from.q[i] + h * rates[i];
    for (size_t i = 0; i < state.v.size(); ++i) state.v[i] = from.v[i] + h * a[i];
    return state;
  }

  Random random_;
  Model model_;
  Workspace workspace_;
  State state_;
};

TEST_P(RandomTrees, InverseUndoesForward) {
  const auto forward = compute_forward_dynamics(model_, state_, workspace_);
  ASSERT_TRUE(forward) << forward.failure().message;
  const auto inverse = compute_inverse_dynamics(model_, state_, forward->accelerations, workspace_);
  const double scale = largest(forward->accelerations);
  for (size_t i = 0; i < inverse.forces.size(); ++i) {
    EXPECT_NEAR(inverse.forces[i], forward->joint_forces[i], 1e-12 * scale) << model_.velocity_names()[i];
  }
  for (size_t i = 0; i < inverse.reactions_W.size(); ++i) {
    EXPECT_NEAR_VECTOR(forward->reactions_W[i].force, inverse.reactions_W[i].force, 1e-11 * scale);
    EXPECT_NEAR_VECTOR(forward->reactions_W[i].moment, inverse.reactions_W[i].moment, 1e-11 * scale);
  }
}

TEST_P(RandomTrees, MaximalCoordinatesAgree) {
  const auto forward = compute_forward_dynamics(model_, state_, workspace_);
  ASSERT_TRUE(forward) << forward.failure().message;
  const MaximalSolution other = solve_in_maximal_coordinates(model_, state_, forward->joint_forces);
  const double scale = largest(forward->accelerations);
  for (size_t i = 0; i < forward->accelerations.size(); ++i) {
    EXPECT_NEAR(forward->accelerations[i], other.accelerations[i], 1e-10 * scale) << model_.velocity_names()[i];
  }
  for (size_t i = 0; i < model_.bodies().size(); ++i) {
    const Wrench& expected = other.reactions_W[model_.bodies()[i].link];
    EXPECT_NEAR_VECTOR(forward->reactions_W[i].force, expected.force, 1e-10 * scale);
    EXPECT_NEAR_VECTOR(forward->reactions_W[i].moment, expected.moment, 1e-10 * scale);
  }
}

// A a + h is what inverse dynamics gives, for any a; and T = ½ vᵀ A v.
TEST_P(RandomTrees, MassMatrixAndBiasMakeTheInverse) {
  const Eigen::MatrixXd A = compute_mass_matrix(model_, state_, workspace_);
  const std::vector<double> a = random_accelerations(), zero(a.size(), 0.0);
  const auto bias = compute_inverse_dynamics(model_, state_, zero, workspace_).forces;
  const auto forces = compute_inverse_dynamics(model_, state_, a, workspace_).forces;
  const Eigen::VectorXd product = A * Eigen::Map<const Eigen::VectorXd>(a.data(), a.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(product[i] + bias[i], forces[i], 1e-12 * largest(forces));

  const Eigen::Map<const Eigen::VectorXd> v(state_.v.data(), state_.v.size());
  const double T = 0.5 * v.dot(A * v);
  EXPECT_GT(T, 1e-3);
  EXPECT_NEAR(compute_energy(model_, state_, workspace_).kinetic, T, 1e-13 * std::max(1.0, T));
  EXPECT_LT((A - A.transpose()).cwiseAbs().maxCoeff(), 1e-13 * A.cwiseAbs().maxCoeff());
}

// dE/dt = power, by central differences along the motion (their error is h² times third derivatives).
TEST_P(RandomTrees, EnergyChangesByPower) {
  const auto forward = compute_forward_dynamics(model_, state_, workspace_);
  ASSERT_TRUE(forward) << forward.failure().message;
  const double scale = largest(forward->accelerations);
  const double h = 1e-4 / scale;
  const Energy now = compute_energy(model_, state_, workspace_);
  const double later = compute_energy(model_, moved(state_, forward->accelerations, h), workspace_).total();
  const double earlier = compute_energy(model_, moved(state_, forward->accelerations, -h), workspace_).total();
  const double size = std::max({1.0, std::abs(now.kinetic), std::abs(now.potential)}) * scale;
  EXPECT_NEAR((later - earlier) / (2 * h), now.power, 1e-6 * size);
}

// P' = Σ m g + reactions of the world on the roots; L' likewise, about the origin.
TEST_P(RandomTrees, MomentumChangesByOutsideForces) {
  const auto forward = compute_forward_dynamics(model_, state_, workspace_);
  ASSERT_TRUE(forward) << forward.failure().message;
  const auto motions = compute_body_motions(model_, state_, workspace_);
  Wrench outside;
  for (size_t i = 0; i < model_.bodies().size(); ++i) {
    const Body& body = model_.bodies()[i];
    const Vector3 weight = body.mass * model_.gravity();
    outside += {weight, cross(motions[i].p_WB + motions[i].R_WB * body.p_BoBcm_B, weight)};
    if (body.parent != kWorld) continue;
    const Wrench& r = forward->reactions_W[i];
    outside += {r.force, r.moment + cross(motions[i].p_WB, r.force)};
  }
  const double scale = largest(forward->accelerations);
  const double h = 1e-4 / scale;
  const Momentum later = compute_momentum(model_, moved(state_, forward->accelerations, h), workspace_);
  const Momentum earlier = compute_momentum(model_, moved(state_, forward->accelerations, -h), workspace_);
  EXPECT_NEAR_VECTOR((1 / (2 * h)) * (later.linear - earlier.linear), outside.force, 1e-5 * scale);
  EXPECT_NEAR_VECTOR((1 / (2 * h)) * (later.angular - earlier.angular), outside.moment, 1e-5 * scale);
}

// Turning the whole world, gravity included, turns the reactions and leaves the accelerations as they are.
TEST_P(RandomTrees, FrameOfTheWorldDoesNotMatter) {
  const Matrix3 turn = to_rotation(random_.rotation());
  ModelDescription words = model_.description();
  words.gravity = turn * words.gravity;
  for (BodyDescription& body : words.bodies) {
    if (*body.parent != "world") continue;
    body.joint.origin = turn * body.joint.origin;
    body.joint.rotation = turn * body.joint.rotation;
  }
  const Model turned = build(words);
  Workspace workspace(turned);
  const auto a = compute_forward_dynamics(model_, state_, workspace_), b = compute_forward_dynamics(turned, state_, workspace);
  ASSERT_TRUE(a && b);
  const double scale = largest(a->accelerations);
  for (size_t i = 0; i < a->accelerations.size(); ++i) EXPECT_NEAR(a->accelerations[i], b->accelerations[i], 1e-11 * scale);
  for (size_t i = 0; i < a->reactions_W.size(); ++i) {
    EXPECT_NEAR_VECTOR(turn * a->reactions_W[i].force, b->reactions_W[i].force, 1e-11 * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Range(1, 41));

}  // namespace
}  // namespace vinculum::testing
