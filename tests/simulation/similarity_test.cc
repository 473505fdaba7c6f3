// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A model and its enlargement move alike: the same events, verdicts and states, whatever the unit of length, mass and time.
#include "tests/support/similar_model.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/simulation/run.h"
#include "vinculum/verdict/words.h"

namespace vinculum::testing {
namespace {

struct Mechanism {
  const char* name;
  Model model;
  double until;
  Follow follow;
};

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> list;
  list.push_back({"three points that strike, slide and rock", read_case("runs/three-points.yaml"), 0.6, Follow::frictional});
  list.push_back({"a body on a string that goes slack and snaps", read_model_text(R"(
vinculum: 1
bodies:
  g: { joint: free, mass: 1, com: [0, 0, -0.2], inertia: [0.02, 0.02, 0.03] }
strings: { s: { from: world, to: g, on: [0, 0, 0.1], length: 1.2, restitution: 0.3 } }
initial: { g.tx: 0.5, g.tz: -0.6, "g.tx'": 1.5, g.wy: 2 }
)"),
                  1, Follow::bilateral});
  list.push_back({"a slider in a rough guide that comes to rest", read_model_text(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: { slider: { joint: planar, mass: 2, com: [0.1, 0.05, 0], inertia: 0.03 } }
guides:
  rail:
    body: slider
    pairs:
      - { face1: {point: [-0.2, 0.05, 0], normal: [0, -1, 0], friction: 0.2}, face2: {point: [-0.2, -0.05, 0], normal: [0, 1, 0], friction: 0.3} }
      - { face1: {point: [0.2, 0.05, 0], normal: [0, -1, 0], friction: 0.2}, face2: {point: [0.2, -0.05, 0], normal: [0, 1, 0], friction: 0.3} }
initial: { "slider.tx'": 1.5 }
)"),
                  1, Follow::bilateral});
  list.push_back({"a carriage on a spring between stops", read_model_text(R"(
vinculum: 1
gravity: [-3, 0, -9.81]
bodies:
  c: { joint: {type: prismatic, axis: x}, limits: {position: [-0.3, 0.4], restitution: 0.6}, mass: 3, inertia: 0.1 }
  p: { parent: c, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.4], inertia: 0.02 }
forces: { s: { between: [world, [-1, 0, 0.2]], and: [c, [0, 0, 0.1]], stiffness: 40, damping: 0.5, length: 1.1 } }
initial: { "c'": 1.5, p: 0.7 }
)"),
                  2, Follow::unilateral});
  list.push_back({"a parallelogram", read_model_text(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  crank: { joint: {type: revolute, axis: z}, mass: 1, com: [0.25, 0, 0], inertia: 0.02 }
  coupler: { parent: crank, joint: {type: revolute, axis: z, origin: [0.5, 0, 0]}, mass: 1, com: [0.5, 0, 0], inertia: 0.08 }
  rocker: { joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: 1, com: [0.25, 0, 0], inertia: 0.02 }
contacts:
  pin: { body: coupler, with: rocker, frame: {on_body: {point: [1, 0, 0]}, on_environment: {point: [0.5, 0, 0]}}, forbid: [normal, lateral] }
initial: { crank: -1, coupler: 1, rocker: -1, "crank'": 2, "coupler'": -2, "rocker'": 2 }
)"),
                  1, Follow::bilateral});
  return list;
}

RunResult run(const Model& model, double until, Follow follow) {
  RunOptions options;
  options.until = until;
  options.follow = follow;
  options.watch_accuracy = false;
  return finish_run(model, options);
}

// The state in the units of the model it was enlarged from.
std::vector<double> reduce(const Model& model, const State& state, const Similarity& by) {
  const StateUnits units = state_units(model);
  std::vector<double> values;
  for (size_t i = 0; i < state.q.size(); ++i) values.push_back(state.q[i] / (units.coordinates[i] == "m" ? by.length : 1));
  for (size_t i = 0; i < state.v.size(); ++i)
    values.push_back(state.v[i] * by.time / (units.velocities[i] == "m/s" ? by.length : 1));
  return values;
}

