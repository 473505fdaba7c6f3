// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// `vinculum steady` as a user runs it: fields, exit codes, refusals.
#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Steady : public InScratchFolder {
 protected:
  void SetUp() override {
    InScratchFolder::SetUp();
    write("top.yaml", "vinculum: 1\n" + kTop);
    write("two.yaml", R"(vinculum: 1
bodies:
  b1: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
  b2: { joint: {type: free}, mass: 1.5, com: [0, 0, -0.25], inertia: [0.04, 0.04, 0.06] }
strings:
  s1: { from: world, to: b1, length: 0.8 }
  s2: { from: b1, at: [0, 0, -0.7], to: b2, length: 0.6 }
)");
  }
  const std::string kTop = R"(bodies:
  top: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
strings: { s1: { from: world, to: top, length: 1 } }
)";
};

TEST_F(Steady, FamiliesHaveTheFieldsOfTheContract) {
  const auto answer = run("steady two.yaml --rate 5.4 --angle s1=0.33 --angle s2=0.48 --stability --json");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const auto families = answer.json()["families"];
  ASSERT_EQ(families.size(), 4u);
  for (const auto& family : families) {
    EXPECT_EQ(family["feasible"], true);
    for (const char* key : {"reason", "angles", "tilts", "sides", "tensions", "spins", "momenta", "stability"})
      EXPECT_TRUE(family.contains(key)) << key;
    EXPECT_EQ(family["stability"]["frequencies"].size(), 7u);
    EXPECT_EQ(family["stability"]["negative"], 2);
  }
  EXPECT_EQ(families[1]["sides"]["b2"], "above");
  EXPECT_EQ(families[1]["stability"]["verdict"], "unstable");
  const auto one =
      run("steady two.yaml --rate 5.4 --angle s1=0.33 --angle s2=0.48 --side b1=above --side b2=below --json").json()["families"];
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NEAR(one[0]["spins"]["b1"].get<double>(), 52.52126129065, 1e-9);
}

TEST_F(Steady, WhatIsImpossibleHasAReason) {
  const auto reason = [&](const std::string& angle, const std::string& more = "") {
    const auto answer = run("steady top.yaml --rate 5 --angle s1=" + angle + " --side top=below --stability --json " + more);
    EXPECT_EQ(answer.exit_code, 0) << answer.errors;
    const auto family = answer.json()["families"][0];
    EXPECT_EQ(family["feasible"], false);
    EXPECT_TRUE(family["spins"].empty());
    EXPECT_TRUE(family["momenta"].empty());
    EXPECT_FALSE(family.contains("stability"));
    return family["reason"].get<std::string>();
  };
  EXPECT_EQ(reason("2"), "compression");
  EXPECT_EQ(reason("0.7"), "infeasible-angle");
  EXPECT_EQ(reason("1.16764"), "infinite-spin");
  EXPECT_EQ(reason("0.4", "--spin-limit 10"), "infinite-spin");
  // Hanging straight down: any spin.
  const auto hanging = run("steady top.yaml --rate 5 --angle s1=0 --side top=below --json").json()["families"][0];
  EXPECT_EQ(hanging["free_spin"][0], "top");
  EXPECT_EQ(hanging["spins"]["top"], 0);
  EXPECT_EQ(
      run("steady top.yaml --rate 5 --angle s1=0 --side top=below --spin top=7 --json").json()["families"][0]["spins"]["top"], 7);
}

TEST_F(Steady, WrongUsageIsTold) {
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const auto answer = run("steady " + arguments);
    EXPECT_EQ(answer.exit_code, 2) << arguments;
    EXPECT_NE(answer.errors.find(words), std::string::npos) << answer.errors;
  };
  refused("top.yaml --rate 0 --angle s1=0.3", "--rate 0");
  refused("top.yaml --angle s1=0.3", "--rate is missing");
  refused("top.yaml --rate 5", "string 's1' has no angle");
  refused("top.yaml --rate 5 --angle s2=0.3", "there is no string 's2'");
  refused("top.yaml --rate 5 --angle s1=nan", "not a finite number");
  refused("top.yaml --rate 5 --angle s1", "is not NAME=VALUE");
  refused("top.yaml --rate 5 --angle s1=0.3 --side top=left", "`below` or `above`");
  refused("top.yaml --rate 5 --angle s1=0.3 --spin topp=1", "did you mean 'top'?");
  refused("top.yaml --rate 5 --angle s1=0.3 --spin top=1", "follows from the angles");
  refused("top.yaml --branch 7", "there are 2 positive critical rates");
  refused("top.yaml --rate 5 --angle s1=0.3 --write-state state.json", "exactly one feasible family");
  refused("two.yaml --rate 5 --interval s1", "'s2' has no angle");
  refused("two.yaml --rate 5 --scan 100000", "--scan 100000 gives");
}

