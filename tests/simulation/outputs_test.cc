// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Outputs, requirements, further states and tables along motions with closed forms.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_path.h"
#include "vinculum/analysis/linearise.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::outputs_of_runs {
namespace {

using std::numbers::pi;

struct Kept : RunListener {
  std::vector<Sample> samples;
  void on_sample(const Sample& sample) override { samples.push_back(sample); }
};

RunResult simulate(const Model& model, double until, RunListener& listener, const char* integrator = "auto", double every = 0,
                   double tolerance = 1e-12) {
  RunOptions options;
  options.until = until;
  options.integrator = integrator;
  options.tolerance = tolerance;
  options.every = every;
  auto result = run_simulation(model, model.initial_state(), options, listener);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

double output_of(const RunResult& result, std::string_view name) {
  for (const OutputNumbers& output : result.outputs) {
    if (output.name == name) return output.final;
  }
  throw std::runtime_error("no output " + std::string(name));
}

const Verdict& verdict_of(const RunResult& result, std::string_view subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict " + std::string(subject));
}

size_t column(const Model& model, std::string_view name) {
  const auto& columns = model.outputs().columns;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  throw std::runtime_error("no column " + std::string(name));
}

// x = cos t: mass 1 on a spring of stiffness 1.
constexpr const char* kOscillator = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }
forces:
  spring: { joint: cart, law: "-cart" }
  pull: { body: cart, force: [0, 0, 3] }
outputs:
  nose: { point: [0.5, 0, 0], of: cart }
  twice: "2*acceleration + 0*t"
  acceleration: { value: "cart''", require: "< 0.5 m/s^2" }
  low: { value: nose.x, require: ["> -0.25 m", "< 2 m"] }
  reach: distance(nose, origin)
  origin: { point: [0, 2, 0], of: world }
  speed: norm(nose.v)
  watts: spring.power
events: { still: "acceleration", fast: "speed - 0.5 m/s" }
initial: { cart: 1 }
)yaml";

const OutputNumbers& numbers_of(const RunResult& result, std::string_view name) {
  for (const OutputNumbers& output : result.outputs) {
    if (output.name == name) return output;
  }
  throw std::runtime_error("no output " + std::string(name));
}

// Over 3 s of x = cos t: speed |sin t|, its square root of mean square, watts = sin 2t / 2.
TEST(Outputs, HaveNumbersOfTheRun) {
  const Model model = read_model_text(kOscillator);
  for (const char* integrator : {"taylor", "dop853", "cvode"}) {
    // Few samples: what is between them counts.
    Kept kept;
    const RunResult result = simulate(model, 3, kept, integrator, 1.5, integrator[0] == 'c' ? 1e-11 : 1e-12);
    const double allowed = integrator[0] == 'c' ? 1e-7 : 1e-9;
    const OutputNumbers& x = numbers_of(result, "nose.x");
    EXPECT_NEAR(x.mean.value(), 0.5 + std::sin(3) / 3, allowed) << integrator;
    EXPECT_NEAR(x.rms.value(), std::sqrt(0.25 + std::sin(3) / 3 + 0.5 + std::sin(6) / 12), allowed);
    EXPECT_NEAR(x.min, 0.5 + std::cos(3), allowed);
    EXPECT_EQ(x.t_min, 3);
    EXPECT_EQ(x.max, 1.5);
    EXPECT_EQ(x.t_max, 0);
    const OutputNumbers& speed = numbers_of(result, "speed");
    EXPECT_NEAR(speed.max, 1, allowed);
    EXPECT_NEAR(speed.t_max, pi / 2, 1e-3);
    EXPECT_NEAR(speed.mean.value(), (1 - std::cos(3)) / 3, allowed);
    EXPECT_NEAR(speed.rms.value(), std::sqrt(0.5 - std::sin(6) / 12), allowed);
    const OutputNumbers& watts = numbers_of(result, "watts");
    EXPECT_NEAR(watts.min, -0.5, allowed);
    EXPECT_NEAR(watts.t_min, 3 * pi / 4, 1e-3);
    EXPECT_NEAR(watts.mean.value(), std::sin(3) * std::sin(3) / 6, allowed);
    // A solution of the equations of motion.
    const OutputNumbers& twice = numbers_of(result, "twice");
    EXPECT_NEAR(twice.mean.value(), -2 * std::sin(3) / 3, allowed);
    EXPECT_NEAR(twice.rms.value(), 2 * std::sqrt(0.5 + std::sin(6) / 12), allowed);
  }
}