std::string list_events(const RunResult& result) {
  std::string names;
  for (const Occurrence& event : result.events) names += event.name() + " ";
  return names;
}

std::string list_verdicts(const RunResult& result) {
  std::string words;
  for (const Verdict& verdict : result.verdicts) words += fmt::format("{} {}; ", verdict.subject, to_text(verdict.verdict));
  return words;
}

TEST(Similarity, AnyUnitsGiveTheSameMotion) {
  for (const Mechanism& mechanism : mechanisms()) {
    const RunResult own = run(mechanism.model, mechanism.until, mechanism.follow);
    const std::vector<double> end = reduce(mechanism.model, own.final, {});
    for (const Similarity& by : {Similarity{1e-3, 1e-9, 1}, Similarity{1e3, 1e9, 1}, Similarity{1e5, 1e5, 1},
                                 Similarity{1e-3, 1, 1e-2}, Similarity{16, 1e-3, 0x1p10}}) {
      SCOPED_TRACE(fmt::format("{}: lengths {:g}, masses {:g}, times {:g}", mechanism.name, by.length, by.mass, by.time));
      const Model similar = make_similar(mechanism.model, by);
      const RunResult other = run(similar, mechanism.until * by.time, mechanism.follow);
      EXPECT_EQ(list_events(other), list_events(own));
      EXPECT_EQ(list_verdicts(other), list_verdicts(own));
      const std::vector<double> values = reduce(similar, other.final, by);
      for (size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(values[i], end[i], 1e-6 * (1 + std::abs(end[i]))) << i;
      for (size_t i = 0; i < std::min(own.events.size(), other.events.size()); ++i)
        EXPECT_NEAR(other.events[i].t / by.time, own.events[i].t, 1e-6 * mechanism.until);
    }
  }
}

// Powers of two change no mantissa: not a bit is different. (Of masses powers of four: their roots are taken. On a string a free
// body is solved for with forces and moments side by side, and which comes first depends on the unit of length.)
TEST(Similarity, PowersOfTwoGiveTheSameBits) {
  for (const Mechanism& mechanism : mechanisms()) {
    if (!mechanism.model.strings().empty()) continue;
    const RunResult own = run(mechanism.model, mechanism.until, mechanism.follow);
    for (const Similarity& by :
         {Similarity{0x1p-20, 0x1p-30, 0x1p-10}, Similarity{0x1p12, 0x1p6, 0x1p6}, Similarity{4, 0x1p-8, 0x1p-4}}) {
      SCOPED_TRACE(fmt::format("{}: lengths {:g}, masses {:g}, times {:g}", mechanism.name, by.length, by.mass, by.time));
      const Model similar = make_similar(mechanism.model, by);
      const RunResult other = run(similar, mechanism.until * by.time, mechanism.follow);
      EXPECT_EQ(list_events(other), list_events(own));
      EXPECT_EQ(reduce(similar, other.final, by), reduce(mechanism.model, own.final, {}));
      EXPECT_EQ(other.steps, own.steps);
    }
  }
}

// The Earth and the Moon in SI, on circles about their common mass centre: the forces do no work, which must not be known to
// 1e-10 J. After a month they are where they began.
TEST(Similarity, EarthAndMoonInMetresAndKilograms) {
  const double G = 6.6743e-11, M = 5.972e24, m = 7.342e22, r = 3.844e8;
  const double rate = std::sqrt(G * (M + m) / (r * r * r)), outer = r * M / (M + m), inner = r * m / (M + m);
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
parameters: {{ k: {0:.17g} }}
bodies:
  earth: {{ joint: {{axes: [tx, ty]}}, mass: {1:.17g}, inertia: 8e37 }}
  moon: {{ joint: {{axes: [tx, ty]}}, mass: {2:.17g}, inertia: 8.7e34 }}
forces:
  ex: {{ joint: earth.tx, law: "k*(moon.tx-earth.tx)/((moon.tx-earth.tx)^2+(moon.ty-earth.ty)^2)^1.5" }}
  ey: {{ joint: earth.ty, law: "k*(moon.ty-earth.ty)/((moon.tx-earth.tx)^2+(moon.ty-earth.ty)^2)^1.5" }}
  mx: {{ joint: moon.tx, law: "-k*(moon.tx-earth.tx)/((moon.tx-earth.tx)^2+(moon.ty-earth.ty)^2)^1.5" }}
  my: {{ joint: moon.ty, law: "-k*(moon.ty-earth.ty)/((moon.tx-earth.tx)^2+(moon.ty-earth.ty)^2)^1.5" }}
initial: {{ moon.tx: {3:.17g}, earth.tx: {4:.17g}, "moon.ty'": {5:.17g}, "earth.ty'": {6:.17g} }}
)",
                                                  G * M * m, M, m, outer, -inner, rate * outer, -rate * inner));
  for (const char* integrator : {"auto", "dop853", "cvode"}) {
    RunOptions options;
    options.until = 2 * M_PI / rate;
    options.integrator = integrator;
    const RunResult result = finish_run(model, options);
    const double near = options.integrator == "cvode" ? 1e-5 : 1e-7;
    EXPECT_NEAR(result.final.q[2], outer, near * r) << integrator;
    EXPECT_NEAR(result.final.q[3], 0, near * r) << integrator;
    EXPECT_LT(result.steps, 5000) << integrator;
    // The whole momentum is conserved, and that of one of them is not.
    for (const Verdict& verdict : result.verdicts) EXPECT_NE(verdict.verdict, Holds::violated) << verdict.subject << verdict.why;
  }
}

