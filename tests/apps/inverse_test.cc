// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `inverse` with contacts and loops, and starts that are moved onto the constraints.
#include <cmath>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Inverse : public InScratchFolder {};

const char* const kSliderCrank = R"(
vinculum: 1
bodies:
  crank: { joint: {type: revolute, axis: y}, mass: 2, com: [0.05, 0, 0], inertia: 0.002 }
  rod: { parent: crank, joint: {type: revolute, axis: y, origin: [0.1, 0, 0]}, mass: 3, com: [0.2, 0, 0], inertia: 0.05 }
  piston: { joint: {type: prismatic, axis: x}, mass: 5, inertia: 0.1 }
contacts:
  pin: { body: rod, with: piston, frame: {on_body: {point: [0.4, 0, 0]}, on_environment: {point: [0, 0, 0]}}, forbid: [normal, forward] }
motions: { crank: "0.7 + 30*t + 4*t^2" }
forces: { gas: { body: piston, force: [-700, 0, 0] } }
initial: { crank: 0.7, rod: -0.8, piston: 0.47 }
)";

// The motion of a run, handed back: the drive must supply what it supplied, and so must the pin.
TEST_F(Inverse, DriveOfALoopAlongItsMotion) {
  write("engine.yaml", kSliderCrank);
  ASSERT_EQ(run("simulate engine.yaml --until 0.2 --project --output out --no-report").exit_code, 0);
  const auto result = run("inverse engine.yaml --motion out/states.csv --output forces.csv --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto json = result.json();
  EXPECT_EQ(json["drives"], (nlohmann::json{"crank'"}));
  EXPECT_EQ(json["forces"].size(), 1u);
  EXPECT_EQ(json["unique"], true);
  EXPECT_TRUE(
      read_file(folder_ / "forces.csv").starts_with("t [s],force(crank') [N*m],pin.normal [N],pin.forward [N],crank.force.x"));
  // At a moment: what the drive must add, by `evaluate`. The spline of 0.2 ms steps leaves 1e-5 of accelerations of some 100.
  const size_t middle = 500;
  nlohmann::json state = {{"t", json["t"][middle]}};
  const auto evaluated = run("evaluate engine.yaml --project --json");
  EXPECT_GT(std::abs(evaluated.json()["multipliers"]["motion:crank"].get<double>()), 10);
  EXPECT_NEAR(json["forces"]["crank'"][0], evaluated.json()["multipliers"]["motion:crank"], 1e-3);
  EXPECT_NEAR(json["multipliers"]["pin.normal"][0], evaluated.json()["multipliers"]["pin.normal"], 1e-2);
  for (const char* part : {"force", "moment"}) {
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(json["reactions"]["rod"][part][0][i], evaluated.json()["reactions"]["rod"][part][i], 1e-2) << part << i;
  }
}

// The same at one state, exactly, by accelerations of `evaluate`; then by those of the crank alone; then of none, as driven.
TEST_F(Inverse, DriveOfALoopAtAState) {
  write("engine.yaml", kSliderCrank);
  const auto there = run("evaluate engine.yaml --project --json").json();
  nlohmann::json state;
  for (const auto& [name, change] : there["projection"].items()) state[name.ends_with('\'') ? "v" : "q"][name] = change["to"];
  state["a"] = there["accelerations"];
  write("state.json", state.dump());
  const auto result = run("inverse engine.yaml --state state.json --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const double torque = there["multipliers"]["motion:crank"];
  EXPECT_GT(std::abs(torque), 10);
  EXPECT_NEAR(result.json()["forces"]["crank'"], torque, 1e-9);
  EXPECT_NEAR(result.json()["multipliers"]["pin.forward"], there["multipliers"]["pin.forward"], 1e-8);
  EXPECT_EQ(result.json()["determinate"], (nlohmann::json{{"crank'", true}, {"pin.normal", true}, {"pin.forward", true}}));
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(result.json()["reactions"]["crank"]["force"][i], there["reactions"]["crank"]["force"][i], 1e-8);

  state["a"] = {{"crank'", 8}};
  write("crank.json", state.dump());
  EXPECT_NEAR(run("inverse engine.yaml --state crank.json --project --json").json()["forces"]["crank'"], torque, 1e-9);
  EXPECT_NEAR(run("inverse engine.yaml --project --json").json()["forces"]["crank'"], torque, 1e-9);

  // Both drives at once: told, and as good.
  const auto both = run("inverse engine.yaml --state state.json --drives crank,piston");
  EXPECT_NE(both.output.find("not unique"), std::string::npos) << both.output;
  EXPECT_NE(both.output.find("undetermined: crank', piston'"), std::string::npos) << both.output;
}

TEST_F(Inverse, MotionsThatCannotBeAreRefused) {
  write("engine.yaml", kSliderCrank);
  const auto there = run("evaluate engine.yaml --project --json").json();
  nlohmann::json state;
  for (const auto& [name, change] : there["projection"].items()) state[name.ends_with('\'') ? "v" : "q"][name] = change["to"];
  state["a"] = there["accelerations"];
  const auto answer = [&](const nlohmann::json& at, const std::string& options = {}) {
    write("state.json", at.dump());
    return run("inverse engine.yaml --state state.json --json " + options);
  };
  auto wrong = state;
  wrong["a"]["piston'"] = there["accelerations"]["piston'"].get<double>() + 0.5;
  const auto forbidden = answer(wrong);
  EXPECT_EQ(forbidden.exit_code, 1);
  EXPECT_NE(forbidden.errors.find("pin.normal by -0.5"), std::string::npos) << forbidden.errors;
  EXPECT_EQ(forbidden.json()["diagnostics"][0]["code"], "VN-RUN-130");
  EXPECT_NEAR(forbidden.json()["constraint_residual"]["pin.normal"]["acceleration"], -0.5, 1e-8);
  EXPECT_FALSE(forbidden.json().contains("forces"));

  wrong = state;
  wrong["v"]["piston'"] = state["v"]["piston'"].get<double>() + 0.5;
  EXPECT_NE(answer(wrong).errors.find("pin.normal by -0.5 m/s"), std::string::npos);
  wrong = state;
  wrong["q"]["piston"] = state["q"]["piston"].get<double>() + 0.01;
  EXPECT_EQ(answer(wrong).json()["diagnostics"][0]["code"], "VN-RUN-004");

  // In a tree a joint without a drive needs what nothing supplies: the pendulum's own weight.
  write("arm.yaml", R"(
vinculum: 1
gravity: [0, 0, -10]
bodies:
  arm: { joint: {type: revolute, axis: y}, mass: 2, com: [0.5, 0, 0], inertia: 0 }
  hand: { parent: arm, joint: {type: revolute, axis: y, origin: [1, 0, 0]}, mass: 3, com: [0.2, 0, 0], inertia: 0 }
)");
  const auto lacking = run("inverse arm.yaml --drives arm");
  EXPECT_EQ(lacking.exit_code, 1);
  EXPECT_NE(lacking.errors.find("hand' lacks -6 N*m"), std::string::npos) << lacking.errors;
  EXPECT_EQ(run("inverse arm.yaml --drives arm,hand").exit_code, 0);
  const auto unknown = run("inverse arm.yaml --drives hnad");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.errors.find("did you mean hand'?"), std::string::npos) << unknown.errors;
}

// What a drive must supply is held against what its joint allows, at a state and along a motion: 2 kg on 1 m, held level, need 2
// g.
TEST_F(Inverse, EffortOfDrivesIsJudged) {
  const char* const arm = R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute, axis: y}, limits: {effort: 10}, mass: 2, com: [1, 0, 0], inertia: 0 } }
