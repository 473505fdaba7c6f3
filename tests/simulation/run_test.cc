// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole motions: the worked trajectories of theory 2, section 12, and closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/worked_trees.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum {
namespace {

RunResult simulate(const Model& model, const State& start, double until, double tolerance, const char* integrator = "dop853") {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator;
  RunListener nobody;
  auto result = run_simulation(model, start, options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

RunResult simulate(const Model& model, double until, double tolerance) {
  return simulate(model, model.initial_state(), until, tolerance);
}

void expect_values(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "at " << i;
}

// Errors of 1e-13 a step grow over a run by the number of steps and the mechanism's own divergence.
constexpr double kTolerance = 1e-13;

TEST(Run, W3_PendulumAgainstEllipticFunctions) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: { b: { joint: {type: revolute, axis: z}, mass: 1, com: [.7, 0, 0], inertia: [0, 0, 0] } }
initial: { b: 2.5 - pi/2 }
)yaml");
  const double bottom = -std::acos(-1.0) / 2;
  EXPECT_NEAR(simulate(model, 1, kTolerance).final.q[0] - bottom, -1.822834857056, 2e-12);
  EXPECT_NEAR(simulate(model, 10, kTolerance).final.q[0] - bottom, -1.935827658738, 2e-11);
  // After a period it is back; backwards in time it is the same motion.
  EXPECT_NEAR(simulate(model, 2.757574760825, kTolerance).final.q[0] - bottom, 2.5, 1e-11);
  EXPECT_NEAR(simulate(model, -1, kTolerance).final.q[0] - bottom, -1.822834857056, 2e-12);
}

TEST(Run, W4_TriplePendulum) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [.9, 0, 0]}, mass: .6, com: [.4, 0, 0], inertia: .04 }
initial: { b0: -pi/2 + .6, b1: .2, b2: -.3, "b0'": .3, "b1'": -.2, "b2'": .5 }
)yaml");
  const RunResult result = simulate(model, 5, kTolerance);
  expect_values(result.final.q, {-1.414361855170, -0.146776479494, 0.322220720722}, 2e-11);
  expect_values(result.final.v, {0.876939069733, 0.525339417331, 3.092485739103}, 1e-10);
  EXPECT_EQ(result.integrals[0].name, "E");
  EXPECT_LT(result.integrals[0].drift, 1e-11);
  EXPECT_EQ(result.verdicts[0].verdict, Holds::holds);
}

TEST(Run, W6_BranchedTree) {
  const auto [model, start] = testing::branched_tree();
  const RunResult result = simulate(model, start, 2, kTolerance);
  expect_values(result.final.q,
                {0.737068018142, 0.050432093272, -0.242054068015, 0.628965157030, -0.299715002169, 0.272112470949,
                 -0.039268814957, -0.471144117674},
                2e-11);
  expect_values(
      result.final.v,
      {-0.313400614356, 0.563838365264, 0.898493782090, 0.098691627541, -0.363973949593, 0.062149831660, 1.934002786811}, 2e-10);
  EXPECT_LT(result.integrals[0].drift, 1e-11);
}

// The stiff integrators find the same motion, to what their order and tolerance give.
TEST(Run, OtherIntegratorsAgree) {
  const auto [model, start] = testing::branched_tree();
  const RunResult reference = simulate(model, start, 1, 1e-12);
  for (const char* integrator : {"cvode", "arkode"}) {
    const RunResult other = simulate(model, start, 1, 1e-9, integrator);
    expect_values(other.final.q, reference.final.q, 1e-6);
  }
}

// A symmetric body left to itself in space: its axis of turning goes round in the body at (A - C)/A w3, with constant size.
TEST(Run, FreeSymmetricBodyAgainstEuler) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: { body: { joint: {type: free}, mass: 3, inertia: [0.5, 0.5, 0.3] } }
initial: { body.wx: 0.7, body.wz: 5, "body.tx'": 1, "body.tz'": 4 }
)yaml");
  const double t = 3, rate = (0.5 - 0.3) / 0.5 * 5;
  const RunResult result = simulate(model, t, kTolerance);
  expect_values(result.final.v, {1, 0, 4 - 9.81 * t, 0.7 * std::cos(rate * t), -0.7 * std::sin(rate * t), 5}, 1e-11);
  EXPECT_NEAR(result.final.q[0], t, 1e-11);
  EXPECT_NEAR(result.final.q[2], 4 * t - 9.81 * t * t / 2, 1e-10);
  // Q = Q(L/A t) Q(-rate t about z): precession about the fixed vector L, spin in the body.
  const Vector3 L{0.5 * 0.7, 0, 0.3 * 5};
  const double turn = norm(L) / 0.5 * t, spin = rate * t;
  const Vector3 u = (1 / norm(L)) * L;
  const double s = std::sin(turn / 2);
  const Quaternion expected =
      Quaternion{std::cos(turn / 2), s * u.x, s * u.y, s * u.z} * Quaternion{std::cos(spin / 2), 0, 0, std::sin(spin / 2)};
  expect_values({result.final.q.begin() + 3, result.final.q.end()}, {expected.w, expected.x, expected.y, expected.z}, 1e-11);
}

// What dampers and drives take or bring is counted: E - W stays, E does not.
TEST(Run, EnergyBalanceWithWork) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: [0, 0, 0] }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.5], inertia: [0, 0, 0] }
motions: { cart: "0.3*sin(5*t)" }
forces: { damper: { joint: bob, law: "-0.3*bob'" } }
initial: { bob: 1 }
)yaml");
  const RunResult result = simulate(model, 5, 1e-12);
  EXPECT_EQ(result.integrals[0].name, "E - W");
  EXPECT_LT(result.integrals[0].drift, 1e-9);
  EXPECT_EQ(result.final.q[0], 0.3 * std::sin(5 * 5.0)) << "a driven coordinate is on its law exactly";
  Workspace workspace(model);
  EXPECT_GT(std::abs(compute_energy(model, result.final, workspace).total() - result.integrals[0].start), 0.1);
}

// A motion that runs into a singularity ends with what there is, and says where.
TEST(Run, EndsWhereThereIsNoMotion) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [0, 0, 0] } }
forces: { pull: { joint: mass, law: "-1/mass^2" } }
initial: { mass: 1 }
)yaml");
  // Fall from rest at 1 towards an inverse-square centre: t = π/(2√2)
  const RunResult result = simulate(model, 3, 1e-10);
  EXPECT_EQ(result.end, RunResult::End::failed);
  ASSERT_TRUE(result.failure);
  EXPECT_NEAR(result.final.t, std::acos(-1.0) / (2 * std::sqrt(2.0)), 1e-6);
  for (double value : result.final.v) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace vinculum
