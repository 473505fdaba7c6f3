// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A table on four legs is pushed until it tips: supports of which no single reaction is determined lift off at the moment, and
// only then, at which all distributions of the reactions would have to pull.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

constexpr double kTableMass = 20, kTableInertia = 3, kTableHeight = 0.4, kTableReach = 0.5, kTableGravity = 9.81;

Model tipping_table(double push) {
  return read_model_text(fmt::format(R"model(
vinculum: 1
bodies: {{ table: {{ joint: {{type: free}}, mass: 20, com: [0, 0, 0.4], inertia: [2, 3, 4] }} }}
contacts:
  a: {{ body: table, with: world, point: [0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: 2 }}
  b: {{ body: table, with: world, point: [-0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: 2 }}
  c: {{ body: table, with: world, point: [-0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: 2 }}
  d: {{ body: table, with: world, point: [0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: 2 }}
forces: {{ push: {{ body: table, point: [0, 0, 0.4], force: ["{}*t", 0, 0] }} }}
)model",
                                     push));
}

RunResult run_table(const Model& model, double until, Follow follow) {
  RunOptions options;
  options.follow = follow;
  options.until = until;
  options.tolerance = 1e-11;
  return testing::finish_run(model, options);
}

// Turning about the edge through a and d, by φ from the floor:
//
//   (J + m (r² + h²)) φ'' = F z - m g x ,   x = r cos φ - h sin φ ,  z = h cos φ + r sin φ
std::array<double, 2> turn_about_edge(double push, double from, double until) {
  const double inertia = kTableInertia + kTableMass * (kTableReach * kTableReach + kTableHeight * kTableHeight);
  const auto rate = [&](double t, const std::array<double, 2>& at) {
    const double c = std::cos(at[0]), s = std::sin(at[0]);
    return std::array{at[1], (push * t * (kTableHeight * c + kTableReach * s) -
                              kTableMass * kTableGravity * (kTableReach * c - kTableHeight * s)) /
                                 inertia};
  };
  const auto ahead = [](const std::array<double, 2>& at, double h, const std::array<double, 2>& r) {
    return std::array{at[0] + h * r[0], at[1] + h * r[1]};
  };
  std::array<double, 2> at{0, 0};
  constexpr int kSteps = 2000;
  const double h = (until - from) / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const double t = from + i * h;
    const auto k1 = rate(t, at), k2 = rate(t + h / 2, ahead(at, h / 2, k1)), k3 = rate(t + h / 2, ahead(at, h / 2, k2)),
               k4 = rate(t + h, ahead(at, h, k3));
    for (int j = 0; j < 2; ++j) at[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return at;
}

// Runs of different length take steps of different length: none of them is late.
TEST(Tipping, RedundantLegsLiftOffTogetherAndInTime) {
  const double push = 100, tips = kTableMass * kTableGravity * kTableReach / (push * kTableHeight);
  const Model model = tipping_table(push);
  for (const Follow follow : {Follow::unilateral, Follow::frictional}) {
    for (const double until : {tips + 0.01, 2.6, 3.0}) {
      SCOPED_TRACE(fmt::format("{} to {}", follow == Follow::frictional ? "frictional" : "unilateral", until));
      const RunResult run = run_table(model, until, follow);
      std::vector<std::string> names;
      for (const Occurrence& event : run.events) {
        names.push_back(event.name());
        EXPECT_NEAR(event.t, tips, 1e-10);
      }
      std::sort(names.begin(), names.end());
      EXPECT_EQ(names, (std::vector<std::string>{"lift-off:b", "lift-off:c"}));
      const auto [angle, rate] = turn_about_edge(push, tips, until);
      EXPECT_NEAR(run.final.v[*model.find_velocity("table.wy")], rate, 1e-9 * (1 + rate));
      EXPECT_NEAR(run.final.q[*model.find_coordinate("table.tz")], kTableReach * std::sin(angle), 1e-9);
      // Nothing slips: friction 2 is more than any distribution needs, before and after.
      for (const Verdict& verdict : run.verdicts) EXPECT_NE(verdict.verdict, Holds::violated) << verdict.subject << verdict.why;
    }
  }
}

}  // namespace
}  // namespace vinculum::testing
