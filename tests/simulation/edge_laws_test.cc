// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws with a dead zone or a play, left and struck at their edges; and shares of redundant rows at a state.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult run_edges(const Model& model, double until) {
  RunOptions options;
  options.follow = Follow::frictional;
  options.until = until;
  return finish_run(model, options);
}

// 2 kg, pushed with 2 t N against 3 N beyond 0.1 m/s: it reaches the edge at t²/2 = 0.1, is held there while 2 t < 3, and leaves
// it outwards with v = 0.1 + (t - 1.5)²/2. Both ways.
TEST(EdgeLaws, DeadZoneIsLeftOutwards) {
  const std::string text = R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 1 } }
velocity_constraints: { belt: { equation: "mass' = 0", bound: 3, law: {dead-zone: 0.1} } }
forces: { push: { joint: mass, law: "-2*t" } }
)";
  const double edge = std::sqrt(0.2), x = std::pow(edge, 3) / 6 + 0.1 * (1.5 - edge) + 0.05 + std::pow(0.5, 3) / 6;
  const RunResult forward = run_edges(read_case("terms/dead.yaml"), 2), backward = run_edges(read_model_text(text), 2);
  EXPECT_NEAR(forward.final.v[0], 0.1 + 0.125, 1e-8);
  EXPECT_NEAR(forward.final.q[0], x, 1e-8);
  EXPECT_NEAR(backward.final.v[0], -0.225, 1e-8);
  EXPECT_NEAR(backward.final.q[0], -x, 1e-8);
  EXPECT_LT(forward.events.size(), 6u);
}

// A hammer of 1 kg strikes a mass of 2 kg, e = 0.5, that 0.7 N hold at an end of its play: the mass takes 0.5 m/s, the hammer
// stops. Struck into its play nothing but the 0.7 N acts on it; struck outwards the 3 N of the law act against it.
TEST(EdgeLaws, PlayIsStruckAtItsEnd) {
  const double engaged = std::sqrt(2 * 0.01 / 0.35), speed = 0.35 * engaged, edge = 0.01 + speed * speed / (2 * 1.15);
  for (const bool inwards : {true, false}) {
    const double push = inwards ? 0.7 : -0.7, x = inwards ? edge : -edge, struck = 1 - x, after = 0.02;
    const Model model = inwards ? read_case("terms/play.yaml") : read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  mass: { joint: {type: prismatic, axis: z}, mass: 2, inertia: 1 }
  hammer: { joint: {type: prismatic, axis: z}, mass: 1, inertia: 1 }
velocity_constraints: { belt: { equation: "mass' = 0", bound: 3, law: {backlash: 0.01} } }
contacts: { blow: { body: hammer, with: mass, point: [0, 0, 0], forbid: [normal], restitution: 0.5 } }
forces: { push: { joint: mass, law: "-0.7" } }
initial: { hammer: 1, "hammer'": -1 }
)");
    const double force = inwards ? push : push + 3;
    const RunResult result = run_edges(model, struck + after);
    EXPECT_NEAR(result.final.v[0], -0.5 + force / 2 * after, 1e-7) << inwards;
    EXPECT_NEAR(result.final.v[1], 0, 1e-9) << inwards;
    EXPECT_NEAR(result.final.q[0], x - 0.5 * after + force / 4 * after * after, 1e-8) << inwards;
  }
}

// Two feet of a sliding block, friction 0.1 and 0.4, at a state with all rows there: equally stiff, they decelerate it by 0.25 g.
TEST(EdgeLaws, RedundantRowsShareTheirLoadAtAState) {
  for (const char* file : {"terms/two.yaml", "terms/two_sw.yaml"}) {
    const Model model = read_case(file);
    ConstraintSet set(model);
    for (const Grip& grip : model.grips()) set.modes[grip.mode] = Grip::forward;
    set.set_modes(set.modes);
    Workspace workspace(model);
    const auto dynamics = compute_constrained_dynamics(set, model.initial_state(), workspace);
    ASSERT_TRUE(dynamics) << dynamics.failure().message;
    EXPECT_NEAR(dynamics->dynamics.accelerations[0], -0.25 * 9.81, 1e-12);
  }
}

}  // namespace
}  // namespace vinculum::testing
