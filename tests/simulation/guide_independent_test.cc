// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Sliders that have nothing to do with each other: each is decided by itself, however many there are (cases sevn, eight).
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing::independent_guides {
namespace {

constexpr double kBrakes = 0.2 * 9.81;

RunResult run_for(const Model& model, double until) {
  RunOptions options;
  options.until = until;
  options.every = until;
  options.tolerance = 1e-12;
  return finish_run(model, options);
}

// Cars on two shoes each, brake with friction 0.2.
std::string cars(const std::vector<double>& speeds, const std::string& more = "") {
  std::string bodies, guides, initial;
  for (size_t i = 0; i < speeds.size(); ++i) {
    bodies += fmt::format("  b{}: {{ joint: planar, mass: 1, inertia: 0.01 }}\n", i);
    guides += fmt::format(
        "  g{0}: {{ body: b{0}, pairs: [ {{face1: {{point: [-0.1,0.02,0], normal: [0,-1,0], friction: 0.2}}, face2: {{point: "
        "[-0.1,-0.02,0], normal: [0,1,0], friction: 0.2}}}}, {{face1: {{point: [0.1,0.02,0], normal: [0,-1,0], friction: 0.2}}, "
        "face2: {{point: [0.1,-0.02,0], normal: [0,1,0], friction: 0.2}}}} ] }}\n",
        i);
    initial += fmt::format("{}\"b{}.tx'\": {:.17g}", i == 0 ? "" : ", ", i, speeds[i]);
  }
  return "vinculum: 1\ngravity: [0, -9.81, 0]\nbodies:\n" + bodies + "guides:\n" + guides + more + "initial: { " + initial +
         " }\n";
}

void expect_stopped(const Model& model, const RunResult& result, const std::vector<double>& speeds,
                    const std::vector<size_t>& which) {
  for (const size_t i : which) {
    const double x = result.final.q[*model.find_coordinate(fmt::format("b{}.tx", i))];
    EXPECT_NEAR(x, speeds[i] * std::abs(speeds[i]) / (2 * kBrakes), 1e-10) << i;
    EXPECT_NEAR(result.final.v[*model.find_velocity(fmt::format("b{}.tx'", i))], 0, 1e-12) << i;
    if (speeds[i] == 0) continue;
    double stopped = -1;
    for (const Occurrence& event : result.events) {
      if (event.name() == fmt::format("stick:g{}.1", i) || event.name() == "rest") stopped = std::max(stopped, 0.0);
      if (event.name() == fmt::format("stick:g{}.1", i)) EXPECT_NEAR(event.t, std::abs(speeds[i]) / kBrakes, 1e-9) << i;
    }
    EXPECT_GE(stopped, 0) << i;
  }
}

TEST(IndependentGuides, CasesOfSevenAndEight) {
  for (const std::string name : {"sevn", "eight"}) {
    const Model model = read_case("guides/" + name + ".yaml");
    std::vector<double> speeds{0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4};
    if (name == "eight") speeds.push_back(1.7);
    std::vector<size_t> all;
    for (size_t i = 0; i < speeds.size(); ++i) all.push_back(i);
    expect_stopped(model, run_for(model, 1), speeds, all);
  }
}

// Twenty, of which some stand, some slide backwards, and five stop at one instant.
TEST(IndependentGuides, TwentyOfThem) {
  std::vector<double> speeds;
  for (int i = 0; i < 20; ++i) speeds.push_back(i % 5 == 0 ? 0 : i % 4 == 1 ? 0.5 : (i % 2 == 0 ? -0.05 : 0.07) * i);
  const Model model = read_model_text(cars(speeds));
  std::vector<size_t> all;
  for (size_t i = 0; i < speeds.size(); ++i) all.push_back(i);
  expect_stopped(model, run_for(model, 1.2), speeds, all);
}

// All stop at once, one more that is as fast as they are too.
TEST(IndependentGuides, AllAtOneInstant) {
  const std::vector<double> speeds(9, 0.6);
  const Model model = read_model_text(cars(speeds));
  const RunResult result = run_for(model, 1);
  for (size_t i = 0; i < speeds.size(); ++i)
    EXPECT_NEAR(result.final.q[*model.find_coordinate(fmt::format("b{}.tx", i))], 0.36 / (2 * kBrakes), 1e-10);
  ASSERT_FALSE(result.events.empty());
  EXPECT_NEAR(result.events.front().t, 0.6 / kBrakes, 1e-9);
}

// Two of them are coupled by a row, b0.tx' = 2 b1.tx', and pulled: (1 + 1/4) v' = -(1 + 1/2) mu g of b0; the others do not
// notice.
TEST(IndependentGuides, TwoCoupledBesideOthers) {
  const std::vector<double> speeds{0.8, 0.4, 0.3, 0, 0.9, -0.9, 0.9};
  const Model model =
      read_model_text(cars(speeds, "velocity_constraints: { gear: { equation: \"b0.tx' - 2*b1.tx' = 0\", permanent: true } }\n"));
  const RunResult result = run_for(model, 1);
  expect_stopped(model, result, speeds, {2, 3, 4, 5, 6});
  const double brakes = kBrakes * 1.5 / 1.25;
  EXPECT_NEAR(result.final.q[*model.find_coordinate("b0.tx")], 0.64 / (2 * brakes), 1e-9);
  EXPECT_NEAR(result.final.q[*model.find_coordinate("b1.tx")], 0.32 / (2 * brakes), 1e-9);
}

}  // namespace
}  // namespace vinculum::testing::independent_guides
