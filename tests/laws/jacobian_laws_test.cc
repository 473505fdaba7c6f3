// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Jacobians, accelerations and the momentum matrix, on random trees with every kind of joint.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "tests/support/random_model.h"
#include "vinculum/dynamics/centroidal.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/jacobian.h"
#include "vinculum/dynamics/kinematics.h"

namespace vinculum::testing {
namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 to_column(const Vector3& a, const Vector3& b) { return {a.x, a.y, a.z, b.x, b.y, b.z}; }
Vector6 to_column(const Twist& twist) { return to_column(twist.linear, twist.angular); }

class MotionOfPoints : public ::testing::TestWithParam<int> {
 protected:
  MotionOfPoints()
      : random_(GetParam()),
        model_(make()),
        workspace_(model_),
        state_(random_state(model_, random_)),
        point_{static_cast<int>(model_.bodies().size()) - 1, random_.vector()} {}

  Model make() {
    ModelDescription words = random_tree(random_.next(), GetParam() % 10 == 0 ? 50 : 2 + GetParam() % 14);
    add_joint_forces(words, random_);
    return build(words);
  }
  Eigen::Map<const Eigen::VectorXd> v() const { return {state_.v.data(), static_cast<Eigen::Index>(state_.v.size())}; }
  std::vector<double> random_numbers() {
    std::vector<double> numbers(state_.v.size());
    for (double& number : numbers) number = 3 * random_.symmetric();
    return numbers;
  }

