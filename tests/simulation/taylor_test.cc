// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs by power series: the worked problems of theory 2, section 12, and the accuracy of its table 5.4.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/worked_trees.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

constexpr double kPi = std::numbers::pi;

RunResult simulate(const Model& model, const State& start, double until, double tolerance, int order = 0,
                   const char* stop_at = "") {
  RunOptions options;
  options.integrator = "taylor";
  options.until = until;
  options.tolerance = tolerance;
  options.order = order;
  options.stop_at = stop_at;
  RunListener nobody;
  auto result = run_simulation(model, start, options, nobody);
  EXPECT_TRUE(result) << result.failure().message;
  EXPECT_FALSE(result->failure) << result->failure->message;
  return std::move(*result);
}

double relative_drift(const RunResult& result) { return result.integrals[0].drift / std::abs(result.integrals[0].start); }

Model pendulum() {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: { b: { joint: {type: revolute, axis: z}, mass: 1, com: [.7, 0, 0], inertia: [0, 0, 0] } }
events: { bottom: "b + pi/2", turn: "b'", graze: "(b + pi/2 - 1)^2", miss: "(b + pi/2 - 1)^2 + 1e-9" }
initial: { b: 2.5 - pi/2 }
)yaml");
}

Model triple_pendulum() {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [.9, 0, 0]}, mass: .6, com: [.4, 0, 0], inertia: .04 }
initial: { b0: -pi/2 + .6, b1: .2, b2: -.3, "b0'": .3, "b1'": -.2, "b2'": .5 }
)yaml");
}

Model top() {
  return read_model_text(R"yaml(
vinculum: 1
bodies: { top: { joint: {type: spherical}, mass: 1, com: [0, 0, .3], inertia: [.02, .02, .01] } }
initial: { top.qw: cos(.2), top.qx: sin(.2), top.wx: .5, top.wy: .3, top.wz: 60 }
)yaml");
}

// Jacobi's elliptic functions give these digits; the printed ones end at 1e-12.
TEST(Taylor, W3Pendulum) {
  const Model model = pendulum();
  EXPECT_NEAR(simulate(model, model.initial_state(), 1, 1e-16).final.q[0], -1.822834857056 - kPi / 2, kPrinted);
  EXPECT_NEAR(simulate(model, model.initial_state(), 10, 1e-16).final.q[0], -1.935827658738 - kPi / 2, kPrinted);
}

TEST(Taylor, W3EventsAreRootsOfPolynomials) {
  const Model model = pendulum();
  const RunResult first = simulate(model, model.initial_state(), 10, 1e-16, 25, "bottom");
  // A quarter of the period by the arithmetic-geometric mean: K = π / (2 agm(1, cos 1.25)), T/4 = K √(l/g)
  EXPECT_NEAR(first.final.t, 0.6893936902061722, 4e-16);
  EXPECT_EQ(first.events.back().direction, -1);

  const double quarter = 2.757574760825 / 4;
  const RunResult all = simulate(model, model.initial_state(), 10, 1e-14);
  const auto times = [&](const std::string& name) {
    std::vector<Occurrence> events;
    std::copy_if(all.events.begin(), all.events.end(), std::back_inserter(events),
                 [&](const auto& e) { return e.name() == name; });
    return events;
  };
  const auto bottom = times("bottom"), turn = times("turn"), graze = times("graze");
  ASSERT_EQ(bottom.size(), 7u);
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(bottom[i].t, (2 * i + 1) * quarter, 4e-12) << i;
    EXPECT_EQ(bottom[i].direction, i % 2 == 0 ? -1 : 1);
  }
  ASSERT_EQ(turn.size(), 7u) << "at rest at the start is no event";
  for (size_t i = 0; i < 7; ++i) EXPECT_NEAR(turn[i].t, (2 * i + 2) * quarter, 4e-12) << i;
  // One radian from the bottom is passed twice a period: touched by a square, to the root of round-off.
  ASSERT_EQ(graze.size(), 7u);
  for (const Occurrence& event : graze) EXPECT_EQ(event.direction, 0);
  for (size_t i = 0; i + 1 < 7; i += 2)
    EXPECT_NEAR(graze[i].t + graze[i + 1].t, (4 * i + 4) * quarter, 1e-6) << "symmetric about rest";
  EXPECT_TRUE(times("miss").empty());
}

TEST(Taylor, W4TriplePendulum) {
  const Model model = triple_pendulum();
  const RunResult result = simulate(model, model.initial_state(), 5, 1e-16, 25);
  const double q[] = {-1.414361855170, -0.146776479494, 0.322220720722}, v[] = {0.876939069733, 0.525339417331, 3.092485739103};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(result.final.q[i], q[i], 2 * kPrinted);
    EXPECT_NEAR(result.final.v[i], v[i], 2 * kPrinted);
  }
}

TEST(Taylor, W5LagrangeTop) {
  const Model model = top();
  const RunResult result = simulate(model, model.initial_state(), 1, 1e-16, 25);
  const double Q[] = {0.81155643966, -0.25214311639, -0.13924590869, 0.50834099875}, w[] = {1.899178369569, -1.178130714371, 60};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(result.final.q[i], Q[i], 1e-11);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.final.v[i], w[i], 4 * kPrinted);
  EXPECT_NEAR(result.integrals[0].start, 20.729382505350, kPrinted);

  // What was found conserved is watched: L_O along gravity, as the theory prints it, and the spin C w3.
  ASSERT_EQ(result.integrals.size(), 3u);
  EXPECT_EQ(result.integrals[1].name, "Lz");
  EXPECT_NEAR(result.integrals[1].start, 0.565487401698, kPrinted);
  EXPECT_EQ(result.integrals[2].name, "p(top.wz)");
  EXPECT_NEAR(result.integrals[2].start, .01 * 60, kPrinted);
  for (const IntegralDrift& integral : result.integrals) EXPECT_LT(integral.drift, 1e-12 * 60) << integral.name;
}