// Steps of a run that is cut anywhere, backwards, and of first order.
TEST(Outputs, NumbersAreThoseOfTheWholeRun) {
  const Model model = read_model_text(kOscillator);
  RunOptions options;
  options.until = 3;
  auto cut = Run::start(model, model.initial_state(), options);
  ASSERT_TRUE(cut);
  for (const double t : {0.1, 0.77, 1.5, 1.6, 2.9}) ASSERT_TRUE(cut->advance(t));
  const auto image = cut->image();
  ASSERT_TRUE(image);
  auto again = Run::resume(model, *image);
  ASSERT_TRUE(again);
  ASSERT_TRUE(again->advance(3));
  Kept all, of_back;
  const RunResult in_parts = again->result(), whole = simulate(model, 3, all, "auto", 0, 1e-10);
  ASSERT_EQ(in_parts.outputs.size(), whole.outputs.size());
  for (size_t i = 0; i < whole.outputs.size(); ++i) {
    EXPECT_EQ(in_parts.outputs[i].min, whole.outputs[i].min) << whole.outputs[i].name;
    EXPECT_EQ(in_parts.outputs[i].max, whole.outputs[i].max) << whole.outputs[i].name;
    EXPECT_EQ(in_parts.outputs[i].mean, whole.outputs[i].mean) << whole.outputs[i].name;
    EXPECT_EQ(in_parts.outputs[i].rms, whole.outputs[i].rms) << whole.outputs[i].name;
  }
  const RunResult back = simulate(model, -3, of_back);
  EXPECT_NEAR(numbers_of(back, "nose.x").mean.value(), 0.5 + std::sin(3) / 3, 1e-9);
  EXPECT_NEAR(numbers_of(back, "watts").mean.value(), -std::sin(3) * std::sin(3) / 6, 1e-9);
  options.step = 1e-3;
  Kept kept;
  std::string no_events = kOscillator;  // which fixed steps refuse
  no_events.erase(no_events.find("events:"), no_events.find("initial:") - no_events.find("events:"));
  const Model quiet = read_model_text(no_events);
  const auto steps = run_simulation(quiet, quiet.initial_state(), options, kept);
  ASSERT_TRUE(steps) << steps.failure().message;
  EXPECT_NEAR(numbers_of(*steps, "nose.x").mean.value(), 0.5 + std::sin(3) / 3, 1e-3);
  EXPECT_NEAR(numbers_of(*steps, "speed").max, 1, 1e-3);
  EXPECT_NEAR(numbers_of(*steps, "nose.x").rms.value(), std::sqrt(0.75 + std::sin(3) / 3 + std::sin(6) / 12), 1e-3);
}

TEST(Outputs, FollowAClosedForm) {
  const Model model = read_model_text(kOscillator);
  for (const char* integrator : {"taylor", "dop853", "cvode"}) {
    Kept kept;
    const RunResult result = simulate(model, 3, kept, integrator, 0, integrator[0] == 'c' ? 1e-11 : 1e-12);
    const double allowed = integrator[0] == 'c' ? 1e-7 : 1e-10;
    EXPECT_NEAR(output_of(result, "nose.x"), std::cos(3) + 0.5, allowed);
    EXPECT_NEAR(output_of(result, "nose.vx"), -std::sin(3), allowed);
    EXPECT_NEAR(output_of(result, "nose.ax"), -std::cos(3), allowed);
    EXPECT_NEAR(output_of(result, "twice"), -2 * std::cos(3), allowed);
    EXPECT_NEAR(output_of(result, "reach"), std::hypot(std::cos(3) + 0.5, 2), allowed);
    EXPECT_NEAR(output_of(result, "speed"), std::sin(3), allowed);
    EXPECT_NEAR(output_of(result, "watts"), std::cos(3) * std::sin(3), allowed);
    ASSERT_EQ(kept.samples.size(), 1001u);
    const Sample& middle = kept.samples[500];
    EXPECT_NEAR(middle.outputs[column(model, "acceleration")], -std::cos(1.5), allowed) << integrator;
  }
}

