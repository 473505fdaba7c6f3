// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A margin is the factor to the limit: with the loads multiplied by margin (1 - 1 %), or a limit divided by it, a verdict still
// holds, with the margin 1/0.99; with margin (1 + 1 %) it is violated, with 1/1.01.
#include <algorithm>
#include <functional>
#include <string>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/random_mechanism.h"
#include "vinculum/files/read_model.h"
#include "vinculum/verdict/words.h"

namespace vinculum::testing {
namespace {

constexpr double kChange = 0.01;
// Peaks are located on dense output of this tolerance, which errs by a few hundred times as much.
constexpr double kTolerance = 1e-10, kLocated = 1e-7;

RunResult run_for(const Model& model, double until, Follow follow) {
  RunOptions options;
  options.until = until;
  options.follow = follow;
  options.tolerance = kTolerance;
  options.watch_accuracy = options.watch_integrals = false;
  return finish_run(model, options);
}

Model read_with(std::string_view text, const std::vector<Override>& overrides) {
  Diagnostics diagnostics;
  ReadOptions options;
  options.overrides = overrides;
  auto model = read_model(text, diagnostics, options);
  if (!model) throw std::runtime_error(diagnostics.list().front().message);
  return std::move(*model);
}

const Verdict& verdict_on(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict on " + subject);
}

// `at(factor)`: the verdict with the load multiplied by it, or the limit divided.
void expect_margin(const std::function<Verdict(double)>& at) {
  const Verdict own = at(1);
  ASSERT_TRUE(own.margin) << own.subject << ": " << own.why;
  ASSERT_GT(*own.margin, 0) << own.subject << ": " << own.why;
  for (const double part : {1 - kChange, 1 + kChange}) {
    const Verdict scaled = at(*own.margin * part);
    EXPECT_EQ(to_text(scaled.verdict), to_text(part < 1 ? Holds::holds : Holds::violated))
        << own.subject << ", margin " << *own.margin << " times " << part << ": " << scaled.why;
    ASSERT_TRUE(scaled.margin) << scaled.why;
    if (*scaled.margin > 0) EXPECT_NEAR(*scaled.margin * part, 1, kLocated) << scaled.why;  // 0: of a string that is slack
    EXPECT_EQ(scaled.first_violation.has_value(), part > 1) << scaled.why;
  }
}

// ---- loads -------------------------------------------------------------------------------------------------------------

struct LoadCase {
  const char* name;
  const char* subject;
  double until;
  Follow follow;
  const char* model;  // L: the factor of the load
};

// What is asked for is proportional to the load: nothing moves, or the motion is linear in it.
const LoadCase kLoadCases[] = {
    {"FrictionOfABlock", "foot.friction", 2, Follow::bilateral, R"yaml(
vinculum: 1
parameters: { L: 1 }
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.4 } }
forces: { push: { body: block, force: ["L*(1.5*sin(3*t) + sin(7*t))", 0, 0] } }
)yaml"},
    {"FrictionInTwoDirections", "foot.friction", 2, Follow::bilateral, R"yaml(
vinculum: 1
parameters: { L: 1 }
bodies: { block: { joint: {axes: [tx, ty, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, lateral, forward], friction: 0.4 } }
forces: { push: { body: block, force: ["L*1.5*sin(3*t)", "L*2*cos(2*t + 0.3)", 0] } }
)yaml"},
    {"FrictionUnderALaw", "foot.friction", 2, Follow::bilateral, R"yaml(
vinculum: 1
parameters: { L: 1 }
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts:
  foot: { body: block, with: world, point: [0, 0, 0], forbid: [forward], friction: 0.4, laws: {normal: {stiffness: 2000}} }
forces: { push: { body: block, force: ["L*exp(-((t - 0.73)/0.01)^2)", 0, 0] } }
initial: { block.tz: -2*9.81/2000 }
)yaml"},
    {"BoundOfARow", "belt", 2, Follow::bilateral, R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { L: 1 }
bodies: { drum: { joint: {type: revolute, axis: z}, mass: 2, inertia: 0.1 } }
velocity_constraints: { belt: { equation: "0.3*drum' = 0", bound: 9 N } }
forces: { load: { joint: drum, law: "L*(0.4*t^2 - 0.5*t)" } }
)yaml"},
    {"BoundOfTwoRows", "skid", 2, Follow::bilateral, R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { L: 1 }
bodies: { puck: { joint: {axes: [tx, ty]}, mass: 2, inertia: 0.1 } }
velocity_constraints: { skid: { equations: ["puck.tx' = 0", "puck.ty' = 0"], bound: 5 N } }
forces: { load: { body: puck, force: ["L*sin(2*t)", "L*0.7*cos(5*t)", 0] } }
)yaml"},
    {"Requirement", "x", 3, Follow::bilateral, R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { L: 1 }
bodies: { mass: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 } }
forces: { spring: { joint: mass, law: "-30*mass - 0.4*mass' + L*sin(5*t)" } }
outputs: { x: { value: "mass", require: "< 0.8 m" } }
)yaml"},
    {"RequirementOnAForce", "push", 2, Follow::bilateral, R"yaml(
vinculum: 1
parameters: { L: 1 }
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, forward] } }
forces: { push: { body: block, force: ["L*exp(-((t - 0.73)/0.01)^2)", 0, 0] } }
outputs: { push: { value: "abs(foot.forward)", require: "< 7 N" } }
)yaml"},
    {"Effort", "arm.effort", 3, Follow::bilateral, R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { L: 1 }
bodies: { arm: { joint: {type: revolute, axis: y}, limits: {effort: 9 N*m}, mass: 2, inertia: 0.1 } }
forces: { motor: { joint: arm, law: "-3*arm - 0.2*arm' + L*sin(5*t)" } }
)yaml"},
    {"EffortOfADrive", "arm.effort", 2, Follow::bilateral, R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { L: 1 }
bodies: { arm: { joint: {type: revolute, axis: y}, limits: {effort: 9 N*m}, mass: 2, inertia: 0.1 } }
motions: { arm: "L*sin(5*t)*sin(t)" }
)yaml"},
    {"Speed", "arm.velocity", 3, Follow::bilateral, R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { L: 1 }
bodies: { arm: { joint: {type: revolute, axis: y}, limits: {velocity: 20 rad/s}, mass: 2, inertia: 0.1 } }
forces: { motor: { joint: arm, law: "-3*arm - 0.2*arm' + L*sin(5*t)" } }
)yaml"},
    {"Range", "arm.position", 3, Follow::bilateral, R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { L: 1 }
bodies: { arm: { joint: {type: revolute, axis: y}, limits: {position: [-9, 9]}, mass: 2, inertia: 0.1 } }
forces: { motor: { joint: arm, law: "-3*arm - 0.2*arm' + L*sin(5*t)" } }
)yaml"},
    // T = m g + what changes: the margin is that of the change.
    {"TautString", "rope.taut", 2, Follow::bilateral, R"yaml(
vinculum: 1
parameters: { L: 1 }
bodies: { load: { joint: {type: prismatic, axis: z, origin: [0, 0, -1]}, mass: 2, inertia: 0.1 } }
strings: { rope: { from: world, to: load, length: 1 } }
forces: { shake: { body: load, force: [0, 0, "L*3*sin(4*t)"] } }
)yaml"},
};

