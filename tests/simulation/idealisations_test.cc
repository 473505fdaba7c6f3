// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs with velocity constraints, joint limits, stops and restitution: motions, events, modes and verdicts.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/velocity_models.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::idealisations {
namespace {

RunResult run(const Model& model, double until, RunOptions options = {}) {
  options.until = until;
  return testing::finish_run(model, options);
}

RunOptions by(const std::string& integrator, double tolerance = 1e-12) {
  RunOptions options;
  options.integrator = integrator;
  options.tolerance = tolerance;
  return options;
}

RunOptions followed(double tolerance = 1e-12) {
  RunOptions options;
  options.follow = Follow::unilateral;
  options.tolerance = tolerance;
  return options;
}

Verdict verdict_of(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  return {"there is none", Holds::not_checked, {}, {}, {}};
}

void expect_state(const State& state, const std::vector<double>& q, const std::vector<double>& v, double tolerance) {
  for (size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(state.q[i], q[i], tolerance * (1 + std::abs(q[i]))) << "q " << i;
  for (size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(state.v[i], v[i], tolerance * (1 + std::abs(v[i]))) << "v " << i;
}

// ---- velocity constraints, theory 3, section 15 ----------------------------------------------------------------------

constexpr const char* kSleighStart = "initial: { \"sled.tx'\": -1.5, \"sled.rz'\": 0.3 }";

// All integrators, to what each keeps of the tolerance.
TEST(VelocityConstraintRuns, SleighOfW2aByEveryIntegrator) {
  const Model model = sleigh(1, 0.5, 0.5, kSleighStart);
  for (const auto& [name, error] : {std::pair("dop853", 1e-10), {"taylor", 1e-10}, {"cvode", 1e-6}, {"arkode", 1e-6}}) {
    SCOPED_TRACE(name);
    const RunResult result = run(model, 12, by(name));
    expect_state(result.final, {1.2314806230876, -13.3872106943783, 5.1441381368766},
                 {0.637035902908121, -1.38263705478974, 0.00021016995978663}, error);
    for (const Verdict& verdict : result.verdicts) EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.subject;
  }
}

TEST(VelocityConstraintRuns, DriveOfW6a) {
  const Model model =
      diffdrive("0.5 + 0.6*sin(2*t)", "0.4 - 0.6*sin(2*t)", R"(initial: { "base.tx'": 0.5, "right'": 6.25, "left'": 6.25 })");
  expect_state(run(model, 4, by("auto")).final,
               {-0.982360108921507, 10.9950179727367, 1.81694947338545, 158.678498969826, 147.322564761167},
               {-1.33561437736458, 5.31591502309816, 0.758152251459576, 70.8833875265464, 66.1449359549241}, 1e-10);
}

TEST(VelocityConstraintRuns, CarWithTrailerOfW7a) {
  const Model model = car_with_trailer(0.15, 1.3, 300, R"(initial: { "car.tx'": 10 })");
  for (const char* name : {"dop853", "taylor"}) {
    SCOPED_TRACE(name);
    const State end = run(model, 5, by(name)).final;
    expect_state(end, {44.8262047070085, 20.4689803702822, -0.0266763563941584, -0.0202353241430548 + 0.0266763563941584},
                 {10.8764066882024, -0.290211745302182, 0.13507949554813, -0.0686935235717317 - 0.13507949554813}, 1e-10);
  }
}

// A bound is judged: margin by the peak of W2a, first slip by the onset of W2c and W7c. Whatever is written out.
TEST(VelocityConstraintRuns, BoundsAreJudged) {
  const double peak = 0.892006165898093;
  for (const double every : {0.001, 0.07, 3.0}) {
    RunOptions options = by("auto");
    options.every = every;
    const Verdict enough = verdict_of(run(sleigh(1, 0.5, 0.5, kSleighStart, ", bound: 0.93660647419287"), 12, options), "blade");
    EXPECT_EQ(enough.verdict, Holds::holds);
    EXPECT_NEAR(enough.margin.value_or(0), 0.93660647419287 / peak, 1e-7);
    const Verdict slips = verdict_of(run(sleigh(1, 0.5, 0.5, kSleighStart, ", bound: 0.80280554930817"), 12, options), "blade");
    EXPECT_EQ(slips.verdict, Holds::violated);
    EXPECT_NEAR(slips.margin.value_or(0), 0.80280554930817 / peak, 1e-7);
    EXPECT_NEAR(slips.first_violation.value_or(0), 1.18957097440133, 1e-9);
  }
  const Model car = car_with_trailer(0.15, 1.3, 300, R"(initial: { "car.tx'": 10 })", ", bound: 2665.16433566434");
  EXPECT_NEAR(verdict_of(run(car, 5, by("auto")), "front").first_violation.value_or(0), 0.489339343798313, 1e-9);
}

// theory 2, section 7: the geared arm moves as the one degree it has left, v = G u.
TEST(VelocityConstraintRuns, GearedArmMovesAsItsOneDegree) {
  const auto model_text = [](const std::string& coupling) {
    return read_model_text(fmt::format(R"(
vinculum: 1
bodies:
  arm: {{ joint: {{ type: revolute, axis: y }}, mass: 2, inertia: 0.3, com: [0.2, 0, 0] }}
  disc: {{ parent: arm, joint: {{ type: revolute, axis: y, origin: [1, 0, 0] }}, mass: 1.5, inertia: 0.1 }}
{}
)",
                                       coupling));
  };
  const RunResult result = run(model_text("velocity_constraints: { gear: \"disc' + 4*arm' = 0\" }"), 1.3, by("auto"));
  EXPECT_NEAR(result.final.q[1], -4 * result.final.q[0], 1e-11);
  // (J + 9 Jd) u' = torque of gravity, Jd = 0.1 turning with 1 - 4 = -3 : E = ½ (2·0.04 + 0.3 + 1.5 + 0.9) u² - m g s sin
  const double inertia = 0.3 + 2 * 0.04 + 1.5 + 0.1 * 9, moment = 9.81 * (2 * 0.2 + 1.5 * 1);
  EXPECT_NEAR(0.5 * inertia * std::pow(result.final.v[0], 2), moment * std::sin(result.final.q[0]), 1e-9);
  EXPECT_GT(std::abs(result.final.v[0]), 0.1);
}

// ---- joint limits ----------------------------------------------------------------------------------------------------

Model pendulum(const std::string& limits, const std::string& more = "initial: { arm: 0.7 }") {
  return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ arm: {{ joint: {{ type: revolute, axis: y, limits: {{ {} }} }}, mass: 1, inertia: 0, com: [0, 0, -1] }} }}
{}
)",
                                     limits, more));
}

