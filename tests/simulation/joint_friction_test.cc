// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Dry friction of joints, by a bound of its own: it acts in every run, and its motions are known in closed form.
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/constrained/inverse_with_rows.h"
#include "vinculum/constraints/joint_friction.h"
#include "vinculum/files/read_model.h"
#include "vinculum/questions/evaluation.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

RunResult run_joint(const Model& model, double until, Follow follow = Follow::bilateral, double tolerance = 1e-12) {
  RunOptions options;
  options.follow = follow;
  options.until = until;
  options.tolerance = tolerance;
  return testing::finish_run(model, options);
}

void expect_joint_events(const RunResult& run, const std::vector<std::pair<double, std::string>>& wanted, double allowed = 1e-9) {
  ASSERT_FALSE(run.failure) << run.failure->message;
  ASSERT_EQ(run.events.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(run.events[i].name(), wanted[i].second);
    EXPECT_NEAR(run.events[i].t, wanted[i].first, allowed) << wanted[i].second;
  }
}

const Verdict* find_joint_verdict(const std::vector<Verdict>& verdicts, const std::string& subject) {
  for (const Verdict& verdict : verdicts) {
    if (verdict.subject == subject) return &verdict;
  }
  return nullptr;
}

constexpr const char* kWheel = R"(
vinculum: 1
bodies: { wheel: { joint: { type: revolute, axis: y, friction: { torque: 2 N*m } }, mass: 3, inertia: 0.5 } }
initial: { "wheel'": 3 }
outputs: { rub: "wheel.friction" }
)";

// J w' = -M: it stops after J w/M = 0.75 s and J w²/2M = 1.125 rad, in a run of any kind, and stays there.
TEST(JointFriction, AWheelStopsInEveryRun) {
  const Model model = read_model_text(kWheel);
  for (const Follow follow : {Follow::bilateral, Follow::unilateral, Follow::frictional}) {
    const RunResult run = run_joint(model, 2, follow);
    expect_joint_events(run, {{0.75, "stick:wheel"}});
    EXPECT_NEAR(run.final.q[0], 1.125, 1e-10);
    EXPECT_EQ(run.final.v[0], 0);
    EXPECT_EQ(find_joint_verdict(run.verdicts, "energy")->verdict, Holds::holds);
    EXPECT_EQ(model.modes()[0].name, "wheel.friction");
    EXPECT_EQ(model.modes()[0].words[run.final.modes[0]], "sticks");
  }
  std::string text = kWheel;
  text.replace(text.find(": 3 }"), 5, ": -3 }");
  const Model other = read_model_text(text);
  const RunResult run = run_joint(other, 0.5);
  EXPECT_NEAR(run.final.v[0], -3 + 0.5 * 2 / 0.5, 1e-11);
  EXPECT_EQ(other.modes()[0].words[run.final.modes[0]], "backward");
}

// A torque 1.5 t tears it off at 3 N m after 2 s; from there it slides with 2 N m: J w' = 1 + 1.5 (t - 2).
TEST(JointFriction, StaticFrictionIsTornOff) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { wheel: { joint: { type: revolute, friction: { torque: 2, static: 3 } }, mass: 3, inertia: 0.5 } }
forces: { motor: { joint: wheel, law: "1.5*t" } }
)");
  const RunResult run = run_joint(model, 3);
  expect_joint_events(run, {{2, "slip:wheel"}});
  EXPECT_NEAR(run.final.v[0], (1 + 0.75) / 0.5, 1e-10);
  EXPECT_NEAR(run.final.q[0], (0.5 + 0.25) / 0.5, 1e-10);
}