TEST(Outputs, HaveUnits) {
  const Model model = read_model_text(kOscillator);
  const auto unit = [&](std::string_view name) { return model.outputs().columns[column(model, name)].unit; };
  EXPECT_EQ(unit("nose.vx"), "m/s");
  EXPECT_EQ(unit("acceleration"), "m/s^2");
  EXPECT_EQ(unit("reach"), "m");
  EXPECT_EQ(unit("speed"), "m/s");
  EXPECT_EQ(unit("watts"), "W");
  EXPECT_EQ(unit("twice"), "");  // a bare number times something is open
}

// Peaks that no step of the motion has to see: x = t over 1 s,
//
//   bell      exp(-((x - 0.3)/w)²)           mean w √π          , mean of squares w √(π/2)
//   cauchy    1/(1 + ((x - 0.6)/w)²)         mean w (atan(0.6/w) + atan(0.4/w))
//
// and a bell that is passed many times, by a pendulum.
TEST(Outputs, MeansSeeNarrowPeaks) {
  for (const double w : {0.1, 0.01, 1e-3, 1e-4, 1e-5}) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: {{ w: {} }}
bodies: {{ cart: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: [0, 0, 0] }} }}
outputs: {{ bell: "exp(-((cart/(1 m) - 0.3)/w)^2)", cauchy: "1/(1 + ((cart/(1 m) - 0.6)/w)^2)", path: cart }}
initial: {{ "cart'": 1 }}
)yaml",
                                                    w));
    for (const char* integrator : {"taylor", "dop853", "cvode"}) {
      Kept kept;
      const RunResult result = simulate(model, 1, kept, integrator, 0.5, 1e-12);
      const OutputNumbers &bell = numbers_of(result, "bell"), &cauchy = numbers_of(result, "cauchy");
      const double tails = std::erf(0.3 / w) + std::erf(0.7 / w),
                   tails2 = std::erf(0.3 * std::sqrt(2) / w) + std::erf(0.7 * std::sqrt(2) / w);
      EXPECT_NEAR(bell.mean.value() / (w * std::sqrt(pi) * tails / 2), 1, 2e-4) << integrator << ", w = " << w;
      EXPECT_NEAR(bell.rms.value() / std::sqrt(w * std::sqrt(pi / 2) * tails2 / 2), 1, 2e-4) << integrator << ", w = " << w;
      EXPECT_NEAR(cauchy.mean.value() / (w * (std::atan(0.6 / w) + std::atan(0.4 / w))), 1, 2e-3) << integrator << ", w = " << w;
      EXPECT_NEAR(numbers_of(result, "path").mean.value(), 0.5, 1e-10);
    }
  }
  // A peak takes |dx| = w √π of the path; nine are passed in 10 s with the speed √(2 g (cos 0.3 - cos 1)).
  const Model pendulum = read_model_text(R"yaml(
vinculum: 1
bodies: { p: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: [0, 0, 0] } }
outputs: { bell: "exp(-((p - 0.3)/1e-4)^2)" }
initial: { p: 1 }
)yaml");
  for (const char* integrator : {"taylor", "dop853"}) {
    Kept kept;
    const RunResult result = simulate(pendulum, 10, kept, integrator, 10);
    const double speed = std::sqrt(2 * 9.81 * (std::cos(0.3) - std::cos(1)));
    EXPECT_NEAR(numbers_of(result, "bell").mean.value() / (9 * 1e-4 * std::sqrt(pi) / speed / 10), 1, 1e-3) << integrator;
  }
}

