// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers of commands that were once wrong: what a motor supplies against damping, events that a study collects, kinds of
// constraints and their mirror images, cost that grows with the square of the time.
#include <cmath>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class ReportedCases : public InScratchFolder {
 protected:
  void copy(const std::string& path) {
    write(std::filesystem::path(path).filename().string(), read_file(std::string(VINCULUM_SOURCE_DIR "/tests/cases/") + path));
  }
  static nlohmann::json verdict_on(const nlohmann::json& answer, const std::string& subject) {
    for (const auto& verdict : answer["verdicts"]) {
      if (verdict["subject"] == subject) return verdict;
    }
    return nullptr;
  }
};

// A hinge at 1 rad/s against the damping of the URDF, 10 N*m*s: its motor of 5 N*m supplies 10.
TEST_F(ReportedCases, DampingOfAUrdfIsNoDrive) {
  copy("verdicts/one.urdf");
  copy("verdicts/m.csv");
  ASSERT_EQ(run("convert one.urdf -o one.yaml").exit_code, 0);
  EXPECT_NE(read_file(folder_ / "one.yaml").find("passive: true"), std::string::npos);
  const auto along = run("inverse one.yaml --motion m.csv --json");
  ASSERT_EQ(along.exit_code, 0) << along.errors;
  const auto answer = along.json();
  ASSERT_EQ(answer["forces"]["l1'"].size(), answer["t"].size());
  for (const auto& force : answer["forces"]["l1'"]) EXPECT_NEAR(force.get<double>(), 10, 1e-9);
  const auto effort = verdict_on(answer, "l1.effort");
  EXPECT_EQ(effort["verdict"], "violated");
  EXPECT_NEAR(effort.value("margin", 0.0), 0.5, 1e-9);
  // At a state, and with the rows: 0.1 kg*m^2 · 3 rad/s^2 + 10 · 2.
  write("state.json", R"({"q": {"l1": 0.2}, "v": {"l1'": 2}, "a": {"l1'": 3}})");
  for (const char* more : {"", " --drives l1"})
    EXPECT_NEAR(run(std::string("inverse one.yaml --state state.json --json") + more).json()["forces"]["l1'"].get<double>(),
                0.1 * 3 + 10 * 2, 1e-12);
}

// reach = a t²/2 passes 0.2 m at t = √(0.4/a), a = 0.1 + 3 max(0, 1 - |p - 2|), at one point of this study alone: none of those
// at which a study is tried first.
TEST_F(ReportedCases, AStudyCollectsEveryEventThatARunCanReport) {
  copy("runs/req.yaml");
  const std::string study = "sweep req.yaml --over p=0,0.5,0.9,1,1.9,0.2,0.1 --run \"simulate --until 0.45\" --json --output ";
  const auto found = run(study + "a --collect t=events.requirement:reach.t");
  ASSERT_EQ(found.exit_code, 0) << found.errors;
  const auto rows = found.json()["rows"];
  ASSERT_EQ(rows.size(), 7u);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i != 4) EXPECT_TRUE(rows[i]["t"].is_null()) << i;
  }
  EXPECT_NEAR(rows[4]["t"].get<double>(), std::sqrt(0.4 / 2.8), 1e-9);
  // There is no grip called reach that could slip, and no such output.
  for (const char* wrong : {"events.slip:reach.t", "events.requirement:reech.t"}) {
    const auto refused = run(study + "b --collect t=" + wrong);
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_NE(refused.errors.find("VN-STUDY-012"), std::string::npos) << refused.errors;
  }
}

// The end of a table is a value of it; beyond there is none.
TEST_F(ReportedCases, ATableHasAValueAtItsEnd) {
  write("ramp.csv", "s,f\n0,0\n1,1\n3,5\n");
  write("ramp.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, 0]
tables: { ramp: { file: ramp.csv, x: s, y: f } }
bodies: { a: { joint: { type: prismatic, axis: z }, mass: 1, inertia: 0 } }
forces: { e: { joint: a, law: "table(ramp, t)" } }
)yaml");
  EXPECT_EQ(run("simulate ramp.yaml --until 3").exit_code, 0);
  const auto beyond = run("simulate ramp.yaml --until 4");
  EXPECT_EQ(beyond.exit_code, 1);
  EXPECT_NE(beyond.errors.find("the table 'ramp' has no value beyond 3: it goes from 0 to 3"), std::string::npos)
      << beyond.errors;
}

