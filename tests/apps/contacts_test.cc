// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts as a user meets them: check, evaluate, simulate.
#include <cmath>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Contacts : public InScratchFolder {};

// A table on four legs: three are enough.
const char* const kTable = R"(
vinculum: 1
bodies: { table: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 20, com: [0.1, 0.05, 0.7], inertia: [2, 3, 4] } }
environment: { floor: { surface: plane } }
contacts:
  leg1: { body: table, with: floor, point: [0.5, 0.3, 0], forbid: [normal] }
  leg2: { body: table, with: floor, point: [-0.5, 0.3, 0], forbid: [normal] }
  leg3: { body: table, with: floor, point: [-0.5, -0.3, 0], forbid: [normal] }
  leg4: { body: table, with: floor, point: [0.5, -0.3, 0], forbid: [normal] }
)";

TEST_F(Contacts, CheckTellsWhatIsRedundantAndWhatIsDetermined) {
  write("table.yaml", kTable);
  const auto json = run("check table.yaml --json").json();
  EXPECT_EQ(json["constraints"], (std::vector<std::string>{"leg1.normal", "leg2.normal", "leg3.normal", "leg4.normal"}));
  EXPECT_EQ(json["rank"], 3);
  EXPECT_EQ(json["degrees_of_freedom"], 3);
  EXPECT_EQ(json["redundant"].size(), 1u);
  for (const auto& [row, determinate] : json["determinate"].items()) EXPECT_FALSE(determinate) << row;
  EXPECT_EQ(json["kinds"]["leg1.normal"]["text"], "holonomic, stationary: it holds a distance");
  const auto text = run("check table.yaml");
  EXPECT_NE(text.output.find("rank           3 of 4"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("not determined: leg1.normal, leg2.normal, leg3.normal, leg4.normal"), std::string::npos);
}

// The choice of smallest norm carries the weight, by symmetric levers.
TEST_F(Contacts, EvaluateGivesReactionsInThreeSetsOfAxes) {
  write("table.yaml", kTable);
  const auto json = run("evaluate table.yaml --json").json();
  double sum = 0;
  for (const auto& [row, multiplier] : json["multipliers"].items()) sum += multiplier.get<double>();
  EXPECT_NEAR(sum, 20 * 9.81, 1e-11);
  EXPECT_NEAR(json["multipliers"]["leg1.normal"], 67.035, 1e-11);  // theory 1, W8b
  EXPECT_EQ(json["contacts"]["leg1"]["point"], (std::vector<double>{0.5, 0.3, 0}));
  EXPECT_NEAR(json["contacts"]["leg1"]["reaction"]["contact"]["force"][0], 67.035, 1e-11);
  EXPECT_NEAR(json["contacts"]["leg1"]["reaction"]["world"]["force"][2], 67.035, 1e-11);
  EXPECT_EQ(json["slip"].size(), 8u);
  EXPECT_EQ(json["constraint_residual"]["leg1.normal"]["position"], 0);
  EXPECT_FALSE(json["determinate"]["leg1.normal"]);
}

TEST_F(Contacts, FormsAgree) {
  write("disc.yaml", R"yaml(
vinculum: 1
bodies: { disc: { joint: {type: free}, mass: 2, inertia: [0.08, 0.16, 0.08] } }
environment: { hill: { surface: "0.1*x^2 - 0.05*x*y", position: [0, 0, "0.1*sin(t)"] } }
contacts: { tyre: { body: disc, with: hill, wheel: {axis: y, radius: 0.4}, forbid: [normal, lateral, forward, roll] } }
initial: { disc.tz: 0.4, disc.tx: 0.2, disc.wy: 3 }
)yaml");
  const auto recursive = run("evaluate disc.yaml --project --json");
  ASSERT_EQ(recursive.exit_code, 0) << recursive.errors;
  for (const char* form : {"vector", "aggregate"}) {
    const auto other = run("evaluate disc.yaml --project --json --form " + std::string(form)).json(), here = recursive.json();
    for (const char* key : {"accelerations", "multipliers"}) {
      for (const auto& [name, value] : here[key].items())
        EXPECT_NEAR(other[key][name], value.get<double>(), 1e-11 * (1 + std::abs(value.get<double>()))) << form << " " << name;
    }
  }
}

TEST_F(Contacts, ViolatedStartIsRefusedAndProjected) {
  write("four.yaml", R"(
vinculum: 1
bodies:
  crank: { joint: {axes: [ry]}, mass: 1.2, com: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01] }
  coupler: { parent: crank, joint: {axes: [ry], origin: [0.3, 0, 0]}, mass: 2, com: [0.35, 0, 0.05], inertia: [0.002, 0.06, 0.06] }
  rocker: { joint: {axes: [ry], origin: [0.8, 0, 0]}, mass: 1.5, com: [0.2, 0, 0], inertia: [0.001, 0.03, 0.03] }
contacts:
  pin: { body: coupler, with: rocker, frame: {on_body: {point: [0.75, 0, 0]}, on_environment: {point: [0.5, 0, 0], rotation: [0.5, -0.5, -0.5, -0.5]}}, forbid: [normal, lateral] }
initial: { crank.ry: -1, coupler.ry: 0.5, rocker.ry: -1.5 }
)");
  for (const char* command : {"check", "evaluate", "simulate --until 0.1"}) {
    const auto refused = run(std::string(command) + " four.yaml --json");
    EXPECT_EQ(refused.exit_code, 1) << command;
    EXPECT_NE(refused.errors.find("pin.normal by"), std::string::npos) << refused.errors;
    EXPECT_EQ(refused.json()["diagnostics"].back()["code"], "VN-RUN-004");
  }
  const auto refused = run("evaluate four.yaml --json").json();
  EXPECT_GT(std::abs(refused["constraint_residual"]["pin.lateral"]["position"].get<double>()), 0.1);
  EXPECT_FALSE(refused.contains("accelerations"));

  EXPECT_EQ(run("simulate four.yaml --until 0.1 --project").exit_code, 0);
  const auto projected = run("evaluate four.yaml --project --json").json();
  EXPECT_LE(std::abs(projected["constraint_residual"]["pin.lateral"]["position"].get<double>()), 1e-14);
  EXPECT_EQ(projected["projection"]["crank.ry"]["from"], -1);

  // The crank keeps its angle; elbow up or elbow down. The assembled angles are those of theory 1, X7.
  const auto assembled = run("check four.yaml --assemble --json");
  EXPECT_EQ(assembled.exit_code, 0) << assembled.errors;
  const auto assembly = assembled.json()["assembly"];
  EXPECT_EQ(assembly["held"], (std::vector<std::string>{"crank.ry"}));
  EXPECT_EQ(assembly["state"]["q"]["crank.ry"], -1);
  EXPECT_NEAR(assembly["state"]["q"]["coupler.ry"], 0.670933976290812, 1e-13);
  EXPECT_EQ(assembly["others"].size(), 1u);
  EXPECT_NE(assembled.errors.find("VN-CONTACT-015"), std::string::npos);
}

