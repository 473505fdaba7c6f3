// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// balance, linearise and equilibrium as other programs call them.
#include <cmath>

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

TEST_F(AnalysisCommands, LineariseAlongAMotion) {
  write("arm.yaml", kPendulum);
  ASSERT_EQ(run("simulate arm.yaml --until 1 --every 0.1 --output out --no-report").exit_code, 0);
  const auto run = this->run("linearise arm.yaml --motion out/states.csv --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  ASSERT_EQ(json["t"].size(), 11u);
  EXPECT_NEAR(json["A"][0][1][0], -9.81 / 0.5 * std::cos(0.4), 1e-12);
}

}  // namespace
}  // namespace vinculum::testing
