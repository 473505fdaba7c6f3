// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Every command that gives a state judges it as `evaluate` does; kinks, strings and series as other programs read them.
#include <cmath>
#include <numbers>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Judging : public InScratchFolder {
 protected:
  static std::string in_cases(const std::string& path) { return std::string(VINCULUM_SOURCE_DIR) + "/tests/cases/" + path; }
  nlohmann::json answer(const std::string& arguments) {
    const auto run = this->run(arguments + " --json");
    EXPECT_EQ(run.exit_code, 0) << arguments << "\n" << run.errors;
    return run.exit_code == 0 ? run.json() : nlohmann::json::object();
  }
  static nlohmann::json verdict(const nlohmann::json& document, const std::string& subject) {
    for (const auto& one : document.value("verdicts", nlohmann::json::array())) {
      if (one["subject"] == subject) return one;
    }
    return nullptr;
  }
};

// A block on a ramp of 45 degrees needs friction 1 and has 0.1; margin 0.1.
constexpr const char* kRamp = R"yaml(
vinculum: 1
bodies: { b: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }
environment: { ramp: { surface: plane, rotation: {axis: y, angle: 45 deg} } }
contacts: { c: { body: b, with: ramp, point: [0, 0, 0], forbid: [normal, lateral, forward], friction: 0.1 } }
)yaml";

TEST_F(Judging, AllCommandsGiveTheVerdictsOfEvaluate) {
  write("ramp.yaml", kRamp);
  const auto expected = answer("evaluate ramp.yaml");
  ASSERT_EQ(verdict(expected, "c.friction")["verdict"], "violated");
  EXPECT_NEAR(verdict(expected, "c.friction")["margin"], 0.1, 1e-12);
  for (const char* command : {"equilibrium ramp.yaml", "linearise ramp.yaml", "series ramp.yaml --order 4"})
    EXPECT_EQ(answer(command)["verdicts"], expected["verdicts"]) << command;
  EXPECT_NE(run("equilibrium ramp.yaml").output.find("c.friction     violated"), std::string::npos);
  EXPECT_NE(run("linearise ramp.yaml").output.find("c.friction     violated"), std::string::npos);

  // A contact that has to pull: a body pressed up against the ground, 30 N against 19.62 N.
  write("pulled.yaml", R"yaml(
vinculum: 1
bodies: { b: { joint: {axes: [tz]}, mass: 2, inertia: 1 } }
contacts: { c: { body: b, with: world, point: [0, 0, 0], forbid: [normal] } }
forces: { up: { body: b, force: [0, 0, 30] } }
)yaml");
  const auto pulled = answer("evaluate pulled.yaml");
  ASSERT_EQ(verdict(pulled, "c.normal")["verdict"], "violated") << pulled["verdicts"];
  for (const char* command : {"equilibrium pulled.yaml", "linearise pulled.yaml", "series pulled.yaml --order 3"})
    EXPECT_EQ(answer(command)["verdicts"], pulled["verdicts"]) << command;
}

// A requirement on a joint of a plain tree, for the commands that take no contacts.
TEST_F(Judging, RequirementsAtTheStart) {
  write("arm.yaml", R"yaml(
vinculum: 1
bodies: { a: { joint: {type: revolute, axis: y}, mass: 2, com: [0.3, 0, 0], inertia: 0.1 } }
outputs: { angle: { value: "a", require: "< 0.5 rad" } }
initial: { a: 0.8 }
)yaml");
  const auto expected = answer("evaluate arm.yaml");
  ASSERT_EQ(verdict(expected, "angle")["verdict"], "violated");
  for (const char* command :
       {"linearise arm.yaml", "series arm.yaml --order 3", "balance arm.yaml --property static", "inverse arm.yaml"})
    EXPECT_EQ(verdict(answer(command), "angle")["verdict"], "violated") << command;
  const auto design = answer("balance arm.yaml --property static --counterweight a=-0.2,0,0")["design"];
  EXPECT_EQ(verdict(design, "angle")["verdict"], "violated");
}

TEST_F(Judging, SteadyMotionsOfStrings) {
  write("top.yaml", R"yaml(
vinculum: 1
bodies: { top: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] } }
strings: { s: { from: world, to: top, length: 1 } }
outputs: { pull: { value: "s", require: "< 15 N" } }
)yaml");
  const auto families = answer("steady top.yaml --rate 5 --angle s=0.4")["families"];
  ASSERT_EQ(families.size(), 2u);
  for (const auto& family : families) {
    EXPECT_EQ(verdict(family, "pull")["verdict"], "violated");  // T = m g/cos 0.4 = 21.3 N
    EXPECT_EQ(verdict(family, "s.taut")["verdict"], "holds");
  }
  ASSERT_EQ(run("steady top.yaml --rate 5 --angle s=0.4 --side top=below --write-state start.json").exit_code, 0);
  EXPECT_EQ(answer("evaluate top.yaml --state start.json")["verdicts"], families[0]["verdicts"]);
}

