// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/files/read_model.h"
#include "vinculum/kernels/environment.h"

namespace vinculum {
namespace {

// A body turned by 90 degrees about z, so that its x axis is the world's y.
constexpr const char* kTurnedArm = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { body: { joint: {type: free}, mass: 2, inertia: [3, 3, 4] } }
initial: { body.qw: cos(pi/4), body.qz: sin(pi/4) }
)yaml";

TEST(Loads, WorldForceAtAPoint) {
  const Model model = read_model_text(std::string(kTurnedArm) +
                                      "forces: { push: { body: body, point: [3, 0, 0], force: [8, 0, 0], frame: world } }\n");
  Workspace workspace(model);
  const auto forward = compute_forward_dynamics(model, model.initial_state(), workspace);
  ASSERT_TRUE(forward);
  // The point is at world (0, 3, 0): moment = (0,3,0) × (8,0,0) = (0, 0, -24)
  EXPECT_NEAR(forward->accelerations[0], 4, 1e-14);
  EXPECT_NEAR(forward->accelerations[5], -24.0 / 4, 1e-14);
}

TEST(Loads, FollowerForceAndTorque) {
  const Model model =
      read_model_text(std::string(kTurnedArm) +
                      "forces: { thrust: { body: body, force: [8, 0, 0], torque: [0, 0, \"2*t + 1\"], frame: body } }\n");
  Workspace workspace(model);
  State state = model.initial_state();
  state.t = 3;
  const auto forward = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(forward);
  EXPECT_NEAR(forward->accelerations[0], 0, 1e-14);
  EXPECT_NEAR(forward->accelerations[1], 4, 1e-14);
  EXPECT_NEAR(forward->accelerations[5], 7.0 / 4, 1e-14);
}

// Two masses on a line with a spring and a damper between them: f = k (d - L) + c d'.
TEST(Loads, SpringBetweenBodies) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  left: { joint: {type: prismatic, axis: x}, mass: 2 }
  right: { joint: {type: prismatic, axis: x, origin: [1, 0, 0]}, mass: 5 }
forces: { spring: { between: [left, [0,0,0]], and: [right, [0,0,0]], stiffness: 100, damping: 3, length: 0.8 } }
initial: { left: -0.1, right: 0.2, "left'": 1, "right'": 4 }
)yaml");
  Workspace workspace(model);
  const auto forward = compute_forward_dynamics(model, model.initial_state(), workspace);
  ASSERT_TRUE(forward);
  const double pull = 100 * (1.3 - 0.8) + 3 * (4 - 1);
  EXPECT_NEAR(forward->accelerations[0], pull / 2, 1e-12);
  EXPECT_NEAR(forward->accelerations[1], -pull / 5, 1e-12);
  const Energy energy = compute_energy(model, model.initial_state(), workspace);
  EXPECT_NEAR(energy.potential, 0.5 * 100 * 0.25, 1e-12);
  EXPECT_NEAR(energy.power, -3 * 9, 1e-12);
}

// A spring to a moving support: what the support's motion brings is power, E' = power.
TEST(Loads, SpringToAMovingSupport) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
environment: { shaker: { position: ["0.3*sin(2*t)", 0, 0] } }
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 2 } }
forces: { spring: { between: [shaker, [0,0,0]], and: [mass, [0,0,0]], stiffness: 50, length: 0.5 } }
initial: { mass: 1 }
)yaml");
  Workspace workspace(model);
  State state = model.initial_state();
  state.t = 0.4;
  const double support = 0.3 * std::sin(0.8), rate = 0.6 * std::cos(0.8);
  const double pull = 50 * (1 - support - 0.5);
  const auto forward = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(forward);
  EXPECT_NEAR(forward->accelerations[0], -pull / 2, 1e-13);
  EXPECT_NEAR(compute_energy(model, state, workspace).power, -pull * rate, 1e-13);
  EXPECT_EQ(non_conservative_elements(model), std::vector<std::string>{"force 'spring'"});
}