// What acts beside strings and weight is named, whatever it is.
TEST_F(Steady, OtherElementsAreNamed) {
  const std::pair<std::string, std::string> elements[] = {
      {"contact 'foot'", "contacts: { foot: { body: top, with: world, point: [0, 0, 0], forbid: [normal] } }"},
      {"motion of 'top.tz'", "motions: { top.tz: \"-1\" }"},
      {"velocity constraint 'gear'", "velocity_constraints: { gear: \"top.wz = 3\" }"},
      {"guide 'rail'",
       "guides: { rail: { body: top, pairs: [{ face1: {point: [0, 0, 0], normal: [0, 1, 0]}, face2: {point: [0, 0, 0], normal: "
       "[0, -1, 0]} }] } }"},
      {"force 'wind'", "forces: { wind: { body: top, force: [1, 0, 0] } }"}};
  for (const auto& [name, section] : elements) {
    write("with.yaml", "vinculum: 1\n" + kTop + section + "\n");
    const auto answer = run("steady with.yaml --rate 5 --angle s1=0.4");
    EXPECT_EQ(answer.exit_code, 1) << answer.output;
    EXPECT_NE(answer.errors.find(name), std::string::npos) << answer.errors;
  }
}

TEST_F(Steady, CriticalRatesBranchesAndIntervals) {
  const auto critical = run("steady top.yaml --critical --json").json()["critical_rates"];
  ASSERT_EQ(critical.size(), 4u);
  EXPECT_NEAR(critical[3].get<double>(), 19.61884598148, 1e-9);
  const auto start = run("steady top.yaml --branch 1 --amplitude 0.3 --driven --json").json()["families"][0];
  EXPECT_NEAR(start["rate"].get<double>(), 2.769584037905, 1e-10);
  EXPECT_NEAR(start["critical_rate"].get<double>(), 2.738773878034, 1e-10);
  EXPECT_EQ(start["stability"]["negative_driven"], 0);
  const auto branch = run("steady top.yaml --branch 2 --amplitude 0.3 --to-rate 25 --json --draw branch.svg").json();
  EXPECT_EQ(branch["reached"], true);
  EXPECT_NEAR(branch["branch"].back()["angles"]["s1"].get<double>(), 0.2568984010029, 1e-11);
  EXPECT_NE(read_file(folder_ / "branch.svg").find("</svg>"), std::string::npos);
  const auto intervals = run("steady top.yaml --rate 5 --interval s1 --json").json()["intervals"]["s1"];
  ASSERT_EQ(intervals.size(), 3u);
  EXPECT_NEAR(intervals[2][1].get<double>(), 1.26761934316, 1e-11);
  EXPECT_EQ(run("steady top.yaml --rate 25 --spin top=0 --json").json()["families"].size(), 5u);
}

TEST_F(Steady, PicturesTablesAndStates) {
  const auto map = run("steady two.yaml --rate 5.4 --scan 20 --stability --table atlas.csv --draw map.svg --json");
  ASSERT_EQ(map.exit_code, 0) << map.errors;
  const size_t motions = map.json()["atlas"]["motions"];
  EXPECT_GT(motions, 10u);
  EXPECT_EQ(map.json()["atlas"]["rows"].size(), motions);
  const std::string table = read_file(folder_ / "atlas.csv");
  EXPECT_EQ(static_cast<size_t>(std::count(table.begin(), table.end(), '\n')), motions + 1);
  const auto one = run("steady top.yaml --rate 5 --angle s1=0.4 --side top=below --draw top.svg --write-state start.json --json");
  ASSERT_EQ(one.exit_code, 0) << one.errors;
  const auto construction = one.json()["construction"];
  EXPECT_NEAR(construction["level"].get<double>(), -9.81 / 25, 1e-15);
  EXPECT_NEAR(construction["points"]["C:top"][1].get<double>(), -1.12116438021, 1e-11);
  EXPECT_NEAR(construction["points"]["C above:top"][1].get<double>(), -0.7209576077954, 1e-11);
  const auto state = nlohmann::json::parse(read_file(folder_ / "start.json"));
  EXPECT_NEAR(state["q"]["top.ty"].get<double>(), std::sin(0.4), 1e-14);
  EXPECT_EQ(state["t"], 0);
}

// Two tops on the world are two trees, each with its own families.
TEST_F(Steady, SeveralTreesAreSolvedApart) {
  write("pair.yaml", R"(vinculum: 1
bodies:
  top: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
  toy: { joint: {type: free}, mass: 1, com: [0, 0, -0.2], inertia: [0.02, 0.02, 0.03] }
strings: { s1: { from: world, to: top, length: 1 }, s2: { from: world, at: [3, 0, 0], to: toy, length: 1 } }
)");
  const auto answer = run("steady pair.yaml --rate 2.5 --angle s1=0.4 --angle s2=0.2 --json");
  ASSERT_EQ(answer.exit_code, 0) << answer.errors;
  const auto families = answer.json()["families"];
  ASSERT_EQ(families.size(), 4u);
  EXPECT_EQ(families[3]["tree"], "s2");
  EXPECT_NEAR(families[0]["spins"]["top"].get<double>(), 63.07451176659, 1e-9);
}

}  // namespace
}  // namespace vinculum::testing
