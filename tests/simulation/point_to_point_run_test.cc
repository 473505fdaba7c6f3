// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Motions under pulls along a line: orbits, bump stops, dampers, kinks.
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/dynamics/energy.h"
#include "vinculum/files/read_model.h"
#include "vinculum/model/law_jumps.h"
#include "vinculum/simulation/run.h"

namespace vinculum {
namespace {

RunResult follow_lines(const Model& model, double until, const std::string& integrator, double tolerance = 1e-11) {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

class LineRuns : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, LineRuns, ::testing::Values("taylor", "dop853"), [](const auto& info) { return info.param; });

// Two bodies that attract each other by mu m/r², with m the reduced mass: r moves on Kepler's ellipse,
//   x = a (cos E - e) ,  y = a √(1 - e²) sin E ,  E - e sin E = √(mu/a³) t ,   a = 1, e = 0.6, mu = 4, at the start at its
//   nearest.
TEST_P(LineRuns, TwoBodiesKeepToKepler) {
  const double m1 = 2, m2 = 3, mu = 4, e = 0.6, reduced = m1 * m2 / (m1 + m2);
  const double speed = std::sqrt(mu * (1 + e) / (1 - e));
  const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  one: {{ joint: {{axes: [tx, ty]}}, mass: {} }}
  two: {{ joint: {{axes: [tx, ty]}}, mass: {} }}
forces: {{ gravity: {{ between: [one, [0, 0, 0]], and: [two, [0, 0, 0]], law: "{:.17g}/length^2" }} }}
initial: {{ one.tx: {:.17g}, two.tx: {:.17g}, "one.ty'": {:.17g}, "two.ty'": {:.17g} }}
)yaml",
                                                  m1, m2, mu * reduced, -(1 - e) * m2 / (m1 + m2), (1 - e) * m1 / (m1 + m2),
                                                  -speed * m2 / (m1 + m2), speed * m1 / (m1 + m2)));
  const double t = 2.3 * std::numbers::pi;  // 2.3 turns
  const RunResult result = follow_lines(model, t, GetParam());
  double E = 2 * t;
  for (int i = 0; i < 60; ++i) E -= (E - e * std::sin(E) - 2 * t) / (1 - e * std::cos(E));
  EXPECT_NEAR(result.final.q[2] - result.final.q[0], std::cos(E) - e, 1e-7);
  EXPECT_NEAR(result.final.q[3] - result.final.q[1], std::sqrt(1 - e * e) * std::sin(E), 1e-7);

  // What is exchanged between both kinds of energy: mu m (1/(a (1 - e)) - 1/(a (1 + e))).
  Workspace workspace(model);
  const double exchanged = mu * reduced * (1 / (1 - e) - 1 / (1 + e));
  EXPECT_NEAR(compute_energy(model, result.final, workspace).total(),
              compute_energy(model, model.initial_state(), workspace).total(), 1e-9 * exchanged);
}

// A mass runs at 2 m/s from 1 m into a stop that pushes below 0.3 m with 800 N/m, half a period, and comes back.
TEST_P(LineRuns, ABumpStopThrowsBack) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 2 } }
forces: { stop: { between: [world, [0, 0, 0]], and: [p, [0, 0, 0]], law: "-800 N/m*max(0, 0.3 m - length)" } }
outputs: { f: stop.force }
initial: { p: 1, "p'": -2 }
)yaml");
  const double omega = std::sqrt(800.0 / 2), half = std::numbers::pi / omega;
  const RunResult within = follow_lines(model, 0.35 + 0.3 * half, GetParam());
  EXPECT_NEAR(within.final.q[0], 0.3 - 2 / omega * std::sin(0.3 * std::numbers::pi), 1e-9);
  const RunResult back = follow_lines(model, 0.35 + half + 1, GetParam());
  EXPECT_NEAR(back.final.q[0], 0.3 + 2, 1e-9);
  EXPECT_NEAR(back.final.v[0], 2, 1e-9);
  for (const OutputNumbers& output : back.outputs) {
    if (output.name == "f") EXPECT_NEAR(output.min, -800 * 2 / omega, 1e-6 * 800);
  }
}