// Laws with a kink or a jump: a joint stop beyond 1, k (x - 1)²/2 ; two stops and a bump between them; dry friction is work, but
// -c sign(x - a) is a potential c |x - a| - c |a| ; near the kink and far from it, on both sides.
TEST(Loads, PotentialOfAJointLawWithKinks) {
  const auto potential = [](const std::string& law, double x) {
    const Model model = read_model_text(
        "vinculum: 1\ngravity: [0, 0, 0]\nbodies: { a: { joint: {type: prismatic, axis: x}, mass: 1, "
        "inertia: 0 } }\nforces: { stop: { joint: a, law: \"" +
        law + "\" } }\n");
    Workspace workspace(model);
    State state = model.initial_state();
    state.q[0] = x;
    return compute_energy(model, state, workspace).potential;
  };
  const auto beyond = [](double x) { return std::max(x, 0.0); };
  for (double x : {-4.0, -1.0001, 0.7, 1.0001, 1.001, 1.5, 3.0, 200.0}) {
    const double size = 1e-15 * 1e4 * (1 + x * x);
    EXPECT_NEAR(potential("-1e4*(abs(a - 1) + (a - 1))/2", x), 5e3 * std::pow(beyond(x - 1), 2), size) << x;
    EXPECT_NEAR(potential("-1e4*(abs(a - 1) + (a - 1))/2 - 1e4*((a + 1) - abs(a + 1))/2", x),
                5e3 * (std::pow(beyond(x - 1), 2) + std::pow(beyond(-1 - x), 2)), size)
        << x;
    EXPECT_NEAR(potential("-1e4*sign(a - 0.3)", x), 1e4 * (std::abs(x - 0.3) - 0.3), size) << x;
    // -∫ -|1 - |s|| : a kink in a kink
    const double y = std::abs(x), inner = y < 1 ? y - y * y / 2 : 0.5 + (y - 1) * (y - 1) / 2;
    EXPECT_NEAR(potential("-abs(1 - abs(a))", x), x < 0 ? -inner : inner, size) << x;
  }
}

// -∫ -3 sin s = 3 (1 - cos x) however far away; round-off of one turn is granted for each.
TEST(Loads, PotentialOfARepeatingLawFarFromZero) {
  const auto model_with = [](const std::string& law) {
    return read_model_text(
        "vinculum: 1\ngravity: [0, 0, 0]\nbodies: { a: { joint: {type: revolute, axis: x}, mass: 1, "
        "inertia: 1 } }\nforces: { wave: { joint: a, law: \"" +
        law + "\" } }\n");
  };
  const auto potential = [&](const std::string& law, double x) {
    const Model model = model_with(law);
    Workspace workspace(model);
    State state = model.initial_state();
    state.q[0] = x;
    return compute_energy(model, state, workspace).potential;
  };
  for (const double x : {0.3, 20.0, -77.7, 12345.6, 1e6, -1e6 + 0.25}) {
    const double granted = 1e-14 * (1 + std::abs(x));
    EXPECT_NEAR(potential("-3*sin(a)", x), 3 * (1 - std::cos(x)), granted) << x;
    // -∫ -(2 + cos 4s sin 6s) = 2 x + ∫ (sin 10s + sin 2s)/2
    EXPECT_NEAR(potential("-2 - cos(4*a)*sin(6*a)", x), 2 * x + (1 - std::cos(10 * x)) / 20 + (1 - std::cos(2 * x)) / 4,
                10 * granted)
        << x;
    // |sin| has a kink every half turn: an area of 4 a turn
    const double turns = std::floor(x / (2 * std::numbers::pi)), rest = x - turns * 2 * std::numbers::pi;
    const double area = 4 * turns + (rest < std::numbers::pi ? 1 - std::cos(rest) : 3 + std::cos(rest));
    EXPECT_NEAR(potential("-abs(sin(a))", x), area, 4 * granted) << x;
  }
  EXPECT_TRUE(non_conservative_elements(model_with("-sin(a)^3 + cos(2*a) - 4*a")).empty());
  for (const char* law : {"-a*sin(a)", "-floor(a)", "-sin(a)*sin(pi*a)", "-tan(a)"})
    EXPECT_EQ(non_conservative_elements(model_with(law)), std::vector<std::string>{"force 'wave'"}) << law;
}