// Without a value from x = cos t = 0.5 on, t = π/3: the run has come as far as its last sample, whatever the step it is in, and
// so far is it judged. What comes later has not happened.
TEST(Outputs, AreJudgedAsFarAsTheRunHasCome) {
  for (const char* integrator : {"taylor", "dop853"}) {
    for (const double sense : {1.0, -1.0}) {
      const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [0, 0, 0] } }
forces: { spring: { joint: cart, law: "-cart" } }
outputs: { high: { value: "2 + cart/(1 m)", require: "> 2.4" }, none: { value: "log(cart/(1 m) - 0.5)", require: "< 10" } }
initial: { cart: 1 }
)yaml");
      Kept kept;
      const RunResult result = simulate(model, 3 * sense, kept, integrator, 1e-3);
      ASSERT_TRUE(result.failure);
      EXPECT_EQ(result.failure->code, "VN-RUN-170");
      EXPECT_EQ(kept.samples.size(), 1048u);  // 0, 0.001 .. 1.047
      const double t = result.final.t * sense;
      EXPECT_NEAR(t, 1.047, 1e-12);
      EXPECT_NEAR(result.final.q[0], std::cos(t), 1e-9);
      EXPECT_TRUE(result.events.empty());  // `high` falls below 2.4 at t = 1.159 s
      const OutputNumbers& high = numbers_of(result, "high");
      EXPECT_NEAR(high.final, 2 + std::cos(t), 1e-9);
      EXPECT_NEAR(high.min, 2 + std::cos(t), 1e-9);
      EXPECT_NEAR(high.mean.value(), 2 + std::sin(t) / t, 1e-9);
      const auto verdict = std::ranges::find(result.verdicts, "high", &Verdict::subject);
      ASSERT_NE(verdict, result.verdicts.end());
      EXPECT_EQ(verdict->verdict, Holds::not_checked);
      const std::string falls = fmt::format("falls to {:.4g} at t = {:.4g} s, required > 2.4", 2 + std::cos(t), result.final.t);
      EXPECT_NE(verdict->why.find(fmt::format("checked only up to t = {:.6g} s", result.final.t)), std::string::npos)
          << verdict->why;
      EXPECT_NE(verdict->why.find(falls), std::string::npos) << verdict->why;
      // Where the value was lost is told all the same.
      const auto none = std::ranges::find(result.verdicts, "none", &Verdict::subject);
      ASSERT_NE(none, result.verdicts.end());
      EXPECT_EQ(none->verdict, Holds::not_checked);
      EXPECT_NEAR(none->nearest_t.value_or(0), sense * pi / 3, 1e-6);
    }
  }
}

// Implicit steps know the motion at their ends; between them it is a straight line, on which a requirement may be violated as
// well. A cart at constant speed is on that line: x = t passes 0.3 m within a step.
TEST(Outputs, ImplicitStepsHideNoPeaks) {
  const auto run = [](const Model& model, double until, double step) {
    RunOptions options;
    options.until = until;
    options.step = step;
    RunListener nobody;
    auto result = run_simulation(model, model.initial_state(), options, nobody);
    if (!result || result->failure) throw std::runtime_error("the run failed");
    return *result;
  };
  for (const double w : {1e-2, 1e-3, 1e-5}) {
    const Model cart = read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: {{ w: {} }}
bodies: {{ cart: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: [0, 0, 0] }} }}
outputs:
  bell: {{ value: "exp(-((cart/(1 m) - 0.33)/w)^2)", require: "< 0.5" }}
  dip: {{ value: "2 - exp(-((cart/(1 m) - 0.66)/w)^2)", require: "> 1.5" }}
  far: {{ value: "exp(-((cart/(1 m) - 1.5)/w)^2)", require: "< 0.5" }}
initial: {{ "cart'": 1 }}
)yaml",
                                                   w));
    const RunResult result = run(cart, 1, 0.1);
    const auto verdict = [&](const char* name) { return *std::ranges::find(result.verdicts, name, &Verdict::subject); };
    const double half = w * std::sqrt(std::log(2));
    EXPECT_EQ(verdict("bell").verdict, Holds::violated) << w;
    EXPECT_NEAR(verdict("bell").first_violation.value(), 0.33 - half, 1e-12);
    EXPECT_NEAR(verdict("bell").margin.value(), 0.5, 1e-9);
    EXPECT_EQ(verdict("dip").verdict, Holds::violated) << w;
    EXPECT_NEAR(verdict("dip").first_violation.value(), 0.66 - half, 1e-12);
    EXPECT_EQ(verdict("far").verdict, Holds::holds) << w;
    EXPECT_NEAR(numbers_of(result, "bell").mean.value() / (w * std::sqrt(pi)), 1, 2e-4);
    EXPECT_TRUE(std::ranges::any_of(result.events, [](const Occurrence& event) { return event.name() == "requirement:bell"; }));
  }
  // A pendulum, to first order: the peak is passed at 0.433193 s.
  const Model pendulum = read_model_text(R"yaml(
vinculum: 1
bodies: { p: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: [0, 0, 0] } }
outputs: { bell: { value: "exp(-((p - 0.3)/0.001)^2)", require: "< 0.5" } }
initial: { p: 1 }
)yaml");
  const RunResult swing = run(pendulum, 1, 0.01);
  const auto bell = std::ranges::find(swing.verdicts, "bell", &Verdict::subject);
  ASSERT_NE(bell, swing.verdicts.end());
  EXPECT_EQ(bell->verdict, Holds::violated);
  EXPECT_NEAR(bell->first_violation.value(), 0.433193, 0.01);
}

