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
  EXPECT_TRUE(result.events.empty()) << result.events[0].name << " at " << result.events[0].t;
  const State start = model.initial_state();
  for (size_t i = 0; i < start.q.size(); ++i) EXPECT_NEAR(result.final.q[i], start.q[i], 1e-13) << i;
  for (const double v : result.final.v) EXPECT_NEAR(v, 0, 1e-13);
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

// Just below the angle of rest it slips at once.
TEST(Rest, LadderSlipsBelowItsAngle) {
  const Model model = read_case("impacts/roughladder.yaml", {{"th", "0.8329"}});
  const RunResult result = run_at_rest(model, 0.1, Follow::frictional);
  ASSERT_FALSE(result.events.empty());
  EXPECT_EQ(result.events[0].kind, "slip");
  EXPECT_LT(result.final.q[2], 0.8329 - M_PI / 2 - 1e-6);
}

// The same under implicit steps: the mass centre does not climb, and nothing happens.
TEST(Rest, LadderStandsUnderImplicitSteps) {
  const Model model = read_case("impacts/roughladder.yaml", {{"th", "1.2"}});
  for (const Follow follow : {Follow::frictional, Follow::unilateral})
    expect_at_rest(model, run_at_rest(model, 0.2, follow, 1e-3));
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

}  // namespace
}  // namespace vinculum::testing