// A range that is left, and for how long: it passes -0.5 rad and comes back at times that are as far from the turning point.
TEST(JointLimits, ARangeThatIsLeft) {
  const Model model = pendulum("position: [-0.5, 0.8], velocity: 3, effort: 2");
  const RunResult result = run(model, 1.5, by("auto"));
  const Verdict position = verdict_of(result, "arm.position");
  EXPECT_EQ(position.verdict, Holds::violated);
  EXPECT_NEAR(position.margin.value_or(0), 0.65 / 0.85, 1e-7);  // half the range, and the way from its middle to -0.7
  ASSERT_EQ(result.events.size(), 1u);
  EXPECT_EQ(result.events[0].name(), "limit:arm");
  EXPECT_EQ(result.events[0].kind, EventKind::limit);
  EXPECT_EQ(result.events[0].subject, "arm");
  EXPECT_NEAR(position.first_violation.value_or(0), result.events[0].t, 1e-12);
  // Where it is at the first violation: at the limit, to round-off.
  EXPECT_NEAR(run(model, result.events[0].t, by("auto")).final.q[0], -0.5, 1e-10);
  const Verdict speed = verdict_of(result, "arm.velocity");
  EXPECT_EQ(speed.verdict, Holds::holds);
  EXPECT_NEAR(speed.margin.value_or(0), 3 / std::sqrt(2 * 9.81 * (1 - std::cos(0.7))), 1e-7);
  EXPECT_EQ(verdict_of(result, "arm.effort").verdict, Holds::holds);
}