outputs: { whip: { value: "abs(arm'')", require: "< 1 rad/s^2" } }
)yaml";
  write("arm.yaml", arm);
  const auto verdict_of = [](const nlohmann::json& json, const std::string& subject) {
    for (const auto& verdict : json["verdicts"]) {
      if (verdict["subject"] == subject) return verdict;
    }
    return nlohmann::json();
  };
  write("state.json", R"({"t": 0, "q": {"arm": 0}, "v": {"arm'": 0}, "a": {"arm'": 2}})");
  const auto at_state = run("inverse arm.yaml --state state.json --json").json();
  const double needed = at_state["forces"]["arm'"];
  EXPECT_NEAR(needed, -2 * 9.81 + 2 * 2, 1e-12);
  EXPECT_EQ(verdict_of(at_state, "arm.effort")["verdict"], "violated");
  EXPECT_NEAR(verdict_of(at_state, "arm.effort")["margin"].get<double>(), 10 / std::abs(needed), 1e-12);
  EXPECT_NEAR(verdict_of(at_state, "whip")["margin"].get<double>(), 0.5, 1e-12);  // of the given motion, not of the free one

  write("rest.csv", "t,arm\n0,0\n1,0\n2,0\n3,0\n");
  const auto along = run("inverse arm.yaml --motion rest.csv --json").json();
  EXPECT_NEAR(verdict_of(along, "arm.effort")["margin"].get<double>(), 10 / (2 * 9.81), 1e-12);
  EXPECT_EQ(verdict_of(along, "whip")["verdict"], "holds");

  const auto driven = run("inverse arm.yaml --drives arm --json").json();
  EXPECT_NEAR(verdict_of(driven, "arm.effort")["margin"].get<double>(), 10 / (2 * 9.81), 1e-12);
}

