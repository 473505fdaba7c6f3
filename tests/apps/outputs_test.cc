// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

constexpr const char* kCartWithOutputs = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }
states: { memory: "cart - memory" }
forces:
  spring: { joint: cart, law: "-cart - 0.1*memory" }
outputs:
  nose: { point: [0.5, 0, 0], of: cart }
  comfort: { value: "abs(nose.ax)", require: "< 0.5 m/s^2" }
initial: { cart: 1 }
)yaml";

class OutputsOfProgram : public InScratchFolder {};

TEST_F(OutputsOfProgram, AreWrittenToldAndDrawn) {
  write("cart.yaml", kCartWithOutputs);
  const auto done = run("simulate cart.yaml --until 3 --output out --write accelerations,forces --json");
  ASSERT_EQ(done.exit_code, 0) << done.errors;
  const auto json = done.json();
  const std::string table = read_file(folder_ / "out" / "outputs.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "t [s],nose.x [m],nose.y [m],nose.z [m],nose.vx [m/s],nose.vy [m/s],nose.vz [m/s],nose.ax [m/s^2],nose.ay [m/s^2],"
            "nose.az [m/s^2],comfort [m/s^2],cart'' [m/s^2],spring.force [N]");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1002);
  const auto number = [&](const char* output, const char* which) { return json["outputs"][output][which].get<double>(); };
  for (const char* which : {"final", "min", "max", "t_min", "t_max", "mean", "rms"}) {
    EXPECT_NEAR(number("cart''", which), number("nose.ax", which), 1e-14) << which;
    // The mass is 1, so that the force is the acceleration. Extrema of the one and of the other are located apart: to the square
    // root of what their values are known to.
    const bool is_time = std::string_view(which).starts_with("t_");
    EXPECT_NEAR(number("spring.force", which), number("nose.ax", which), is_time ? 1e-4 : 1e-9) << which;
  }
  EXPECT_NEAR(number("nose.x", "final"), json["final"]["q"]["cart"].get<double>() + 0.5, 1e-14);
  EXPECT_TRUE(json["final"]["q"].contains("memory"));
  const auto is_judged = [](const auto& verdict) { return verdict["subject"] == "comfort" && verdict["verdict"] == "violated"; };
  EXPECT_TRUE(std::any_of(json["verdicts"].begin(), json["verdicts"].end(), is_judged));
  const std::string states = read_file(folder_ / "out" / "states.csv");
  EXPECT_EQ(states.substr(0, states.find('\n')), "t [s],cart [m],memory,cart' [m/s],kinetic energy [J],potential energy [J]");
  const std::string page = read_file(folder_ / "out" / "report.html");
  if (!page.empty()) EXPECT_NE(page.find("\"group\":\"outputs\",\"name\":\"comfort\""), std::string::npos);

  const auto evaluated = run("evaluate cart.yaml --json").json();
  EXPECT_EQ(evaluated["outputs"]["nose.ax"], -1);
  EXPECT_EQ(evaluated["outputs"]["comfort"], 1);
  EXPECT_EQ(run("simulate cart.yaml --until 1 --write velocities").exit_code, 2);
}

// A run that is cut and resumed leaves the bytes of one that is not.
TEST_F(OutputsOfProgram, AreResumedToTheBit) {
  write("cart.yaml", kCartWithOutputs);
  ASSERT_EQ(run("simulate cart.yaml --until 2000 --every 0.5 --output whole --no-report").exit_code, 0);
  const auto cut = run(
      "simulate cart.yaml --until 2000 --every 0.5 --output cut --no-report --checkpoint 0 & pid=$!; sleep 0.1; kill -INT $pid; "
      "wait $pid");
  if (cut.output.find("interrupted") == std::string::npos) GTEST_SKIP() << "it had ended before";
  const auto resumed = run("simulate cart.yaml --output cut --resume --no-report");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
  for (const char* name : {"outputs.csv", "states.csv"})
    EXPECT_EQ(read_file(folder_ / "cut" / name), read_file(folder_ / "whole" / name)) << name;
}

}  // namespace
}  // namespace vinculum::testing
