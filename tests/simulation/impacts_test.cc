// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Impacts in runs: laws of rebound, impulses of events, the verdict `impacts`, requirements that an impulse breaks.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult run_impacts(const Model& model, double until, Follow follow, double step = 0) {
  RunOptions options;
  options.follow = follow;
  options.until = until;
  options.step = step;
  return finish_run(model, options);
}

Verdict impact_verdict(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  ADD_FAILURE() << "no verdict on " << subject;
  return {};
}

const Occurrence& first_of(const RunResult& result, const std::string& name) {
  for (const Occurrence& event : result.events) {
    if (event.name() == name) return event;
  }
  throw std::runtime_error("no event " + name);
}

double impulse_of(const Occurrence& event, const std::string& row) {
  for (const Occurrence::Impulse& impulse : event.impulses) {
    if (impulse.row == row) return impulse.impulse;
  }
  ADD_FAILURE() << "no impulse of " << row;
  return 0;
}

std::string kane_with(const std::string& restitution) {
  return R"(
vinculum: 1
gravity: [0, 0, 0]
parameters: { z0: -cos(20 deg) - cos(30 deg) - 0.001 }
bodies:
  a: { joint: { type: revolute, axis: -y }, mass: 1, com: [0, 0, -0.5], inertia: [1/12, 1/12, 0.0001] }
  b: { parent: a, joint: { type: revolute, axis: -y, origin: [0, 0, -1] }, mass: 1, com: [0, 0, -0.5], inertia: [1/12, 1/12, 0.0001] }
environment: { floor: { surface: plane, position: [0, 0, z0] } }
contacts: { c: { body: b, with: floor, point: [0, 0, -1], forbid: [normal, forward], friction: 0.5, restitution: )" +
         restitution + R"( } }
initial: { a: 20 deg, b: 10 deg, "a'": -0.1, "b'": -0.1 }
)";
}

// Newton's restitution with friction makes 0.013834243402 J here (closed pieces in the normal impulse, RK4 to the impact); the
// energetic law and Poisson's do not.
TEST(Impacts, KanesPendulumMakesEnergyByNewtonsLawOnly) {
  const RunResult newton = run_impacts(read_case("impacts/kane.yaml"), 0.0095, Follow::frictional);
  const Verdict violated = impact_verdict(newton, "impacts");
  EXPECT_EQ(violated.verdict, Holds::violated);
  EXPECT_NEAR(violated.first_violation.value_or(0), 0.0074596739, 1e-9);
  EXPECT_NE(violated.hint.find("energetic"), std::string::npos);
  const Occurrence& blow = first_of(newton, "touch-down:c");
  EXPECT_NEAR(blow.energy_lost.value_or(0), -0.013834243402, 1e-10);
  EXPECT_NEAR(impulse_of(blow, "c.normal"), 0.573892521963, 1e-9);

  struct {
    const char* law;
    double normal, along, lost;
  } cases[] = {{"{poisson: 0.5}", 0.113872167041, 0.040583031575, 0.010553796495},
               {"{energetic: 0.5}", 0.118630193557, 0.038204018317, 0.010363877848}};
  for (const auto& expected : cases) {
    const RunResult result = run_impacts(read_model_text(kane_with(expected.law)), 0.0095, Follow::frictional);
    EXPECT_EQ(impact_verdict(result, "impacts").verdict, Holds::holds) << expected.law;
    const Occurrence& event = first_of(result, "touch-down:c");
    EXPECT_NEAR(impulse_of(event, "c.normal"), expected.normal, 1e-9);
    EXPECT_NEAR(std::abs(impulse_of(event, "c.forward")), expected.along, 1e-9);
    EXPECT_NEAR(event.energy_lost.value_or(0), expected.lost, 1e-10);
  }
}

// Balls in a row: struck together -1/3, 2/3, 2/3 and not unique; with the smallest gap there is one after the other.
TEST(Impacts, CradleWithAndWithoutAGap) {
  for (const char* gap : {"1e-6", "1e-9", "0"}) {
    SCOPED_TRACE(gap);
    const bool touches = std::string(gap) == "0";
    const RunResult result = run_impacts(read_case("impacts/cradle.yaml", {{"gap", gap}}), 3, Follow::unilateral);
    const std::vector<double> expected = touches ? std::vector{-1.0 / 3, 2.0 / 3, 2.0 / 3} : std::vector{0.0, 0.0, 1.0};
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.final.v[i], expected[i], 1e-9);
    const Verdict impacts = impact_verdict(result, "impacts");
    EXPECT_EQ(impacts.verdict, touches ? Holds::not_unique : Holds::holds);
    if (touches) EXPECT_NEAR(impacts.first_violation.value_or(0), 1, 1e-9);
  }
}

