// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// balance, linearise and equilibrium as other programs call them.
#include <cmath>

#include <fmt/core.h>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class AnalysisCommands : public InScratchFolder {};

constexpr const char* kArm = R"yaml(
vinculum: 1
name: arm
gravity: [0, -9.81, 0]
bodies:
  a: { joint: {type: revolute, axis: z}, mass: 4, com: [0.25, 0, 0], inertia: 0.09 }
  b: { parent: a, joint: {type: revolute, axis: z, origin: [0.5, 0, 0]}, mass: 2.5, com: [0.2, 0, 0], inertia: 0.04 }
forces: { damper: { joint: b, law: "-0.1*b'" } }
)yaml";

TEST_F(AnalysisCommands, BalanceGivesConditionsAndNoDesignWithoutSites) {
  write("arm.yaml", kArm);
  const auto run = this->run("balance arm.yaml --property static --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["rank"], 4);
  EXPECT_EQ(json["conditions"][2]["text"], "a.sx + 0.5*b.m = 0");
  EXPECT_NEAR(json["conditions"][2]["terms"]["b.m"], 0.5, 1e-12);
  EXPECT_NEAR(json["conditions"][2]["value"], 4 * 0.25 + 0.5 * 2.5, 1e-12);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["not_considered"], (nlohmann::json{"force 'damper'"}));
  EXPECT_TRUE(json["design"].is_null());
}

// μ_b = 2.5·0.2/0.1 = 5 ; μ_a = (4·0.25 + (2.5 + 5)·0.5)/0.2 = 23.75, and the model written has the property.
// Inputs and states stand behind the coordinates of the bodies, and have no part in the conditions. (They were written beyond the
// state of the carried model.)
TEST_F(AnalysisCommands, BalanceLeavesInputsAndStatesOut) {
  const std::string bodies = R"(vinculum: 1
bodies:
  upper: { joint: { type: revolute, axis: y }, mass: 2, com: [0, 0, -0.4], inertia: [0.05, 0.05, 0.01] }
  lower: { parent: upper, joint: { type: revolute, axis: y, origin: [0, 0, -1] }, mass: 1, com: [0, 0, -0.3], inertia: [0.02, 0.02, 0.01] }
)";
  write("arm.yaml", bodies);
  write("driven.yaml", bodies + "inputs: { torque: 1 N*m, wind: 2 m/s }\nstates: { sum: upper }\n" +
                           "forces: { drive: { joint: upper, law: torque } }\n");
  for (const char* property : {"force", "constant-mass-matrix", "reactionless"}) {
    const auto plain = run(fmt::format("balance arm.yaml --property {} --json", property)),
               driven = run(fmt::format("balance driven.yaml --property {} --json", property));
    ASSERT_EQ(driven.exit_code, 0) << driven.errors;
    ASSERT_FALSE(plain.json()["conditions"].empty());
    EXPECT_EQ(driven.json()["conditions"], plain.json()["conditions"]) << property;
  }
}

TEST_F(AnalysisCommands, BalanceWritesABalancedModel) {
  write("arm.yaml", kArm);
  const auto run = this->run(
      "balance --property force --counterweight a=-0.2,0,0 --counterweight b=-0.1,0,0:6 arm.yaml --write out.yaml --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto design = run.json()["design"];
  EXPECT_EQ(design["feasible"], true);
  EXPECT_EQ(design["counterweights"][1]["body"], "b");
  EXPECT_NEAR(design["counterweights"][1]["mass"], 5, 1e-12);
  EXPECT_NEAR(design["counterweights"][0]["mass"], 23.75, 1e-11);
  EXPECT_GT(design["check"]["shaking_force"]["before"], 10);
  EXPECT_LT(design["check"]["shaking_force"]["after"], 1e-11);
  const auto again = this->run("balance out.yaml --property force --json");
  ASSERT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(again.json()["verdict"], "holds");
  EXPECT_NEAR(this->run("evaluate out.yaml --json").json()["mass_matrix"][1][1], 0.04 + 2.5 * 0.04 + 5 * 0.01, 1e-13);

  const auto bounded =
      this->run("balance arm.yaml --property force --counterweight a=-0.2,0,0 --counterweight b=-0.1,0,0:4 --json");
  EXPECT_EQ(bounded.exit_code, 0);
  EXPECT_EQ(bounded.json()["design"]["feasible"], false);
  EXPECT_EQ(bounded.json()["design"]["why"], "impossible because b.sx = 0: it is 0.5 now, and at the bounds given still 0.1");
}

TEST_F(AnalysisCommands, BalanceRefusesWrongSites) {
  write("arm.yaml", kArm);
  for (const char* wrong : {"--counterweight c=0,0,0", "--counterweight a=0,0", "--counterweight a=0,0,x",
                            "--counterweight a=0,0,1:-1", "--disc c", "--spring damper", "--drive c", "--write out.yaml"}) {
    const auto run = this->run(std::string("balance arm.yaml --property force ") + wrong);
    EXPECT_EQ(run.exit_code, 2) << wrong << run.output;
    EXPECT_NE(run.errors.find("VN-USAGE-001"), std::string::npos) << wrong;
  }
  EXPECT_EQ(this->run("balance arm.yaml").exit_code, 2);
  EXPECT_EQ(this->run("balance arm.yaml --property light").exit_code, 2);
}

constexpr const char* kPendulum = R"yaml(
vinculum: 1
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.5], inertia: [0, 0, 0] }
forces: { damper: { joint: arm, law: "-0.3*arm'" } }
initial: { arm: 0.4 }
)yaml";

