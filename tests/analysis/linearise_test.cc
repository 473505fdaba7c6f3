// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/linearise.h"
#include "vinculum/analysis/root_locus.h"

#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "vinculum/analysis/equilibrium.h"
#include "vinculum/analysis/root_locus.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

constexpr double g = 9.81;

Linearisation linearise_start(const Model& model) {
  DerivativesWorkspace workspace(model);
  auto linear = linearise(model, model.initial_state(), workspace);
  EXPECT_TRUE(linear) << linear.failure().message;
  return std::move(*linear);
}

std::string pendulum(const char* initial, const char* more = "") {
  return fmt::format(R"yaml(
vinculum: 1
bodies:
  arm: {{ joint: {{type: revolute, axis: y}}, mass: 2, com: [0, 0, -0.7], inertia: [0, 0, 0] }}
{}
initial: {{ arm: {} }}
)yaml",
                     more, initial);
}

TEST(Linearise, HangingAndStandingPendulum) {
  const Linearisation hanging = linearise_start(read_model_text(pendulum("0")));
  EXPECT_EQ(hanging.states, (std::vector<std::string>{"arm", "arm'"}));
  EXPECT_NEAR(hanging.A(1, 0), -g / 0.7, 1e-13);
  EXPECT_NEAR(hanging.B(1, 0), 1 / (2 * 0.7 * 0.7), 1e-15);
  const std::vector<Mode> swings = find_modes(hanging);
  ASSERT_EQ(swings.size(), 1u);
  EXPECT_NEAR(swings[0].eigenvalue.imag(), std::sqrt(g / 0.7), 1e-13);
  EXPECT_EQ(judge_stability(swings), Stability::marginal);

  const std::vector<Mode> falls = find_modes(linearise_start(read_model_text(pendulum("pi"))));
  ASSERT_EQ(falls.size(), 2u);
  EXPECT_NEAR(falls[0].eigenvalue.real(), std::sqrt(g / 0.7), 1e-13);
  EXPECT_NEAR(falls[1].eigenvalue.real(), -std::sqrt(g / 0.7), 1e-13);
  EXPECT_EQ(judge_stability(falls), Stability::unstable);
}

// φ'' = -g/l φ - c/(m l²) φ'
TEST(Linearise, DampedPendulum) {
  const double c = 0.8, inertia = 2 * 0.7 * 0.7, omega = std::sqrt(g / 0.7);
  const auto modes =
      find_modes(linearise_start(read_model_text(pendulum("0", R"(forces: { damper: { joint: arm, law: "-0.8*arm'" } })"))));
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes[0].frequency(), omega, 1e-13);
  EXPECT_NEAR(modes[0].damping_ratio(), c / (2 * inertia * omega), 1e-14);
  EXPECT_EQ(judge_stability(modes), Stability::asymptotically_stable);
}

// Equal point masses on equal rods: ω² = (2 ∓ √2) g/l, the lower rod at ±√2 of the upper against the vertical.
TEST(Linearise, DoublePendulum) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  upper: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.5], inertia: [0, 0, 0] }
  lower: { parent: upper, joint: {type: revolute, axis: y, origin: [0, 0, -0.5]}, mass: 1, com: [0, 0, -0.5], inertia: [0, 0, 0] }
)yaml");
  const auto modes = find_modes(linearise_start(model));
  ASSERT_EQ(modes.size(), 2u);
  const double root = std::numbers::sqrt2;
  EXPECT_NEAR(modes[0].frequency(), std::sqrt((2 - root) * g / 0.5), 1e-13);
  EXPECT_NEAR(modes[1].frequency(), std::sqrt((2 + root) * g / 0.5), 1e-13);
  EXPECT_NEAR((modes[0].shape[1] / modes[0].shape[0]).real(), root - 1, 1e-13);
  EXPECT_NEAR((modes[1].shape[1] / modes[1].shape[0]).real(), -root - 1, 1e-13);
}

// (M+m) x'' + m l θ'' = F ,  m l x'' + m l² θ'' = m g l θ + τ
TEST(Linearise, CartAndPole) {
  const double M = 3, m = 2, l = 0.5;
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3 }
  pole: { parent: cart, joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, 0.5], inertia: [0, 0, 0] }
)yaml");
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A(0, 2) = A(1, 3) = 1;
  A(2, 1) = -m * g / M;
  A(3, 1) = (M + m) * g / (M * l);
  Eigen::Matrix<double, 4, 2> B = Eigen::Matrix<double, 4, 2>::Zero();
  B(2, 0) = 1 / M;
  B(2, 1) = B(3, 0) = -1 / (M * l);
  B(3, 1) = (1 / m + 1 / M) / (l * l);
  const Linearisation linear = linearise_start(model);
  EXPECT_LT((linear.A - A).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_LT((linear.B - B).lpNorm<Eigen::Infinity>(), 1e-14);
}

