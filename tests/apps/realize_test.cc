// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `realize` as a user runs it: fields of the contract, and wrong input.
#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Realize : public InScratchFolder {
 protected:
  nlohmann::json run_json(const std::string& arguments) {
    const ProgramRun result = run(arguments + " --json");
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.errors;
    return result.exit_code == 0 ? result.json() : nlohmann::json::object();
  }
};

const char* const kSleigh = R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: planar, mass: 1, inertia: 0.5, com: [0.5, 0, 0] } }
velocity_constraints: { blade: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0" }
initial: { "sled.tx'": 1, "sled.rz'": 0.5 }
)";

TEST_F(Realize, AtAState) {
  write("model.yaml", kSleigh);
  const auto json = run_json("realize model.yaml --completion orthogonal");
  EXPECT_EQ(json["verdict"], "not checked");
  EXPECT_EQ(json["rows"], nlohmann::json({"blade"}));
  EXPECT_EQ(json["rank"], 1);
  EXPECT_NEAR(json["slip_inertia"][0][0].get<double>(), 1.0 * 0.5 / (0.5 + 0.25), 1e-14);
  EXPECT_NEAR(json["multipliers"]["blade"].get<double>(), 2.0 / 3 * 1 * 0.5, 1e-14);
  EXPECT_EQ(json["appell"]["names"], nlohmann::json({"sled.tx'", "sled.rz'", "blade"}));
  const auto bounded = run_json("realize model.yaml --bound blade=1");
  EXPECT_EQ(bounded["verdict"], "holds");
  EXPECT_NEAR(bounded["verdicts"][0]["margin"].get<double>(), 3, 1e-13);
  EXPECT_EQ(bounded["residual"]["blade"]["creep"], 0);
}

// Theorem 1: the error of viscous forces falls like 1/k. W3b, W3c, W3d.
TEST_F(Realize, SweepOfViscousForces) {
  write("model.yaml", kSleigh);
  const auto json = run_json("realize model.yaml --until 2 --sweep viscous=10,100,1000");
  EXPECT_NEAR(json["ideal"]["final"]["q"]["sled.tx"].get<double>(), 1.97871894898109, 1e-11);
  EXPECT_NEAR(json["sweep"][0]["error"].get<double>(), 2.004816e-2, 5e-9);
  EXPECT_NEAR(json["sweep"][1]["error"].get<double>(), 1.965652e-3, 5e-10);
  EXPECT_NEAR(json["sweep"][2]["error"].get<double>(), 1.961674e-4, 5e-11);
  EXPECT_NEAR(json["slope"].get<double>(), 1, 0.02);
  EXPECT_NEAR(json["sweep"][0]["slip"]["blade"].get<double>(), -0.00908082421073381, 1e-11);
  const auto run = run_json("realize model.yaml --until 2 --law viscous=100");
  EXPECT_NEAR(run["realized"]["final"]["q"]["sled.ty"].get<double>(), 0.687307587221057, 1e-10);
  EXPECT_NEAR(run["realized"]["slip"]["blade"].get<double>(), -0.000882340009510207, 1e-11);
}

TEST_F(Realize, BareProblems) {
  write("inequality.json", R"({"A": 0.7, "B": 0.4, "eta": 1.3, "rho2": 0.9, "s0": 0.6, "delta": 0.05, "k": 3.0, "t": 1.2})");
  const auto json = run_json("realize --problem inequality.json");
  EXPECT_NEAR(json["certificate"]["t1"].get<double>(), 1.03174730509245, 1e-13);
  EXPECT_NEAR(json["certificate"]["band_inner"].get<double>(), 0.0352289377259231, 1e-14);
  EXPECT_NEAR(json["certificate"]["basin_linear"].get<double>(), 7.50925925925926, 1e-13);
  write("box.json", R"({"W": [[2, 0.3, -0.5], [0.3, 1.5, 0.2], [-0.5, 0.2, 1]], "b": [4, -1, 0.5], "bounds": [1, 1.2, 0.6]})");
  EXPECT_EQ(run_json("realize --problem box.json")["modes"], nlohmann::json({1, 0, 1}));
  write("wrong.json", R"({"W": [[2, 3], [3, 2]], "b": [4, -1], "bounds": [1, 1.2]})");
  EXPECT_EQ(run("realize --problem wrong.json").exit_code, 3);
}

TEST_F(Realize, DependentAndContradictingRows) {
  const std::string bodies = R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: planar, mass: 1, inertia: 0.5, com: [0.5, 0, 0] } }
)";
  write("twice.yaml", bodies + "velocity_constraints: { a: \"sled.tx' = 0\", b: \"2*sled.tx' = 0\" }\n");
  const auto twice = run_json("realize twice.yaml --bound a=1 --bound b=1");
  EXPECT_EQ(twice["verdict"], "not unique");
  EXPECT_EQ(twice["rank"], 1);
  EXPECT_EQ(twice["dependent"], nlohmann::json({"a", "b"}));
  write("against.yaml", bodies + "velocity_constraints: { a: \"sled.tx' = 0\", b: \"sled.tx' = 1\" }\n");
  const auto against = run("realize against.yaml");
  EXPECT_EQ(against.exit_code, 1);
  EXPECT_NE(against.errors.find("a, b"), std::string::npos) << against.errors;
}

TEST_F(Realize, WrongInput) {
  write("model.yaml", kSleigh);
  write("plain.yaml", "vinculum: 1\nbodies: { a: { joint: revolute, mass: 1, inertia: 1 } }\n");
  const auto expect = [&](const std::string& arguments, int exit_code, const std::string& text) {
    const auto result = run("realize " + arguments);
    EXPECT_EQ(result.exit_code, exit_code) << arguments << "\n" << result.errors;
    EXPECT_NE(result.errors.find(text), std::string::npos) << arguments << "\n" << result.errors;
  };
  expect("model.yaml --bound blade=0", 3, "'blade'");
  expect("model.yaml --bound knife=1", 2, "'knife'");
  expect("model.yaml --bound blade", 2, "NAME=VALUE");
  expect("model.yaml --law tanh=-1", 3, "positive");
  expect("model.yaml --law glue=1", 2, "'glue'");
  expect("model.yaml --law viscous", 2, "number");
  expect("model.yaml --rows knife", 2, "'knife'");
  expect("model.yaml --inputs knife", 2, "'knife'");
  expect("model.yaml --sweep viscous=10", 2, "--until");
  expect("model.yaml --until 1 --sweep viscous=10,0", 3, "positive");
  expect("model.yaml --until -1", 2, "later");
  expect("plain.yaml", 1, "VN-REALIZE-010");
  expect("", 2, "model file");
}

// A velocity row that is the rate of a position is told.
TEST_F(Realize, IntegrableRow) {
  write("model.yaml", R"(
vinculum: 1
bodies: { sled: { joint: planar, mass: 1, inertia: 0.5 } }
velocity_constraints: { along: "sled.ty' = 2*sled.tx'" }
)");
  const auto result = run("realize model.yaml");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.errors.find("VN-REALIZE-008"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace vinculum::testing
