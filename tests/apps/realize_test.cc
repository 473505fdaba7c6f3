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
  expect("model.yaml --law stribeck=0.1", 2, "ratio");
  expect("model.yaml --law backlash=0", 3, "positive");
  expect("", 2, "model file");
}

// Theorem 2: an initial slip is gone before the bound. W3a, and W6c with three rows.
TEST_F(Realize, SlipIsGoneBeforeTheCertificateSays) {
  write("sleigh.yaml", kSleigh);
  write("slipping.json", R"({"t": 0, "q": {}, "v": {"sled.tx'": 1, "sled.ty'": 0.6, "sled.rz'": 0.4}})");
  const auto sleigh =
      run_json("realize sleigh.yaml --state slipping.json --bound blade=1.5 --until 1 --certificate")["certificate"];
  EXPECT_EQ(sleigh["level"], 1);
  EXPECT_EQ(sleigh["samples"], 41);
  const auto near = [](const nlohmann::json& json, const char* key, double value, double tolerance = 1e-9) {
    ASSERT_TRUE(json[key].is_number()) << key;
    EXPECT_NEAR(json[key].get<double>(), value, tolerance * (1 + std::abs(value))) << key;
  };
  near(sleigh, "t_sim", 0.212004540616767);
  near(sleigh, "t1", 0.490102977278896);
  near(sleigh, "t1_sharp", 0.490102977278896);
  near(sleigh, "s_star", 1.17691988346376);
  near(sleigh, "s0", 0.346410161513775);
  near(sleigh["rbar"], "blade", 0.533333333333333);
  near(sleigh, "eta", 0.966666666666667);
  near(sleigh, "A", 1.42262511167904);
  near(sleigh, "c_sharp", 1.67431578064991);

  write("drive.yaml", R"(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  base: { joint: planar, mass: 8, inertia: 0.5, com: [0.12, 0, 0] }
  right: { joint: revolute, mass: 0, inertia: 0.006 }
  left: { joint: revolute, mass: 0, inertia: 0.006 }
velocity_constraints:
  lateral: "base.ty'*cos(base.rz) - base.tx'*sin(base.rz) = 0"
  drive: { equations: ["base.tx'*cos(base.rz) + base.ty'*sin(base.rz) + 0.25*base.rz' = 0.08*right'",
                       "base.tx'*cos(base.rz) + base.ty'*sin(base.rz) - 0.25*base.rz' = 0.08*left'"] }
forces: { r: { joint: right, law: 0.5 }, l: { joint: left, law: 0.4 } }
initial: { "base.tx'": 0.5, "base.ty'": 0.1, "base.rz'": 0.2, "right'": 7, "left'": 5 }
)");
  const auto drive = run_json(
      "realize drive.yaml --bound lateral=30 --bound drive.1=30 --bound drive.2=30 --until 1 --certificate")["certificate"];
  near(drive, "t_sim", 0.0208830937321909);
  near(drive, "t1", 0.0271527052405415);
  near(drive, "t1_sharp", 0.0237359592656788);
  near(drive, "s_star_sharp", 8.77529632913029);
  near(drive, "s_star", 7.68255502370812);
  near(drive["rbar"], "drive.1", 5.12724124981509);
  near(drive, "rho1", 0.614799774847701);
  near(drive, "rho2", 1.84026970506932);
  near(drive, "A", 1.7592874366995);
  near(drive, "c_sharp", 15.4382685851545);
  for (const auto& certificate : {sleigh, drive})
    EXPECT_LE(certificate["t_sim"].get<double>(), certificate["t1_sharp"].get<double>());

  // The reverse: with the bounds asked for, the time is kept.
  const auto wanted =
      run_json("realize sleigh.yaml --state slipping.json --bound blade=1.5 --until 1 --certificate --within 0.4 --region 0.1");
  const double needed = wanted["certificate"]["needed_bounds"]["blade"].get<double>();
  EXPECT_GT(needed, 1.5);
  EXPECT_GT(wanted["certificate"]["region"]["A"].get<double>(), sleigh["A"].get<double>());
  EXPECT_EQ(wanted["certificate"]["region"]["level"], 2);
  const auto kept =
      run_json("realize sleigh.yaml --state slipping.json --until 1 --certificate --bound blade=" + std::to_string(needed));
  EXPECT_LE(kept["certificate"]["t_sim"].get<double>(), 0.4);
}

// Bounds through the critical one: the sleigh slips twice with 0.9 of it (W2c), never with 1.05 (W2b).
TEST_F(Realize, SleighThroughItsCriticalBound) {
  write("model.yaml", kSleigh);
  const std::string start = " --set \"sled.tx'=-1.5\" --set \"sled.rz'=0.3\" --until 12";
  const auto slips = run_json("realize model.yaml --bound blade=0.80280554930817" + start);
  const auto& events = slips["realized"]["events"];
  ASSERT_EQ(events.size(), 4u);
  const std::pair<double, const char*> expected[] = {
      {1.18957097440133, "slip"}, {2.07258925374492, "stick"}, {3.0275346952936, "slip"}, {4.05096594219954, "stick"}};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(events[i]["t"].get<double>(), expected[i].first, 1e-9);
    EXPECT_EQ(events[i]["kind"], expected[i].second);
    EXPECT_EQ(events[i]["name"], "blade");
  }
  EXPECT_EQ(slips["verdict"], "violated");
  EXPECT_NEAR(slips["verdicts"][0]["first_violation"].get<double>(), 1.18957097440133, 1e-9);
  EXPECT_NEAR(slips["realized"]["final"]["q"]["sled.tx"].get<double>(), 1.02512540945818, 1e-8);
  EXPECT_GT(slips["realized"]["deviation"]["distance"].get<double>(), 0.1);
  EXPECT_GT(slips["realized"]["dissipated"].get<double>(), 0);
  const auto grips = run_json("realize model.yaml --bound blade=0.93660647419287" + start);
  EXPECT_EQ(grips["verdict"], "holds");
  EXPECT_TRUE(grips["realized"]["events"].empty());
  EXPECT_LT(grips["realized"]["deviation"]["distance"].get<double>(), 1e-9);
}