// An upright top sleeps if C² s² > 4 A m g l; below, it falls as exp(√(4 A m g l - C² s²)/(2A) t).
TEST(Linearise, SleepingTop) {
  const double A = 0.02 + 0.3 * 0.3, C = 0.01, threshold = std::sqrt(4 * A * g * 0.3) / C;
  const auto modes_at = [](double spin) {
    return find_modes(linearise_start(read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  top: {{ joint: {{type: spherical}}, mass: 1, com: [0, 0, 0.3], inertia: [0.02, 0.02, 0.01] }}
initial: {{ top.wz: {} }}
)yaml",
                                                                  spin))));
  };
  const double slow = 0.9 * threshold, fast = 1.01 * threshold;
  EXPECT_EQ(judge_stability(modes_at(slow)), Stability::unstable);
  const double growth = std::sqrt(4 * A * g * 0.3 - C * C * slow * slow) / (2 * A);
  EXPECT_NEAR(modes_at(slow)[0].eigenvalue.real(), growth, 1e-10);
  EXPECT_EQ(judge_stability(modes_at(fast)), Stability::marginal);
}

// Every kind of joint and force, at any state: departures grow as those of the equations themselves, by central differences.
// Error of differences h² and round-off/h: 1e-8 of the largest entry.
TEST(Linearise, AgreesWithDifferencesOfTheEquations) {
  for (int seed = 1; seed <= 5; ++seed) {
    testing::Random random(100 + seed);
    ModelDescription words = testing::random_tree(seed, 5);
    testing::add_body_forces(words, random);
    const Model model = testing::build(words);
    Workspace links(model);
    State state = model.initial_state();
    const Eigen::Index n = model.tree().velocities;
    Eigen::VectorXd turn(n);
    for (double& value : turn) value = random.symmetric();
    move_coordinates(model, turn, state.q);
    for (double& value : state.v) value = random.symmetric();
    DerivativesWorkspace workspace(model);
    const auto linear = linearise(model, state, workspace);
    if (!linear) continue;  // a tree that ends with a massless body

    // x' of δ: by δ(t + dt) of neighbours that started δ apart, q ⊕ δ ⊕ v dt against (q ⊕ v dt) ⊕ δ(dt), is left to the top
    // above; here rows of v'.
    const double h = 1e-5;
    const auto accelerations = [&](Eigen::Index k, double step) {
      State moved = state;
      if (k < n)
        move_coordinates(model, step * Eigen::VectorXd::Unit(n, k), moved.q);
      else
        moved.v[k - n] += step;
      const auto dynamics = compute_forward_dynamics(model, moved, links);
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(dynamics->accelerations.data(), n));
    };
    for (Eigen::Index k = 0; k < 2 * n; ++k) {
      const Eigen::VectorXd slope = (accelerations(k, h) - accelerations(k, -h)) / (2 * h);
      EXPECT_LT((linear->A.col(k).tail(n) - slope).lpNorm<Eigen::Infinity>(), 1e-7 * linear->A.lpNorm<Eigen::Infinity>());
    }
  }
}

TEST(Linearise, DrivenCoordinatesDoNotDepart) {
  const Linearisation linear = linearise_start(read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3 }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.5], inertia: [0, 0, 0] }
motions: { cart: "0.2*sin(3*t)" }
)yaml"));
  EXPECT_EQ(linear.states, (std::vector<std::string>{"bob", "bob'"}));
  EXPECT_NEAR(linear.A(1, 0), -g / 0.5, 1e-13);
}

