// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

std::string refusal(const char* text) {
  const Model model = read_model_text(text);
  Workspace workspace(model);
  const auto forward = compute_forward_dynamics(model, model.initial_state(), workspace);
  return forward ? "" : forward.failure().message;
}

TEST(SingularMassMatrix, MasslessTip) {
  const std::string message = refusal(R"yaml(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }
  tip: { parent: arm, joint: {type: revolute, axis: y, origin: [1, 0, 0]}, mass: 0 }
)yaml");
  EXPECT_NE(message.find("singular"), std::string::npos) << message;
  EXPECT_NE(message.find("tip'"), std::string::npos) << message;
}

// A point mass on a ball joint has no inertia about the line from the joint to it: here the body's x axis.
TEST(SingularMassMatrix, PointMassOnABall) {
  const std::string message = refusal(R"yaml(
vinculum: 1
bodies: { bob: { joint: {type: spherical}, mass: 2, com: [0.7, 0, 0], inertia: [0, 0, 0] } }
initial: { bob.wy: 1 }
)yaml");
  EXPECT_NE(message.find("singular"), std::string::npos) << message;
  EXPECT_NE(message.find("bob.wx"), std::string::npos) << message;
  EXPECT_EQ(message.find("bob.wy"), std::string::npos) << message;
}

// Off the axes the direction is a combination: spin about (1, 1, 0).
TEST(SingularMassMatrix, DirectionIsACombination) {
  const std::string message = refusal(R"yaml(
vinculum: 1
bodies: { bob: { joint: {type: spherical}, mass: 2, com: [0.5, 0.5, 0] } }
)yaml");
  EXPECT_NE(message.find("bob.wx + bob.wy"), std::string::npos) << message;
}

// Three axes of which the first and the last have come into line.
TEST(SingularMassMatrix, AxesInLine) {
  constexpr const char* kText = R"yaml(
vinculum: 1
bodies: { body: { joint: {axes: [rz, rx, rz]}, mass: 1, com: [0.1, 0.2, 0.3], inertia: [0.1, 0.2, 0.25] } }
)yaml";
  EXPECT_NE(refusal(kText).find("body.rz' - body.rz2'"), std::string::npos) << refusal(kText);
  // Away from there the same joint is good.
  EXPECT_EQ(refusal((std::string(kText) + "initial: { body.rx: 0.3 }\n").c_str()), "");
}

// A massless body inside a chain is no trouble: a cart on a massless slide.
TEST(SingularMassMatrix, MasslessInsideAChainIsGood) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies:
  slide: { joint: {type: prismatic, axis: z}, mass: 0 }
  load: { parent: slide, joint: {type: prismatic, axis: x}, mass: 3 }
forces: { lift: { joint: slide, law: "60" }, pull: { joint: load, law: "6" } }
)yaml");
  Workspace workspace(model);
  const auto forward = compute_forward_dynamics(model, model.initial_state(), workspace);
  ASSERT_TRUE(forward);
  EXPECT_NEAR(forward->accelerations[0], 60.0 / 3 - 10, 1e-14);
  EXPECT_NEAR(forward->accelerations[1], 2, 1e-14);
}

// The inverse problem still has its answer.
TEST(SingularMassMatrix, InverseStillAnswers) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies: { bob: { joint: {type: spherical}, mass: 2, com: [0.5, 0, 0] } }
)yaml");
  Workspace workspace(model);
  const auto inverse = compute_inverse_dynamics(model, model.initial_state(), std::vector<double>{1, 2, 3}, workspace);
  // m l² w' for y and z, and the weight's moment about y: (l x) × (-m g z) = + m g l y
  EXPECT_NEAR(inverse.forces[0], 0, 1e-14);
  EXPECT_NEAR(inverse.forces[1], 2 * 0.25 * 2 - 2 * 10 * 0.5, 1e-14);
  EXPECT_NEAR(inverse.forces[2], 2 * 0.25 * 3, 1e-14);
}

// A force law without a value is told, not handed on.
TEST(ForwardDynamics, NoNanLeaves) {
  const std::string message = refusal(R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute}, mass: 1, inertia: 1 } }
forces: { odd: { joint: arm, law: "log(arm - 1)" } }
)yaml");
  EXPECT_NE(message.find("no finite value"), std::string::npos) << message;
}

}  // namespace
}  // namespace vinculum