TEST(JointLimits, EffortOfALawAndOfADrive) {
  for (const char* way : {"3*sin(t)", "-3*sin(t)"}) {
    const Model law = pendulum("effort: 2", fmt::format("forces: {{ motor: {{ joint: arm, law: \"{}\" }} }}", way));
    const Verdict by_law = verdict_of(run(law, 2, by("auto")), "arm.effort");
    EXPECT_EQ(by_law.verdict, Holds::violated) << way;
    EXPECT_NEAR(by_law.margin.value_or(0), 2. / 3, 1e-7) << way;
    EXPECT_NEAR(by_law.first_violation.value_or(0), std::asin(2. / 3), 1e-9) << way;
  }
  // A pendulum that is held level: m g l.
  const Model drive = pendulum("effort: 12", "motions: { arm: \"pi/2 + 0*t\" }");
  EXPECT_NEAR(verdict_of(run(drive, 1, by("auto")), "arm.effort").margin.value_or(0), 12 / 9.81, 1e-9);
}

// Followed, the end of a range is a stop: with restitution e it comes back with e times its speed, and the energy is counted.
TEST(Stops, APendulumStrikesAndComesBack) {
  for (const double e : {0.0, 0.5, 1.0}) {
    SCOPED_TRACE(e);
    const RunResult result = run(pendulum(fmt::format("position: [-0.5, 0.8], restitution: {}", e)), 2, followed());
    ASSERT_GE(result.events.size(), 1u);
    EXPECT_EQ(result.events[0].name(), "stop:arm");
    EXPECT_EQ(verdict_of(result, "energy").verdict, Holds::holds);
    EXPECT_EQ(verdict_of(result, "arm.position").verdict, Holds::holds);
    const double speed = std::sqrt(2 * 9.81 * (std::cos(0.5) - std::cos(0.7)));
    const double after = std::pow(e * speed, 2) / 2 + 9.81 * (1 - std::cos(0.5));
    const double E = 0.5 * std::pow(result.final.v[0], 2) + 9.81 * (1 - std::cos(result.final.q[0]));
    EXPECT_NEAR(E, after, 1e-9) << "after one impact";
    EXPECT_GE(result.final.q[0], -0.5 - 1e-9);
  }
}

// What leans against a stop rests there, and leaves it when it is drawn away.
TEST(Stops, RestAndRelease) {
  const Model model = pendulum("position: [-0.5, 0.8]", "forces: { motor: { joint: arm, law: \"9*cos(t)\" } }");
  const RunResult result = run(model, 1, followed());
  ASSERT_EQ(result.events.size(), 2u);
  EXPECT_EQ(result.events[0].name(), "stop:arm");
  EXPECT_EQ(result.events[1].name(), "release:arm");
  EXPECT_NEAR(9 * std::cos(result.events[1].t), 9.81 * std::sin(0.8), 1e-8);  // where the motor no longer holds it there
  EXPECT_EQ(result.final.modes, (std::vector<int>{1}));
}

// ---- restitution -----------------------------------------------------------------------------------------------------

Model ball(double e) {
  return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ ball: {{ joint: {{ type: prismatic, axis: z }}, mass: 2, inertia: 0 }} }}
contacts: {{ foot: {{ body: ball, with: world, point: [0, 0, 0], forbid: [normal], restitution: {} }} }}
initial: {{ ball: 1 }}
)",
                                     e));
}

// The bounces of a ball: t_n = t_0 (1 + 2 e + .. + 2 eⁿ), and rest after t_0 (1 + e) / (1 - e), as far as a bounce is one.
TEST(Restitution, ABallBouncesAndComesToRest) {
  const double e = 0.8, t0 = std::sqrt(2 / 9.81);
  const RunResult result = run(ball(e), 6, followed());
  double t = t0, part = 2 * t0;
  int bounces = 0;
  for (const Occurrence& event : result.events) {
    if (event.kind != EventKind::touch_down || bounces == 30) continue;
    EXPECT_NEAR(event.t, t, 1e-9) << bounces;
    ++bounces;
    part *= e;
    t += part;
  }
  EXPECT_EQ(bounces, 30);
  const double rest = t0 * (1 + e) / (1 - e);
  EXPECT_NEAR(result.events.back().t, rest, 2e-3);
  EXPECT_LT(result.events.back().t, rest);
  EXPECT_NEAR(result.final.q[0], 0, 1e-12);
  EXPECT_EQ(result.final.modes, (std::vector<int>{1}));
  EXPECT_EQ(verdict_of(result, "energy").verdict, Holds::holds);
}

