// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Answers of commands that were once wrong: what a motor supplies against damping, events that a study collects.
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

}  // namespace
}  // namespace vinculum::testing
