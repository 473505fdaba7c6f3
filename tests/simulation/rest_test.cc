// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What is at rest stays: nothing is decided by round-off of a force that is zero.
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult run_at_rest(const Model& model, double until, Follow follow, double step = 0) {
  RunOptions options;
  options.follow = follow;
  options.until = until;
  options.step = step;
  return finish_run(model, options);
}

void expect_at_rest(const Model& model, const RunResult& result) {
  EXPECT_TRUE(result.events.empty()) << result.events[0].name() << " at " << result.events[0].t;
  const State start = model.initial_state();
  const double size = std::max(1.0, model.scales().length);
  for (size_t i = 0; i < start.q.size(); ++i) EXPECT_NEAR(result.final.q[i], start.q[i], 1e-13 * size) << i;
  for (const double v : result.final.v) EXPECT_NEAR(v, 0, 1e-12 * model.scales().velocity);
}

// A ladder between a rough floor and a rough wall rests above 0.83298 rad. With the reactions of least norm the wall's push is
// zero to round-off: its sign must not decide.
TEST(Rest, LadderStandsWhileSomeDistributionHoldsIt) {
  for (const char* angle : {"1.2", "0.833", "0.9", "1.0"}) {
    for (const Follow follow : {Follow::frictional, Follow::unilateral}) {
      SCOPED_TRACE(angle);
      const Model model = read_case("impacts/roughladder.yaml", {{"th", angle}});
      expect_at_rest(model, run_at_rest(model, 0.5, follow));
    }
  }
}

// So it does at any size and mass, mirrored, and with its contacts in the other order.
TEST(Rest, LadderStandsHoweverItIsWrittenDown) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    for (const int side : {1, -1}) {
      for (const bool swapped : {false, true}) {
        SCOPED_TRACE(fmt::format("{} {} {}", size, side, swapped));
        const std::string foot =
            "  foot: { body: ladder, with: floor, point: [0, 0, -l], forbid: [normal, forward], friction: 0.4 }\n";
        const std::string top =
            "  top: { body: ladder, with: wall, point: [0, 0, l], forbid: [normal, forward], friction: 0.3 }\n";
        const Model model = read_model_text(fmt::format(R"(
vinculum: 1
parameters: {{ l: {}, m: {}, th: 0.95, side: {} }}
bodies: {{ ladder: {{ joint: {{ axes: [tx, tz, ry] }}, mass: m, inertia: [m*l^2/3, m*l^2/3, 0.001*m*l^2] }} }}
environment:
  floor: {{ surface: plane }}
  wall: {{ surface: plane, rotation: {{ axis: y, angle: side*90 deg }} }}
initial: {{ ladder.tx: side*l*cos(th), ladder.tz: l*sin(th), ladder.ry: side*(th - 90 deg) }}
contacts:
{})",
                                                        size, 5 * size * size * size, side, swapped ? top + foot : foot + top));
        for (const Follow follow : {Follow::frictional, Follow::unilateral}) {
          expect_at_rest(model, run_at_rest(model, 0.3 * std::sqrt(size), follow));
          expect_at_rest(model, run_at_rest(model, 0.3 * std::sqrt(size), follow, 2e-3 * std::sqrt(size)));
        }
      }
    }
  }
}

// A block in a notch of 90 degrees, its mass centre beside the middle: two rough flanks, four reactions for three equations.
TEST(Rest, BlockLiesInANotch) {
  for (const char* beside : {"0", "0.02", "-0.03"}) {
    SCOPED_TRACE(beside);
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ block: {{ joint: {{ axes: [tx, tz, ry] }}, mass: 7, com: [{}, 0, 0], inertia: 0.3 }} }}
environment:
  flank: {{ surface: plane, rotation: {{ axis: y, angle: 45 deg }} }}
  other: {{ surface: plane, rotation: {{ axis: y, angle: -45 deg }} }}
contacts:
  left: {{ body: block, with: flank, point: [-0.4, 0, -0.2], forbid: [normal, forward], friction: 0.5 }}
  right: {{ body: block, with: other, point: [0.4, 0, -0.2], forbid: [normal, forward], friction: 0.5 }}
initial: {{ block.tz: 0.6 }}
)",
                                                    beside));
    for (const Follow follow : {Follow::frictional, Follow::unilateral}) {
      expect_at_rest(model, run_at_rest(model, 1, follow));
      expect_at_rest(model, run_at_rest(model, 1, follow, 0.01));
    }
  }
}

