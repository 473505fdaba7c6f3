// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What counts as a drive, and what a requirement says of a force that rigid bodies leave open.
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/constrained/inverse_with_rows.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/check_run.h"

namespace vinculum {
namespace {

RunResult run_to(const Model& model, double until, const std::string& integrator = "auto") {
  RunOptions options;
  options.until = until;
  options.integrator = integrator;
  return testing::finish_run(model, options);
}

const Verdict& judged_on(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict on " + subject);
}

// A hinge that turns at 1 rad/s against a damper of 10 N*m*s: its motor supplies 10 N*m of 5.
TEST(PassiveLaws, AreNoEffortOfTheMotor) {
  const Verdict as_reported = judged_on(run_to(testing::read_case("verdicts/damped-drive.yaml"), 1), "l1.effort");
  EXPECT_EQ(as_reported.verdict, Holds::violated);
  EXPECT_NEAR(as_reported.margin.value_or(0), 5.0 / 10, 1e-12);
  // A slider pulled by a law against a damper that is passive: the law alone counts, 6 N of 8; the damper would make it 6 - 3.
  const auto slider = [](const char* passive) {
    return read_model_text(std::string(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { a: { joint: { type: prismatic, axis: x, limits: { effort: 8 N } }, mass: 1, inertia: 0 } }
forces:
  pull: { joint: a, law: 6 }
  oil: { joint: a, law: "-3*a'", passive: )") +
                           passive + " }\ninitial: { \"a'\": 1 }\n");
  };
  for (const char* integrator : {"taylor", "dop853"}) {
    EXPECT_NEAR(judged_on(run_to(slider("true"), 1, integrator), "a.effort").margin.value_or(0), 8.0 / 6, 1e-9);
    // Not called passive it is part of the drive: 6 - 3 a', largest at the start, where a' = 1.
    EXPECT_NEAR(judged_on(run_to(slider("false"), 1, integrator), "a.effort").margin.value_or(0), 8.0 / 3, 1e-9);
  }
}

// Given motions first, then laws that are not passive, then joints of one degree.
TEST(PassiveLaws, AreNoDrivesByDefault) {
  const auto drives = [](const std::string& rest) {
    return choose_drives(
        read_model_text("vinculum: 1\nbodies:\n  a: { joint: { type: revolute, axis: y }, mass: 1, inertia: 1 }\n"
                        "  b: { parent: a, joint: { type: revolute, axis: y, origin: [1, 0, 0] }, mass: 1, inertia: 1 }\n" +
                        rest));
  };
  const std::string damper = "  d: { joint: a, law: \"-0.1*a'\", passive: true }\n", motor = "  m: { joint: b, law: 2 }\n";
  EXPECT_EQ(drives(""), (std::vector<int>{0, 1}));
  EXPECT_EQ(drives("forces:\n" + damper), (std::vector<int>{0, 1}));
  EXPECT_EQ(drives("forces:\n" + damper + motor), (std::vector<int>{1}));
  EXPECT_EQ(drives("forces:\n" + motor + "motions: { a: \"0.2*t\" }\n"), (std::vector<int>{0}));
}

// What a drive supplies beyond a passive law on its own joint: M a - (-c v) = 2·3 + 0.5·4. A law that is not passive is its own
// part.
TEST(PassiveLaws, AreWhatDrivesSupplyBeyond) {
  for (const bool passive : {true, false}) {
    const Model model =
        read_model_text(std::string("vinculum: 1\ngravity: [0, 0, 0]\n"
                                    "bodies: { a: { joint: { type: prismatic, axis: x }, mass: 2, inertia: 0 } }\n"
                                    "forces: { d: { joint: a, law: \"-0.5*a'\", passive: ") +
                        (passive ? "true" : "false") + " } }\n");
    State state = model.initial_state();
    state.v[0] = 4;
    Workspace workspace(model);
    const auto inverse = compute_inverse_with_rows(rows_beside_drives(model, {0}), {0}, state, std::vector<double>{3}, workspace);
    ASSERT_TRUE(inverse);
    EXPECT_NEAR(inverse->forces[0], 2 * 3 + (passive ? 0.5 * 4 : 0), 1e-14);
  }
}

// Two ropes side by side carry one load: their tensions are not determined, their sum is, 2 kg · 9.81.
TEST(UndeterminedForces, OfParallelRopes) {
  const RunResult crane = run_to(testing::read_case("verdicts/two-ropes.yaml"), 0.5);
  EXPECT_EQ(judged_on(crane, "tension").verdict, Holds::not_unique);
  EXPECT_NE(judged_on(crane, "tension").why.find("statically indeterminate from t = 0 s"), std::string::npos);
  // The torque of the motor is determined.
  EXPECT_NE(judged_on(crane, "torque.max").verdict, Holds::not_unique);

  const Model model = read_model_text(R"(
vinculum: 1
bodies: { load: { joint: { axes: [tx, tz] }, mass: 2, inertia: 0 } }
strings:
  left: { from: world, to: load, length: 1 }
  right: { from: world, to: load, length: 1 }
outputs:
  one: { value: left, require: "< 30 N" }
  both: { value: "left + right", require: "< 30 N" }
  twice: { value: "2*both - left - right", require: "< 25 N" }
  uneven: { value: "left + 2*right", require: "< 1 kN" }
initial: { load.tz: -1 }
)");
  const RunResult result = run_to(model, 0.3);
  EXPECT_EQ(judged_on(result, "one").verdict, Holds::not_unique);
  EXPECT_EQ(judged_on(result, "uneven").verdict, Holds::not_unique);
  EXPECT_EQ(judged_on(result, "both").verdict, Holds::holds);
  EXPECT_NEAR(judged_on(result, "both").margin.value_or(0), 30 / (2 * 9.81), 1e-9);
  EXPECT_EQ(judged_on(result, "twice").verdict, Holds::holds);
}

// Every event that runs of these models report is in the list that studies and --stop-at take names from.
TEST(RunEvents, AreListed) {
  const auto expect_listed = [](const Model& model, RunOptions options) {
    std::vector<std::string> names;
    for (const Occurrence& event : list_run_events(model, options)) names.push_back(event.name());
    int count = 0;
    for (const Occurrence& event : testing::finish_run(model, options).events) {
      EXPECT_NE(std::find(names.begin(), names.end(), event.name()), names.end()) << event.name();
      ++count;
    }
    EXPECT_GT(count, 0);
  };
  RunOptions options;
  options.until = 3;
  expect_listed(testing::read_case("runs/req.yaml"), options);
  const Model ball = read_model_text(R"(
vinculum: 1
bodies:
  ball: { joint: { axes: [tx, tz] }, mass: 1, inertia: 0 }
  arm: { joint: { type: revolute, axis: y, limits: { position: [-0.5, 0.5], velocity: 1 } }, mass: 1, com: [0, 0, -1], inertia: 0 }
contacts: { foot: { body: ball, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.3, restitution: 0.3 } }
strings: { rope: { from: world, at: [0, 0, 2], to: ball, length: 2.05 } }
events: { low: "ball.tz - 0.1" }
outputs: { speed: { value: "ball.tx'", require: "< 0.9 m/s" } }
initial: { ball.tz: 0.3, "ball.tx'": 1, "arm'": 2.5 }
)");
  for (const Follow follow : {Follow::unilateral, Follow::frictional}) {
    options.follow = follow;
    options.until = 1;
    expect_listed(ball, options);
  }
}

}  // namespace
}  // namespace vinculum
