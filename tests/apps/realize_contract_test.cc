// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `realize` as others rely on it: every option and every field that is promised, on a rolling wheel and on a knife edge.
#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class RealizeContract : public InScratchFolder {
 protected:
  nlohmann::json ask(const std::string& arguments) {
    const ProgramRun result = run("realize " + arguments + " --json");
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.errors;
    return result.exit_code == 0 ? result.json() : nlohmann::json::object();
  }
  static void expect_keys(const nlohmann::json& json, const std::vector<std::string>& pointers) {
    for (const std::string& pointer : pointers) {
      const nlohmann::json::json_pointer at(pointer);
      EXPECT_TRUE(json.contains(at)) << pointer;
    }
  }
};

// A driven wheel of 10 kg and 0.3 m: grip is what it needs forward, T r m/(I + m r²) beside mu m g.
const char* const kDrivenWheel = R"yaml(
vinculum: 1
bodies: { wheel: { joint: {axes: [tx, ty, tz, ry]}, mass: 10, inertia: 0.45 } }
contacts:
  rim: { body: wheel, with: world, wheel: {center: [0, 0, 0], axis: [0, 1, 0], radius: 0.3}, forbid: [normal, lateral, forward],
         GRIP }
forces: { motor: { joint: wheel.ry, law: "20*min(t, 1)" } }
initial: { wheel.tz: 0.3 }
)yaml";
std::string driven_wheel(const std::string& grip) {
  std::string text = kDrivenWheel;
  return text.replace(text.find("GRIP"), 4, grip);
}
const double kForce = 20 * 0.3 * 10 / (0.45 + 10 * 0.09), kWeight = 98.1;

const char* const kEdge = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: planar, mass: 1, inertia: 0.5, com: [0.5, 0, 0] } }
velocity_constraints:
  blade: { equation: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0", bound: 1.5 }
initial: { "sled.tx'": 1, "sled.ty'": 0.1, "sled.rz'": 0.4 }
)yaml";

TEST_F(RealizeContract, EveryFieldAtAState) {
  write("wheel.yaml", driven_wheel("friction: 0.5"));
  const auto json = ask("wheel.yaml");
  expect_keys(json, {"/verdict",
                     "/verdicts/0/subject",
                     "/verdicts/0/verdict",
                     "/verdicts/0/margin",
                     "/verdicts/0/first_violation",
                     "/verdicts/0/why",
                     "/rank",
                     "/dependent",
                     "/slip/rim.lateral",
                     "/slip/rim.forward",
                     "/projected/wheel.tx'",
                     "/multipliers/rim.normal",
                     "/multipliers/rim.lateral",
                     "/accelerations/wheel.ry'",
                     "/slip_inertia/1/1",
                     "/constants/rho1",
                     "/constants/rho2",
                     "/constants/A",
                     "/constants/B",
                     "/required_friction/rim",
                     "/appell/completion",
                     "/appell/names",
                     "/appell/u/2/2",
                     "/residual/rim.forward/creep",
                     "/residual/rim.forward/band",
                     "/residual/rim.forward/period",
                     "/residual/rim.forward/delta"});
  EXPECT_EQ(json["rows"], nlohmann::json({"rim.lateral", "rim.forward"}));
  EXPECT_EQ(json["verdict"], "holds");
  EXPECT_NEAR(json["multipliers"]["rim.normal"].get<double>(), kWeight, 1e-10);
  // sigma_forward = 1/(1/m + r²/I)
  EXPECT_NEAR(json["slip_inertia"][1][1].get<double>(), 1 / (1 / 10.0 + 0.09 / 0.45), 1e-12);
  for (const char* completion : {"partition", "orthogonal", "mass"}) {
    const auto appell = ask(std::string("wheel.yaml --completion ") + completion)["appell"];
    EXPECT_EQ(appell["completion"], completion);
    EXPECT_EQ(appell["names"].size(), appell["u"].size());
  }
  EXPECT_EQ(run("realize wheel.yaml --completion other").exit_code, 2);
  EXPECT_EQ(ask("wheel.yaml --rows rim.forward")["rows"], nlohmann::json({"rim.forward"}));
  EXPECT_EQ(run("realize wheel.yaml --rows rim.normal").exit_code, 2) << "normals are permanent";
}