// P1: the series of a motion that friction and contact cannot give says so, with its multipliers.
TEST_F(Judging, SeriesHasMultipliersAndVerdicts) {
  const auto block = answer("series " + in_cases("paper/coinf.yaml") + " --order 3");
  EXPECT_EQ(verdict(block, "c.bound")["verdict"], "violated") << block["verdicts"];
  EXPECT_NEAR(block["multipliers"]["c.forward"][0], -6, 1e-12);  // against 6 m/s² on 1 kg
  EXPECT_EQ(block["trusted"]["c.forward"], block["multipliers"]["c.forward"].size());

  // N = m g - m v² at the top of z = -x²/2: 9.81 - 16 N.
  const auto bead = answer("series " + in_cases("paper/pull.yaml") + " --order 6");
  EXPECT_EQ(verdict(bead, "c.normal")["verdict"], "violated") << bead["verdicts"];
  EXPECT_NEAR(bead["multipliers"]["c.normal"][0], 9.81 - 16, 1e-12);
  EXPECT_EQ(bead["verdicts"], answer("evaluate " + in_cases("paper/pull.yaml"))["verdicts"]);
  for (const auto& [name, count] : bead["trusted"].items()) {
    for (const char* key : {"q", "v", "multipliers"}) {
      if (bead[key].contains(name)) EXPECT_EQ(bead[key][name].size(), count) << name;
    }
  }
}

// A four-bar 1e-6 rad beside its in-line position: every order divides by 1e-6 once more, so that high orders are round-off.
TEST_F(Judging, SeriesLeavesOutWhatRoundOffLeavesNothingOf) {
  write("swing.yaml", R"yaml(
vinculum: 1
bodies: { p: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: 0.01 } }
initial: { p: 0.5 }
)yaml");
  const auto whole = answer("series swing.yaml --order 20");
  EXPECT_EQ(whole["trusted"]["p"], 21);
  EXPECT_EQ(whole["q"]["p"].size(), 21u);

  write("stretched.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { e: 1e-6 }
bodies:
  a: { joint: {type: revolute, axis: z}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }
  b: { parent: a, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }
velocity_constraints: { hand: "-sin(a)*a' - sin(a + b)*(a' + b') = 0" }
initial: { a: e, b: -2*e, "a'": 1e-6, "b'": 0 }
)yaml");
  const auto run = this->run("series stretched.yaml --order 30 --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto json = run.json();
  for (const char* name : {"a", "b"}) EXPECT_EQ(json["q"][name].size(), json["trusted"][name]);
}

// R4: both sides and a warning; the equilibrium found there, too.
TEST_F(Judging, KinksAreToldWithBothSides) {
  write("kink.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 } }
forces: { spring: { joint: p, law: "-4*max(p, 0) - min(p, 0)" } }
)yaml");
  for (const char* command : {"linearise kink.yaml", "equilibrium kink.yaml", "equilibrium kink.yaml --set p=0.7"}) {
    const auto run = this->run(std::string(command) + " --json");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.errors.find("VN-LINEAR-225"), std::string::npos) << run.errors;
    const auto json = run.json();
    ASSERT_EQ(json["sides"].size(), 2u) << command;
    const auto frequency = [&](int side) { return std::abs(json["sides"][side]["eigenvalues"][0][1].get<double>()); };
    EXPECT_NEAR(std::max(frequency(0), frequency(1)), 2, 1e-12);
    EXPECT_NEAR(std::min(frequency(0), frequency(1)), 1, 1e-12);
    EXPECT_EQ(json["stability"]["verdict"], "undecided");
    EXPECT_EQ(json["eigenvalues"], json["sides"][0]["eigenvalues"]);
  }
  // Beside it there is one answer, and no warning.
  const auto beside = run("linearise kink.yaml --set p=0.1 --json");
  EXPECT_EQ(beside.errors, "");
  EXPECT_FALSE(beside.json().contains("sides"));
}

// T1, and what --taut leaves out.
TEST_F(Judging, IntegralsOfStrings) {
  const std::string one = in_cases("strings/ONE.yaml");
  for (const char* options : {"", " --taut s1", " --set g1.tz=-1.2"}) {
    const auto json = answer("integrals " + one + options);
    EXPECT_EQ(json["count"], 3) << options;
    EXPECT_EQ(json["taut"], (nlohmann::json{"s1"}));
    EXPECT_EQ(json["slack"], nlohmann::json::array());
  }
  const std::string two = in_cases("strings/C2b.yaml") + " --set lo.tx=0.7";  // s2 begins at x = 0.7: slack
  const auto upper = answer("integrals " + two + " --taut s1");
  EXPECT_EQ(upper["slack"], (nlohmann::json{"s2"}));
  EXPECT_GT(upper["count"], answer("integrals " + two)["count"]);
  EXPECT_NE(run("integrals " + two + " --taut s1").output.find("left out, slack: s2"), std::string::npos);
  EXPECT_EQ(run("integrals " + two + " --taut s3").exit_code, 2);
}

