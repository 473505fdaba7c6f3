// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A run that ends at the instant of an impact, and another one that begins with its final state: the impact takes place once,
// wherever the cut is.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::start_at_impact {
namespace {

constexpr double g = 9.81;

struct Case {
  std::string model;
  EventKind touches = EventKind::touch_down;
  Follow follow = Follow::unilateral;
  double t_impact = 0, until = 0, lost = 0;
  std::vector<double> q;  // at `until`
};

RunResult run_from(const Model& model, const State& start, double until, Follow follow, const char* integrator) {
  RunOptions options;
  options.until = until;
  options.follow = follow;
  options.integrator = integrator;
  RunListener nobody;
  auto result = run_simulation(model, start, options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  if (result->failure) throw std::runtime_error(result->failure->message);
  return *result;
}

void expect_one_impact(const Case& of) {
  const Model model = read_model_text(of.model);
  for (const char* integrator : {"dop853", "cvode"}) {
    for (const double beside : {-1e-7, -1e-10, -1e-12, 0.0, 1e-12, 1e-10, 5e-10, 1e-8, 1e-6}) {
      SCOPED_TRACE(::testing::Message() << integrator << ", cut at " << beside << " s beside the impact");
      const RunResult first = run_from(model, model.initial_state(), of.t_impact + beside, of.follow, integrator);
      const RunResult second = run_from(model, first.final, of.until, of.follow, integrator);
      std::vector<Occurrence> blows;
      for (const RunResult* part : {&first, &second}) {
        std::ranges::copy_if(part->events, std::back_inserter(blows),
                             [&](const Occurrence& event) { return event.kind == of.touches; });
      }
      ASSERT_EQ(blows.size(), 1u) << blows.back().t;
      EXPECT_NEAR(blows[0].t, of.t_impact, 2e-9);
      ASSERT_TRUE(blows[0].energy_lost);
      EXPECT_NEAR(*blows[0].energy_lost, of.lost, 1e-6);
      for (size_t i = 0; i < of.q.size(); ++i) EXPECT_NEAR(second.final.q[i], of.q[i], 2e-8);
      for (const char* subject : {"energy", "impacts"}) {
        const auto verdict = std::ranges::find(second.verdicts, subject, &Verdict::subject);
        if (verdict != second.verdicts.end()) EXPECT_EQ(verdict->verdict, Holds::holds) << subject << ": " << verdict->why;
      }
    }
  }
}

// z = 1 - g t²/2 to the ground at √(2/g), then up with half the speed.
TEST(StartAtImpact, BallBounces) {
  const double t = std::sqrt(2 / g), rest = 0.3, up = 0.5 * g * t;
  expect_one_impact({R"yaml(
vinculum: 1
bodies: { ball: { joint: {type: prismatic, axis: z}, mass: 2, inertia: [0, 0, 0] } }
environment: { ground: { surface: plane } }
contacts: { c: { body: ball, with: ground, point: [0, 0, 0], forbid: [normal], restitution: 0.5 } }
initial: { ball: 1 }
)yaml",
                     EventKind::touch_down,
                     Follow::unilateral,
                     t,
                     t + rest,
                     2 * 0.5 * (1 - 0.25) * (g * t) * (g * t),
                     {up * rest - g / 2 * rest * rest}});
}

// A load beside its string falls by 0.8 m; then the string of 1 m points to (0.6, -0.8) and takes 1.3 of the speed along it.
TEST(StartAtImpact, StringSnapsTaut) {
  const double t = std::sqrt(1.6 / g), rest = 0.05, along = 0.8 * g * t;
  const double vx = -1.3 * along * 0.6, vz = -g * t + 1.3 * along * 0.8;
  expect_one_impact({R"yaml(
vinculum: 1
bodies: { load: { joint: { axes: [tx, tz] }, mass: 1, inertia: [0, 0, 0] } }
strings: { s: { from: world, to: load, length: 1, restitution: 0.3 } }
initial: { load.tx: 0.6 }
)yaml",
                     EventKind::taut,
                     Follow::bilateral,
                     t,
                     t + rest,
                     0.5 * (1 - 0.09) * along * along,
                     {0.6 + vx * rest, -0.8 + vz * rest - g / 2 * rest * rest}});
}

// Thrown over a rough floor: friction takes 0.2·1.5 of the normal speed from the speed along it, and does not stop it.
TEST(StartAtImpact, StoneSkipsOnARoughFloor) {
  const double t = std::sqrt(0.4 / g), rest = 0.1, down = g * t, up = 0.5 * down, along = 3 - 0.2 * 1.5 * down;
  expect_one_impact({R"yaml(
vinculum: 1
bodies: { stone: { joint: { axes: [tx, tz] }, mass: 1, inertia: [0, 0, 0] } }
environment: { ground: { surface: plane } }
contacts: { c: { body: stone, with: ground, point: [0, 0, 0], forbid: [normal, forward], friction: 0.2, restitution: 0.5 } }
initial: { stone.tz: 0.2, "stone.tx'": 3 }
)yaml",
                     EventKind::touch_down,
                     Follow::frictional,
                     t,
                     t + rest,
                     0.5 * (9 - along * along + down * down - up * up),
                     {3 * t + along * rest, up * rest - g / 2 * rest * rest}});
}

// A velocity into what it rests on is no impact that a state of its own accord has before it: it is refused as it was.
TEST(StartAtImpact, WithoutModesItIsRefused) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { ball: { joint: {type: prismatic, axis: z}, mass: 2, inertia: [0, 0, 0] } }
environment: { ground: { surface: plane } }
contacts: { c: { body: ball, with: ground, point: [0, 0, 0], forbid: [normal] } }
initial: { "ball'": -1 }
)yaml");
  RunOptions options;
  options.until = 1;
  options.follow = Follow::unilateral;
  RunListener nobody;
  const auto result = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().code, "VN-RUN-004");
}

}  // namespace
}  // namespace vinculum::start_at_impact
