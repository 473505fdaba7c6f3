// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Frictional runs with no choice of modes, or several: the rod of Painlevé on the ground; and contacts beside guides.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/guide_models.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::mode_choices {
namespace {

Model rod_on_ground(double friction, double turn) {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: {{ rod: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 1, inertia: 1/12, com: [0.5, 0, 0] }} }}
environment: {{ ground: {{ surface: plane, rotation: {{ axis: x, angle: -90 deg }} }} }}
contacts: {{ tip: {{ body: rod, with: ground, point: [0, 0, 0], forbid: [normal, forward], friction: {} }} }}
initial: {{ rod.rz: atan(2), "rod.tx'": -1, "rod.rz'": {} }}
)",
                                     friction, turn));
}

RunOptions options_until(double until) {
  RunOptions options;
  options.follow = Follow::frictional;
  options.until = until;
  options.tolerance = 1e-12;
  return options;
}
RunResult run(const Model& model, double until) {
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options_until(until), nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  if (result->failure) throw std::runtime_error(result->failure->message);
  return *result;
}
const Verdict& verdict_of(const RunResult& result, const std::string& subject) {
  const auto found = std::ranges::find_if(result.verdicts, [&](const Verdict& verdict) { return verdict.subject == subject; });
  if (found == result.verdicts.end()) throw std::runtime_error("no verdict on " + subject);
  return *found;
}
bool has_event(const RunResult& result, const std::string& name) {
  return std::ranges::any_of(result.events, [&](const auto& event) { return event.name() == name; });
}

// Friction 1 of the critical 4/3 at tan θ = 2: one choice, and the margin says so. It is least at the start.
TEST(ModeChoices, SlidingRodHasAMargin) {
  const RunResult result = run(rod_on_ground(1, 0), 0.01);
  EXPECT_EQ(verdict_of(result, "modes").verdict, Holds::holds);
  EXPECT_NEAR(verdict_of(result, "modes").margin.value_or(0), 4.0 / 3, 1e-3);
  EXPECT_FALSE(has_event(result, "jam:tip"));
}

// No forces: an impact without collision, Λ_n = 3/10, 1/5 J; then the rod turns about its tip with ω = 3/√5, and the energy of
// the pendulum on its tip stays.
TEST(ModeChoices, RodWithoutForcesGoesOnBehindAnImpact) {
  const RunResult result = run(rod_on_ground(2, 0), 0.05);
  EXPECT_TRUE(has_event(result, "jam:tip"));
  const Verdict& verdict = verdict_of(result, "modes");
  EXPECT_EQ(verdict.verdict, Holds::impossible);
  EXPECT_EQ(verdict.first_violation.value_or(-1), 0);
  EXPECT_NE(verdict.why.find("0.3 N*s"), std::string::npos) << verdict.why;
  EXPECT_NE(verdict.why.find("0.2 J"), std::string::npos) << verdict.why;
  EXPECT_NEAR(result.final.v[0], 0, 1e-10);
  const double theta = result.final.q[2], omega = result.final.v[2];
  const double start = 9.0 / 5 / 6 + 9.81 * 0.5 * 2 / std::sqrt(5), end = omega * omega / 6 + 9.81 * 0.5 * std::sin(theta);
  EXPECT_NEAR(end, start, 1e-9);
}

// Two choices: it parts, which growing friction leads to, and both are named.
TEST(ModeChoices, RodWithTwoChoicesParts) {
  const RunResult result = run(rod_on_ground(2, 6), 0.02);
  const Verdict& verdict = verdict_of(result, "modes");
  EXPECT_EQ(verdict.verdict, Holds::not_unique);
  EXPECT_NE(verdict.why.find("tip slides, or tip parts"), std::string::npos) << verdict.why;
  EXPECT_NE(verdict.why.find("from zero: tip parts"), std::string::npos) << verdict.why;
  // A free rod: its middle falls as a stone, and its turning stays.
  EXPECT_NEAR(result.final.v[2], 6, 1e-10);
  EXPECT_GT(result.final.q[1], 0);
}

// What a checkpoint keeps of it gives the same verdict.
TEST(ModeChoices, ACheckpointKeepsTheWords) {
  struct Kept : RunListener {
    std::vector<Checkpoint> checkpoints;
    bool wants_checkpoint() override { return true; }
    void on_checkpoint(const Checkpoint& point) override { checkpoints.push_back(point); }
  } kept;
  const Model model = rod_on_ground(2, 6);
  const auto whole = run_simulation(model, model.initial_state(), options_until(0.1), kept);
  ASSERT_TRUE(whole);
  ASSERT_GT(kept.checkpoints.size(), 1u);
  RunListener nobody;
  const auto rest =
      run_simulation(model, model.initial_state(), options_until(0.1), nobody, &kept.checkpoints[kept.checkpoints.size() / 2]);
  ASSERT_TRUE(rest) << rest.failure().message;
  EXPECT_EQ(verdict_of(*rest, "modes").why, verdict_of(*whole, "modes").why);
}

// A slider in rails drags a shoe on an arm over the floor, and both rub. With x'' = -a and the arm not turning, moments about the
// hinge on the arm and forces along x on all are
//
//   N (l_x + μ l_y) - m a l_y/2 = m g l_x/2 ,   M a = μ N + f (M g - N) .
TEST(ModeChoices, ShoeBesideRails) {
  const double mu = 0.4, f = 0.2, g = 9.81, lx = 0.3, ly = 0.2, ma = 0.5;
  const Model model =
      read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  slider: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 2, inertia: 0.1 }}
  arm: {{ parent: slider, joint: {{ type: revolute, axis: z }}, mass: {0}, inertia: 0.004, com: [-0.15, -0.1, 0] }}
environment: {{ floor: {{ surface: plane, position: [0, -0.2, 0], rotation: {{ axis: x, angle: -90 deg }} }} }}
contacts: {{ shoe: {{ body: arm, with: floor, point: [-0.3, -0.2, 0], forbid: [normal, forward], friction: {1} }} }}
guides: {{ rail: {{ body: slider, pairs: [{2}, {3}] }} }}
initial: {{ "slider.tx'": 1 }}
)",
                                  ma, mu, prism_pair(-0.5, -0.5, 0.05, -0.05, f, f), prism_pair(0.5, 0.5, 0.05, -0.05, f, f)));
  const RunResult result = run(model, 0.1);
  const double M = 2 + ma;
  const double a11 = lx + mu * ly, a12 = -ma * ly / 2, a21 = -(mu - f), a22 = M, b1 = ma * g * lx / 2, b2 = f * M * g;
  const double determinant = a11 * a22 - a12 * a21, N = (b1 * a22 - a12 * b2) / determinant,
               a = (a11 * b2 - a21 * b1) / determinant;
  EXPECT_GT(N, 0);
  EXPECT_NEAR(result.final.v[0], 1 - 0.1 * a, 1e-9);
  EXPECT_EQ(verdict_of(result, "modes").verdict, Holds::holds) << verdict_of(result, "modes").why;
  EXPECT_EQ(verdict_of(result, "rail").verdict, Holds::holds);
}

}  // namespace
}  // namespace vinculum::testing::mode_choices
