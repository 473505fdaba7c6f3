// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/equilibrium.h"

#include <numbers>

#include <gtest/gtest.h>

#include "vinculum/analysis/laws_of_time.h"
#include "vinculum/analysis/linearise.h"
#include "vinculum/analysis/rest.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

Outcome<Equilibrium> find(const Model& model) {
  DerivativesWorkspace workspace(model);
  return find_equilibrium(model, model.initial_state(), workspace);
}

// A direction without stiffness rests to 1e-12 of the largest acceleration: nothing but round-off may be left of it.
TEST(Equilibrium, IsDecidedToRoundOff) {
  RestEquations equations;
  equations.mass = Eigen::MatrixXd::Identity(2, 2);
  equations.stiffness = Eigen::Vector2d(9.81, 0).asDiagonal();
  equations.force = equations.accelerations = Eigen::Vector2d(0, 9.81e-13);
  equations.largest_free = 9.81;
  EXPECT_TRUE(equations.is_equilibrium());
  equations.force = equations.accelerations = Eigen::Vector2d(0, 9.81e-11);
  EXPECT_FALSE(equations.is_equilibrium());
}

// A rod of 2 kg turned up by a spring from a point beside it: the root of its moment by bisection, and Newton's from afar.
TEST(Equilibrium, PendulumOnASpring) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.7], inertia: 0.05 }
forces:
  spring: { between: [world, [0.9, 0, 0]], and: [arm, [0, 0, -1]], stiffness: 40, length: 0.3 }
initial: { arm: 0.4, "arm'": 3 }
)yaml");
  // The end of the rod is at (-sin φ, -cos φ); V = -m g c cos φ + k/2 (d - L)².
  const auto slope = [](double phi) {
    const double x = -std::sin(phi) - 0.9, z = -std::cos(phi), d = std::hypot(x, z);
    return 2 * 9.81 * 0.7 * std::sin(phi) + 40 * (d - 0.3) * (x * -std::cos(phi) + z * std::sin(phi)) / d;
  };
  double low = -1.5, high = 0.4;
  ASSERT_LT(slope(low) * slope(high), 0);
  while (high - low > 1e-15) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (slope(middle) * slope(low) > 0 ? low : high) = middle;
  }
  const auto equilibrium = find(model);
  ASSERT_TRUE(equilibrium) << equilibrium.failure().message;
  EXPECT_NEAR(equilibrium->state.q[0], low, 1e-13);
  EXPECT_LT(low, -0.5);
  EXPECT_EQ(equilibrium->state.v[0], 0);
  EXPECT_EQ(equilibrium->neutral, 0);
}

// A ball joint: a body hung out of plumb comes to rest with its mass centre below the joint; the turn about the vertical is free.
TEST(Equilibrium, BodyOnABall) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  lamp: { joint: {type: spherical}, mass: 1, com: [0.1, 0.2, -0.3], inertia: [0.02, 0.03, 0.04] }
)yaml");
  const auto equilibrium = find(model);
  ASSERT_TRUE(equilibrium) << equilibrium.failure().message;
  EXPECT_EQ(equilibrium->neutral, 1);
  const std::vector<double>& q = equilibrium->state.q;
  const Vector3 center = to_rotation(Quaternion{q[0], q[1], q[2], q[3]}) * Vector3{0.1, 0.2, -0.3};
  EXPECT_NEAR(center.x, 0, 1e-13);
  EXPECT_NEAR(center.y, 0, 1e-13);
  EXPECT_NEAR(center.z, -std::sqrt(0.14), 1e-13);
}

// Two pendulums geared by b' = 2 a': only velocities are tied, and b - 2 a stays what it was at the start, 0.5. At rest
// m_a c_a sin a + 2 m_b c_b sin b = 0 , b = 2 a + 0.5 , and the gear carries m_b g c_b sin b .
TEST(Equilibrium, GearedPendulumsKeepTheirPhase) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: y}, mass: 3, com: [0, 0, -0.5], inertia: 0.05 }
  b: { joint: {type: revolute, axis: y, origin: [1, 0, 0]}, mass: 1, com: [0, 0, -0.4], inertia: 0.05 }
velocity_constraints: { gear: { equation: "b' = 2*a'" } }
initial: { a: 0.3, b: 1.1 }
)yaml");
  double low = -0.5, high = 0.3;
  const auto moment = [](double a) { return 3 * 0.5 * std::sin(a) + 2 * 1 * 0.4 * std::sin(2 * a + 0.5); };
  ASSERT_LT(moment(low) * moment(high), 0);
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (moment(middle) * moment(low) > 0 ? low : high) = middle;
  }
  const auto equilibrium = find(model);
  ASSERT_TRUE(equilibrium) << equilibrium.failure().message;
  EXPECT_NEAR(equilibrium->state.q[0], low, 1e-12);
  EXPECT_NEAR(equilibrium->state.q[1] - 2 * equilibrium->state.q[0], 0.5, 1e-14);
  EXPECT_GT(std::abs(low), 0.05);
  EXPECT_EQ(equilibrium->neutral, 0);
}