TEST_F(Contacts, FrictionOnUndeterminedNormalsIsAnAnswer) {
  std::string text = kTable;
  for (size_t at = 0; (at = text.find("forbid: [normal]", at)) != std::string::npos; at += 16)
    text.replace(at, 16, "forbid: [normal], sliding_friction: {coefficient: 0.3, smoothing: 0.01}");
  write("table.yaml", text + "initial: { \"table.tx'\": 0.4, \"table.rz'\": 0.5 }\n");
  const auto answer = run("evaluate table.yaml --json");
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.json()["verdict"], "not unique");
  EXPECT_EQ(answer.json()["verdicts"][0]["verdict"], "not unique");
  EXPECT_FALSE(answer.json().contains("accelerations"));
}

// A crank and a rod almost in line, their end pinned a nanometre before the far end of its way.
TEST_F(Contacts, NearlySingularPositionTellsTheMotionGained) {
  const double a = 0.2, b = 0.5, x = 0.7 - 1e-9;
  const double crank = std::acos((x * x + a * a - b * b) / (2 * a * x)), rod = -crank - std::asin(a * std::sin(crank) / b);
  const nlohmann::json start = {{"q", {{"crank", crank}, {"rod", rod}}}};
  write("state.json", start.dump());
  write("toggle.yaml", R"(
vinculum: 1
bodies:
  crank: { joint: {type: revolute, axis: y}, mass: 1, com: [0.1, 0, 0], inertia: 0.01 }
  rod: { parent: crank, joint: {type: revolute, axis: y, origin: [0.2, 0, 0]}, mass: 1, com: [0.25, 0, 0], inertia: 0.02 }
contacts:
  pin: { body: rod, with: world, frame: {on_body: {point: [0.5, 0, 0]}, on_environment: {point: [0.699999999, 0, 0]}}, forbid: [normal, forward] }
)");
  const auto check = run("check toggle.yaml --state state.json --json");
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_NE(check.errors.find("nearly singular"), std::string::npos) << check.errors;
  // What is gained is the motion that keeps the pin where it is: 0.7 crank' + 0.5 rod' = 0.
  EXPECT_NE(check.errors.find("-0.714 crank' + 1 rod'"), std::string::npos) << check.errors;
  EXPECT_LT(check.json()["singularity"]["ratio"], 1e-4);
}

// Lift-off and touch-down are events; a run that lets go can be stopped at one and resumed like any other.
TEST_F(Contacts, UnilateralContactsLetGoAndTouchDown) {
  write("shake.yaml", R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tz]}, mass: 2, inertia: 0.1 } }