// At rest on a blade: only its heading and place may be others, and it can be pushed along.
TEST(Linearise, RestOnABlade) {
  const Linearisation linear = linearise_start(read_model_text(R"yaml(
vinculum: 1
bodies:
  sled: { joint: {type: planar}, mass: 2, inertia: 0.1 }
contacts: { foot: { body: sled, with: world, point: [0, 0, 0], forbid: [lateral] } }
)yaml"));
  EXPECT_EQ(linear.states, (std::vector<std::string>{"sled.tx", "sled.ty", "sled.rz", "sled.tx'", "sled.rz'"}));
  EXPECT_NEAR(linear.B(3, 0), 1 / 2.0, 1e-15);
  EXPECT_NEAR(linear.B(4, 2), 1 / 0.1, 1e-14);
  EXPECT_EQ(linear.B.cwiseAbs().sum(), linear.B(3, 0) + linear.B(4, 2));
  for (const Mode& mode : find_modes(linear)) EXPECT_EQ(mode.eigenvalue, 0.0);
}

// A bar on two equal rods, its ends held by balls: it swings in parallel as a pendulum of the length of the rods. Every body is
// free, so that all of the motion comes from the contacts.
TEST(Linearise, BarOnTwoRods) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  left: { joint: {type: revolute, axis: y, origin: [-0.5, 0, 0]}, mass: 0.5, com: [0, 0, -0.4], inertia: 0.01 }
  right: { joint: {type: revolute, axis: y, origin: [0.5, 0, 0]}, mass: 0.5, com: [0, 0, -0.4], inertia: 0.01 }
  bar: { parent: left, joint: {type: revolute, axis: y, origin: [0, 0, -0.8]}, mass: 3, com: [0.5, 0, 0], inertia: 0.2 }
contacts:
  pin:
    body: bar
    with: right
    frame: { on_body: {point: [1, 0, 0]}, on_environment: {point: [0, 0, -0.8]} }
    forbid: [normal, forward]
)yaml");
  const Linearisation linear = linearise_start(model);
  EXPECT_EQ(linear.states, (std::vector<std::string>{"left", "left'"}));
  const double inertia = 2 * (0.01 + 0.5 * 0.4 * 0.4) + 3 * 0.8 * 0.8, moment = g * (2 * 0.5 * 0.4 + 3 * 0.8);
  EXPECT_NEAR(linear.A(1, 0), -moment / inertia, 1e-12);
  EXPECT_NEAR(linear.B(1, 0), 1 / inertia, 1e-13);
  EXPECT_NEAR(linear.B(1, 1), 1 / inertia, 1e-13);
}

// The same lamp twice: on a spherical joint, and as a free body with a point held by a contact, away from its pole, so that
// reactions have a moment and turns that do not commute matter. The turn about the vertical is free.
TEST(Linearise, BallJointAndContactAgree) {
  const Model joint = read_model_text(R"yaml(
vinculum: 1
bodies:
  lamp: { joint: {type: spherical}, mass: 1, com: [0, 0, -0.3], inertia: [0.02, 0.03, 0.04] }
)yaml");
  const Model contact = read_model_text(R"yaml(
vinculum: 1
bodies:
  lamp: { joint: {type: free}, mass: 1, com: [0.2, 0, -0.1], inertia: [0.02, 0.03, 0.04] }
contacts:
  hook:
    body: lamp
    with: world
    frame: { on_body: {point: [0.2, 0, 0.2]}, on_environment: {point: [0.2, 0, 0.2]} }
    forbid: [normal, lateral, forward]
)yaml");
  const auto joint_modes = find_modes(linearise_start(joint)), contact_modes = find_modes(linearise_start(contact));
  for (const auto& found : {joint_modes, contact_modes}) {  // those of frequency 0 are one pair or two numbers, by round-off
    ASSERT_GE(found.size(), 3u);
    EXPECT_NEAR(found.rbegin()[1].frequency(), std::sqrt(g * 0.3 / (0.03 + 0.09)), 1e-12);
    EXPECT_NEAR(found.rbegin()[0].frequency(), std::sqrt(g * 0.3 / (0.02 + 0.09)), 1e-12);
    EXPECT_NEAR(found.rbegin()[2].frequency(), 0, 1e-7);
    EXPECT_EQ(judge_stability(found), Stability::marginal);
  }
}

// A skew four-bar linkage with a spring: it comes to rest where the constrained motion has no acceleration, and departs from
// there as the constrained motion itself does, by central differences along the crank (error h², 1e-8).
TEST(Linearise, FourBarLinkage) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  crank: { joint: {type: revolute, axis: y}, mass: 1, com: [0.2, 0, 0.05], inertia: 0.02 }
  coupler: { parent: crank, joint: {type: revolute, axis: y, origin: [0.4, 0, 0]}, mass: 2, com: [0.5, 0, 0.1], inertia: 0.1 }
  rocker: { joint: {type: revolute, axis: y, origin: [0.9, 0, 0]}, mass: 1.5, com: [0, 0, -0.3], inertia: 0.05 }
contacts:
  pin:
    body: coupler
    with: rocker
    frame: { on_body: {point: [0.9, 0, 0]}, on_environment: {point: [0, 0, -0.6]} }
    forbid: [normal, forward]
forces:
  spring: { between: [world, [0, 0, -0.7]], and: [crank, [0.3, 0, 0]], stiffness: 30, length: 0.4 }
  damper: { joint: rocker, law: "-0.4*rocker'" }