// A beam lies on the floor and against a wall that nothing presses it to: friction of the wall has nothing to act with.
TEST(Rest, BeamTouchesAWall) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { beam: { joint: {axes: [tx, tz, ry]}, mass: 12, com: [0.1, 0, 0], inertia: 2 } }
environment: { wall: { surface: plane, position: [-0.7, 0, 0], rotation: { axis: y, angle: 90 deg } } }
contacts:
  near: { body: beam, with: world, point: [-0.7, 0, 0], forbid: [normal, forward], friction: 0.4 }
  far: { body: beam, with: world, point: [0.7, 0, 0], forbid: [normal, forward], friction: 0.4 }
  end: { body: beam, with: wall, point: [-0.7, 0, 0], forbid: [normal, forward], friction: 0.3 }
)");
  for (const Follow follow : {Follow::frictional, Follow::unilateral}) {
    expect_at_rest(model, run_at_rest(model, 1, follow));
    expect_at_rest(model, run_at_rest(model, 1, follow, 0.01));
  }
}

// Just below the angle of rest it slips at once.
TEST(Rest, LadderSlipsBelowItsAngle) {
  const Model model = read_case("impacts/roughladder.yaml", {{"th", "0.8329"}});
  const RunResult result = run_at_rest(model, 0.1, Follow::frictional);
  ASSERT_FALSE(result.events.empty());
  EXPECT_EQ(result.events[0].kind, EventKind::slip);
  EXPECT_GT(std::abs(result.final.q[2] - (0.8329 - M_PI / 2)), 1e-6);
}

// The same under implicit steps: the mass centre does not climb (by 0.795 mm in 2 s before), and nothing happens.
TEST(Rest, LadderStandsUnderImplicitSteps) {
  const Model model = read_case("impacts/roughladder.yaml", {{"th", "1.2"}});
  for (const Follow follow : {Follow::frictional, Follow::unilateral}) expect_at_rest(model, run_at_rest(model, 2, follow, 1e-3));
}

// A block stands on the floor and touches a wall that it does not press: the push of the wall is zero at every moment. Turned by
// an angle whose sine and cosine are no round numbers, it is zero to round-off only.
TEST(Rest, WallThatIsNotPressedMakesNoEvents) {
  const Model model = read_model_text(R"(
vinculum: 1
parameters: { a: 0.3 }
gravity: [-9.81*sin(a), 0, -9.81*cos(a)]
bodies: { block: { joint: {axes: [tx, tz, ry]}, mass: 3, inertia: [0.2, 0.2, 0.2] } }
environment:
  floor: { surface: plane, rotation: { axis: y, angle: a } }
  wall: { surface: plane, rotation: { axis: y, angle: a + 90 deg } }
contacts:
  left: { body: block, with: floor, point: [0, 0, 0], forbid: [normal] }
  right: { body: block, with: floor, point: [0.7*cos(a), 0, -0.7*sin(a)], forbid: [normal] }
  side: { body: block, with: wall, point: [0, 0, 0], forbid: [normal] }
)");
  expect_at_rest(model, run_at_rest(model, 1, Follow::unilateral));
  expect_at_rest(model, run_at_rest(model, 1, Follow::unilateral, 0.01));
}

// Three supports under one beam: the round-off of their reactions moves it by 1e-16 m, which is no energy that was made. Whether
// its height is zero, where the terms of the energy vanish as well, is nobody's merit.
TEST(Rest, RoundOffOfRedundantSupportsIsNoEnergy) {
  for (const double size : {1e-3, 1.0, 1e4}) {
    for (const double height : {0.0, 0.7}) {
      const Model model = read_model_text(fmt::format(R"(
vinculum: 1
parameters: {{ l: {} }}
bodies: {{ beam: {{ joint: {{ axes: [tx, tz, ry], origin: [0, 0, {}*l] }}, mass: 2, inertia: 0.3*l^2 }} }}
environment: {{ ground: {{ surface: plane, position: [0, 0, {}*l] }} }}
contacts:
  a: {{ body: beam, with: ground, point: [-0.5*l, 0, 0], forbid: [normal] }}
  b: {{ body: beam, with: ground, point: [0.1*l, 0, 0], forbid: [normal] }}
  c: {{ body: beam, with: ground, point: [0.5*l, 0, 0], forbid: [normal] }}
)",
                                                      size, height, height));
      const RunResult result = run_at_rest(model, 1, Follow::bilateral);
      for (const Verdict& verdict : result.verdicts) {
        if (verdict.subject == "energy") EXPECT_EQ(verdict.verdict, Holds::holds) << size << " " << height << ": " << verdict.why;
      }
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