// A beam that lands flat on two feet, e = 0.5: struck together both rebound with half the speed. One foot after the other turns
// the beam. Two beams' single feet landing at one instant do not feel each other.
TEST(Impacts, OrderOfFeetMattersOnOneBodyOnly) {
  const std::string feet = R"(
vinculum: 1
bodies:
  beam: { joint: {axes: [tx, tz, ry]}, mass: 3, inertia: 0.4 }
  other: { joint: {axes: [tz]}, mass: 2, inertia: 1 }
contacts:
)";
  const std::string start = "initial: { beam.tz: 0.2, other.tz: 0.2 }\n";
  const std::string left = "  left: { body: beam, with: world, point: [-0.6, 0, 0], forbid: [normal], restitution: 0.5 }\n";
  const std::string right = "  right: { body: beam, with: world, point: [0.6, 0, 0], forbid: [normal], restitution: 0.5 }\n";
  const std::string single = "  single: { body: other, with: world, point: [0, 0, 0], forbid: [normal], restitution: 0.5 }\n";
  const double fall = std::sqrt(2 * 9.81 * 0.2);
  for (const Follow follow : {Follow::unilateral, Follow::frictional}) {
    const RunResult flat = run_impacts(read_model_text(feet + left + right + start), 0.21, follow);
    EXPECT_EQ(impact_verdict(flat, "impacts").verdict, Holds::not_unique);
    EXPECT_NEAR(impulse_of(first_of(flat, "touch-down:left"), "left.normal"), 3 * 1.5 * fall / 2, 1e-9);
    EXPECT_NEAR(impulse_of(first_of(flat, "touch-down:right"), "right.normal"), 3 * 1.5 * fall / 2, 1e-9);
    const std::string centred = "  middle: { body: beam, with: world, point: [0, 0, 0], forbid: [normal], restitution: 0.5 }\n";
    const RunResult apart = run_impacts(read_model_text(feet + centred + single + start), 0.21, follow);
    EXPECT_EQ(impact_verdict(apart, "impacts").verdict, Holds::holds);
  }
}

// A rope snaps taut: the impulse is reported, and breaks the requirement on the tension though no force between impacts does.
TEST(Impacts, SnapOfARopeViolatesTheRequirementOnItsTension) {
  const Model crane = read_case("verdicts/crane.yaml", {{"load.tz", "H-L+0.4"}});
  const RunResult result = run_impacts(crane, 1, Follow::bilateral);
  EXPECT_NEAR(impulse_of(first_of(result, "taut:cable"), "cable"), 2249.8, 0.1);
  const Verdict tension = impact_verdict(result, "tension");
  EXPECT_EQ(tension.verdict, Holds::violated);
  EXPECT_NEAR(tension.first_violation.value_or(0), first_of(result, "taut:cable").t, 1e-12);
  EXPECT_NE(tension.why.find("2250 N*s"), std::string::npos) << tension.why;
}

// The same of a weight that falls 0.3 m: m √(2 g h), m g h lost. A bound from below is kept by a pull, and broken by its
// opposite; what is clamped is not.
TEST(Impacts, ImpulsesBreakBoundsTheyPass) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { load: { joint: {axes: [tz]}, mass: 4, inertia: 1 } }
strings: { rope: { from: world, at: [0, 0, 2], to: load, length: 1.3 } }
outputs:
  pull: { value: rope, require: ["< 1 kN", "> -1 N"] }
  push: { value: "-rope", require: "> -1 kN" }
  shown: { value: "min(rope/(1 N), 60)", require: "< 70" }
initial: { load.tz: 1 }
)yaml");
  ;
  const RunResult result = run_impacts(model, 1, Follow::bilateral);
  const Occurrence& taut = first_of(result, "taut:rope");
  EXPECT_NEAR(impulse_of(taut, "rope"), 4 * std::sqrt(2 * 9.81 * 0.3), 1e-8);
  EXPECT_NEAR(taut.energy_lost.value_or(0), 4 * 9.81 * 0.3, 1e-8);
  EXPECT_EQ(impact_verdict(result, "pull.max").verdict, Holds::violated);
  EXPECT_EQ(impact_verdict(result, "pull.max").margin, 0.0);
  EXPECT_EQ(impact_verdict(result, "pull.min").verdict, Holds::holds);
  EXPECT_EQ(impact_verdict(result, "push").verdict, Holds::violated);
  EXPECT_EQ(impact_verdict(result, "shown").verdict, Holds::holds);

  // In implicit steps to a step.
  const RunResult stepped = run_impacts(model, 1, Follow::bilateral, 1e-4);
  EXPECT_NEAR(impulse_of(first_of(stepped, "taut:rope"), "rope"), 4 * std::sqrt(2 * 9.81 * 0.3), 0.02);
  EXPECT_EQ(impact_verdict(stepped, "pull.max").verdict, Holds::violated);
}