// A pendulum with a stop beside its way, a line that turns, by another road: the classical Runge-Kutta method.
TEST_P(LineRuns, APendulumOnAProgressiveStop) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { bob: { joint: {type: revolute, axis: y}, mass: 1.5, com: [0, 0, -1], inertia: [0, 0, 0] } }
forces: { stop: { between: [world, [-0.9, 0, -0.6]], and: [bob, [0, 0, -1]], law: "-500*max(0, 0.45 - length)^2 + 0.4*rate" } }
initial: { bob: 0 , "bob'": 2.4 }
)yaml");
  // The bob stands at (-sin q, 0, -cos q): R_y(q) (0, 0, -1).
  const auto acceleration = [](double q, double v) {
    const double x = -std::sin(q), z = -std::cos(q), dx = x + 0.9, dz = z + 0.6;
    const double vx = -std::cos(q) * v, vz = std::sin(q) * v, length = std::hypot(dx, dz), rate = (dx * vx + dz * vz) / length;
    const double depth = std::max(0.0, 0.45 - length), pull = -500 * depth * depth + 0.4 * rate;
    const double fx = -pull * dx / length, fz = -pull * dz / length - 1.5 * 9.81;
    return (fx * -std::cos(q) + fz * std::sin(q)) / 1.5;
  };
  double q = 0, v = 2.4;
  const int steps = 200000;
  const double h = 1.2 / steps;
  for (int i = 0; i < steps; ++i) {
    const double v1 = v, a1 = acceleration(q, v);
    const double v2 = v + h / 2 * a1, a2 = acceleration(q + h / 2 * v1, v2);
    const double v3 = v + h / 2 * a2, a3 = acceleration(q + h / 2 * v2, v3);
    const double v4 = v + h * a3, a4 = acceleration(q + h * v3, v4);
    q += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  const RunResult result = follow_lines(model, 1.2, GetParam());
  EXPECT_NEAR(result.final.q[0], q, 1e-8);
  EXPECT_NEAR(result.final.v[0], v, 1e-7);
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == "energy") EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.why;
  }
}

// A barrier of 10 J that is 1 mm wide in the length: no step passes over it. The body has 1/2 J and turns back.
TEST_P(LineRuns, ABarrierInTheLengthIsNotPassed) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1 } }
forces: { barrier: { between: [world, [-2, 0, 0]], and: [p, [0, 0, 0]], law: "-20*(length - 2.5)/0.001^2*exp(-((length - 2.5)/0.001)^2)" } }
initial: { p: -1, "p'": 1 }
)yaml");
  const RunResult result = follow_lines(model, 4, GetParam(), 1e-10);
  ASSERT_FALSE(result.failure);
  // As of the barrier in a coordinate (step_laws_test.cc).
  EXPECT_NEAR(result.final.q[0], -2 - 2.7100402 * 0.001, 2e-7);
  EXPECT_NEAR(result.final.v[0], -1, 1e-7);
}

// Two points that meet: the motion ends there and says why.
TEST_P(LineRuns, PointsThatMeetEndTheMotion) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1 } }
forces: { pull: { between: [world, [0, 0, 0]], and: [p, [0, 0, 0]], law: "1 N*sqrt(length/1 m)" } }
initial: { p: 1 }
)yaml");
  RunOptions options;
  options.until = 10;
  options.integrator = GetParam();
  RunListener nobody;
  const auto result = run_simulation(model, model.initial_state(), options, nobody);
  // It may as well run through between two evaluations: then it is thrown back from the other side, for the pull keeps its sign.
  if (result && result->failure) EXPECT_FALSE(result->failure->message.empty());
  State there = model.initial_state();
  there.q[0] = 0;
  const auto refused = run_simulation(model, there, options, nobody);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "VN-RUN-174");
}

// Kinks are told in the element's own words.
TEST(LineLaws, KinksAreToldInTheirOwnWords) {
  Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1 } }
forces: { stop: { between: [world, [0, 0, 0]], and: [p, [0, 0, 0]], law: "-800*max(0, 0.3 - length)" } }
initial: { p: 1 }
)yaml");
  LawJumps kinks(model, HeldAt::kinks);
  ASSERT_EQ(kinks.count(), 2);  // of the law, and of its part with a potential
  EXPECT_EQ(kinks.describe(0), "force 'stop': max(0, 0.3 - length)");
  const State& state = model.initial_state();
  const std::vector<double> side{1, 1};
  kinks.hold(side, {state.t, state.q, state.v});
  std::vector<double> values(2);
  kinks.evaluate({state.t, state.q, state.v}, values);
  EXPECT_NEAR(values[0], 0 - (0.3 - 1), 1e-15);  // a - b of max(a, b)
}

}  // namespace
}  // namespace vinculum