// a = -cos t passes 0.5 at 2π/3; its largest value is 1, at π. What is written out has no part in it.
TEST(Outputs, RequirementsAreLocated) {
  const Model model = read_model_text(kOscillator);
  std::vector<Verdict> seen;
  for (const double every : {0.0, 0.7}) {
    Kept kept;
    const RunResult result = simulate(model, 4, kept, "auto", every);
    const Verdict& verdict = verdict_of(result, "acceleration");
    EXPECT_EQ(verdict.verdict, Holds::violated);
    EXPECT_NEAR(*verdict.first_violation, 2 * pi / 3, 1e-9);
    EXPECT_NEAR(*verdict.margin, 0.5, 1e-9);
    EXPECT_NE(verdict.why.find("above it for 1.9"), std::string::npos) << verdict.why;  // until 4
    EXPECT_EQ(verdict_of(result, "low.max").verdict, Holds::holds);
    EXPECT_NEAR(*verdict_of(result, "low.max").margin, 2 / 1.5, 1e-9);
    EXPECT_NEAR(*verdict_of(result, "low.min").first_violation, std::acos(-0.75), 1e-9);
    seen.push_back(verdict);
  }
  EXPECT_EQ(seen[0].why, seen[1].why);
  EXPECT_EQ(*seen[0].first_violation, *seen[1].first_violation);
}

// A mass falls 1 m onto a stop and stays there: above 2 m/s from 2/g on, and no longer than to the stop at sqrt(2/g).
TEST(Outputs, AnImpactEndsTheTimeAboveALimit) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { mass: { joint: {type: prismatic, axis: z}, limits: {position: [-1, 1]}, mass: 1, inertia: 0 } }
outputs: { speed: { value: "abs(mass')", require: "< 2 m/s" } }
)yaml");
  RunOptions options;
  options.until = 2;
  options.follow = Follow::unilateral;
  Kept kept;
  const auto run = run_simulation(model, model.initial_state(), options, kept);
  ASSERT_TRUE(run);
  const Verdict& verdict = verdict_of(*run, "speed");
  EXPECT_NEAR(*verdict.first_violation, 2 / 9.81, 1e-9);
  EXPECT_NE(verdict.why.find(fmt::format("above it for {:.4g} s", std::sqrt(2 / 9.81) - 2 / 9.81)), std::string::npos)
      << verdict.why;
}

TEST(Outputs, EventsAreZerosOfOutputs) {
  const Model model = read_model_text(kOscillator);
  RunListener nobody;
  const RunResult result = simulate(model, 2, nobody);
  std::vector<std::pair<std::string, double>> expected = {{"fast", pi / 6}, {"still", pi / 2}};
  std::vector<Occurrence> events;
  for (const Occurrence& event : result.events) {
    if (event.kind == EventKind::model_event) events.push_back(event);
  }
  ASSERT_EQ(events.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(events[i].name(), expected[i].first);
    EXPECT_NEAR(events[i].t, expected[i].second, 1e-9);
  }
}

// Velocities are rates of positions and accelerations of velocities, in the world and seen from a moving body.
TEST(Outputs, PointsMoveConsistently) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  top: { joint: spherical, mass: 1, com: [0, 0, 0.3], inertia: [0.1, 0.12, 0.05] }
  arm: { parent: top, joint: {type: revolute, axis: [1, 1, 0], origin: [0, 0, 0.5]}, mass: 0.4, com: [0, 0.2, 0.1], inertia: 0.02 }