// A given motion whose velocity jumps by 1e-6 of what it is needs an infinite force, also where all of it is smaller than 1e-9
// m/s.
TEST(Similarity, JumpsOfGivenMotionsAreSeenInAnySize) {
  for (const double length : {1e-6, 1e-3, 1.0, 1e5}) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ s: {{ joint: {{type: prismatic, axis: x}}, mass: 1, com: [{0:.17g}, 0, 0], inertia: 0 }} }}
motions: {{ s: "{0:.17g}*(0.1*t + 1e-6*max(t - 0.5, 0))" }}
)yaml",
                                                    length));
    RunOptions options;
    options.until = 1;
    RunListener nobody;
    const auto result = run_simulation(model, model.initial_state(), options, nobody);
    ASSERT_TRUE(result && result->failure) << length;
    EXPECT_EQ(result->failure->code, "VN-RUN-112") << length;
    EXPECT_NEAR(result->final.t, 0.5, 1e-9) << length;
  }
}

// Metres per second are not what a model measures by that has none of either.
TEST(Scales, ArePowersOfTwoOfWhatIsThere) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: y}, mass: 3, com: [0, 0, -0.9], inertia: 0.01 }
  b: { parent: a, joint: {type: prismatic, axis: x, origin: [0, 0, -1.8]}, mass: 5, inertia: 0.01 }
)");
  EXPECT_EQ(model.scales().length, 2);        // the origin of b, 1.8 m
  EXPECT_EQ(model.scales().mass, 4);          // 5 kg
  EXPECT_EQ(model.scales().acceleration, 8);  // 9.81 m/s²
  EXPECT_EQ(model.scales().velocity, 4);      // √(9.81 · 1.8) = 4.2 m/s
  EXPECT_EQ(model.scales().energy(), 64);
  EXPECT_EQ(velocity_scales(model, model.scales()), (std::vector<double>{2, 4}));
  EXPECT_EQ(coordinate_scales(model, model.scales()), (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace vinculum::testing