class Loads : public ::testing::TestWithParam<LoadCase> {};

TEST_P(Loads, ScaledByTheMargin) {
  const LoadCase& load = GetParam();
  expect_margin([&](double factor) {
    const Model model = read_with(load.model, {{"L", fmt::format("{:.17g}", factor)}});
    return verdict_on(run_for(model, load.until, load.follow), load.subject);
  });
}

INSTANTIATE_TEST_SUITE_P(Margins, Loads, ::testing::ValuesIn(kLoadCases), [](const auto& info) { return info.param.name; });

// A pull has no margin: the push that is left is told in newtons. The load that lifts is m g over what lifts at most.
TEST(Margins, ALoadThatLifts) {
  const char* const text = R"yaml(
vinculum: 1
parameters: { L: 1 }
bodies: { block: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
contacts: { foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal] } }
forces: { lift: { body: block, force: [0, 0, "L*6*exp(-((t - 0.73)/0.01)^2)"] } }
)yaml";
  const double factor = 2 * 9.81 / 6;
  for (const double part : {1 - kChange, 1 + kChange}) {
    const Model model = read_with(text, {{"L", fmt::format("{:.17g}", factor * part)}});
    const Verdict held = verdict_on(run_for(model, 1, Follow::bilateral), "foot.normal");
    EXPECT_EQ(to_text(held.verdict), to_text(part < 1 ? Holds::holds : Holds::violated)) << held.why;
    const RunResult followed = run_for(model, 1, Follow::unilateral);
    EXPECT_EQ(followed.events.empty(), part < 1);
    // It lifts where  L 6 exp(-((t - 0.73)/0.01)²) = m g .
    if (part > 1) EXPECT_NEAR(followed.events[0].t, 0.73 - 0.01 * std::sqrt(std::log(1 + kChange)), 1e-8);
  }
}