environment: { deck: { position: ["0.2*sin(t)", 0, "0.1*t"], rotation: {axis: z, angle: "0.7*t"} } }
outputs:
  plain: { point: [0.1, 0.2, 0.3], of: arm }
  axes: { point: [0.1, 0.2, 0.3], of: arm, in: top }
  seen: { point: [0.1, 0.2, 0.3], of: arm, from: top }
  deck: { point: [0.1, 0.2, 0.3], of: arm, from: deck }
  spot: { point: [0, 0.3, 0], of: deck }
initial: { top.wx: 1, top.wy: -0.5, top.wz: 6, arm: 0.4, "arm'": -1 }
)yaml");
  Kept kept;
  constexpr double h = 1e-3;
  simulate(model, 0.4, kept, "auto", h, 1e-13);
  for (const char* point : {"plain", "seen", "deck", "spot"}) {
    const size_t first = column(model, std::string(point) + ".x");
    double largest = 0;
    for (size_t k = 2; k + 3 < kept.samples.size(); ++k) {
      const auto at = [&](size_t n, size_t i) { return kept.samples[n].outputs[i]; };
      for (size_t i = first; i < first + 6; ++i) {
        const double near = at(k + 1, i) - at(k - 1, i), far = at(k + 2, i) - at(k - 2, i);
        EXPECT_NEAR((8 * near - far) / (12 * h), at(k, i + 3), 1e-7) << point << " " << i - first;  // h⁴/30 of a fifth derivative
        largest = std::max(largest, std::abs(at(k, i + 3)));
      }
    }
    EXPECT_GT(largest, 0.1);
  }
  // Other axes: the same lengths.
  const size_t plain = column(model, "plain.x"), axes = column(model, "axes.x");
  const auto& last = kept.samples.back().outputs;
  for (size_t part = 0; part < 9; part += 3) {
    EXPECT_NEAR(std::hypot(last[plain + part], last[plain + part + 1], last[plain + part + 2]),
                std::hypot(last[axes + part], last[axes + part + 1], last[axes + part + 2]), 1e-12);
    EXPECT_GT(std::abs(last[plain + part] - last[axes + part]), 1e-3);
  }
}

// A cart driven by x = sin t takes the force m x'' and the power of it; a load on the ground its weight.
TEST(Outputs, RowsAndDrives) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: [1, 1, 1] }
  load: { joint: {axes: [tx, tz]}, mass: 3, inertia: [1, 1, 1] }
contacts: { foot: { body: load, with: world, point: [0, 0, 0], forbid: [normal] } }
motions: { cart: "sin(t)" }
forces:
  rope: { between: [cart, [0, 0, 0]], and: [load, [0, 0, 0]], stiffness: 0, damping: 0.5 }
outputs:
  force: "motion:cart"
  power: "motion:cart.power"
  ground: foot.normal
  pulls: rope.force
  rate: rope.rate
initial: { load.tx: 5 }
)yaml");
  Kept kept;
  const RunResult result = simulate(model, 0.5, kept, "dop853");
  const double rate = output_of(result, "rate");
  EXPECT_NEAR(output_of(result, "pulls"), 0.5 * rate, 1e-12);
  EXPECT_NEAR(output_of(result, "force"), -2 * std::sin(0.5) - 0.5 * rate, 1e-9);  // the rope pulls the cart towards +x
  EXPECT_NEAR(output_of(result, "power"), output_of(result, "force") * std::cos(0.5), 1e-12);
  EXPECT_NEAR(output_of(result, "ground"), 3 * 9.81, 1e-9);
  EXPECT_GT(std::abs(rate), 0.1);
}

TEST(Outputs, WithoutAFiniteValueEndTheRun) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }
outputs: { root: "sqrt(1 m - cart)" }
initial: { "cart'": 1 }
)yaml");
  Kept kept;
  const RunResult result = simulate(model, 2, kept, "auto", 0.4);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, "VN-RUN-170");
  EXPECT_NE(result.failure->message.find("'root'"), std::string::npos);
  EXPECT_EQ(kept.samples.size(), 3u);  // 0, 0.4, 0.8
}

// ---- further states --------------------------------------------------------------------------------------------------

// z' = 1 - z, z = 1 - e^-t; the force z on a mass 1 gives v = t - 1 + e^-t.
constexpr const char* kRemembering = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }
states: { memory: "1 - memory" }
forces: { motor: { joint: cart, law: "memory" } }
outputs: { seen: "2*memory" }
events: { half: "memory - 0.5" }
)yaml";