TEST(Taylor, W6BranchedTree) {
  const WorkedTree tree = branched_tree();
  const RunResult result = simulate(tree.model, tree.state, 2, 1e-16, 25);
  const double q[] = {0.737068018142,  0.050432093272, -0.242054068015, 0.628965157030,
                      -0.299715002169, 0.272112470949, -0.039268814957, -0.471144117674};
  const double v[] = {-0.313400614356, 0.563838365264, 0.898493782090, 0.098691627541,
                      -0.363973949593, 0.062149831660, 1.934002786811};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(result.final.q[i], q[i], 2 * kPrinted);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(result.final.v[i], v[i], 4 * kPrinted);
}

// Table 5.4, rows in body axes: the largest relative error of the energy along the run, at the default order of 22. The table has
// order 25, whose longer steps cost round-off: there the top reaches 1.7e-14 in 60 s, not 1.0e-14.
TEST(TaylorAccuracy, TriplePendulum) {
  const Model model = triple_pendulum();
  EXPECT_LT(relative_drift(simulate(model, model.initial_state(), 60, 1e-16)), 2.4e-15);
}
TEST(TaylorAccuracy, BranchedTree) {
  const WorkedTree tree = branched_tree();
  EXPECT_LT(relative_drift(simulate(tree.model, tree.state, 20, 1e-16)), 6.7e-16);
}
TEST(TaylorAccuracy, TopTenSeconds) {
  const Model model = top();
  const RunResult result = simulate(model, model.initial_state(), 10, 1e-16);
  EXPECT_LT(relative_drift(result), 3e-15);
  EXPECT_NEAR(result.final.v[2], 60, 60 * 1e-15) << "the spin is constant";
}
TEST(TaylorAccuracy, TopSixtySeconds) {
  const Model model = top();
  EXPECT_LT(relative_drift(simulate(model, model.initial_state(), 60, 1e-16)), 1.0e-14);
}

// Laws of time, a drive and a damper: energy minus work stays, and the driven coordinate is on its law at the end.
TEST(Taylor, WorkOfDrivesAndDampers) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 0.1 }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.5], inertia: 0.02 }
motions: { cart: "0.2*sin(3*t)" }
forces:
  damper: { joint: bob, law: "-0.3*bob'" }
  wind: { body: bob, point: [0, 0, -0.5], force: ["exp(-t)", 0, "0.2*cos(2*t)"] }
  spring: { between: [bob, [0, 0, -0.5]], and: [world, [1, 0, 0]], stiffness: 8, damping: 0.1, length: 0.4 }
initial: { bob: 0.3 }
)yaml");
  const RunResult result = simulate(model, model.initial_state(), 10, 1e-15);
  EXPECT_EQ(result.integrals[0].name, "E - W");
  EXPECT_LT(result.integrals[0].drift, 1e-13 * 10);
  EXPECT_NEAR(result.final.q[0], 0.2 * std::sin(30.0), 1e-15);
  EXPECT_EQ(result.integrator, "taylor");
}

// A driven screw lifts what it turns: W = ½ (I + m h²) q'² + m g h q, h the pitch; the lift is nearly all of it.
TEST(Taylor, WorkOfADrivenScrew) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: { jack: { joint: {type: screw, axis: z, pitch: 0.5 m/rad}, mass: 20, inertia: [0.1, 0.1, 0.1] } }
motions: { jack: "2*t^2" }
)yaml");
  const RunResult result = simulate(model, model.initial_state(), 1, 1e-15);
  const double lift = 20 * 9.81 * 0.5 * 2, turning = 0.5 * (0.1 + 20 * 0.25) * 16;
  EXPECT_EQ(result.integrator, "taylor");
  EXPECT_NEAR(result.final.q[0], 2, 1e-14);
  EXPECT_LT(result.integrals[0].drift, 1e-13 * (lift + turning));
}

// A kink is no obstacle (kinks_test.cc); the default leaves it to dop853.
TEST(Taylor, GoesThroughKinks) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { a: { joint: {type: revolute, axis: y}, mass: 1, com: [.5, 0, 0], inertia: .08 } }
forces: { drag: { joint: a, law: "-a'*abs(a')" } }
)yaml");
  const RunResult result = simulate(model, model.initial_state(), 1, 1e-10);
  EXPECT_EQ(result.integrator, "taylor");
  EXPECT_FALSE(result.instead);
}

// A point mass thrown at a centre of attraction 1/x²: from rest at 1 it arrives at t = π/(2 √2), infinitely fast.
TEST(Taylor, SingularityIsAnnounced) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { a: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }
forces: { pull: { joint: a, law: "-1/a^2" } }
initial: { a: 1 }
)yaml");
  RunOptions options;
  options.integrator = "taylor";
  options.until = 2;
  RunListener nobody;
  const auto result = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->failure);
  EXPECT_EQ(result->failure->code, "VN-RUN-010");
  EXPECT_NE(result->failure->message.find("singularity near t = 1.11072"), std::string::npos) << result->failure->message;
  EXPECT_NEAR(result->final.t, kPi / (2 * std::sqrt(2.0)), 1e-7);
}

}  // namespace
}  // namespace vinculum::testing