  Random random_;
  Model model_;
  Workspace workspace_;
  State state_;
  BodyPoint point_;
};

TEST_P(MotionOfPoints, JacobianGivesTheVelocity) {
  const BodyMotion body = compute_body_motions(model_, state_, workspace_)[point_.body];
  const Vector3 r = body.R_WB * point_.p_B, w = body.V_WB_W.angular;
  place_bodies(model_, state_, workspace_);
  Jacobian J;
  compute_jacobian(model_, workspace_, point_, J);
  const Vector6 expected = to_column(body.V_WB_W.linear + cross(w, r), w);
  EXPECT_LT((J * v() - expected).norm(), 1e-13 * (1 + expected.norm()));

  const PointMotion motion = compute_point_motion(model_, workspace_, point_);
  EXPECT_NEAR_VECTOR(motion.p_W, body.p_WB + r, 1e-14 * (1 + norm(motion.p_W)));
  EXPECT_LT((to_column(motion.velocity_W) - expected).norm(), 1e-13 * (1 + expected.norm()));
}

TEST_P(MotionOfPoints, JacobianAndItsRateGiveTheAcceleration) {
  const std::vector<double> a = random_numbers();
  place_bodies(model_, state_, workspace_);
  Jacobian J, J_dot;
  compute_jacobian(model_, workspace_, point_, J);
  compute_jacobian_rate(model_, workspace_, point_, J_dot);
  const auto bodies = compute_body_accelerations(model_, state_.v, a, workspace_);
  const Twist acceleration = compute_point_acceleration(model_, workspace_, point_, bodies[point_.body]);
  const Vector6 product = J * Eigen::Map<const Eigen::VectorXd>(a.data(), a.size()) + J_dot * v();
  EXPECT_LT((product - to_column(acceleration)).norm(), 1e-12 * (1 + product.norm()));
}

// Newton and Euler for each body by itself: reactions of the inverse problem balance m (a - g) and J w' + w × J w.
TEST_P(MotionOfPoints, AccelerationsAreThoseOfInverseDynamics) {
  const std::vector<double> a = random_numbers();
  const InverseDynamics inverse = compute_inverse_dynamics(model_, state_, a, workspace_);
  const auto motions = compute_body_motions(model_, state_, workspace_);
  const auto accelerations = compute_body_accelerations(model_, state_.v, a, workspace_);
  for (size_t i = 0; i < motions.size(); ++i) {
    const Body& body = model_.bodies()[i];
    Wrench on_body = inverse.reactions_W[i];
    for (size_t k = 0; k < motions.size(); ++k) {
      if (model_.bodies()[k].parent != static_cast<int>(i)) continue;
      const Wrench& passed = inverse.reactions_W[k];
      on_body.force -= passed.force;
      on_body.moment -= passed.moment + cross(motions[k].p_WB - motions[i].p_WB, passed.force);
    }
    const Vector3 w = motions[i].V_WB_W.angular, r = motions[i].R_WB * body.p_BoBcm_B;
    const Vector3 center = accelerations[i].linear + cross(accelerations[i].angular, r) + cross(w, cross(w, r));
    const Matrix3 I = to_matrix(sandwich(motions[i].R_WB, body.I_Bcm_B));
    const Vector3 force = body.mass * (center - model_.gravity());
    const Vector3 moment = I * accelerations[i].angular + cross(w, I * w) + cross(r, force);
    const double scale = 1 + norm(inverse.reactions_W[i].force) + norm(inverse.reactions_W[i].moment);
    EXPECT_NEAR_VECTOR(on_body.force, force, 1e-12 * scale);
    EXPECT_NEAR_VECTOR(on_body.moment, moment, 1e-12 * scale);
  }
}

// Jᵀ by power: tau·v = force·velocity + moment·w, added to what is there.
TEST_P(MotionOfPoints, TransposeKeepsThePower) {
  const Wrench wrench{random_.vector(), random_.vector()};
  std::vector<double> tau = random_numbers();
  const std::vector<double> before = tau;
  place_bodies(model_, state_, workspace_);
  add_jacobian_transpose(model_, workspace_, point_, wrench, tau);
  const Twist velocity = compute_point_motion(model_, workspace_, point_).velocity_W;
  const double power = dot(wrench.force, velocity.linear) + dot(wrench.moment, velocity.angular);
  double taken = 0;
  for (size_t i = 0; i < tau.size(); ++i) taken += (tau[i] - before[i]) * state_.v[i];
  EXPECT_NEAR(taken, power, 1e-12 * (1 + std::abs(power)));
}

TEST_P(MotionOfPoints, MomentumMatrixGivesTheMomentum) {
  const Momentum momentum = compute_momentum(model_, state_, workspace_);
  CentroidalMomentum centroidal;
  compute_centroidal_momentum(model_, state_, workspace_, centroidal);
  ASSERT_GT(momentum.mass, 0);
  EXPECT_NEAR(centroidal.mass, momentum.mass, 1e-14 * momentum.mass);
  EXPECT_NEAR_VECTOR(centroidal.center_W, momentum.center, 1e-13 * (1 + norm(momentum.center)));
  EXPECT_NEAR_VECTOR(momentum.mass * centroidal.center_velocity_W, momentum.linear, 1e-13 * (1 + norm(momentum.linear)));
  const Vector6 expected = to_column(momentum.linear, momentum.central);
  EXPECT_GT(expected.norm(), 1e-3);
  EXPECT_LT((centroidal.matrix * v() - expected).norm(), 1e-12 * (1 + expected.norm()));
}

// M v' + M' v is what the world does to the system: weight and the reactions on the bodies that stand on it.
TEST_P(MotionOfPoints, MomentumChangesByOutsideForces) {
  const std::vector<double> a = random_numbers();
  const InverseDynamics inverse = compute_inverse_dynamics(model_, state_, a, workspace_);
  const auto motions = compute_body_motions(model_, state_, workspace_);
  CentroidalMomentum centroidal;
  compute_centroidal_momentum(model_, state_, workspace_, centroidal);
  Wrench outside{centroidal.mass * model_.gravity(), {}};
  for (size_t i = 0; i < motions.size(); ++i) {
    if (model_.bodies()[i].parent != kWorld) continue;
    outside.force += inverse.reactions_W[i].force;
    outside.moment += inverse.reactions_W[i].moment + cross(motions[i].p_WB - centroidal.center_W, inverse.reactions_W[i].force);
  }
  const Vector6 rate = centroidal.matrix * Eigen::Map<const Eigen::VectorXd>(a.data(), a.size()) +
                       to_column(centroidal.rate_W.force, centroidal.rate_W.moment);
  const Vector6 expected = to_column(outside.force, outside.moment);
  EXPECT_LT((rate - expected).norm(), 1e-12 * (1 + expected.norm()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, MotionOfPoints, ::testing::Range(1, 31));

}  // namespace
}  // namespace vinculum::testing