// Four feet share the push as they like: together they bear  friction m g  in any direction.
TEST(Margins, APushOnRedundantFeet) {
  const char* const text = R"yaml(
vinculum: 1
parameters: { L: 1 }
bodies: { table: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 8, inertia: 0.9 } }
contacts:
  a: { body: table, with: world, point: [0.4, 0.3, 0], forbid: [normal, lateral, forward], friction: 0.35 }
  b: { body: table, with: world, point: [-0.4, 0.3, 0], forbid: [normal, lateral, forward], friction: 0.35 }
  c: { body: table, with: world, point: [-0.4, -0.3, 0], forbid: [normal, lateral, forward], friction: 0.35 }
  d: { body: table, with: world, point: [0.4, -0.3, 0], forbid: [normal, lateral, forward], friction: 0.35 }
forces: { push: { body: table, force: ["L*3*t", "L*4*t", 0] } }
)yaml";
  const double factor = 0.35 * 8 * 9.81 / (5 * 0.5);
  for (const double part : {1 - kChange, 1 + kChange}) {
    const Model model = read_with(text, {{"L", fmt::format("{:.17g}", factor * part)}});
    const RunResult result = run_for(model, 0.5, Follow::frictional);
    EXPECT_EQ(result.events.empty(), part < 1);
    if (part > 1) EXPECT_NEAR(result.events[0].t, 0.5 / part, 1e-8);
  }
}

// ---- limits ------------------------------------------------------------------------------------------------------------

// What is only judged leaves the motion as it is: a limit divided by margin (1 +- 1 %) changes the verdict, whatever moves, and
// however: with impacts, slip, slack strings and faces that change.

Expression velocity_of(int k, const std::string& name) {
  Expression::Builder builder;
  return builder.build(builder.variable({VariableKind::velocity, k}, name));
}

// 1/(1 + a)
Expression fraction_of(const Expression& a) {
  Expression::Builder builder;
  const int one = builder.constant(1);
  return builder.build(builder.binary(Operation::divide, one, builder.binary(Operation::add, one, builder.include(a))));
}

constexpr double kNoMotion = 1e15;  // a margin of 1e3 m²/s² over a square: a velocity that a guide holds at zero, to round-off

class Limits : public ::testing::TestWithParam<int> {};

