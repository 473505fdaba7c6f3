// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Implicit steps of fixed length against the run with events.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult run_stepped(const Model& model, double until, double step) {
  RunOptions options;
  options.follow = Follow::frictional;
  options.until = until;
  options.step = step;
  options.tolerance = 1e-12;
  return testing::finish_run(model, options);
}

double distance(const RunResult& a, const RunResult& b) {
  double most = 0;
  for (size_t i = 0; i < a.final.q.size(); ++i) most = std::max(most, std::abs(a.final.q[i] - b.final.q[i]));
  return most;
}

// W2c of theory 3: two slips of a sleigh. The error halves with the step, and nothing chatters: as many events as there are.
TEST(TimeStepping, ConvergesWithTheFirstOrder) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: {axes: [tx, ty, rz]}, mass: 1, com: [0.5, 0, 0], inertia: 0.5 } }
velocity_constraints:
  blade: { equation: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0", bound: 0.80280554930817 }
initial: { "sled.tx'": -1.5, "sled.rz'": 0.3 }
)");
  const RunResult exact = run_stepped(model, 6, 0);
  const RunResult coarse = run_stepped(model, 6, 4e-3), middle = run_stepped(model, 6, 2e-3), fine = run_stepped(model, 6, 1e-3);
  EXPECT_EQ(coarse.integrator, "moreau");
  EXPECT_EQ(fine.events.size(), exact.events.size());
  EXPECT_NEAR(fine.events[0].t, exact.events[0].t, 5e-3);
  EXPECT_GT(distance(fine, exact), 1e-8);
  EXPECT_NEAR(distance(coarse, exact) / distance(middle, exact), 2, 0.1);
  EXPECT_NEAR(distance(middle, exact) / distance(fine, exact), 2, 0.1);
}

// A block is thrown down, slides and stops: it stands still to round-off, and stays on the ground.
TEST(TimeStepping, BlockStopsWithoutChatter) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.2 } }
initial: { block.tz: 0.4905, "block.tx'": 2 }
)");
  const RunResult exact = run_stepped(model, 2, 0), stepped = run_stepped(model, 2, 1e-3);
  EXPECT_LT(std::abs(stepped.final.v[0]), 1e-14);
  EXPECT_LT(std::abs(stepped.final.v[1]), 1e-14);
  EXPECT_NEAR(stepped.final.q[0], exact.final.q[0], 5e-3);
  EXPECT_NEAR(stepped.final.q[1], 0, 1e-9);
  EXPECT_EQ(stepped.events.size(), exact.events.size());
}

const Verdict* find_step_verdict(const RunResult& result, const std::string& subject) {
  const auto found = std::find_if(result.verdicts.begin(), result.verdicts.end(),
                                  [&](const Verdict& verdict) { return verdict.subject == subject; });
  return found == result.verdicts.end() ? nullptr : &*found;
}

// A slip that begins with a touch-down is no event of its own: the verdict knows it all the same. It lands at sqrt(2 h/g).
TEST(TimeStepping, LandingWithASlipIsAViolation) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.2 } }
initial: { block.tz: 0.4905, "block.tx'": 2 }
)");
  const RunResult stepped = run_stepped(model, 0.5, 1e-3), exact = run_stepped(model, 0.5, 0);
  for (const RunResult* result : {&stepped, &exact}) {
    const Verdict* friction = find_step_verdict(*result, "foot.friction");
    ASSERT_NE(friction, nullptr);
    EXPECT_EQ(friction->verdict, Holds::violated);
    EXPECT_NEAR(friction->first_violation.value_or(0), std::sqrt(2 * 0.4905 / 9.81), 2e-3);
  }
}

// What slips from the start does so at the start.
TEST(TimeStepping, FrictionIsJudgedFromTheStart) {
  const RunResult slides = run_stepped(read_case("terms/step.yaml"), 0.5, 1e-3);
  const Verdict* slid = find_step_verdict(slides, "foot.friction");
  ASSERT_NE(slid, nullptr);
  EXPECT_EQ(slid->verdict, Holds::violated);
  EXPECT_EQ(slid->first_violation, 0.0);
}

// Times below zero are times.
TEST(TimeStepping, SlipBeforeTimeZeroIsAViolation) {
  const Model model = read_case("runs/block.yaml");
  State start = model.initial_state();
  start.t = -2;
  RunOptions options;
  options.follow = Follow::frictional;
  options.until = -1;
  for (const double step : {0.01, 0.0}) {
    options.step = step;
    RunListener nobody;
    const auto result = run_simulation(model, start, options, nobody);
    ASSERT_TRUE(result);
    const Verdict* stick = find_step_verdict(*result, "stick");
    ASSERT_NE(stick, nullptr);
    EXPECT_EQ(stick->verdict, Holds::violated);
    EXPECT_NEAR(stick->first_violation.value_or(0), -2, 0.011);
    EXPECT_NEAR(result->final.q[0], (3.0 - 1.0) / 2, 0.02);  // 3 N against 1 N on 1 kg for 1 s
  }
}

// What it does not follow is refused by name.
TEST(TimeStepping, OtherLawsAreRefused) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 1 } }
velocity_constraints: { belt: { equation: "mass' = 1", bound: 3, law: {hysteresis: 0.02} } }
initial: { "mass'": 1 }
)");
  RunOptions options;
  options.follow = Follow::frictional;
  options.until = 1;
  options.step = 0.01;
  RunListener nobody;
  const auto run = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.failure().code, "VN-RUN-160");
  EXPECT_NE(run.failure().message.find("'belt'"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::testing
