// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs in which contacts let go and touch down.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/checkpoint.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

constexpr double kGravity = 9.81;

RunResult simulate(const Model& model, double until, const std::string& stop_at = "", double tolerance = 1e-12) {
  RunOptions options;
  options.follow = Follow::unilateral;
  options.until = until;
  options.stop_at = stop_at;
  options.tolerance = tolerance;
  return testing::finish_run(model, options);
}

size_t count(const RunResult& run, const std::string& event) {
  return std::count_if(run.events.begin(), run.events.end(), [&](const Occurrence& e) { return e.name().starts_with(event); });
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (double value : values) most = std::max(most, std::abs(value));
  return most;
}

// Feet a, b, c, d at the corners of a block, 0.2 m below its mass centre.
Model block_on_four_feet(const std::string& forbid, const std::string& initial) {
  return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ block: {{ joint: {{type: free}}, mass: 3, inertia: [0.1, 0.15, 0.2] }} }}
contacts:
  a: {{ body: block, with: world, point: [0.3, 0.2, -0.2], forbid: {0} }}
  b: {{ body: block, with: world, point: [-0.3, 0.2, -0.2], forbid: {0} }}
  c: {{ body: block, with: world, point: [-0.3, -0.2, -0.2], forbid: {0} }}
  d: {{ body: block, with: world, point: [0.3, -0.2, -0.2], forbid: {0} }}
initial: {{ {1} }}
)",
                                     forbid, initial));
}

// It falls by 0.3 m, lands on all four feet at once, and slides on without friction as it turned and flew.
TEST(UnilateralRun, BlockFallsFlatOnFourFeet) {
  const RunResult run = simulate(block_on_four_feet("[normal]", "block.tz: 0.5, \"block.tx'\": 0.7, \"block.wz\": 0.4"), 1);
  EXPECT_EQ(count(run, "touch-down"), 4u);
  EXPECT_EQ(run.events.size(), 4u);
  for (const Occurrence& event : run.events) EXPECT_NEAR(event.t, std::sqrt(2 * 0.3 / kGravity), 1e-12);
  EXPECT_NEAR(run.final.q[2], 0.2, 1e-12);
  EXPECT_NEAR(run.final.q[0], 0.7, 1e-12);
  EXPECT_NEAR(run.final.q[6], std::sin(0.2), 1e-12);
  EXPECT_NEAR(run.final.v[2], 0, 1e-12);
  EXPECT_NEAR(run.final.v[5], 0.4, 1e-12);
}

// With feet that grip it stops dead; and tilted, it comes to rest too, after as many blows as it takes.
TEST(UnilateralRun, BlockComesToRestOnFourFeet) {
  const RunResult flat = simulate(block_on_four_feet("[normal, lateral, forward]", "block.tz: 0.5"), 1);
  EXPECT_EQ(flat.events.size(), 4u);
  EXPECT_LE(largest(flat.final.v), 1e-12);

  const RunResult tilted = simulate(
      block_on_four_feet("[normal, lateral, forward]", "block.tz: 0.5, block.qw: cos(0.1), block.qx: sin(0.1), block.qy: 0"), 4,
      "", 1e-10);
  EXPECT_LE(largest(tilted.final.v), 1e-9);
  EXPECT_NEAR(tilted.final.q[2], 0.2, 1e-9);
  EXPECT_GE(tilted.events.size(), 4u);
  EXPECT_LE(tilted.events.size(), 2000u);
}

// A slender block rocks from corner to corner: Housner's ratio of the angular velocities after and before each blow is
// 1 - 3/2 sin²α, tan α = width/height, whatever the mass.
struct RockingBlock {
  double b = 0.1, h = 0.4, alpha = std::atan(b / h), R = std::hypot(b, h), tilt = 0.1;
  double ratio = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);

  // Tilted about the corner at +b, by a turn about y.
  Model model() const {
    return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz, ry]}}, mass: 5, com: [0, 0, {1}], inertia: {2} }} }}
contacts:
  left: {{ body: block, with: world, point: [{3}, 0, 0], forward: x, forbid: [normal, forward] }}
  right: {{ body: block, with: world, point: [{0}, 0, 0], forward: x, forbid: [normal, forward] }}
initial: {{ block.tx: {4:.17g}, block.tz: {5:.17g}, block.ry: {6} }}
)",
                                       b, h, 5 * R * R / 3, -b, b - b * std::cos(tilt), b * std::sin(tilt), tilt));
  }
};

TEST(UnilateralRun, RockingBlockLosesHousnersPart) {
  const RockingBlock block;
  const Model model = block.model();
  const RunResult before = simulate(model, 5, "touch-down");
  // J_corner w²/2 = m g R (cos(α - tilt) - cos α), J_corner = 4/3 m R²
  const double w = -std::sqrt(1.5 * kGravity / block.R * (std::cos(block.alpha - block.tilt) - std::cos(block.alpha)));
  EXPECT_NEAR(before.final.v[2], w, 1e-10);
  const RunResult after = simulate(model, 5, "lift-off");
  EXPECT_EQ(after.events.back().name(), "lift-off:right");
  EXPECT_NEAR(after.final.t, before.final.t, 1e-12);
  EXPECT_NEAR(after.final.v[2] / before.final.v[2], block.ratio, 1e-9);
  EXPECT_NEAR(after.final.v[0], 0, 1e-12);  // the left corner stands still, and the pole is level with it
}