// Potential of a law in its own coordinate, found by quadrature: -∫ (-k q - b q³) = k q²/2 + b q⁴/4; the damper is power.
TEST(Loads, PotentialOfAJointLaw) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { arm: { joint: {type: revolute}, mass: 1, inertia: 1 } }
forces: { spring: { joint: arm, law: "-3*arm - 2*arm^3 - 0.5*arm'" } }
initial: { arm: 1.5, "arm'": 2 }
)yaml");
  Workspace workspace(model);
  const Energy energy = compute_energy(model, model.initial_state(), workspace);
  EXPECT_NEAR(energy.potential, 1.5 * 2.25 + 0.5 * std::pow(1.5, 4), 1e-14);
  EXPECT_NEAR(energy.power, -0.5 * 4, 1e-14);
}

// A driven pendulum pivot: the drive carries the weight and the inertia force of what hangs on it.
TEST(Loads, DrivenCoordinateGivesItsForce) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies:
  lift: { joint: {type: prismatic, axis: z}, mass: 3 }
  bob: { parent: lift, joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.5] }
motions: { lift: "0.5*sin(2*t)" }
initial: { bob: 0 }
)yaml");
  Workspace workspace(model);
  State state = model.initial_state();
  state.t = 0.3;
  const auto forward = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(forward);
  const double acceleration = -2 * std::sin(0.6);
  EXPECT_NEAR(forward->accelerations[0], acceleration, 1e-14);
  EXPECT_NEAR(forward->accelerations[1], 0, 1e-14);
  EXPECT_NEAR(forward->driving_forces[0], (3 + 2) * (10 + acceleration), 1e-12);
}

// A translation of a free body can be driven: the joint is then taken apart, with the same names.
TEST(Loads, DrivenTranslationOfAFreeBody) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -10]
bodies: { body: { joint: {type: free}, mass: 2, com: [0, 0.1, 0], inertia: [1, 2, 2.5] } }
motions: { body.tz: "t^2" }
initial: { body.wx: 0.5 }
)yaml");
  Workspace workspace(model);
  EXPECT_EQ(model.velocity_names()[3], "body.wx");
  const auto forward = compute_forward_dynamics(model, model.initial_state(), workspace);
  ASSERT_TRUE(forward);
  EXPECT_NEAR(forward->accelerations[2], 2, 1e-14);
  // Newton along z for the centre at c = (0, .1, 0): m (z'' + .1 wx' + g) = F; moment about the centre: Jxx wx' = -.1 F
  const double wx = forward->accelerations[3], F = forward->driving_forces[0];
  EXPECT_NEAR(2 * (2 + 0.1 * wx + 10), F, 1e-12);
  EXPECT_NEAR(1 * wx, -0.1 * F, 1e-12);
}

// Exact derivatives of a given motion: two turns and a shift, against closed forms.
TEST(Environment, VelocityAndAcceleration) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
environment:
  deck:
    position: ["t^3", "sin(2*t)", 1]
    rotation: [ {axis: z, angle: "t^2"}, {axis: x, angle: "3*t"} ]
bodies: { body: { joint: {type: fixed}, mass: 0 } }
)yaml");
  std::vector<double> scratch;
  const double t = 0.7;
  const EnvironmentMotion motion = compute_environment_motion(model.environment()[0], t, scratch);
  EXPECT_NEAR_VECTOR(motion.velocity.linear, (Vector3{3 * t * t, 2 * std::cos(2 * t), 0}), 1e-14);
  EXPECT_NEAR_VECTOR(motion.acceleration.linear, (Vector3{6 * t, -4 * std::sin(2 * t), 0}), 1e-14);
  // w = 2t z + 3 x₁ with x₁ = Rz(t²) x, so w' = 2 z + 3 (2t z × x₁)
  const Vector3 x1{std::cos(t * t), std::sin(t * t), 0}, z{0, 0, 1};
  EXPECT_NEAR_VECTOR(motion.velocity.angular, 2 * t * z + 3.0 * x1, 1e-14);
  EXPECT_NEAR_VECTOR(motion.acceleration.angular, 2.0 * z + 6 * t * cross(z, x1), 1e-14);
  EXPECT_NEAR_VECTOR(motion.R_WE * Vector3({0, 1, 0}), std::cos(3 * t) * cross(z, x1) + std::sin(3 * t) * z, 1e-14);
}

}  // namespace
}  // namespace vinculum