TEST_P(Limits, DividedByTheMargin) {
  const Mechanism mechanism = random_mechanism(static_cast<std::uint64_t>(GetParam()));
  std::vector<std::string> velocities;
  for (const BodyDescription& body : mechanism.words.bodies) {
    for (const std::string& name : name_joint(body.name, body.joint).velocities) velocities.push_back(name);
  }
  // Squares of velocities have upper bounds, 1/(1 + square) lower ones; every second is written without its equality.
  const auto run_with = [&](const std::vector<double>& factors) {
    ModelDescription words = mechanism.words;
    for (size_t k = 0; k < velocities.size(); ++k) {
      const Expression v = velocity_of(static_cast<int>(k), velocities[k]);
      OutputDescription fast{"fast" + std::to_string(k), v * v, {}, {{true, k % 2 == 0, 1e3 / factors[2 * k]}}, {}};
      OutputDescription slow{
          "slow" + std::to_string(k), fraction_of(v * v), {}, {{false, k % 2 == 1, 1e-3 * factors[2 * k + 1]}}, {}};
      words.outputs.push_back(fast);
      words.outputs.push_back(slow);
    }
    const Model model = build(words);
    const RunResult result = run_for(model, mechanism.until, mechanism.follow);
    std::vector<Verdict> verdicts;
    for (size_t k = 0; k < velocities.size(); ++k) {
      verdicts.push_back(verdict_on(result, "fast" + std::to_string(k)));
      verdicts.push_back(verdict_on(result, "slow" + std::to_string(k)));
    }
    return verdicts;
  };
  const std::vector<Verdict> own = run_with(std::vector<double>(2 * velocities.size(), 1));
  for (const double part : {1 - kChange, 1 + kChange}) {
    std::vector<double> factors;
    for (const Verdict& verdict : own) factors.push_back(verdict.margin ? *verdict.margin * part : 1);
    const std::vector<Verdict> scaled = run_with(factors);
    for (size_t i = 0; i < own.size(); ++i) {
      if (!own[i].margin || *own[i].margin > kNoMotion) continue;
      EXPECT_EQ(to_text(scaled[i].verdict), to_text(part < 1 ? Holds::holds : Holds::violated))
          << mechanism.name << " " << velocities[i / 2] << " " << part << ": " << scaled[i].why;
      ASSERT_TRUE(scaled[i].margin);
      EXPECT_NEAR(*scaled[i].margin * part, 1, kLocated) << scaled[i].why;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Limits, ::testing::Range(0, 12), [](const auto& info) {
  return random_mechanism(info.param).name.substr(0, 5) + std::to_string(info.param);
});

// A body falls over its foot, with a pendulum on it: random masses, places, axes. The two-sided run judges its friction, the
// effort and the speed of the hinge; none of them changes the motion.
TEST_P(Limits, OfABodyThatFallsOverItsFoot) {
  Random random(static_cast<std::uint64_t>(500 + GetParam()));
  ModelDescription words = mechanism::start(random);
  BodyDescription first = mechanism::make_body(random, "first"), second = mechanism::make_body(random, "second");
  first.joint.type = JointType::free;
  const Vector3 turn = 0.2 * random.vector();
  first.joint.rotation = to_rotation(normalized(Quaternion{1, turn.x / 2, turn.y / 2, turn.z / 2}));
  first.com = Vector3{0.1 * random.symmetric(), 0.1 * random.symmetric(), 0.3};
  second.parent = std::string("first");
  second.joint.type = JointType::revolute;
  second.joint.axis = random.vector();
  second.joint.origin = {0.1, 0.05, 0.3};
  second.com = Vector3{0.15, 0.02, 0.01};
  words.bodies = {first, second};
  words.contacts.push_back(mechanism::make_contact("foot", "first", {0, 0, 0}, 0, 1, 0));
  const Expression turned = velocity_of(6, "second'");
  words.forces.push_back({"motor", JointForce{std::string("second"), Expression(0.3) - Expression(0.5) * turned}, {}});

  const auto run_with = [&](double friction, double effort, double speed) {
    ModelDescription scaled = words;
    scaled.contacts[0].friction = friction;
    scaled.bodies[1].joint.limits.push_back({"second", {}, speed, effort, {}, {}});
    return run_for(build(scaled), 0.2, Follow::bilateral);  // later the foot would have to pull
  };
  const RunResult own = run_with(1, 1, 1);
  const double friction = *verdict_on(own, "foot.friction").margin, effort = *verdict_on(own, "second.effort").margin,
               speed = *verdict_on(own, "second.velocity").margin;
  for (const double part : {1 - kChange, 1 + kChange}) {
    const RunResult scaled = run_with(1 / (friction * part), 1 / (effort * part), 1 / (speed * part));
    for (const char* subject : {"foot.friction", "second.effort", "second.velocity"}) {
      const Verdict& verdict = verdict_on(scaled, subject);
      EXPECT_EQ(to_text(verdict.verdict), to_text(part < 1 ? Holds::holds : Holds::violated)) << verdict.why;
      EXPECT_NEAR(verdict.margin.value_or(0) * part, 1, kLocated) << subject << ": " << verdict.why;
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