// A smooth law creeps: W3e.
TEST_F(Realize, SmoothLaw) {
  write("model.yaml", kSleigh);
  const auto json = run_json("realize model.yaml --bound blade=1 --law tanh=0.01 --until 2");
  EXPECT_NEAR(json["realized"]["final"]["q"]["sled.tx"].get<double>(), 1.97813248963119, 1e-8);
  EXPECT_NEAR(json["realized"]["slip"]["blade"].get<double>(), -0.000884603803634809, 1e-9);
  EXPECT_NEAR(json["residual"]["blade"]["delta"].get<double>(), 0.00278464542761074, 1e-15);
}

// Imperfect relays on a belt: W9d, W9e.
TEST_F(Realize, RelaysOnABelt) {
  write("belt.yaml", R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2, inertia: 0.1 } }
velocity_constraints: { belt: { equation: "block' = 0", bound: 3 } }
forces: { pull: { joint: block, law: 0.7 } }
initial: { "block'": 0.4 }
)");
  const auto lag = run_json("realize belt.yaml --law lag=0.05 --until 0.6")["realized"]["events"];
  const double zeros[] = {0.413026618174309, 0.465988310694794, 0.525053365126673, 0.552249966365876, 0.587862081516573};
  const double extrema[] = {0.402222067970352, -0.0127756031987139, 0.00984139295749222, -0.00340693952684583,
                            0.00362073695066861};
  size_t zero = 0, extremum = 0;
  for (const auto& event : lag) {
    if (event["kind"] == "reverse" && zero < 5) EXPECT_NEAR(event["t"].get<double>(), zeros[zero++], 1e-9);
    if (event["kind"] == "extremum" && extremum < 5) EXPECT_NEAR(event["slip"].get<double>(), extrema[extremum++], 1e-10);
  }
  EXPECT_EQ(zero, 5u);
  EXPECT_EQ(extremum, 5u);
  // What the formulas say of the slip that is left, the motion does.
  for (const std::string law : {"tanh=0.01", "saturated=0.01", "algebraic=0.01", "arctan=0.01", "dead-zone=0.05", "viscous=40"}) {
    const auto json = run_json("realize belt.yaml --law " + law + " --until 2");
    EXPECT_NEAR(json["realized"]["slip"]["belt"].get<double>(), json["residual"]["belt"]["creep"].get<double>(), 1e-8) << law;
  }
  const auto delay = run_json("realize belt.yaml --law delay=0.03 --until 2");
  const auto& events = delay["realized"]["events"];
  const double period = events.back()["t"].get<double>() - events[events.size() - 3]["t"].get<double>();
  EXPECT_NEAR(period, delay["residual"]["belt"]["period"].get<double>(), 1e-9);
}