// x(k pi/w) = ±(x0 - 2 k F/k): every half swing takes 2 F/k, until what is left is within F/k.
TEST(JointFriction, ASliderOnASpringLosesTheSameAtEverySwing) {
  const double mass = 2, stiffness = 50, force = 3, half = std::numbers::pi * std::sqrt(mass / stiffness);
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { sled: { joint: { type: prismatic, axis: x, friction: { force: 3 N } }, mass: 2, inertia: 1 } }
forces: { spring: { joint: sled, law: "-50*sled" } }
initial: { sled: 1 }
)");
  const RunResult run = run_joint(model, 6);
  std::vector<std::pair<double, std::string>> wanted{{0, "slip:sled"}};
  for (int k = 1; k < 8; ++k) wanted.push_back({k * half, "reverse:sled"});
  wanted.push_back({8 * half, "stick:sled"});
  expect_joint_events(run, wanted, 1e-8);
  EXPECT_NEAR(run.final.q[0], 1 - 8 * 2 * force / stiffness, 1e-9);
  EXPECT_EQ(find_joint_verdict(run.verdicts, "energy")->verdict, Holds::holds);
}

// What friction holds does not creep: not in an hour.
TEST(JointFriction, RestIsRestForAnHour) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  upper: { joint: { type: revolute, axis: y, friction: { torque: 8 } }, mass: 2, com: [0, 0, -0.3], inertia: 0.1 }
  lower: { parent: upper, joint: { type: revolute, axis: y, origin: [0, 0, -0.6], friction: { torque: 3 } }, mass: 1, com: [0, 0, -0.2], inertia: 0.02 }
initial: { upper: 0.5, lower: 0.4 }
)");
  const RunResult run = run_joint(model, 3600, Follow::bilateral, 1e-9);
  expect_joint_events(run, {});
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(run.final.q[i], model.initial_state().q[i], 1e-15);
    EXPECT_NEAR(run.final.v[i], 0, 1e-100);
  }
}

// At a state: it slides against its velocity; at rest it holds what is within the bound and says by how much, or yields.
TEST(JointFriction, AtAState) {
  const Model wheel = read_model_text(kWheel);
  const Evaluation slides = evaluate_state(wheel, wheel.initial_state());
  ASSERT_TRUE(slides.dynamics && slides.outputs);
  EXPECT_NEAR(slides.dynamics->dynamics.accelerations[0], -4, 1e-13);
  EXPECT_NEAR((*slides.outputs)[0].value, -2, 1e-13);
  const auto held = [](double torque) {
    return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ wheel: {{ joint: {{ type: revolute, friction: {{ torque: 2 }} }}, mass: 3, inertia: 0.5 }} }}
forces: {{ motor: {{ joint: wheel, law: "{}" }} }}
outputs: {{ rub: "wheel.friction" }}
)",
                                       torque));
  };
  const Model rests = held(1.25), yields = held(-2.5);
  const Evaluation at_rest = evaluate_state(rests, rests.initial_state());
  ASSERT_TRUE(at_rest.dynamics && at_rest.outputs && at_rest.verdicts);
  EXPECT_EQ(at_rest.dynamics->dynamics.accelerations[0], 0);
  EXPECT_NEAR((*at_rest.outputs)[0].value, -1.25, 1e-14);
  const Verdict* const verdict = find_joint_verdict(*at_rest.verdicts, "wheel.friction");
  ASSERT_NE(verdict, nullptr);
  EXPECT_NEAR(*verdict->margin, 2 / 1.25, 1e-12);
  const Evaluation torn_off = evaluate_state(yields, yields.initial_state());
  ASSERT_TRUE(torn_off.dynamics);
  EXPECT_NEAR(torn_off.dynamics->dynamics.accelerations[0], -0.5 / 0.5, 1e-13);
}