// A trunk on one leg, its hip at (0.3, 0.4) of the foot, turns about it with e: the hip accelerates by (0.4 e, -0.3 e). The foot
// carries 8.1 kg; it must not pull, nor slip.
TEST_F(Inverse, VerdictsOfContacts) {
  write("leg.yaml", R"(
vinculum: 1
gravity: [0, 0, -10]
bodies:
  trunk: { joint: {axes: [tx, tz]}, mass: 8, inertia: 0.1 }
  thigh: { parent: trunk, joint: {type: revolute, axis: y}, mass: 0.1, inertia: 0.001 }
environment: { floor: { surface: plane } }
contacts: { foot: { body: thigh, with: floor, point: [0, 0, -0.5], forbid: [normal, forward], friction: 0.1 } }
initial: { trunk.tx: 0.3, trunk.tz: 0.4, thigh: 0.6435011087932844 }
)");
  const auto turned = [&](double e) {
    const nlohmann::json state = {{"a", {{"trunk.tx'", 0.4 * e}, {"trunk.tz'", -0.3 * e}, {"thigh'", e}}}};
    write("state.json", state.dump());
    return run("inverse leg.yaml --state state.json --json");
  };
  const auto slips = turned(5).json();
  EXPECT_EQ(slips["drives"], (nlohmann::json{"thigh'"}));
  EXPECT_NEAR(slips["multipliers"]["foot.normal"], 8.1 * (10 - 1.5), 1e-12);
  EXPECT_NEAR(std::abs(slips["multipliers"]["foot.forward"].get<double>()), 8.1 * 2, 1e-12);
  // Moments about the hip on the leg: 0.001 e = tau + N 0.3 - F 0.4
  EXPECT_NEAR(slips["forces"]["thigh'"], 0.001 * 5 - 8.1 * 8.5 * 0.3 + 8.1 * 2 * 0.4, 1e-12);
  EXPECT_EQ(slips["verdicts"][0]["subject"], "foot.friction");  // the gravest first
  EXPECT_EQ(slips["verdicts"][0]["verdict"], "violated");
  EXPECT_EQ(slips["verdicts"][1]["verdict"], "holds");
  const auto pulls = turned(40).json();
  EXPECT_NEAR(pulls["multipliers"]["foot.normal"], 8.1 * (10 - 12), 1e-12);
  EXPECT_EQ(pulls["verdicts"][0]["verdict"], "violated");
}

const char* const kFourBar = R"(
vinculum: 1
bodies:
  crank: { joint: {axes: [ry]}, mass: 1.2, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01] }
  coupler: { parent: crank, joint: {axes: [ry], origin: [0.3, 0, 0]}, mass: 2, com: [0.35, 0, 0.05], inertia: [0.002, 0.06, 0.06] }
  rocker: { joint: {axes: [ry], origin: [0.8, 0, 0]}, mass: 1.5, com: [0.2, 0, 0], inertia: [0.001, 0.03, 0.03] }
contacts:
  pin: { body: coupler, with: rocker, frame: {on_body: {point: [0.75, 0, 0]}, on_environment: {point: [0.5, 0, 0], rotation: [0.5, -0.5, -0.5, -0.5]}}, forbid: [normal, lateral] }
initial: { crank.ry: -1, coupler.ry: 0.5, rocker.ry: -1.5, "crank.ry'": 2 }
)";