TEST(Equilibrium, NoneForABodyThatFalls) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  stone: { joint: {type: prismatic, axis: z}, mass: 1 }
)yaml");
  const auto equilibrium = find(model);
  ASSERT_FALSE(equilibrium);
  EXPECT_EQ(equilibrium.failure().code, "VN-LINEAR-003");
  EXPECT_NE(equilibrium.failure().message.find("stone' still accelerates by -9.81"), std::string::npos)
      << equilibrium.failure().message;
}

TEST(Equilibrium, NoneWhileADriveMoves) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 1 }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: 0.1 }
motions: { cart: "sin(t)" }
)yaml");
  EXPECT_EQ(find(model).failure().code, "VN-LINEAR-002");
}

// The accelerations that four legs leave are round-off of what they hold.
TEST(Equilibrium, TableOnFourLegs) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { table: { joint: {type: free}, mass: 20, com: [0.1, 0.05, 0.7], inertia: [2, 3, 4] } }
environment: { floor: { surface: plane } }
contacts:
  leg1: { body: table, with: floor, point: [0.5, 0.3, 0], forbid: [normal] }
  leg2: { body: table, with: floor, point: [-0.5, 0.3, 0], forbid: [normal] }
  leg3: { body: table, with: floor, point: [-0.5, -0.3, 0], forbid: [normal] }
  leg4: { body: table, with: floor, point: [0.5, -0.3, 0], forbid: [normal] }
)yaml");
  const auto equilibrium = find(model);
  ASSERT_TRUE(equilibrium) << equilibrium.failure().message;
  EXPECT_NEAR(equilibrium->state.q[2], 0, 1e-12);  // it stands where it stood
  EXPECT_NEAR(equilibrium->state.q[3], 1, 1e-12);
}

// A mass centre and an inertia at the end of the range of doubles: an answer or a refusal, and no number that is none.
TEST(Equilibrium, NumbersAtTheEndOfTheirRange) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  b: { joint: {type: spherical}, mass: 1, com: [1, 1e-310, -1e-310], inertia: 1e-310 }
forces: { s: { between: [world, [0, 0, 1]], and: [b, [0, 0, 0]], stiffness: 100, length: 0.5 } }
contacts: { c: { body: b, with: world, point: [1, 1e-160, 0.3], forbid: [normal] } }
)yaml");
  if (const auto found = find(model)) {
    for (const double q : found->state.q) EXPECT_TRUE(std::isfinite(q));
  }
  const Model slider = read_model_text(R"yaml(
vinculum: 1
bodies: { b: { joint: {axes: [tz, ry]}, mass: 1, com: [1e-310, 0, 0], inertia: 0.1 } }
forces: { s: { between: [world, [0, 0, 1]], and: [b, [0, 0, 0]], stiffness: 100, length: 0.5 } }
)yaml");
  DerivativesWorkspace workspace(slider);
  const auto linear = linearise(slider, slider.initial_state(), workspace);
  ASSERT_TRUE(linear);
  for (const Mode& mode : find_modes(*linear)) {
    EXPECT_TRUE(std::isfinite(mode.eigenvalue.real()) && std::isfinite(mode.eigenvalue.imag()));
    for (const auto& part : mode.shape) EXPECT_TRUE(std::isfinite(std::abs(part)));
  }
}

TEST(Equilibrium, NoneOnGroundThatMoves) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { b: { joint: {type: prismatic, axis: z}, mass: 1, inertia: 0.1 } }
environment: { deck: { position: [0, 0, "0.1*sin(3*t)"] } }
forces: { strut: { between: [deck, [0, 0, 0]], and: [b, [0, 0, 0]], stiffness: 100, length: 0.5 } }
initial: { b: 0.3 }
)yaml");
  const auto equilibrium = find(model);
  ASSERT_FALSE(equilibrium);
  EXPECT_EQ(equilibrium.failure().code, "VN-LINEAR-130");
  EXPECT_NE(equilibrium.failure().message.find("environment body 'deck'"), std::string::npos);
  EXPECT_NE(equilibrium.failure().message.find("0.3 m/s"), std::string::npos) << equilibrium.failure().message;
}

TEST(LawsOfTime, AreListed) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: prismatic, axis: x}, mass: 1 }
  b: { joint: {type: prismatic, axis: z}, mass: 1 }
environment: { deck: { position: [0, 0, "0.1*sin(3*t)"] }, rock: { position: [0, 0, 1] } }
motions: { a: "sin(t)" }
forces:
  strut: { between: [deck, [0, 0, 0]], and: [b, [0, 0, 0]], stiffness: 100, length: 0.5 }
  rope: { between: [rock, [0, 0, 0]], and: [b, [0, 0, 0]], stiffness: 100, length: 0.5 }
  shaker: { joint: b, law: "2*sin(3*t)" }
  damper: { joint: b, law: "-b'" }
  wind: { body: b, force: [0, 0, "t"] }
)yaml");
  EXPECT_EQ(list_laws_of_time(model), (std::vector<std::string>{"motion of 'a'", "force 'shaker'", "force 'wind'",
                                                                "force 'strut' on environment body 'deck'"}));
}

}  // namespace
}  // namespace vinculum