// A cart of 2 kg comes to the end of its joint with 3 m/s: every law leaves with e v, one row alone.
TEST(Impacts, StopsReboundByEveryLaw) {
  for (const char* law : {"0.5", "{newton: 0.5}", "{poisson: 0.5}", "{energetic: 0.5}"}) {
    SCOPED_TRACE(law);
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  cart: {{ joint: {{ type: prismatic, axis: x, limits: {{ position: [-1, 1], restitution: {} }} }}, mass: 2, inertia: 1 }}
initial: {{ "cart'": 3 }}
)",
                                                    law));
    for (const Follow follow : {Follow::unilateral, Follow::frictional}) {
      const RunResult result = run_impacts(model, 0.5, follow);
      EXPECT_NEAR(result.final.v[0], -1.5, 1e-12);
      const Occurrence& stop = first_of(result, "stop:cart");
      EXPECT_NEAR(std::abs(impulse_of(stop, "cart.upper")), 2 * 3 * 1.5, 1e-10);
      EXPECT_NEAR(stop.energy_lost.value_or(0), 9 * 0.75, 1e-10);
      EXPECT_EQ(impact_verdict(result, "impacts").verdict, Holds::holds);
    }
  }
}

// Sprung back sideways: a mass with 0.3 m/s along the floor leaves with -0.4 of it, with enough friction, and slides with less.
TEST(Impacts, TangentialRestitutionInARun) {
  for (const bool rough : {true, false}) {
    const double mu = rough ? 2 : 0.02;
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ ball: {{ joint: {{axes: [tx, tz]}}, mass: 2, inertia: 1 }} }}
contacts: {{ foot: {{ body: ball, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: {},
                      restitution: {{ energetic: 0.5, tangential: 0.4 }} }} }}
initial: {{ ball.tz: 0.5, "ball.tx'": 0.3, "ball.tz'": -1 }}
)",
                                                    mu));
    const RunResult result = run_impacts(model, 1, Follow::frictional);
    EXPECT_NEAR(result.final.v[1], 0.5, 1e-12);
    EXPECT_NEAR(result.final.v[0], rough ? -0.4 * 0.3 : 0.3 - mu * 1.5, 1e-12);
    EXPECT_EQ(impact_verdict(result, "impacts").verdict, Holds::holds);
  }
}

// A lift-off ends with no push: what round-off or the continuous solution leaves below zero there is no pull.
TEST(Impacts, LiftOffIsNoPullAtAnyTolerance) {
  for (const char* file : {"impacts/jumper.yaml", ""}) {
    const Model model = *file != 0 ? read_case(file) : read_model_text(R"yaml(
vinculum: 1
bodies: { bead: { joint: {axes: [tx, tz]}, mass: 0.3, inertia: 1 } }
environment: { hill: { surface: "0.4 - 0.5*x^2" } }
contacts: { foot: { body: bead, with: hill, point: [0, 0, 0], forbid: [normal] } }
initial: { bead.tz: 0.4, "bead.tx'": 1 }
forces: { wind: { joint: bead.tx, law: "2 N*bead.tx/(1 m)"
  }
}
)yaml");
    ;
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
      RunOptions options;
      options.follow = Follow::unilateral;
      options.until = 0.6;
      options.tolerance = tolerance;
      const RunResult result = finish_run(model, options);
      const auto lifts = std::ranges::find(result.events, EventKind::lift_off, &Occurrence::kind);
      ASSERT_NE(lifts, result.events.end()) << file;
      EXPECT_EQ(impact_verdict(result, *file != 0 ? "c.normal" : "foot.normal").verdict, Holds::holds)
          << file << " " << tolerance;
    }
  }
}

// Between two impacts of a string nothing holds the mass. The series of such a tree counts the work of forces alone: what impacts
// took was lost from the balance of energy with `taylor`, and verdict `energy` violated by as much.
TEST(Impacts, EnergyTheyTakeIsCountedByEveryIntegrator) {
  for (const char* force : {"0", "-5*load.tx"}) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ load: {{ joint: {{axes: [tx, tz]}}, mass: 3, inertia: 0.1 }} }}
strings: {{ rope: {{ from: world, to: load, length: 0.8, restitution: 0.5 }} }}
forces: {{ spring: {{ joint: load.tx, law: "{}" }} }}
initial: {{ load.tx: 0.1, load.tz: -0.2 }}
)yaml",
                                                    force));
    for (const char* integrator : {"taylor", "dop853", "cvode", "arkode"}) {
      SCOPED_TRACE(fmt::format("{} {}", force, integrator));
      RunOptions options;
      options.follow = Follow::unilateral;
      options.until = 0.5;
      options.integrator = integrator;
      const RunResult result = finish_run(model, options);
      EXPECT_GT(first_of(result, "taut:rope").energy_lost.value_or(0), 1);
      EXPECT_LT(result.integrals.front().drift, 1e-6);
      EXPECT_EQ(impact_verdict(result, "energy").verdict, Holds::holds);
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