// It rocks ever faster, and comes to rest after as many blows as lead to a rise of 1e-8 of its length.
TEST(UnilateralRun, RockingBlockComesToRest) {
  const RockingBlock block;
  const RunResult run = simulate(block.model(), 8, "", 1e-10);
  EXPECT_LE(largest(run.final.v), 1e-12);
  EXPECT_NEAR(run.final.q[2], 0, 1e-12);
  // A corner that leaves at u falls back at u: it rises by less than 1e-8 L when u² < 2e-8 L a, with u = 2 b w and
  // a = 2 b m g b/J_corner.
  const double w = std::sqrt(1.5 * kGravity / block.R * (std::cos(block.alpha - block.tilt) - std::cos(block.alpha)));
  const double L = block.model().scales().length;
  const double a = 1.5 * kGravity * block.b * block.b / (block.R * block.R), rest = std::sqrt(2e-8 * L * a) / (2 * block.b);
  EXPECT_NEAR(static_cast<double>(count(run, "touch-down")), std::log(rest / w) / std::log(block.ratio), 2);
  EXPECT_LE(run.integrals[0].drift, 1e-8);  // with the energy of the blows counted as work
}

// A wheel of radius 0.2 m on the ground z = f(x), at the top of it.
Model rolling_wheel(const std::string& ground, double top, double speed) {
  return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ wheel: {{ joint: {{axes: [tx, tz, ry]}}, mass: 2, inertia: [0.02, 0.04, 0.02] }} }}
environment: {{ ground: {{ surface: "{}" }} }}
contacts: {{ tread: {{ body: wheel, with: ground, wheel: {{center: [0, 0, 0], axis: y, radius: 0.2}}, forbid: [normal, forward] }} }}
initial: {{ wheel.tz: {}, "wheel.tx'": {}, "wheel.ry'": {} }}
)",
                                     ground, top + 0.2, speed, speed / 0.2));
}

// Rolling down a cylinder of radius 1 m from the top with v0 it takes off where g cos θ = v²/L, L = 1.2 m: with J = m r²/2 at
// cos θ = (v0²/(g L) + 4/3)/(7/3). From there its centre follows a parabola, and its spin stays.
TEST(UnilateralRun, WheelTakesOffFromACylinder) {
  const double v0 = 2, L = 1.2, cosine = (v0 * v0 / (kGravity * L) + 4.0 / 3) / (7.0 / 3), sine = std::sqrt(1 - cosine * cosine);
  const Model model = rolling_wheel("sqrt(1 - x^2)", 1, v0);
  const State off = simulate(model, 2, "lift-off").final;
  EXPECT_NEAR(off.q[0], L * sine, 1e-10);
  EXPECT_NEAR(off.q[1], L * cosine, 1e-10);
  const double speed = std::sqrt(kGravity * L * cosine);
  EXPECT_NEAR(off.v[0], speed * cosine, 1e-10);
  EXPECT_NEAR(off.v[2], speed / 0.2, 1e-9);

  const double flight = 0.05;
  const State flying = simulate(model, off.t + flight).final;
  EXPECT_NEAR(flying.q[0], off.q[0] + off.v[0] * flight, 1e-12);
  EXPECT_NEAR(flying.q[1], off.q[1] + off.v[1] * flight - kGravity / 2 * flight * flight, 1e-12);
  EXPECT_NEAR(flying.v[2], off.v[2], 1e-12);
}

// Off a bump at once, v² > g (1/0.8 + 0.2), along a parabola, and down where that is a radius away from the ground; the blow
// takes what speed it had along the normal, and the slip.
TEST(UnilateralRun, WheelFliesOffABumpAndLands) {
  const double v0 = 6;
  const Model model = rolling_wheel("0.4/(1 + x^2)", 0.4, v0);
  const RunResult run = simulate(model, 2);
  ASSERT_EQ(count(run, "touch-down"), 1u);
  const double t = run.events[0].t, x = v0 * t, z = 0.6 - kGravity / 2 * t * t;
  double distance = HUGE_VAL, at = 0;
  for (double s = x - 0.5; s < x + 0.5; s += 1e-5) {
    const double d = std::hypot(s - x, 0.4 / (1 + s * s) - z);
    if (d < distance) distance = d, at = s;
  }
  EXPECT_NEAR(distance, 0.2, 1e-10);
  // (v_t + r w/2)/(1 + 1/2) along the tangent: the moment of momentum about the point of contact stays.
  const double slope = -0.8 * at / std::pow(1 + at * at, 2), root = std::hypot(1, slope);
  const double along = (v0 - kGravity * t * slope) / root, after = (along + v0 / 2) / 1.5;
  RunResult landed = simulate(model, t + 1e-6);
  EXPECT_NEAR(landed.final.v[0], after / root, 1e-4);
  EXPECT_NEAR(landed.final.v[1], after * slope / root, 1e-4);
  EXPECT_NEAR(landed.final.v[2], after / 0.2, 1e-3);
}