class Starts : public InScratchFolder {
 protected:
  // The state from which a run begins is its end at once.
  nlohmann::json start_of_run(const std::string& options) {
    const auto result = run("simulate model.yaml --until 0 --project --json " + options);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.json()["final"];
  }
  nlohmann::json assembled(const std::string& options) {
    const auto result = run("check model.yaml --assemble --json " + options);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result.json()["assembly"]["state"];
  }
};

TEST_F(Starts, AssembleAndProjectGiveTheSameMechanism) {
  write("model.yaml", kFourBar);
  for (const char* options :
       {"", "--hold crank.ry", "--hold rocker.ry", "--hold \"rocker.ry,crank.ry'\"", "--hold \"crank.ry'\""}) {
    const auto by_run = start_of_run(options), by_check = assembled(options);
    EXPECT_EQ(by_run["q"], by_check["q"]) << options;
    EXPECT_EQ(by_run["v"], by_check["v"]) << options;
  }
  // The crank keeps angle and rate: the loop then has one position near, theory 1, X7, and one velocity.
  const auto held = start_of_run("--hold \"crank.ry,crank.ry'\"");
  EXPECT_EQ(held["q"]["crank.ry"], -1);
  EXPECT_NEAR(held["q"]["coupler.ry"], 0.670933976290812, 1e-13);
  EXPECT_EQ(held["v"]["crank.ry'"], 2);
  EXPECT_EQ(start_of_run("--hold rocker.ry")["q"]["rocker.ry"], -1.5);
  EXPECT_NE(start_of_run("--hold rocker.ry")["q"]["crank.ry"], -1);
}

// A sleigh whose blade forbids the lateral motion. The heading speed and the heading are given: ty' = tx' tan(heading).
TEST_F(Starts, SleighWithGivenVelocities) {
  write("model.yaml", R"(
vinculum: 1
bodies: { sleigh: { joint: {type: planar}, mass: 3, com: [0.25, 0, 0], inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] } }
initial: { sleigh.rz: 0.5, "sleigh.tx'": 1.2, "sleigh.rz'": 0.8 }
)");
  EXPECT_EQ(run("simulate model.yaml --until 1").exit_code, 1);
  const auto start = start_of_run("--hold \"sleigh.tx',sleigh.rz'\"");
  EXPECT_EQ(start["v"]["sleigh.tx'"], 1.2);
  EXPECT_EQ(start["v"]["sleigh.rz'"], 0.8);
  EXPECT_NEAR(start["v"]["sleigh.ty'"], 1.2 * std::tan(0.5), 1e-15);
  EXPECT_EQ(start, assembled("--hold \"sleigh.tx',sleigh.rz'\""));
  EXPECT_NE(start_of_run("")["v"]["sleigh.tx'"], 1.2);  // the nearest is another

  const auto too_much = run("simulate model.yaml --until 1 --project --hold \"sleigh.tx',sleigh.ty'\"");
  EXPECT_EQ(too_much.exit_code, 1);
  EXPECT_NE(too_much.errors.find("sleigh.tx', sleigh.ty' keep their values; residuals: blade.lateral"), std::string::npos)
      << too_much.errors;
  EXPECT_EQ(run("simulate model.yaml --until 1 --project --hold sleigh.tz").exit_code, 2);
  EXPECT_EQ(run("simulate model.yaml --until 1 --hold sleigh.tx").exit_code, 2);
}

// A coin on edge, rolling: its spin is given, its speed follows, v = r w.
TEST_F(Starts, RollingCoinWithGivenSpin) {
  write("model.yaml", R"(
vinculum: 1
bodies: { coin: { joint: {type: free}, mass: 1, inertia: [0.01, 0.02, 0.01] } }
environment: { table: { surface: plane } }
contacts: { rim: { body: coin, with: table, wheel: {axis: y, radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { coin.tz: 0.25, coin.wy: 7 }
)");
  const auto start = start_of_run("--hold \"coin.qw,coin.wy\"");
  EXPECT_EQ(start["v"]["coin.wy"], 7);
  EXPECT_EQ(start["q"]["coin.qw"], 1);
  EXPECT_NEAR(start["q"]["coin.tz"], 0.2, 1e-15);
  EXPECT_NEAR(start["v"]["coin.tx'"], 0.2 * 7, 1e-14);
  EXPECT_EQ(start, assembled("--hold \"coin.qw,coin.wy\""));
}

}  // namespace
}  // namespace vinculum::testing
