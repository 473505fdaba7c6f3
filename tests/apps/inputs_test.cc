// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

// θ'' = (torque - damping θ')/J, J = 0.5 kg m²
constexpr const char* kDrivenDisc = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { disc: { joint: {type: revolute, axis: z}, mass: 1, inertia: 0.5 } }
inputs: { torque: { unit: N*m, initial: 1, range: [-20, 20] } }
samples: { loop: { every: 1 ms, offset: 10, hold: { brake: 0 }, initial: { brake: 0.2 } } }
forces: { motor: { joint: disc, law: "torque - brake*disc'" } }
)yaml";

class InputsOfProgram : public InScratchFolder {};

TEST_F(InputsOfProgram, AreListedSetAndLinearised) {
  write("disc.yaml", kDrivenDisc);
  const auto checked = run("check disc.yaml --json").json();
  EXPECT_EQ(checked["inputs"], nlohmann::json({"torque"}));
  EXPECT_EQ(checked["elements"]["samples"], nlohmann::json({"loop"}));
  const auto linear = run("linearise disc.yaml --json").json();
  EXPECT_EQ(linear["states"], nlohmann::json({"disc", "disc'"}));
  EXPECT_EQ(linear["input_names"], nlohmann::json({"torque"}));
  EXPECT_EQ(linear["B_inputs"], nlohmann::json({{0.0}, {2.0}}));
  EXPECT_NEAR(linear["A"][1][1].get<double>(), -0.2 / 0.5, 1e-15);

  // ω = torque/brake (1 - e^(-brake t/J))
  const auto run_of = run("simulate disc.yaml --until 2 --set torque=3 --json").json();
  EXPECT_NEAR(run_of["final"]["v"]["disc'"].get<double>(), 3 / 0.2 * (1 - std::exp(-0.2 * 2 / 0.5)), 1e-9);
  EXPECT_EQ(run_of["final"]["q"]["torque"], 3);
  EXPECT_EQ(run_of["final"]["q"]["brake"], 0.2);
}

TEST_F(InputsOfProgram, AreRefusedOutsideTheirRange) {
  write("disc.yaml", kDrivenDisc);
  write("state.json", R"({"q": {"torque": -20.5}})");
  const auto set = run("simulate disc.yaml --until 1 --set torque=21"), state = run("evaluate disc.yaml --state state.json");
  EXPECT_EQ(set.exit_code, 3);
  EXPECT_NE(set.errors.find("it cannot be 21 N*m: its range is -20 to 20 N*m [VN-INPUT-001]"), std::string::npos) << set.errors;
  EXPECT_EQ(state.exit_code, 2);
  EXPECT_NE(state.errors.find("it cannot be -20.5 N*m: its range is -20 to 20 N*m [VN-INPUT-001]"), std::string::npos)
      << state.errors;
}

}  // namespace
}  // namespace vinculum::testing