TEST_F(AnalysisCommands, EquilibriumIsFoundWrittenAndLinearised) {
  write("arm.yaml", kPendulum);
  const auto rest = this->run("equilibrium arm.yaml --write-state rest.json --json");
  ASSERT_EQ(rest.exit_code, 0) << rest.errors;
  EXPECT_NEAR(rest.json()["state"]["q"]["arm"], 0, 1e-12);
  EXPECT_EQ(rest.json()["stability"]["verdict"], "asymptotically stable");
  const auto run = this->run("linearise arm.yaml --state rest.json --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  EXPECT_EQ(json["states"], (nlohmann::json{"arm", "arm'"}));
  EXPECT_NEAR(json["A"][1][0], -9.81 / 0.5, 1e-12);
  EXPECT_NEAR(json["A"][1][1], -0.3 / 0.5, 1e-13);
  EXPECT_NEAR(json["B"][1][0], 2, 1e-13);
  EXPECT_NEAR(json["modes"][0]["natural_frequency"], std::sqrt(9.81 / 0.5), 1e-12);
  EXPECT_NEAR(json["modes"][0]["damping_ratio"], 0.6 / (2 * std::sqrt(9.81 / 0.5)), 1e-12);
}

// A relative equilibrium: judged, with its spectrum, written for --state; wrong names and numbers are wrong usage.
TEST_F(AnalysisCommands, SteadyMotionIsFoundJudgedAndWritten) {
  write("puck.yaml", R"yaml(
vinculum: 1
parameters: { w: 2 }
bodies: { puck: { joint: {axes: [tx, ty, tz, rz]}, mass: 1.5, inertia: 0.01 } }
environment: { table: { rotation: {axis: z, angle: "w*t"} } }
contacts: { c: { body: puck, with: table, point: [0, 0, 0], forbid: [normal, lateral, forward], friction: 0.2 } }
initial: { puck.tx: 0.3 }
)yaml");
  for (const double w : {2.0, 3.0}) {
    const auto rides = this->run(fmt::format("equilibrium puck.yaml --set w={0} --steady puck.rz={0} --json", w));
    ASSERT_EQ(rides.exit_code, 0) << rides.errors;
    const auto json = rides.json();
    EXPECT_NEAR(json["state"]["v"]["puck.ty'"], 0.3 * w, 1e-9);
    EXPECT_NEAR(json["turn_rate"], w, 1e-9);
    EXPECT_EQ(json["steady"]["puck.rz'"], w);
    EXPECT_TRUE(json.contains("eigenvalues") && json.contains("stability"));
    for (const auto& verdict : json["verdicts"]) {
      if (verdict["subject"] != "c.friction") continue;
      // It needs w² d/g.
      EXPECT_EQ(verdict["verdict"], w * w * 0.3 / 9.81 > 0.2 ? "violated" : "holds");
      if (w == 2) EXPECT_NEAR(verdict["margin"], 0.2 / (w * w * 0.3 / 9.81), 1e-6);
    }
  }
  EXPECT_EQ(this->run("equilibrium puck.yaml --steady puck.rz=2 --write-state rides.json").exit_code, 0);
  const auto linear = this->run("linearise puck.yaml --state rides.json --json");
  EXPECT_EQ(linear.exit_code, 0) << linear.errors;
  write("arm.yaml", kPendulum);
  EXPECT_EQ(this->run("equilibrium arm.yaml --steady arm=1").exit_code, 1);
  for (const char* wrong : {"arn=1", "arm", "arm=", "arm=x", "arm=1 --steady arm=2", "=1", "arm=nan"})
    EXPECT_EQ(this->run(fmt::format("equilibrium arm.yaml --steady {}", wrong)).exit_code, 2) << wrong;
}

TEST_F(AnalysisCommands, LineariseAlongAMotion) {
  write("arm.yaml", kPendulum);
  ASSERT_EQ(run("simulate arm.yaml --until 1 --every 0.1 --output out --no-report").exit_code, 0);
  const auto run = this->run("linearise arm.yaml --motion out/states.csv --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  ASSERT_EQ(json["t"].size(), 11u);
  EXPECT_NEAR(json["A"][0][1][0], -9.81 / 0.5 * std::cos(0.4), 1e-12);
}

// A thin disc that rolls upright: it falls below v² = g r/3.
constexpr const char* kDisc = R"yaml(
vinculum: 1
parameters: { speed: 1, radius: 0.5 }
bodies:
  disc: { joint: {axes: [tx, ty, tz, rz, rx, ry]}, mass: 2, inertia: [radius^2/2, radius^2, radius^2/2] }
contacts: { rim: { body: disc, with: world, wheel: {axis: y, radius: radius}, forbid: [normal, lateral, forward] } }
initial: { disc.tz: radius, "disc.tx'": speed, "disc.ry'": speed/radius }
)yaml";

TEST_F(AnalysisCommands, LineariseASteadyMotion) {
  write("disc.yaml", kDisc);
  const auto json = run("linearise disc.yaml --json").json();
  EXPECT_EQ(json["ignorable"], (nlohmann::json{"disc.tx", "disc.ty", "disc.rz", "disc.ry"}));
  EXPECT_EQ(json["stability"]["verdict"], "unstable");
  EXPECT_EQ(json["error"], 0);
  EXPECT_EQ(run("linearise disc.yaml --set speed=2 --json").json()["stability"]["verdict"], "marginal");
  // Leaning, it does not go straight on.
  const auto leaning = run("linearise disc.yaml --set disc.rx=0.1 --set 'disc.tz=0.5*cos(0.1)'");
  EXPECT_EQ(leaning.exit_code, 1);
  EXPECT_NE(leaning.errors.find("disc.rx' changes by"), std::string::npos) << leaning.errors;
  EXPECT_NE(leaning.errors.find("VN-LINEAR-004"), std::string::npos);
}

TEST_F(AnalysisCommands, LineariseOverAParameter) {
  write("disc.yaml", kDisc);
  const auto run = this->run("linearise disc.yaml --over speed=0.5:2:16 --svg locus.svg --table locus.csv --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  ASSERT_EQ(json["points"].size(), 16u);
  ASSERT_EQ(json["changes"].size(), 1u);
  EXPECT_NEAR(json["changes"][0]["value"], std::sqrt(9.81 * 0.5 / 3), 1e-12);
  EXPECT_EQ(json["changes"][0]["grows"], false);
  const std::string table = read_file(folder_ / "locus.csv"), svg = read_file(folder_ / "locus.svg");
  EXPECT_EQ(table.substr(0, table.find('\n')), "speed,growth [1/s],re1 [1/s],im1 [rad/s],re2 [1/s],im2 [rad/s]");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 17);
  EXPECT_NE(svg.find("<polyline"), std::string::npos);
  EXPECT_NE(svg.find(">1.27867</text>"), std::string::npos);  // √(g r/3)
  EXPECT_EQ(svg.find("nan"), std::string::npos);

  EXPECT_EQ(this->run("linearise disc.yaml --over speed=0.5:2:16 --svg locus.svg").exit_code, 2);  // it is there
  EXPECT_EQ(this->run("linearise disc.yaml --over speed=0.5:2:16 --svg locus.svg --force").exit_code, 0);
  for (const char* wrong :
       {"speed", "speed=1", "speed=1:2", "speed=2:1:5", "speed=1:2:1", "speed=1:x:5", "=1:2:3", "speed=1:2:3:4"})
    EXPECT_EQ(this->run(std::string("linearise disc.yaml --over ") + wrong).exit_code, 2) << wrong;
  EXPECT_EQ(this->run("linearise disc.yaml --over nothing=1:2:3").exit_code, 3);
  const auto refused = this->run("linearise disc.yaml --over disc.rx=0:0.2:3");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.errors.find("at disc.rx = 0.1: "), std::string::npos) << refused.errors;
}

// Every example with rows is linearised and searched for rest, or refused with a code and a reason.
TEST_F(AnalysisCommands, ExamplesWithContactsAreAnsweredOrRefused) {
  int answered = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(VINCULUM_SOURCE_DIR) / "examples")) {
    const auto model = entry.path() / "model.yaml";
    if (!std::filesystem::exists(model) || read_file(model).find("\ncontacts:") == std::string::npos) continue;
    for (const std::string command : {"linearise", "equilibrium"}) {
      const auto run = this->run(command + " '" + model.string() + "' --json");
      ASSERT_TRUE(run.exit_code == 0 || run.exit_code == 1) << command << model << run.errors;
      const auto json = run.json();
      if (run.exit_code == 0) {
        ++answered;
        EXPECT_TRUE(json["stability"]["growth"].is_number()) << command << model;
        continue;
      }
      ++refused;
      EXPECT_EQ(json["diagnostics"][0]["code"].get<std::string>().substr(0, 3), "VN-") << command << model;
      EXPECT_GT(json["diagnostics"][0]["message"].get<std::string>().size(), 20u) << command << model;
    }
  }
  EXPECT_GE(answered, 4);
  EXPECT_GE(refused, 4);
}

}  // namespace
}  // namespace vinculum::testing
