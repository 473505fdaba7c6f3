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

// A table: 1 N*m, then 3 from 0.5 s on, then -1 from 1.25 s; without a brake ω = (0.5 + 2.25 - 0.75)/J. A file with semicolons is
// refused with a hint.
TEST_F(InputsOfProgram, FollowATable) {
  write("disc.yaml", kDrivenDisc);
  write("torques.csv", "t [s],torque [N*m]\n0.5,3\n1.25,-1\n");
  write("excel.csv", "\xEF\xBB\xBFt;torque\r\n0,5;3\r\n1,25;-1\r\n");
  const std::string command = "simulate disc.yaml --until 2 --set brake=0 --json --inputs ";
  const auto table = run(command + "torques.csv").json();
  EXPECT_NEAR(table["final"]["v"]["disc'"].get<double>(), (0.5 + 3 * 0.75 - 0.75) / 0.5, 1e-13);
  EXPECT_EQ(table["final"]["q"]["torque"], -1);
  const auto excel = run(command + "excel.csv");
  EXPECT_EQ(excel.exit_code, 2);
  EXPECT_NE(excel.errors.find("hint:"), std::string::npos) << excel.errors;
}

TEST_F(InputsOfProgram, WrongTablesAreRefusedWithTheirLine) {
  write("disc.yaml", kDrivenDisc);
  const auto refused = [&](const std::string& text) {
    write("wrong.csv", text);
    const auto answer = run("simulate disc.yaml --until 2 --inputs wrong.csv");
    EXPECT_EQ(answer.exit_code, 2) << text;
    return answer.errors;
  };
  EXPECT_NE(refused("t,torq\n0,1\n").find("wrong.csv:1:1: error: column 'torq': is not an input of the model"),
            std::string::npos);
  EXPECT_NE(refused("t,torqe\n0,1\n").find("did you mean 'torque'?"), std::string::npos);
  EXPECT_NE(refused("t,torque\n0,1\n0,2\n").find("wrong.csv:3:1: error: column 't': the time 0 s is given twice"),
            std::string::npos);
  EXPECT_NE(refused("t,torque\n1,1\n0,2\n").find("times must ascend"), std::string::npos);
  EXPECT_NE(refused("t,torque\n0,1\n1,30\n").find("wrong.csv:3:1: error: input 'torque'"), std::string::npos);
  EXPECT_NE(refused("t,torque [kg]\n0,1\n").find("has the unit [kg], and the input is in N*m"), std::string::npos);
  EXPECT_NE(refused("torque,t\n0,1\n").find("the first column must be t"), std::string::npos);
  EXPECT_NE(refused("t\n0\n").find("no value of an input"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::testing