TEST(ExtraStates, AreIntegratedByEveryIntegrator) {
  const Model model = read_model_text(kRemembering);
  ASSERT_EQ(model.coordinate_names(), (std::vector<std::string>{"cart", "memory"}));
  for (const char* integrator : {"taylor", "dop853", "cvode", "arkode"}) {
    RunListener nobody;
    const bool exact = std::string(integrator) == "taylor" || std::string(integrator) == "dop853";
    const RunResult result = simulate(model, 2, nobody, integrator, 0, exact ? 1e-12 : 1e-10);
    EXPECT_EQ(result.integrator.substr(0, 3), std::string(integrator).substr(0, 3));
    EXPECT_NEAR(result.final.q[1], 1 - std::exp(-2), exact ? 1e-11 : 1e-6) << integrator;
    EXPECT_NEAR(result.final.v[0], 1 + std::exp(-2), exact ? 1e-11 : 1e-6) << integrator;
    EXPECT_NEAR(output_of(result, "seen"), 2 - 2 * std::exp(-2), exact ? 1e-11 : 1e-6);
    ASSERT_EQ(result.events.size(), 1u);
    EXPECT_NEAR(result.events[0].t, std::log(2.0), exact ? 1e-10 : 1e-6) << integrator;
  }
}

// The same on a model with rows: the series goes another way there.
TEST(ExtraStates, WithRows) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { load: { joint: {axes: [tx, tz]}, mass: 1, inertia: [1, 1, 1] } }
contacts: { foot: { body: load, with: world, point: [0, 0, 0], forbid: [normal] } }
states: { memory: "1 - memory" }
forces: { motor: { joint: load.tx, law: "memory" } }
)yaml");
  for (const char* integrator : {"taylor", "dop853"}) {
    RunListener nobody;
    const RunResult result = simulate(model, 2, nobody, integrator);
    EXPECT_EQ(result.integrator, integrator);
    EXPECT_NEAR(result.final.q[2], 1 - std::exp(-2), 1e-11) << integrator;
    EXPECT_NEAR(result.final.v[0], 1 + std::exp(-2), 1e-11) << integrator;
  }
}

// A PI controller:  x' = v ,  v' = -2 x - 3 v - 5 z ,  z' = x + 0.5 v - 0.25 z
TEST(ExtraStates, AreStatesOfTheLinearisation) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }
states: { z: "cart + 0.5*cart' - 0.25*z" }
forces:
  pd: { joint: cart, law: "-2*cart - 3*cart'" }
  i: { body: cart, force: ["-5*z", 0, 0] }
)yaml");
  DerivativesWorkspace workspace(model);
  const auto linear = linearise(model, model.initial_state(), workspace);
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->states, (std::vector<std::string>{"cart", "cart'", "z"}));
  Eigen::MatrixXd expected(3, 3);
  expected << 0, 1, 0, -2, -3, -5, 1, 0.5, -0.25;
  EXPECT_LT((linear->A - expected).cwiseAbs().maxCoeff(), 1e-14) << linear->A;
  EXPECT_EQ(linear->B.rows(), 3);
}

// ---- tables ----------------------------------------------------------------------------------------------------------

class Tables : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::scratch_path("Tables");
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "model");
    std::ofstream(folder_ / "model" / "push.csv")
        << "time [ms],force [kN],place\n0,0,0\n1000,0.001,1\n2000,0.001,1\n3000,-0.001,-1\n";
    std::ofstream(folder_ / "outside.csv") << "t,f\n0,0\n1,1\n";
  }
  Model read(const std::string& table, const std::string& law, Diagnostics* told = nullptr) const {
    const std::string text =
        "vinculum: 1\ngravity: [0, 0, 0]\nbodies: { cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }\n"
        "tables: { push: " +
        table + " }\n" + law + "\n";
    ReadOptions options;
    options.folder = (folder_ / "model").string();
    Diagnostics diagnostics;
    auto model = read_model(text, diagnostics, options);
    if (told != nullptr) *told = diagnostics;
    if (!model) throw std::runtime_error(diagnostics.list().empty() ? "?" : diagnostics.list()[0].message);
    return std::move(*model);
  }
  std::filesystem::path folder_;
};

constexpr const char* kLaw = "forces: { motor: { joint: cart, law: \"table(push, t)\" } }";