// A Stribeck law is certified by its lower branch: R ratio, not R; where that is below the reaction it is not.
TEST_F(Realize, CertificateKnowsTheLaw) {
  write("model.yaml", kSleigh);
  write("slipping.json", R"({"t": 0, "q": {}, "v": {"sled.tx'": 1, "sled.ty'": 0.6, "sled.rz'": 0.4}})");
  const std::string start = "realize model.yaml --state slipping.json --until 1 --certificate ";
  const auto sign = run_json(start + "--bound blade=1.2")["certificate"];
  const auto stribeck = run_json(start + "--bound blade=2 --law stribeck=0.05:0.6")["certificate"];
  EXPECT_NEAR(stribeck["eta"].get<double>() + stribeck["rbar"]["blade"].get<double>(), 1.2, 1e-12);
  EXPECT_LE(stribeck["t_sim"].get<double>(), stribeck["refined"]["t1_sharp"].get<double>());
  EXPECT_LE(sign["t_sim"].get<double>(), sign["refined"]["t1_sharp"].get<double>());
  const auto weak = run_json(start + "--bound blade=2 --law stribeck=0.05:0.2")["certificate"];
  EXPECT_TRUE(weak["t1_sharp"].is_null());
  EXPECT_NE(weak["not_certified"].get<std::string>().find("lower branch"), std::string::npos);
  // A law that creeps ends in a band, and the slip is in it.
  const auto tanh = run_json(start + "--bound blade=1.5 --law tanh=0.01");
  EXPECT_TRUE(tanh["certificate"]["t1_sharp"].is_null());
  EXPECT_LE(std::abs(tanh["realized"]["slip"]["blade"].get<double>()),
            tanh["certificate"]["refined"]["band"]["slip"].get<double>());
  const auto play = run_json(start + "--bound blade=1.5 --law backlash=0.01")["certificate"];
  EXPECT_NE(play["not_certified"].get<std::string>().find("play"), std::string::npos);
}

// A certificate speaks for the whole of --until, and bounds are called sufficient only after a run with them.
TEST_F(Realize, CertificateOverTheWholeRun) {
  const std::string cases = std::string(VINCULUM_SOURCE_DIR) + "/tests/cases/slip/";
  const auto grow = run_json("realize " + cases + "grow.yaml --until 2 --certificate --within 0.5")["certificate"];
  EXPECT_NE(grow["not_certified"].get<std::string>().find("reaction 8"), std::string::npos);
  EXPECT_TRUE(grow["t1"].is_null());
  EXPECT_LT(grow["eta"].get<double>(), 0);
  EXPECT_NEAR(grow["slips_again"].get<double>(), 0.65, 1e-9);
  EXPECT_NEAR(grow["needed_bounds"]["belt"].get<double>(), 8.34, 1e-6);
  EXPECT_TRUE(grow["needed_bounds_check"]["sufficient"].get<bool>());
  const auto kept = run_json("realize " + cases + "grow.yaml --until 2 --certificate --bound belt=8.34")["certificate"];
  EXPECT_EQ(kept["not_certified"], "");
  EXPECT_LE(kept["t1"].get<double>(), 0.5);
  EXPECT_NEAR(kept["whole"]["eta"].get<double>(), 0.34, 1e-6);
  // Sliding at the edge of a dead zone is no sticking; the rate of theorem 1 and the time to enter the band are there.
  const auto creeps = run("realize " + cases + "belt.yaml --law dead-zone=0.03 --until 3 --certificate");
  EXPECT_EQ(creeps.output.find("all constraints stick"), std::string::npos) << creeps.output;
  EXPECT_NE(creeps.output.find("its law never sticks: slip"), std::string::npos) << creeps.output;
  const auto viscous = run_json("realize " + cases + "belt.yaml --law viscous=30 --until 3 --certificate")["certificate"];
  EXPECT_NEAR(viscous["rate"].get<double>(), 2 * 30 / 1.7, 1e-9);
  EXPECT_LE(viscous["t_band_sim"].get<double>(), viscous["band"]["t"].get<double>());
  EXPECT_TRUE(viscous["t_sim"].is_null());
  // Constraints that depend on each other have none, and say so.
  const auto blades = run_json("realize " + cases + "blades.yaml --until 3 --certificate");
  EXPECT_NE(blades["certificate"]["not_certified"].get<std::string>().find("depend on each other"), std::string::npos);
  EXPECT_NEAR(blades["realized"]["dissipated"].get<double>(), 4.92, 0.005);
}

// Where the motion without slip ends, the one with limited force goes on.
TEST_F(Realize, GoesOnWhereTheIdealMotionEnds) {
  const std::string arm = "realize " + std::string(VINCULUM_SOURCE_DIR) + "/tests/cases/slip/arm.yaml --set a=0.9 --until 2";
  const auto json = run_json(arm);
  EXPECT_NEAR(json["ideal"]["ended"]["t"].get<double>(), 1.351, 1e-3);
  EXPECT_EQ(json["realized"]["final"]["t"], 2);
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(run(arm + " --sweep viscous=10,100").exit_code, 1) << "there is no motion to compare with";
}

// Extrema between the instants are found: with 4 instants the peak of a reaction at a quarter of the run.
TEST_F(Realize, CertificateRefinesExtrema) {
  write("model.yaml", R"model(
vinculum: 1
gravity: [0, 0, 0]
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2, inertia: 0.1 } }
velocity_constraints: { belt: { equation: "block' = 0", bound: 3 } }
forces: { pull: { joint: block, law: "0.7*sin(2*pi*t)" } }
)model");
  const auto json = run_json("realize model.yaml --until 1 --certificate --samples 4 --rows belt")["certificate"];
  EXPECT_NEAR(json["rbar"]["belt"].get<double>(), 0.7 * std::sin(2 * M_PI / 3), 1e-9);
  EXPECT_NEAR(json["refined"]["rbar"]["belt"].get<double>(), 0.7, 1e-3);
}