initial: { crank: 0.9, coupler: -0.7 }
)yaml");
  DerivativesWorkspace workspace(model);
  Workspace links(model);
  const auto rest = find_equilibrium(model, model.initial_state(), workspace);
  ASSERT_TRUE(rest) << rest.failure().message;
  const auto linear = linearise(model, rest->state, workspace);
  ASSERT_TRUE(linear) << linear.failure().message;
  EXPECT_EQ(linear->states, (std::vector<std::string>{"crank", "crank'"}));

  const ConstraintSet set(model);
  const auto acceleration = [&](double angle, double rate) {
    State state = rest->state;
    state.q[0] += angle;
    state.v[0] += rate;
    const auto moved = project_state(set, state, links, {0});
    EXPECT_TRUE(moved);
    // The rate is held by its own factor: projection of velocities is by mass.
    State at = moved->state;
    if (rate != 0) {
      for (double& v : at.v) v *= rate / moved->state.v[0];
    }
    return compute_constrained_motion(set, at, {}, links)->accelerations[0];
  };
  const double h = 1e-4;
  EXPECT_NEAR(acceleration(0, 0), 0, 1e-9);
  EXPECT_NEAR(linear->A(1, 0), (acceleration(h, 0) - acceleration(-h, 0)) / (2 * h), 1e-5);
  EXPECT_NEAR(linear->A(1, 1), (acceleration(0, h) - acceleration(0, -h)) / (2 * h), 1e-5);
  EXPECT_LT(linear->A(1, 0), -1);
  EXPECT_LT(linear->A(1, 1), -0.1);
}

// A point of the grid lies on the zero: p'' = -p - c p' changes at c = 0, once.
TEST(RootLocus, AGridPointOnTheZeroIsOneChange) {
  const auto at = [](double c) {
    const Model model = read_model_text(
        "vinculum: 1\nbodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 } }\n"
        "forces: { f: { joint: p, law: \"-p - (" +
        std::to_string(c) + ")*p'\" } }\n");
    DerivativesWorkspace workspace(model);
    return linearise(model, model.initial_state(), workspace);
  };
  for (const auto& [from, to, count] : {std::tuple(-0.2, 0.2, 5), std::tuple(-0.2, 0.3, 6), std::tuple(-0.3, 0.2, 4)}) {
    const auto locus = trace_root_locus("c", from, to, count, at);
    ASSERT_TRUE(locus) << locus.failure().message;
    ASSERT_EQ(locus->changes.size(), 1u) << from << " to " << to << ", " << count;
    EXPECT_NEAR(locus->changes[0].value, 0, 1e-5);
    EXPECT_NEAR(locus->changes[0].eigenvalue.imag(), 1, 1e-5);
    EXPECT_FALSE(locus->changes[0].grows);
  }
}

// Watt's governor: the angle of its engine has the eigenvalue zero at every value of the parameter, which must not hide where the
// others cross the axis. λ³ + b/m λ² + B λ + C:  Hurwitz' condition b/m B = C (Pontryagin).
TEST(RootLocus, AZeroThatStaysDoesNotHideTheThreshold) {
  const double l = 0.3, m = 1.5, k = 20, J = 2, n = 2, c = 12.0 / 20, s = std::sqrt(1 - c * c);
  const double w = std::sqrt(g / (l * c)) / n;
  // phi'' = n² w² s c - g/l s - b/m phi' :  B = n² w² s²;  the engine's J w' = k cos phi:  C = 2 n² w s c k s / J.
  const double B = n * n * w * w * s * s, C = 2 * n * n * w * s * c * k * s / J, threshold = m * C / B;
  const auto at = [&](double b) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies:
  phi: {{ joint: {{ type: revolute, axis: y }}, mass: 1.5, com: [0, 0, -0.3], inertia: 0 }}
  engine: {{ joint: {{ type: revolute, axis: z }}, mass: 1, inertia: 2 }}
forces:
  centrifugal: {{ joint: phi, law: "1.5*0.09*(2*engine')^2*sin(phi)*cos(phi) - {:.17g}*0.09*phi'" }}
  steam: {{ joint: engine, law: "20*cos(phi) - 12" }}
initial: {{ phi: acos(0.6), "engine'": "sqrt(9.81/(0.3*0.6))/2" }}
)",
                                                    b));
    DerivativesWorkspace workspace(model);
    return linearise(model, model.initial_state(), workspace);
  };
  for (const auto& [from, to, count] : {std::tuple{0.5, 10.0, 20}, std::tuple{1.0, 20.0, 7}}) {
    const auto locus = trace_root_locus("b", from, to, count, at);
    ASSERT_TRUE(locus) << locus.failure().message;
    ASSERT_EQ(locus->changes.size(), 1u);
    EXPECT_NEAR(locus->changes[0].value, threshold, 1e-9);
    EXPECT_NEAR(locus->changes[0].value, 4.876455323, 1e-9);
    EXPECT_FALSE(locus->changes[0].grows);
    EXPECT_NEAR(locus->changes[0].eigenvalue.imag(), std::sqrt(B), 1e-6);
  }
}

}  // namespace
}  // namespace vinculum