TEST_F(RealizeContract, EveryFieldOfAMotion) {
  write("wheel.yaml", driven_wheel("friction: 0.4"));
  const auto json = ask("wheel.yaml --until 2");
  expect_keys(json, {"/ideal/final/q/wheel.tx", "/ideal/final/v/wheel.ry'", "/ideal/multipliers/rim.forward",
                     "/ideal/peaks/rim.forward/value", "/ideal/peaks/rim.forward/t", "/ideal/required_friction/rim/value",
                     "/ideal/required_friction/rim/t", "/realized/final/q/wheel.tx", "/realized/slip/rim.forward",
                     "/realized/events/0/t", "/realized/events/0/kind", "/realized/events/0/name", "/realized/events/0/slip"});
  EXPECT_NEAR(json["ideal"]["peaks"]["rim.forward"]["value"].get<double>(), kForce, 1e-8);
  EXPECT_NEAR(json["ideal"]["peaks"]["rim.forward"]["t"].get<double>(), 1, 1e-2) << "the earliest of the largest";
  EXPECT_NEAR(json["ideal"]["required_friction"]["rim"]["value"].get<double>(), kForce / kWeight, 1e-9);
  EXPECT_NEAR(json["verdicts"][0]["margin"].get<double>(), 0.4 * kWeight / kForce, 1e-9);
  EXPECT_NEAR(json["verdicts"][0]["first_violation"].get<double>(), 0.4 * kWeight / kForce, 1e-9);
  EXPECT_EQ(json["realized"]["events"][0]["kind"], "slip");
  EXPECT_NEAR(json["realized"]["events"][0]["t"].get<double>(), 0.4 * kWeight / kForce, 1e-8);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_FALSE(ask("wheel.yaml").contains("ideal"));
}

// What a model may say of its grip, each with the margin it makes: friction, a bound on the vector, bounds of rows, a normal
// typed.
TEST_F(RealizeContract, EveryWayToSayAGrip) {
  const auto margin = [&](const std::string& grip) {
    write("wheel.yaml", driven_wheel(grip));
    return ask("wheel.yaml --until 2")["verdicts"][0]["margin"].get<double>();
  };
  EXPECT_NEAR(margin("friction: 0.4"), 0.4 * kWeight / kForce, 1e-9);
  EXPECT_NEAR(margin("bound: 30"), 30 / kForce, 1e-9);
  EXPECT_NEAR(margin("bound: {lateral: 5, forward: 40}"), 40 / kForce, 1e-9);
  EXPECT_NEAR(margin("bound: 30, law: {tanh: 0.01}"), 30 / kForce, 1e-9);
  write("typed.yaml", R"yaml(
vinculum: 1
bodies: { block: { joint: { axes: [tx, tz] }, mass: 2, inertia: 0.5 } }
velocity_constraints:
  floor: { equation: "block.tz' = 0", permanent: true }
  along: { equation: "block.tx' = 0", friction: 0.3, normal: floor }
forces: { pull: { joint: block.tx, law: 4 } }
)yaml");
  const auto typed = ask("typed.yaml");
  EXPECT_EQ(typed["rows"], nlohmann::json({"along"}));
  EXPECT_NEAR(typed["verdicts"][0]["margin"].get<double>(), 0.3 * 2 * 9.81 / 4, 1e-12);
  EXPECT_NEAR(typed["required_friction"]["along"].get<double>(), 4 / (2 * 9.81), 1e-12);
}

TEST_F(RealizeContract, EveryLaw) {
  write("edge.yaml", kEdge);
  for (const char* law : {"sign", "viscous=20", "saturated=0.01", "tanh=0.01", "algebraic=0.01", "arctan=0.01", "dead-zone=0.01",
                          "hysteresis=0.01", "delay=0.01", "lag=0.01"}) {
    const auto json = ask(std::string("edge.yaml --until 0.5 --law ") + law);
    expect_keys(json, {"/realized/final/q/sled.tx", "/realized/slip/blade", "/residual/blade/creep"});
    EXPECT_LT(std::abs(json["realized"]["slip"]["blade"].get<double>()), 0.05) << law;
  }
}

