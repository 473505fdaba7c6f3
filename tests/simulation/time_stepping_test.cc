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

// More steps than numbers between 0 and the end: refused, however many more. One step of 1e18 s is none of them.
TEST(TimeStepping, StepsBelowRoundOffAreRefused) {
  const Model model = read_model_text("vinculum: 1\nbodies: { b: { joint: {type: prismatic, axis: z}, mass: 1 } }\n");
  for (const double step : {1e-2, 1e-16, 1e-300}) {
    RunOptions options;
    options.until = 1e18;
    options.step = step;
    RunListener nobody;
    const auto run = run_simulation(model, model.initial_state(), options, nobody);
    ASSERT_FALSE(run) << step;
    EXPECT_EQ(run.failure().code, "VN-RUN-010");
  }
}

// Let go a hundredth of a millimetre above the ground, less than it falls in a step from rest, g h² = 0.04 mm: it lands in the
// first.
TEST(TimeStepping, LandsInTheStepThatItIsLetGoIn) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.2 } }
initial: { block.tz: 1e-5 }
)");
  const RunResult run = run_stepped(model, 2e-3, 2e-3);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].kind, EventKind::touch_down);
  EXPECT_NEAR(run.final.q[1], 0, 1e-15);
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
    EXPECT_EQ(friction->why.find("lands with slip"), 0u) << friction->why;
  }
}

// What slips from the start does so at the start; what never slips says how much of its friction it used: tan of the slope over
// mu.
TEST(TimeStepping, FrictionIsJudgedFromTheStart) {
  const RunResult slides = run_stepped(read_case("terms/step.yaml"), 0.5, 1e-3);
  const Verdict* slid = find_step_verdict(slides, "foot.friction");
  ASSERT_NE(slid, nullptr);
  EXPECT_EQ(slid->verdict, Holds::violated);
  EXPECT_EQ(slid->first_violation, 0.0);
  EXPECT_EQ(slid->why.find("starts with slip"), 0u) << slid->why;

  const Model slope = read_model_text(R"(
vinculum: 1
gravity: [0.981, 0, -9.81]
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.2 } }
)");
  const RunResult stands = run_stepped(slope, 0.5, 1e-3);
  const Verdict* stood = find_step_verdict(stands, "foot.friction");
  ASSERT_NE(stood, nullptr);
  EXPECT_EQ(stood->verdict, Holds::holds);
  EXPECT_NEAR(stood->margin.value_or(0), 0.2 / 0.1, 1e-9);
  EXPECT_TRUE(stands.events.empty());
  EXPECT_EQ(stands.final.q[0], 0);
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

// A ball that bounces ever lower comes to rest, and makes no events there.
TEST(TimeStepping, BallComesToRest) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { ball: { joint: {axes: [tz]}, mass: 1, inertia: 1 } }
contacts: { foot: { body: ball, with: world, point: [0, 0, 0], forbid: [normal], restitution: 0.5 } }
initial: { ball.tz: 0.5 }
)");
  const RunResult result = run_stepped(model, 3, 1e-3);
  EXPECT_GT(result.events.size(), 10u);
  EXPECT_LT(result.events.size(), 25u);
  EXPECT_LT(result.events.back().t, 1.0);  // bounces end at (1 + e)/(1 - e) sqrt(2 h/g) = 0.958 s
  EXPECT_EQ(result.final.v[0], 0);
  EXPECT_NEAR(result.final.q[0], 0, 1e-4);
}

// The rebound is that from the surface as it moves.
TEST(TimeStepping, ReboundFromARisingTable) {
  const Model model = read_case("terms/shake.yaml");
  const RunResult exact = run_stepped(model, 0.7, 0), stepped = run_stepped(model, 0.7, 1e-3);
  EXPECT_NEAR(exact.final.q[0], 0.3817, 1e-4);
  EXPECT_NEAR(stepped.final.q[0], exact.final.q[0], 5e-3);
}

// Two feet of a block that only slides: redundant, so the share of the load is a matter of their stiffness. Equal: mu = (0.1 +
// 0.4)/2, whatever their order in the file; and no foot lifts off.
TEST(TimeStepping, RedundantFeetShareTheLoadInAnyOrder) {
  for (const char* file : {"terms/two.yaml", "terms/two_sw.yaml"}) {
    SCOPED_TRACE(file);
    const Model model = read_case(file);
    for (const double step : {1e-3, 0.0}) {
      const RunResult result = run_stepped(model, 0.5, step);
      EXPECT_NEAR(result.final.q[0], 1 - 0.25 * 9.81 / 8, 1e-9);
      for (const Occurrence& event : result.events) EXPECT_NE(event.kind, EventKind::lift_off) << event.name();
      const Verdict* split = find_step_verdict(result, "load split");
      ASSERT_NE(split, nullptr);
      EXPECT_EQ(split->verdict, Holds::not_unique);
      EXPECT_NEAR(split->first_violation.value_or(1), 0, 2e-3);
    }
  }
}

// Four feet of a table that is dropped flat and slides: every order of them gives the same motion, and it comes to rest.
TEST(TimeStepping, FeetInAnyOrder) {
  const auto table = [](const std::string& feet) {
    std::string text = R"(
vinculum: 1
bodies: { table: { joint: {type: free}, mass: 10, inertia: [1, 2, 3] } }
contacts:
)";
    for (const char foot : feet) {
      const double x = foot == 'a' || foot == 'b' ? 0.5 : -0.3, y = foot == 'a' || foot == 'c' ? 0.4 : -0.2;
      text += fmt::format(
          "  {}: {{ body: table, with: world, point: [{}, {}, -0.2], forbid: [normal, lateral, forward], friction: 0.3 }}\n",
          foot, x, y);
    }
    return read_model_text(text + "initial: { table.tz: 0.2, \"table.tx'\": 0.6, \"table.wz\": 0.5 }\n");
  };
  const RunResult one = run_stepped(table("abcd"), 0.5, 2e-3), other = run_stepped(table("dbca"), 0.5, 2e-3);
  EXPECT_LT(distance(one, other), 1e-9);
  for (const double v : one.final.v) EXPECT_EQ(v, 0);
  EXPECT_GT(one.final.q[0], 0.03);
}

// Laws of impact that follow the slip are refused by name, not taken for Newton's.
TEST(TimeStepping, OtherLawsOfImpactAreRefused) {
  for (const char* law : {"{poisson: 0.5}", "{newton: 0.5, tangential: 0.3}"}) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ ball: {{ joint: {{axes: [tx, tz]}}, mass: 1, inertia: 1 }} }}
contacts: {{ foot: {{ body: ball, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.3, restitution: {} }} }}
initial: {{ ball.tz: 0.5 }}
)",
                                                    law));
    RunOptions options;
    options.follow = Follow::frictional;
    options.until = 1;
    options.step = 1e-3;
    RunListener nobody;
    const auto result = run_simulation(model, model.initial_state(), options, nobody);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.failure().code, "VN-RUN-160");
    EXPECT_NE(result.failure().message.find("'foot'"), std::string::npos);
  }
}

// A force in the middle of each step: of one that grows as 3 t the impulse is 3 t²/2 to round-off.
TEST(TimeStepping, ForceOfTimeIsTakenInTheMiddleOfAStep) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal] } }
forces: { push: { body: block, force: ["3*t", 0, 0] } }
)");
  for (const double step : {0.1, 0.025}) EXPECT_NEAR(run_stepped(model, 0.8, step).final.v[0], 3 * 0.64 / 2 / 2, 1e-12);
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