TEST(Restitution, AnElasticBallKeepsItsEnergy) {
  const RunResult result = run(ball(1), 20, followed());
  EXPECT_NEAR(2 * 9.81 * result.final.q[0] + std::pow(result.final.v[0], 2), 2 * 9.81, 1e-7);
  EXPECT_GT(result.events.size(), 20u * 2);
}

// Newton's law with several that touch: a rod falls flat on two feet, both strike, each with its own e. Both come back with e
// times their speed, for the solution with equality has pushes at both.
TEST(Restitution, TwoFeetEachWithItsOwn) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { rod: { joint: { axes: [tx, tz, ry] }, mass: 3, inertia: 0.4 } }
contacts:
  a: { body: rod, with: world, point: [0.5, 0, 0], forbid: [normal], restitution: 0.6 }
  b: { body: rod, with: world, point: [-0.5, 0, 0], forbid: [normal], restitution: 0.2 }
initial: { rod.tz: 0.4 }
)");
  const double speed = std::sqrt(2 * 9.81 * 0.4);
  RunOptions options = followed();
  options.stop_at = "lift-off:a";
  const State after = run(model, 1, options).final;
  // v_a = z' - 0.5 w, v_b = z' + 0.5 w  (about y, x turns down)
  EXPECT_NEAR(after.v[1] - 0.5 * after.v[2], 0.6 * speed, 1e-9);
  EXPECT_NEAR(after.v[1] + 0.5 * after.v[2], 0.2 * speed, 1e-9);
}

// ---- resumption ------------------------------------------------------------------------------------------------------

struct KeepAll : RunListener {
  std::vector<Checkpoint> checkpoints;
  bool wants_checkpoint() override { return true; }
  void on_checkpoint(const Checkpoint& point) override { checkpoints.push_back(point); }
};

// With modes, watches and impacts, resumed anywhere: the same numbers and the same words.
TEST(Idealisations, AResumedRunSaysTheSame) {
  const Model models[] = {pendulum("position: [-0.5, 0.8], velocity: 1, effort: 1, restitution: 0.4",
                                   "forces: { motor: { joint: arm, law: \"2*cos(3*t)\" } }\ninitial: { arm: 0.7 }"),
                          sleigh(1, 0.5, 0.5, kSleighStart, ", bound: 0.80280554930817"), ball(0.7)};
  for (const Model& model : models) {
    RunOptions options = followed();
    options.until = 3;
    KeepAll whole;
    const auto all = run_simulation(model, model.initial_state(), options, whole);
    ASSERT_TRUE(all);
    ASSERT_GE(whole.checkpoints.size(), 5u);
    for (size_t i = 0; i < whole.checkpoints.size(); i += std::max<size_t>(1, whole.checkpoints.size() / 7)) {
      RunListener nobody;
      const auto resumed = run_simulation(model, model.initial_state(), options, nobody, &whole.checkpoints[i]);
      ASSERT_TRUE(resumed);
      EXPECT_EQ(resumed->final.q, all->final.q);
      EXPECT_EQ(resumed->final.v, all->final.v);
      EXPECT_EQ(resumed->final.modes, all->final.modes);
      ASSERT_EQ(resumed->events.size(), all->events.size());
      ASSERT_EQ(resumed->verdicts.size(), all->verdicts.size());
      for (size_t k = 0; k < all->verdicts.size(); ++k) EXPECT_EQ(resumed->verdicts[k].why, all->verdicts[k].why) << i;
    }
    Checkpoint spoilt = whole.checkpoints[2];
    if (!spoilt.modes.empty()) {
      spoilt.modes[0] = 7;
      RunListener nobody;
      EXPECT_FALSE(run_simulation(model, model.initial_state(), options, nobody, &spoilt));
    }
  }
}

}  // namespace
}  // namespace vinculum::testing::idealisations