// A block slides and is lifted by F = 20 t: friction brakes it by μ (m g - F) until that is nothing at t1 = m g/20, where the
// block lets go and flies, braked no more:  v(t1) = v0 - μ m g²/40 .
TEST(UnilateralRun, RubbingBlockIsLiftedOff) {
  const double m = 0.5, mu = 0.3, v0 = 2, t1 = m * kGravity / 20;
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ block: {{ joint: {{axes: [tx, tz]}}, mass: {}, inertia: 0.1 }} }}
contacts: {{ foot: {{ body: block, with: world, point: [0, 0, 0], forbid: [normal], sliding_friction: {{coefficient: {}, smoothing: 1e-4}} }} }}
forces: {{ lift: {{ body: block, point: [0, 0, 0], force: [0, 0, "20*t"] }} }}
initial: {{ "block.tx'": {} }}
)",
                                                  m, mu, v0));
  const RunResult run = simulate(model, 0.5);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].name(), "lift-off:foot");
  EXPECT_NEAR(run.events[0].t, t1, 1e-10);
  EXPECT_NEAR(run.final.v[0], v0 - mu * kGravity * t1 / 2, 1e-10);
  EXPECT_NEAR(run.final.v[1], 20 / m * (0.5 - t1) * (0.5 - t1) / 2, 1e-9);
}

// The verdict tells when; a contact that may let go is not at fault.
TEST(UnilateralRun, VerdictOfLiftOff) {
  const Model model = rolling_wheel("sqrt(1 - x^2)", 1, 2);
  const auto verdict = [&](bool unilateral) {
    RunOptions options;
    options.follow = unilateral ? Follow::unilateral : Follow::bilateral;
    options.until = 0.43;
    RunListener nobody;
    const auto run = run_simulation(model, model.initial_state(), options, nobody);
    return *std::find_if(run->verdicts.begin(), run->verdicts.end(),
                         [](const Verdict& v) { return v.subject == "tread.normal"; });
  };
  const double lift_off = simulate(model, 2, "lift-off").final.t;
  EXPECT_EQ(verdict(false).verdict, Holds::violated);
  EXPECT_NEAR(*verdict(false).first_violation, lift_off, 1e-8);
  EXPECT_EQ(verdict(true).verdict, Holds::holds);
  EXPECT_EQ(verdict(true).why, fmt::format("the contact separates, first at t = {:.4g} s", lift_off));
}

// A listener that keeps every checkpoint, with how many samples there were.
struct Recorder : RunListener {
  std::vector<Checkpoint> checkpoints;
  std::vector<std::vector<double>> samples;
  void on_sample(const Sample& sample) override {
    samples.push_back(sample.state.q);
    samples.push_back(sample.state.v);
    samples.push_back(sample.multipliers);
  }
  bool wants_checkpoint() override { return true; }
  void on_checkpoint(const Checkpoint& point) override { checkpoints.push_back(point); }
};

// Resumed anywhere, in flight, between blows, at rest, the numbers are the same to the last bit.
TEST(UnilateralRun, ResumedRunGivesTheSameNumbers) {
  for (const Model& model :
       {RockingBlock().model(), block_on_four_feet("[normal]", "block.tz: 0.3, block.qw: 0.99, block.qx: 0.1")}) {
    RunOptions options;
    options.follow = Follow::unilateral;
    options.until = 0.9;
    options.every = 0.01;
    Recorder whole;
    const auto run = run_simulation(model, model.initial_state(), options, whole);
    ASSERT_TRUE(run);
    ASSERT_FALSE(run->failure) << run->failure->message;
    ASSERT_GE(run->events.size(), 2u);
    ASSERT_GE(whole.checkpoints.size(), 6u);
    for (size_t i = 0; i < whole.checkpoints.size(); i += std::max<size_t>(1, whole.checkpoints.size() / 10)) {
      Recorder part;
      const auto resumed = run_simulation(model, model.initial_state(), options, part, &whole.checkpoints[i]);
      ASSERT_TRUE(resumed);
      EXPECT_EQ(resumed->final.q, run->final.q) << i;
      EXPECT_EQ(resumed->final.v, run->final.v) << i;
      ASSERT_EQ(resumed->events.size(), run->events.size()) << i;
      for (size_t k = 0; k < run->events.size(); ++k) EXPECT_EQ(resumed->events[k].t, run->events[k].t) << i;
      ASSERT_LE(part.samples.size(), whole.samples.size());
      EXPECT_TRUE(std::equal(part.samples.rbegin(), part.samples.rend(), whole.samples.rbegin())) << i;
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