// f = t up to 1, 1 up to 2, then 1 - 2 (t - 2): v(3) = 1/2 + 1 + 0.
TEST_F(Tables, LinesAsAForce) {
  const Model model = read("{file: push.csv, x: time, y: force}", kLaw);
  RunListener nobody;
  const RunResult result = simulate(model, 3, nobody, "dop853", 0, 1e-11);
  EXPECT_FALSE(result.failure);
  EXPECT_NEAR(result.final.v[0], 1.5, 1e-9);
  EXPECT_NEAR(result.final.q[0], 1.0 / 6 + 1 + 1.5 + 0.5 - 1.0 / 3, 1e-9);
}

TEST_F(Tables, BeyondTheirRangeAreToldByName) {
  const Model model = read("{file: push.csv, x: time, y: force}", kLaw);
  RunListener nobody;
  const RunResult result = simulate(model, 4, nobody, "dop853", 0, 1e-10);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, "VN-RUN-171") << result.failure->message;
  EXPECT_NE(result.failure->message.find("'push'"), std::string::npos);
  EXPECT_NE(result.failure->message.find("from 0 to 3"), std::string::npos);
  const Model held = read("{file: push.csv, x: time, y: force, outside: hold}", kLaw);
  EXPECT_NEAR(simulate(held, 4, nobody, "dop853", 0, 1e-11).final.v[0], 0.5, 1e-9);
  const Model extended = read("{file: push.csv, x: time, y: force, outside: extend}", kLaw);
  EXPECT_NEAR(simulate(extended, 4, nobody, "dop853", 0, 1e-11).final.v[0], -0.5, 1e-9);
}

// A spline has accelerations, and drives a coordinate; lines have corners, and are refused as a motion.
TEST_F(Tables, SplinesMove) {
  const Model model = read("{file: push.csv, x: time, y: place, kind: spline}",
                           "motions: { cart: \"table(push, t)\" }\noutputs: {a: \"cart''\"}");
  RunListener nobody;
  const RunResult result = simulate(model, 1, nobody, "auto", 0, 1e-10);
  EXPECT_FALSE(result.failure);
  EXPECT_NEAR(result.final.q[0], 1, 1e-14);
  // Through four points the spline is the cubic  x = t + t (t - 1) (c + d (t - 2)): by divided differences c = -1/2, d = -1/6.
  EXPECT_NEAR(result.final.v[0], 1 - 0.5 + 1.0 / 6, 1e-12);
  EXPECT_NEAR(output_of(result, "a"), -1, 1e-11);
  const Model corner = read("{file: push.csv, x: time, y: place}", "motions: { cart: \"table(push, t)\" }");
  const RunResult jumps = simulate(corner, 3, nobody, "auto", 0, 1e-10);
  ASSERT_TRUE(jumps.failure);
  EXPECT_EQ(jumps.failure->code, "VN-RUN-112");
}

TEST_F(Tables, AreReadInsideTheFolderOnly) {
  std::error_code error;
  std::filesystem::create_symlink(folder_ / "outside.csv", folder_ / "model" / "link.csv", error);
  for (const char* file : {"../outside.csv", "link.csv", "/etc/hostname", "a/../../outside.csv"}) {
    Diagnostics told;
    EXPECT_THROW(read(std::string("{file: \"") + file + "\", x: t, y: f}", kLaw, &told), std::runtime_error);
    EXPECT_EQ(told.list()[0].code, "VN-FILE-161") << file;
  }
  Diagnostics told;
  EXPECT_THROW(read("{file: missing.csv, x: t, y: f}", kLaw, &told), std::runtime_error);
  EXPECT_EQ(told.list()[0].code, "VN-FILE-162");
  EXPECT_THROW(read("{file: push.csv, x: tim, y: force}", kLaw, &told), std::runtime_error);
  EXPECT_EQ(told.list()[0].code, "VN-FILE-164");
  EXPECT_NE(told.list()[0].hint.find("'time'"), std::string::npos);
  EXPECT_THROW(read("{file: push.csv, x: force, y: time}", kLaw, &told), std::runtime_error);
  EXPECT_EQ(told.list()[0].code, "VN-FILE-167");
}

}  // namespace
}  // namespace vinculum::outputs_of_runs