// R1: what was only not found to change is dropped from a run that changes it, and not called violated.
TEST_F(Judging, AnIntegralThatWasOnlyNotFoundIsDropped) {
  const auto listed = answer("integrals " + in_cases("runs/barrier.yaml"));
  ASSERT_EQ(listed["count"], 2);
  EXPECT_EQ(listed["integrals"][0]["proven"], true);
  EXPECT_EQ(listed["integrals"][1]["proven"], false);
  EXPECT_NE(listed["integrals"][1]["why"].get<std::string>().find("not found at 30 states"), std::string::npos);
  // Wide enough for the steps, far enough from the random states.
  write("far.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0.1 } }
forces: { hill: { joint: p, law: "-2*exp(-((p - 20)/2)^2)" } }
initial: { p: 0, "p'": 1 }
)yaml");
  const auto json = answer("simulate far.yaml --until 30");
  EXPECT_LT(json["final"]["v"]["p'"], -0.9);  // it came back
  const auto judged = verdict(json, "integrals");
  EXPECT_EQ(judged["verdict"], "not checked") << judged;
  EXPECT_NE(judged["why"].get<std::string>().find("force 'hill' acts on it"), std::string::npos) << judged;
  for (const auto& integral : json["integrals"]) EXPECT_NE(integral["name"], "Px");
}

// T5: the search is over coplanar motions, and says so; T6: the hint names what exists.
TEST_F(Judging, SteadySaysWhatItSearched) {
  const auto json = answer("steady " + in_cases("strings/C2b.yaml") + " --rate 8 --spin up=0 --spin lo=0");
  EXPECT_EQ(json["search"]["scope"], "coplanar only");
  EXPECT_EQ(run("steady --help").output.find("give all motions"), std::string::npos);
  const auto refused = run("steady " + in_cases("strings/SP.yaml") + " --rate 3");
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.errors.find("`equilibrium --steady COORDINATE=RATE`"), std::string::npos) << refused.errors;
  EXPECT_NE(run("equilibrium --help").output.find("--steady COORDINATE=RATE"), std::string::npos);
}

// T3, as printed.
TEST_F(Judging, ChangesOfStabilityAreLocated) {
  const auto json = answer("steady " + in_cases("strings/C2b.yaml") + " --branch 2 --amplitude 0.2 --to-rate 15 --stability");
  ASSERT_FALSE(json["stability_changes"].empty());
  EXPECT_NEAR(json["stability_changes"][0]["rate"], 9.2195, 5e-5);
  EXPECT_EQ(json["stability_changes"][0]["verdict"], "unstable");
}

// Margin of a taut string: tension between m g cos 30° at the turns and m g (3 - 2 cos 30°) below, mean by amplitude.
TEST_F(Judging, MarginOfATautString) {
  const double c = std::cos(std::numbers::pi / 6);
  EXPECT_NEAR(verdict(answer("simulate " + in_cases("terms/taut.yaml") + " --until 4"), "s.taut")["margin"],
              (3 - c) / (3 - 3 * c), 1e-4);
}

// A pendulum on a rod of a contact's row: accelerations beyond --residual are refused, just within it they pass.
TEST_F(Judging, InverseRefusesAccelerationsJustOutsideTheRows) {
  write("bead.yaml", R"yaml(
vinculum: 1
bodies: { b: { joint: {axes: [tx, tz]}, mass: 1, inertia: 1 } }
velocity_constraints: { slope: "b.tz' - 0.5*b.tx' = 0" }
)yaml");
  const auto at = [&](double off) {
    write("state.json", "{\"q\": {}, \"v\": {}, \"a\": {\"b.tx'\": 2, \"b.tz'\": " + std::to_string(1 + off) + "}}");
    return run("inverse bead.yaml --state state.json --residual 1e-4 --drives b.tx");
  };
  // Allowed: 1e-4 (a + |a_z| + 0.5 |a_x|) = 1e-3, with the model's own acceleration a = 8 m/s^2.
  EXPECT_EQ(at(0.99e-3).errors.find("VN-RUN-130"), std::string::npos);
  EXPECT_NE(at(1.01e-3).errors.find("VN-RUN-130"), std::string::npos);
  EXPECT_NE(at(-1.01e-3).errors.find("VN-RUN-130"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::testing
