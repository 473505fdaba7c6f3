// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run grants to round-off and to its tolerance, and no more: verdicts, samples and switches of contacts at their small
// numbers.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::granted {
namespace {

constexpr double kGravity = 9.81;

struct Times : RunListener {
  std::vector<double> list;
  void on_sample(const Sample& sample) override { list.push_back(sample.state.t); }
};

RunResult simulate(const Model& model, const RunOptions& options) { return testing::finish_run(model, options); }

Verdict find_verdict(const RunResult& run, const std::string& subject) {
  const auto found =
      std::find_if(run.verdicts.begin(), run.verdicts.end(), [&](const Verdict& v) { return v.subject == subject; });
  return found == run.verdicts.end() ? Verdict{"there is none", Holds::not_checked, {}, {}, {}} : *found;
}

RunOptions until(double t) {
  RunOptions options;
  options.until = t;
  return options;
}

// ---- verdicts --------------------------------------------------------------------------------------------------------

// Beside a weight of 1e9 N the forces of 1 kg are far above round-off: 3 N is more than friction 0.3 holds, and 1e6 N of another
// contact change nothing in that; -2 N is a pull.
TEST(Granted, ForcesFarBelowTheLargestAreNoRoundOff) {
  const auto beside_a_weight = [](const std::string& force) {
    return read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  weight: {{ joint: {{axes: [tx, tz]}}, mass: 1e8, inertia: 1 }}
  block: {{ joint: {{axes: [tx, tz], origin: [5, 0, 0]}}, mass: 1, inertia: 0.1 }}
contacts:
  under: {{ body: weight, with: world, point: [0, 0, 0], forward: x, forbid: [normal, forward] }}
  foot: {{ body: block, with: world, point: [0, 0, 0], forward: x, friction: 0.3, forbid: [normal, forward] }}
forces: {{ push: {{ body: block, point: [0, 0, 0], force: {} }} }}
)yaml",
                                       force));
  };
  const Verdict pushed = find_verdict(simulate(beside_a_weight("[3, 0, 0]"), until(1)), "foot.friction");
  EXPECT_EQ(pushed.verdict, Holds::violated) << pushed.why;
  EXPECT_NEAR(pushed.margin.value_or(0), 0.3 * kGravity / 3, 1e-6);
  const Verdict pulled = find_verdict(simulate(beside_a_weight("[0, 0, 11.81]"), until(1)), "foot.normal");
  EXPECT_EQ(pulled.verdict, Holds::violated) << pulled.why;
}

// A spring of 42 J at a height of 1000 km, where gravity has a potential of 1e7 J: its round-off is granted, once a step with any
// sign, beside the tolerance of what is exchanged (60 J at most). The model's own energy, of which it is the round-off, is a
// power of two: up to twice as large.
TEST(Granted, EnergyBesideALargeTermOfIt) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { mass: { joint: {type: prismatic, axis: z}, mass: 1, inertia: 0 } }
forces: { spring: { between: [world, [1, 0, 1e6]], and: [mass, [0, 0, 0]], stiffness: 100, length: 0.5 } }
initial: { mass: 1e6 + 1 }
)yaml");
  RunOptions options = until(10);
  options.tolerance = 1e-12;
  options.integrator = "dop853";
  const RunResult run = simulate(model, options);
  const Verdict energy = find_verdict(run, "energy");
  EXPECT_EQ(energy.verdict, Holds::holds) << energy.why;
  const double granted = *energy.margin * run.integrals[0].drift, steps = static_cast<double>(run.steps);
  EXPECT_GT(steps, 100);
  EXPECT_LT(granted, 10 * options.tolerance * steps * 60 + 2e-15 * std::sqrt(steps) * 1e7);
  EXPECT_GT(granted, 1e-16 * std::sqrt(steps) * 1e7);
}

// A weight of 1 t lifted by 1 m within a day: 1e-7 J of motion, 9.81 kJ of work. What is exchanged is the work.
TEST(Granted, EnergyBesideTheWork) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { weight: { joint: {type: prismatic, axis: z}, mass: 1000, inertia: 0 } }
motions: { weight: "0.5 - 0.5*cos(pi*t/1e5)" }
)yaml");
  RunOptions options = until(1e5);
  options.tolerance = 1e-6;
  options.integrator = "dop853";
  const RunResult run = simulate(model, options);
  const Verdict energy = find_verdict(run, "energy");
  EXPECT_EQ(energy.verdict, Holds::holds) << energy.why;
  EXPECT_LT(run.steps, 100);
  EXPECT_NEAR(*energy.margin * run.integrals[0].drift, 10 * options.tolerance * 100 * 1000 * kGravity, 1e-3);
}