// Ends of joint ranges are no constraints that the sliders of a page break.
TEST_F(ReportedCases, ThePageOfAModelCountsConstraintsAlone) {
  write("arm.yaml",
        "vinculum: 1\nbodies: { arm: { joint: { type: revolute, axis: y, limits: { position: [-1, 1] } }, mass: 1, inertia: 1 } "
        "}\n");
  ASSERT_EQ(run("check arm.yaml --page arm.html").exit_code, 0);
  const std::string page = read_file(folder_ / "arm.html");
  if (page.empty()) GTEST_SKIP() << "there is no page in this program";
  EXPECT_NE(page.find("\"rows\":0"), std::string::npos);
}

// A rover on wavy ground, and in a mirror that swaps left and right: its constraints are of the same kinds. A blade that turns a
// little with its place holds no position, however little.
TEST_F(ReportedCases, KindsOfConstraintsAreThoseOfTheMirrorImage) {
  copy("contacts/rov4.yaml");
  std::string mirrored = read_file(folder_ / "rov4.yaml");
  const auto replace = [&](const std::string& from, const std::string& to) {
    size_t count = 0;
    for (size_t at = 0; (at = mirrored.find(from, at)) != std::string::npos; at += to.size(), ++count)
      mirrored.replace(at, from.size(), to);
    EXPECT_GT(count, 0u) << from;
  };
  replace("com: [0.03,0.01,", "com: [0.03,-0.01,");
  replace("0.6,0.4,", "0.6,LEFT,");
  replace("0.6,-0.4,", "0.6,0.4,");
  replace("LEFT", "-0.4");
  replace("sin(y+0.5)", "sin(0.5-y)");
  write("mirrored.yaml", mirrored);
  const auto own = run("check --assemble rov4.yaml --json"), other = run("check --assemble mirrored.yaml --json");
  ASSERT_EQ(own.exit_code, 0) << own.errors;
  ASSERT_EQ(other.exit_code, 0) << other.errors;
  const auto kinds = own.json()["kinds"];
  EXPECT_EQ(kinds, other.json()["kinds"]);
  EXPECT_TRUE(kinds["c0.normal"]["holonomic"]);
  for (const char* row : {"c0.lateral", "c0.forward", "c1.forward", "c2.lateral", "c3.forward"})
    EXPECT_FALSE(kinds[row]["holonomic"]) << row;

  copy("contacts/sl.yaml");
  for (const char* eps : {"1e-3", "1e-5", "1e-9"})
    EXPECT_FALSE(run(std::string("check sl.yaml --json --set eps=") + eps).json()["kinds"]["b"]["holonomic"]) << eps;
}

// A load under a helicopter that circles: four times the time, four times the steps, but for those of the start.
TEST_F(ReportedCases, StepsGrowWithTheTime) {
  copy("strings/HELI2.yaml");
  const auto steps = [&](const char* until) {
    const auto answer = run(std::string("simulate HELI2.yaml --json --until ") + until);
    EXPECT_EQ(answer.exit_code, 0) << answer.errors;
    return answer.json()["steps"].get<double>();
  };
  EXPECT_LT(steps("20"), 5 * steps("5"));
}

// Pushed by 30 N on a spring: 15 kg*m/s^2 less the friction 0.5 m g, from the start.
TEST_F(ReportedCases, ABlockPressedByALawSlides) {
  copy("contacts/hop2.yaml");
  const auto answer = run("simulate hop2.yaml --until 2 --contacts frictional --json").json();
  const double a = (30 - 0.5 * 2 * 9.81) / 2;
  EXPECT_NEAR(answer["final"]["q"]["foot.tx"].get<double>(), a / 2 * 4, 1e-8);
  EXPECT_EQ(verdict_on(answer, "c.friction")["verdict"], "violated");
  EXPECT_NEAR(verdict_on(answer, "c.friction")["first_violation"].get<double>(), 0, 1e-12);
}