// A taut string is a permanent row: a block on a slope held by a rope needs no grip across it beyond what the rope leaves.
TEST_F(Realize, TautStringsAreRows) {
  write("model.yaml", R"(
vinculum: 1
gravity: [3, 4, 0]
bodies: { sled: { joint: planar, mass: 2, inertia: 0.5 } }
velocity_constraints: { across: { equation: "sled.ty' = 0", bound: 10 }, turn: { equation: "sled.rz' = 0", permanent: true } }
strings: { rope: { from: world, to: sled, at: [-1, 0, 0], length: 1 } }
)");
  const auto json = run_json("realize model.yaml");
  EXPECT_NEAR(json["multipliers"]["across"].get<double>(), -2 * 4, 1e-12);
  EXPECT_NEAR(std::abs(json["multipliers"]["rope"].get<double>()), 2 * 3, 1e-12);
  EXPECT_NEAR(json["accelerations"]["sled.tx'"].get<double>(), 0, 1e-12);
  EXPECT_EQ(json["verdict"], "holds");
  // Slack, it is not there: the sled goes down the slope.
  const auto slack = run_json("realize model.yaml --set sled.tx=-0.5");
  EXPECT_NEAR(slack["accelerations"]["sled.tx'"].get<double>(), 3, 1e-12);
}

// Sliding friction on an allowed axis is in reactions and motion; a certificate says why there is none.
TEST_F(Realize, SlidingFrictionIsHonoured) {
  write("model.yaml", R"(
vinculum: 1
gravity: [0, 3, -10]
bodies: { block: { joint: { axes: [tx, ty, tz] }, mass: 2, inertia: 0.5 } }
contacts:
  foot: { body: block, with: world, point: [0, 0, 0], forbid: [normal, lateral], friction: 0.5,
          sliding_friction: { coefficient: 0.2, smoothing: 0.001 } }
initial: { "block.tx'": 1 }
)");
  const auto json = run_json("realize model.yaml --until 0.1");
  EXPECT_NEAR(json["multipliers"]["foot.normal"].get<double>(), 20, 1e-10);
  EXPECT_NEAR(std::abs(json["multipliers"]["foot.lateral"].get<double>()), 6, 1e-10);
  EXPECT_NEAR(json["accelerations"]["block.tx'"].get<double>(), -2, 1e-9);
  EXPECT_NEAR(json["ideal"]["final"]["v"]["block.tx'"].get<double>(), 0.8, 1e-9);
  EXPECT_EQ(json["verdict"], "holds");
  const auto refused = run("realize model.yaml --until 0.1 --certificate");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.errors.find("VN-REALIZE-004"), std::string::npos) << refused.errors;
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