// Baumgarte's terms of 1 mrad/s do not bring back in a minute what cvode lets go by: more than a hundred tolerances is told.
TEST(Granted, ConstraintsThatBaumgartesTermsDoNotKeep) {
  const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  upper: {{ joint: {{type: revolute, axis: y}}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }}
  lower: {{ parent: upper, joint: {{type: revolute, axis: y, origin: [1, 0, 0]}}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }}
contacts:
  tip: {{ body: lower, with: world, frame: {{on_body: {{point: [1.5, 0, 0]}}, on_environment: {{point: [0, 0, 0]}}}}, forbid: [normal] }}
initial: {{ upper: 0.3, lower: {:.17g} }}
)yaml",
                                                  std::acos(-std::cos(0.3) / 1.5) - 0.3));
  RunOptions options = until(60);
  options.tolerance = 1e-8;
  options.integrator = "cvode";
  options.baumgarte = 1e-3;
  const RunResult weak = simulate(model, options);
  const double residual =
      std::max(*weak.residuals[0].position / model.scales().length, weak.residuals[0].velocity / model.scales().velocity);
  EXPECT_GT(residual, 100 * options.tolerance);
  EXPECT_LT(residual, 1e5 * options.tolerance);
  EXPECT_EQ(find_verdict(weak, "constraints").verdict, Holds::violated);
  EXPECT_NEAR(*find_verdict(weak, "constraints").margin, 100 * options.tolerance / residual, 1e-12);
}

// ---- samples ---------------------------------------------------------------------------------------------------------

// The last sample is the end of the run; one before it is not lost, however near.
TEST(Granted, SampleNearTheEndOfTheRun) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, com: [1, 0, 0], inertia: 0 } }
)yaml");
  for (const auto& [end, count] : {std::pair{1.005, 12}, std::pair{1.0, 11}, std::pair{10 * 0.1, 11}, std::pair{0.995, 11}}) {
    RunOptions options = until(end);
    options.every = 0.1;
    Times times;
    ASSERT_TRUE(run_simulation(model, model.initial_state(), options, times));
    EXPECT_EQ(times.list.size(), static_cast<size_t>(count)) << end;
    for (int i = 0; i < count - 1; ++i) EXPECT_NEAR(times.list[i], 0.1 * i, 1e-15);
    EXPECT_EQ(times.list.back(), end);
  }
}

// ---- contacts --------------------------------------------------------------------------------------------------------

Model block_over_ground(double height, double speed) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: 1, inertia: 0.1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal] }} }}
initial: {{ block.tz: {:.17g}, "block.tz'": {} }}
)yaml",
                                     height, speed));
}

// From rest at height h the block falls √(2 h/g). Contacts are looked for ten tolerances deep, where it is more than twice as
// fast as at the touch; but the moment of the touch is that of the gap's zero, if it is in the same step.
TEST(Granted, TouchOfABlockThatIsStillSlow) {
  for (const auto& [height, tolerance] : {std::pair{2e-6, 1e-6}, {3e-6, 1e-6}, {1e-7, 1e-7}, {2e-7, 1e-7}}) {
    RunOptions options = until(1);
    options.follow = Follow::unilateral;
    options.tolerance = tolerance;
    const RunResult run = simulate(block_over_ground(height, 0), options);
    ASSERT_EQ(run.events.size(), 1u);
    EXPECT_EQ(run.events[0].name(), "touch-down:foot");
    const double fall = std::sqrt(2 * height / kGravity);
    EXPECT_NEAR(run.events[0].t, fall, 1e-10 * fall) << height;
    EXPECT_NEAR(run.final.q[1], 0, 1e-15);
  }
}

// However loose the tolerance, a block that has touched down stands on the ground, not in it.
TEST(Granted, TouchWithALooseTolerance) {
  for (double tolerance : {1e-5, 1e-4, 1e-3, 1e-2}) {
    for (double height : {1e-4, 1e-3, 1e-2}) {
      RunOptions options = until(1);
      options.follow = Follow::unilateral;
      options.tolerance = tolerance;
      const RunResult run = simulate(block_over_ground(height, 0), options);
      EXPECT_EQ(run.events.size(), 1u);
      EXPECT_NEAR(run.final.q[1], 0, 1e-14) << tolerance << ", " << height;
      EXPECT_EQ(run.final.v[1], 0) << tolerance << ", " << height;
    }
  }
}

// What touches at the start but leaves the ground flies: z = 2 t - g t²/2 .
TEST(Granted, BlockThatLeavesTheGroundAtTheStart) {
  RunOptions options = until(0.3);
  options.follow = Follow::unilateral;
  const RunResult run = simulate(block_over_ground(0, 2), options);
  EXPECT_TRUE(run.events.empty());
  EXPECT_NEAR(run.final.q[1], 2 * 0.3 - kGravity * 0.3 * 0.3 / 2, 1e-12);
  EXPECT_NEAR(run.final.v[1], 2 - kGravity * 0.3, 1e-12);
}

}  // namespace
}  // namespace vinculum::testing::granted