// 40 N sin^4(20 t) on 19.62 N: the first of many short pulls, at asin((19.62/40)^(1/4))/20.
TEST_F(ReportedCases, AShortPullIsReportedAtItsTime) {
  copy("terms/dip.yaml");
  const auto verdict = verdict_on(run("simulate dip.yaml --until 2 --json").json(), "foot.normal");
  EXPECT_EQ(verdict["verdict"], "violated");
  EXPECT_NEAR(verdict["first_violation"].get<double>(), std::asin(std::pow(2 * 9.81 / 40, 0.25)) / 20, 1e-9);
}

// A cart is pushed along a table: 1 N before it, 1 .. 3 N over the first metre, 3 .. 2 N over the second, 2 N behind it:
// v² = v0² + 2 W over each part, and its time by a quadrature in the place.
TEST_F(ReportedCases, ATableIsHeldAtBothEnds) {
  copy("terms/tab.yaml");
  copy("terms/tab.csv");
  const auto work = [](double x) {
    if (x < 0) return x + 1;
    if (x < 1) return 1 + x + x * x;
    if (x < 2) return 3 + 3 * (x - 1) - (x - 1) * (x - 1) / 2;
    return 5.5 + 2 * (x - 2);
  };
  const auto speed = [&](double x) { return std::sqrt(0.25 + 2 * work(x)); };
  double t = 0;  // at x = 2
  for (const double from : {-1.0, 0.0, 1.0}) {
    constexpr int kParts = 2000;  // Simpson's rule: the error is below 1e-12
    for (int i = 0; i < kParts; ++i) {
      const double x = from + i / static_cast<double>(kParts), h = 1.0 / kParts;
      t += h / 6 * (1 / speed(x) + 4 / speed(x + h / 2) + 1 / speed(x + h));
    }
  }
  const double x = 2 + speed(2) * (3 - t) + (3 - t) * (3 - t);
  EXPECT_NEAR(x, 7.118, 1e-3);
  for (const char* integrator : {"auto", "taylor", "dop853", "arkode"}) {
    const auto answer = run(std::string("simulate tab.yaml --until 3 --json --integrator ") + integrator).json();
    EXPECT_NEAR(answer["final"]["q"]["cart"].get<double>(), x, 1e-7) << integrator;  // a thousand tolerances
    EXPECT_EQ(verdict_on(answer, "energy")["verdict"], "holds");
  }
}

// A nut on one thread face: where the point of the face goes round with the nut, z' = 0.05 r cos(turn) turn', so z = 0.05 r
// sin(turn).
TEST_F(ReportedCases, TheFaceOfANutStaysOnItsPlane) {
  copy("guides/screw.yaml");
  const auto answer = run("simulate screw.yaml --until 1 --json").json();
  const double z = answer["final"]["q"]["nut.tz"], turn = answer["final"]["q"]["nut.rz"];
  EXPECT_GT(turn, 0.5);
  EXPECT_NEAR(z, 0.05 * 0.02 * std::sin(turn), 1e-12);
  EXPECT_EQ(verdict_on(answer, "energy")["verdict"], "holds");
}

// Pads that rest under a growing load: what is asked of their rest at every sample does not shorten a step.
TEST_F(ReportedCases, PadsRestInAFewSteps) {
  copy("guides/ramp.yaml");
  const auto answer = run("simulate ramp.yaml --until 0.001 --every 0.0005 --json").json();
  EXPECT_LE(answer["steps"].get<int>(), 10);
  EXPECT_EQ(verdict_on(answer, "g")["verdict"], "holds");
  for (const auto& [name, value] : answer["final"]["v"].items()) EXPECT_EQ(value.get<double>(), 0) << name;
}

// Watt's governor: the friction at which its oscillation ceases to grow.
TEST_F(ReportedCases, FrictionOfAGovernor) {
  copy("impacts/watt.yaml");
  const auto answer = run("linearise watt.yaml --over b=4:6:5 --json").json();
  ASSERT_EQ(answer["changes"].size(), 1u);
  EXPECT_NEAR(answer["changes"][0]["value"].get<double>(), 4.876455323, 1e-9);
}

}  // namespace
}  // namespace vinculum::testing