environment: { table: { surface: plane, position: [0, 0, "0.1*(1 - cos(20*t))"] } }
contacts: { foot: { body: block, with: table, point: [0, 0, 0], forbid: [normal] } }
)yaml");
  const auto held = run("simulate shake.yaml --until 0.5 --json").json();
  EXPECT_EQ(held["events"][0]["name"], "pull:foot");
  EXPECT_NEAR(held["events"][0]["t"], std::acos(-9.81 / 40) / 20, 1e-10);
  EXPECT_NEAR(held["final"]["q"]["block.tz"], 0.1 * (1 - std::cos(10.0)), 1e-12);

  const auto free = run("simulate shake.yaml --until 0.5 --contacts unilateral --output out --no-report --json").json();
  EXPECT_EQ(free["events"][1]["name"], "touch-down:foot");
  EXPECT_GT(free["final"]["q"]["block.tz"], held["final"]["q"]["block.tz"]);
  const auto stopped = run("simulate shake.yaml --until 0.5 --contacts unilateral --stop-at touch-down --json").json();
  EXPECT_EQ(stopped["final"]["t"], free["events"][1]["t"]);
  EXPECT_EQ(run("simulate shake.yaml --until 0.5 --contacts sometimes").exit_code, 2);
}

// A crank that is driven moves, if in one way only; held where it is, it does not.
TEST_F(Contacts, CheckTellsADrivenMechanismFromARigidOne) {
  const auto crank = [&](const std::string& law) {
    write("crank.yaml", R"(
vinculum: 1
bodies:
  crank: { joint: {type: revolute, axis: y}, mass: 1, com: [0.1, 0, 0], inertia: 0.01 }
  rod: { parent: crank, joint: {type: revolute, axis: y, origin: [0.2, 0, 0]}, mass: 1, com: [0.25, 0, 0], inertia: 0.02 }
contacts: { slide: { body: rod, with: world, frame: {on_body: {point: [0.5, 0, 0]}}, forbid: [forward] } }
motions: { crank: ")" + law +
                            "\" }\n");
    return run("check crank.yaml").output;
  };
  EXPECT_NE(crank("2*t").find("all motion is given by the driven coordinates"), std::string::npos);
  EXPECT_EQ(crank("2*t").find("cannot move"), std::string::npos);
  EXPECT_NE(crank("0").find("the mechanism cannot move"), std::string::npos);
}

TEST_F(Contacts, LawsThatCannotBeDifferentiated) {
  const char* const body = "vinculum: 1\nbodies: { b: { joint: {type: free}, mass: 1, inertia: 0.1 } }\n";
  write("abs.yaml", std::string(body) +
                        "environment: { deck: { surface: plane, position: [0, 0, \"abs(t)\"] } }\n"
                        "contacts: { foot: { body: b, with: deck, point: [0, 0, 0], forbid: [normal] } }\n");
  const auto refused = run("check abs.yaml");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.errors.find("VN-CONTACT-020"), std::string::npos) << refused.errors;
  EXPECT_NE(refused.errors.find("contact 'foot'"), std::string::npos);
  EXPECT_NE(refused.errors.find("environment body 'deck'"), std::string::npos);
}

TEST_F(Contacts, ReactionsOfARunAreInItsTable) {
  write("sleigh.yaml", R"(
vinculum: 1
bodies: { sleigh: { joint: {type: planar}, mass: 3, com: [0.25, 0, 0], inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] } }
initial: { "sleigh.tx'": 1.2, "sleigh.rz'": 0.8 }
)");
  const auto result = run("simulate sleigh.yaml --until 1 --output out --no-report --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_LE(result.json()["constraint_residual"]["blade.lateral"]["velocity"], 1e-14);
  EXPECT_TRUE(result.json()["constraint_residual"]["blade.lateral"]["position"].is_null());
  EXPECT_NE(
      read_file(folder_ / "out" / "reactions.csv").find(",blade.lateral [N],blade.normal slip [m/s],blade.forward slip [m/s]\n"),
      std::string::npos);
}

// A block slides so fast that tanh is 1 in double precision: the page shows normal and friction as one force.
TEST_F(Contacts, PageShowsTheForcesOfRowsAndLaws) {
  write("block.yaml", R"(
vinculum: 1
bodies: { block: { joint: {axes: [tx, ty, tz]}, mass: 2, inertia: 0.1 } }
environment: { floor: { surface: plane } }
contacts:
  foot: { body: block, with: floor, point: [0, 0, 0], forbid: [normal], sliding_friction: {coefficient: 0.75, smoothing: 0.01} }
initial: { "block.tx'": 3 }
)");
  const auto result = run("simulate block.yaml --until 0.1 --output out");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string page = read_file(folder_ / "out" / "report.html"), mark = "id=\"vinculum-data\">";
  if (page.empty()) GTEST_SKIP() << "built without the page";
  const size_t begin = page.find(mark) + mark.size();
  const auto foot = nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin))["elements"][0];
  EXPECT_EQ(foot["name"], "foot");
  EXPECT_EQ(foot["along"], (std::vector<bool>{true, false, false}));
  EXPECT_NEAR(foot["largest"], 2 * 9.81 * 1.25, 5e-5);  // m g √(1 + μ²), told to six digits
}

}  // namespace
}  // namespace vinculum::testing
