// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

constexpr double kM = 3, km = 2, kl = 0.5, kJ = 0.1, kg = 10;

// A pendulum that hangs on a cart, with a spring and a damper at its joint. With J_o = J + m l²,
//
//   tau_1 = (M + m) x'' + m l (θ'' cos θ - θ'² sin θ) ,   tau_2 = J_o θ'' + m l x'' cos θ + m g l sin θ
Model cart_and_pendulum() {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, -10, 0]
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3 }
  bob: { parent: cart, joint: {type: revolute, axis: z}, mass: 2, com: [0, -0.5, 0], inertia: 0.1 }
forces: { joint: { joint: bob, law: "-4*bob^3 - 0.3*bob'*abs(bob')" } }
initial: { cart: 0.2, bob: 0.7, "cart'": -1.1, "bob'": 1.3 }
)yaml");
}

TEST(Derivatives, CartAndPendulum) {
  const Model model = cart_and_pendulum();
  DerivativesWorkspace workspace(model);
  const double s = std::sin(0.7), c = std::cos(0.7), rate = 1.3, J_o = kJ + km * kl * kl, ml = km * kl;

  const double x_ddot = 0.4, theta_ddot = -2.5;
  InverseDerivatives inverse;
  ASSERT_FALSE(
      compute_inverse_derivatives(model, model.initial_state(), std::vector<double>{x_ddot, theta_ddot}, workspace, inverse));
  Eigen::Matrix2d by_q, by_v, A;
  by_q << 0, -ml * (theta_ddot * s + rate * rate * c), 0, -ml * x_ddot * s + ml * kg * c;
  by_v << 0, -2 * ml * rate * s, 0, 0;
  A << kM + km, ml * c, ml * c, J_o;
  EXPECT_LT((inverse.by_q - by_q).cwiseAbs().maxCoeff(), 1e-14 * 10);
  EXPECT_LT((inverse.by_v - by_v).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((inverse.by_acceleration - A).cwiseAbs().maxCoeff(), 1e-14);

  // At the v' of the motion, with the law's slopes -12 θ² and -0.6 |θ'|.
  ForwardDerivatives forward;
  ASSERT_FALSE(compute_forward_derivatives(model, model.initial_state(), workspace, forward));
  const Eigen::Vector2d tau{0, -4 * 0.7 * 0.7 * 0.7 - 0.3 * rate * rate}, bias{-ml * rate * rate * s, ml * kg * s};
  const Eigen::Vector2d a = A.inverse() * (tau - bias);
  by_q << 0, -ml * (a[1] * s + rate * rate * c), 0, -ml * a[0] * s + ml * kg * c + 12 * 0.7 * 0.7;
  by_v(1, 1) = 0.6 * rate;
  EXPECT_NEAR(forward.accelerations[0], a[0], 1e-13);
  EXPECT_NEAR(forward.accelerations[1], a[1], 1e-13);
  EXPECT_LT((forward.by_q + A.inverse() * by_q).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((forward.by_v + A.inverse() * by_v).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((forward.by_tau - A.inverse()).cwiseAbs().maxCoeff(), 1e-14);
}

// Far away the numbers are the same: all is about a point near by.
TEST(Derivatives, FarFromTheOrigin) {
  const auto text = [](const char* place) {
    return std::string("vinculum: 1\nbodies: { body: { joint: {type: free, origin: ") + place +
           "}, mass: 2, com: [0.1, 0.2, 0], inertia: [0.3, 0.4, 0.5] } }\n"
           "initial: { body.wx: 1, body.wy: -2, body.wz: 0.5, \"body.tx'\": 3 }\n";
  };
  ForwardDerivatives near, far;
  const Model here = read_model_text(text("[0, 0, 0]")), there = read_model_text(text("[1e6, -1e6, 1e6]"));
  DerivativesWorkspace here_workspace(here), there_workspace(there);
  ASSERT_FALSE(compute_forward_derivatives(here, here.initial_state(), here_workspace, near));
  ASSERT_FALSE(compute_forward_derivatives(there, there.initial_state(), there_workspace, far));
  EXPECT_GT(near.by_v.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_EQ(near.by_q, far.by_q);
  EXPECT_EQ(near.by_v, far.by_v);
}

TEST(Derivatives, NothingMoves) {
  const Model model = read_model_text("vinculum: 1\nbodies: { rock: { joint: {type: fixed}, mass: 1 } }\n");
  DerivativesWorkspace workspace(model);
  InverseDerivatives inverse;
  ForwardDerivatives forward;
  RowMatrix regressor;
  EXPECT_FALSE(compute_inverse_derivatives(model, model.initial_state(), {}, workspace, inverse));
  EXPECT_FALSE(compute_forward_derivatives(model, model.initial_state(), workspace, forward));
  compute_inertia_regressor(model, model.initial_state(), {}, workspace, regressor);
  EXPECT_EQ(forward.by_q.size(), 0);
  EXPECT_EQ(regressor.rows(), 0);
  EXPECT_EQ(regressor.cols(), kInertialParameters);
}

TEST(Derivatives, SingularMassMatrixIsTold) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }
  needle: { parent: arm, joint: {type: revolute, axis: x, origin: [1, 0, 0]}, mass: 1, com: [0.5, 0, 0] }
initial: { arm: 0.3, needle: 0.4 }
)");
  DerivativesWorkspace workspace(model);
  Workspace plain(model);
  ForwardDerivatives forward;
  const auto failure = compute_forward_derivatives(model, model.initial_state(), workspace, forward);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "VN-RUN-002");
  EXPECT_EQ(failure->message, compute_forward_dynamics(model, model.initial_state(), plain).failure().message);
}