TEST_F(RealizeContract, CertificateSweepServoAndProblem) {
  write("edge.yaml", kEdge);
  const auto json = ask("edge.yaml --until 1 --certificate --samples 21 --sweep viscous=10,100,1000");
  const auto& certificate = json["certificate"];
  for (const char* key : {"level", "samples", "s0", "t_sim", "t1", "t1_sharp", "s_star", "s_star_sharp", "c_sharp", "eta", "rbar",
                          "rho1", "rho2", "A", "B"})
    EXPECT_TRUE(certificate.contains(key)) << key;
  EXPECT_EQ(certificate["samples"], 21);
  EXPECT_LE(certificate["t_sim"].get<double>(), certificate["t1_sharp"].get<double>());
  EXPECT_LE(certificate["t1_sharp"].get<double>(), certificate["t1"].get<double>() * (1 + 1e-12));
  expect_keys(json, {"/sweep/0/coefficient", "/sweep/2/error", "/sweep/1/slip/blade", "/slope"});
  EXPECT_NEAR(json["slope"].get<double>(), 1, 0.02);
  const auto servo = ask("edge.yaml --inputs sled.rz")["servo"];
  for (const char* key : {"inputs", "matrix", "control", "accelerations", "price"}) EXPECT_TRUE(servo.contains(key)) << key;
  EXPECT_GE(servo["price"].get<double>(), 1);
  // Straight ahead the sleigh is steady: blade forwards dies out, backwards it grows.
  write("ahead.yaml",
        std::string(kEdge).replace(std::string(kEdge).find("initial"), std::string::npos, "initial: { \"sled.tx'\": 1 }\n"));
  const auto spectrum = ask("ahead.yaml --spectrum")["spectrum"];
  double lowest = 0;
  for (const auto& value : spectrum) lowest = std::min(lowest, value[0].get<double>());
  EXPECT_NEAR(lowest, -0.5 * 1 / (0.5 + 0.25), 1e-9);  // -m a v/(I + m a²)
  write("inequality.json", R"({"A": 1.5, "B": 0, "eta": 2, "rho2": 1.1, "s0": 0.4, "delta": 0.02, "k": 8, "t": 0.5})");
  const auto bare = ask("--problem inequality.json")["certificate"];
  EXPECT_NEAR(bare["t1"].get<double>(), 0.533970088796167, 1e-13);
  EXPECT_NEAR(bare["s_star"].get<double>(), 1.21212121212121, 1e-13);
  EXPECT_NEAR(bare["band_inner"].get<double>(), 0.0111016790032706, 1e-14);
  EXPECT_NEAR(bare["band_outer"].get<double>(), 1.20101953311794, 1e-13);
  EXPECT_NEAR(bare["s_linear"].get<double>(), 0.111449545874789, 1e-13);
  EXPECT_TRUE(bare["basin_linear"].is_null());
  write("box.json", R"({"W": [[2, 0.3, -0.5], [0.3, 1.5, 0.2], [-0.5, 0.2, 1]], "b": [4, -1, 0.5], "bounds": [1, 1.2, 0.6]})");
  const auto box = ask("--problem box.json");
  EXPECT_NEAR(box["forces"][1].get<double>(), 0.946666666666667, 1e-13);
  EXPECT_NEAR(box["slip_accelerations"][0].get<double>(), 2.584, 1e-13);
  EXPECT_EQ(box["modes"], nlohmann::json({1, 0, 1}));
}

// Two blocks: the upper one is carried along only when the lower one slips, and then needs more than it has. Judged by the motion
// without slip alone it would hold.                                                              theory 3, section 6, point 5
TEST_F(RealizeContract, WhatSlipsAfterAnotherIsJudged) {
  write("blocks.yaml", R"yaml(
vinculum: 1
bodies:
  lower: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 }
  upper: { joint: {axes: [tx, tz]}, mass: 1, inertia: 0.1 }
contacts:
  ground: { body: lower, with: world, point: [0, 0, 0], forbid: [normal, forward], friction: 0.1 }
  top: { body: upper, with: lower, forbid: [normal, forward], friction: 0.3,
         frame: { on_body: { point: [0, 0, 0], rotation: { axis: y, angle: -90 deg } },
                  on_environment: { point: [0, 0, 0.1], rotation: { axis: y, angle: -90 deg } } } }
forces: { pull: { joint: lower.tx, law: "10*t" } }
initial: { upper.tz: 0.1 }
)yaml");
  const auto verdicts = ask("blocks.yaml --until 2")["verdicts"];
  EXPECT_EQ(verdicts[0]["verdict"], "violated");
  EXPECT_NEAR(verdicts[0]["first_violation"].get<double>(), 0.1 * 3 * 9.81 / 10, 1e-8);
  EXPECT_EQ(verdicts[1]["verdict"], "violated");
  EXPECT_NEAR(verdicts[1]["first_violation"].get<double>(), 3 * (0.1 + 0.3) * 9.81 / 10, 1e-8);
}

}  // namespace
}  // namespace vinculum::testing