// tau = J w' + M sign w ; at rest anything within the bound, and where it starts to move the acceleration says which way.
TEST(JointFriction, TheDriveSuppliesIt) {
  const Model model = read_model_text(kWheel);
  Workspace workspace(model);
  const auto drive = [&](double v, double a) {
    State state = model.initial_state();
    state.v[0] = v;
    const std::vector<double> accelerations{a};
    choose_joint_slips(model, accelerations, state);
    const ConstraintSet set = rows_beside_drives(model, {0}, &state);
    return *compute_inverse_with_rows(set, {0}, state, accelerations, workspace);
  };
  EXPECT_NEAR(drive(3, 0.7).forces[0], 0.35 + 2, 1e-14);
  EXPECT_NEAR(drive(-3, 0.7).forces[0], 0.35 - 2, 1e-14);
  EXPECT_NEAR(drive(0, -0.7).forces[0], -0.35 - 2, 1e-14);
  const InverseWithRows at_rest = drive(0, 0);
  EXPECT_NEAR(at_rest.forces[0], 0, 1e-14);
  EXPECT_EQ(at_rest.friction[0], 2);
}

// At a dead centre the friction of the piston can hold nothing: its row says there what the crank says. With p(q) the place of
// the piston,   (J + m p'²) q'²/2 = E0 - F (way of the piston) ,  2 r = 0.2 m a half turn.
TEST(JointFriction, APistonGoesThroughItsDeadCentres) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  crank: { joint: { type: revolute, axis: y }, mass: 1, inertia: 0.02 }
  piston: { joint: { type: prismatic, axis: x, friction: { force: 7 } }, mass: 1.5, inertia: 0.01 }
velocity_constraints:
  rod: { equation: "piston' + (0.1*sin(crank) + 0.01*sin(crank)*cos(crank)/sqrt(0.09 - 0.01*sin(crank)^2))*crank' = 0", permanent: true }
events: { two_turns: "crank - 4*pi" }
initial: { crank: 0.5*pi, "crank'": 40, "piston'": -4 }
)");
  RunOptions options;
  options.until = 10;
  options.tolerance = 1e-11;
  options.stop_at = "two_turns";
  const RunResult run = testing::finish_run(model, options);
  const double start = 0.5 * (0.02 + 1.5 * 0.01) * 1600;
  const double way = std::sqrt(0.08) - (0.3 - 0.1) + 0.2 * 3;  // from p(pi/2) = √(l² - r²) to p(pi) = l - r, then 3 half turns
  EXPECT_NEAR(run.final.v[0], std::sqrt(2 * (start - 7 * way) / 0.02), 1e-7);
  int reversals = 0;
  for (const Occurrence& event : run.events) {
    if (event.name() == "two_turns") continue;
    EXPECT_EQ(event.name(), "reverse:piston");
    reversals += event.t < run.final.t - 1e-6 ? 1 : 0;
  }
  EXPECT_EQ(reversals, 3);
}

// Joints and contacts slide together: a wheel that is braked by its bearing on a floor that is rough enough rolls to a stop.
//   (m + J/r²) v' = -M/r
TEST(JointFriction, BesideContacts) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  frame: { joint: { axes: [tx, tz] }, mass: 4, inertia: 0.1 }
  wheel: { parent: frame, joint: { type: revolute, axis: y, friction: { torque: 0.9 } }, mass: 2, inertia: 0.03 }
contacts: { tread: { body: wheel, with: world, wheel: { center: [0, 0, 0], axis: y, radius: 0.2 }, forbid: [normal, forward], friction: 0.5 } }
initial: { frame.tz: 0.2, "frame.tx'": 1, "wheel'": 5 }
)");
  const double deceleration = 0.9 / 0.2 / (6 + 0.03 / 0.04);
  for (const Follow follow : {Follow::bilateral, Follow::unilateral, Follow::frictional}) {
    const RunResult run = run_joint(model, 2, follow);
    expect_joint_events(run, {{1 / deceleration, "stick:wheel"}});
    EXPECT_NEAR(run.final.q[0], 0.5 / deceleration, 1e-9);
    EXPECT_NEAR(run.final.v[0], 0, 1e-15);
  }
}

}  // namespace
}  // namespace vinculum::testing