TEST(Derivatives, SlopeWithoutAValueIsTold) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, inertia: 0.1 } }
forces: { root: { joint: arm, law: "sqrt(arm)" } }
)yaml");
  DerivativesWorkspace workspace(model);
  ForwardDerivatives forward;
  const auto failure = compute_forward_derivatives(model, model.initial_state(), workspace, forward);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "VN-RUN-003");
}

// By differences of the accelerations, four points.
Eigen::MatrixXd differences(const Model& model, bool by_velocity) {
  constexpr double h = 1e-3;
  const State at = model.initial_state();
  Workspace workspace(model);
  Eigen::MatrixXd result(at.v.size(), at.v.size());
  for (size_t j = 0; j < at.v.size(); ++j) {
    const auto moved = [&](double step) {
      State state = at;
      (by_velocity ? state.v : state.q)[j] += step;
      const auto dynamics = compute_forward_dynamics(model, state, workspace);
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(dynamics->accelerations.data(), state.v.size()));
    };
    result.col(j) = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
  }
  return result;
}

// A damped strut from a turning and rising table: its end moves by v + w x r, and so its rate changes as the arms turn.
TEST(Derivatives, DampedSpringOnATurningEnvironmentBody) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 2, com: [0.3, 0, 0], inertia: 0.1 }
  hand: { parent: arm, joint: {type: revolute, axis: z, origin: [0.6, 0, 0]}, mass: 1, com: [0.2, 0, 0], inertia: 0.05 }
environment: { table: { position: [0, 0, "0.7 + 2*t"], rotation: { axis: z, angle: "0.4 + 3*t" } } }
forces: { strut: { between: [table, [0.5, 0.3, 0.1]], and: [hand, [0.3, 0.1, 0]], stiffness: 40, damping: 25, length: 0.2 } }
initial: { arm: 0.3, hand: -0.5, "arm'": 0.8, "hand'": -1.2 }
)yaml");
  DerivativesWorkspace workspace(model);
  ForwardDerivatives forward;
  ASSERT_FALSE(compute_forward_derivatives(model, model.initial_state(), workspace, forward));
  const Eigen::MatrixXd by_q = differences(model, false), by_v = differences(model, true);
  EXPECT_GT(by_q.cwiseAbs().maxCoeff(), 1);
  EXPECT_LT((forward.by_q - by_q).cwiseAbs().maxCoeff(), 1e-8 * by_q.cwiseAbs().maxCoeff());
  EXPECT_LT((forward.by_v - by_v).cwiseAbs().maxCoeff(), 1e-8 * by_v.cwiseAbs().maxCoeff());
}

// Ten carts side by side, the first pulled by where the last is and how fast: m v' = -3 c9 - 2 c9'. Twice in the same memory:
// nothing is left of the first time, outside the pattern of the tree either.
TEST(Derivatives, JointLawsAcrossBranches) {
  std::string text = "vinculum: 1\nforces: { follow: { joint: c0, law: \"-3*c9 - 2*c9'\" } }\nbodies:\n";
  for (int i = 0; i < 10; ++i) text += "  c" + std::to_string(i) + ": { joint: {type: prismatic, axis: x}, mass: 4 }\n";
  const Model model = read_model_text(text);
  DerivativesWorkspace workspace(model);
  Eigen::MatrixXd by_q = Eigen::MatrixXd::Zero(10, 10), by_v = by_q;
  by_q(0, 9) = -3.0 / 4;
  by_v(0, 9) = -2.0 / 4;
  for (int pass = 0; pass < 2; ++pass) {
    ForwardDerivatives forward;
    ASSERT_FALSE(compute_forward_derivatives(model, model.initial_state(), workspace, forward));
    EXPECT_LT((forward.by_q - by_q).cwiseAbs().maxCoeff(), 1e-15) << pass;
    EXPECT_LT((forward.by_v - by_v).cwiseAbs().maxCoeff(), 1e-15) << pass;
  }
}

}  // namespace
}  // namespace vinculum
