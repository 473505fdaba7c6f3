// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Points of a study side by side in the lanes of a register. With a time limit each point is asked alone, by its command: both
// ways must write the same bytes.
#include <algorithm>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class SweepInLanes : public InScratchFolder {
 protected:
  // The table of the study in lanes, if it can be in lanes, after comparing it with that of the study asked point by point.
  std::string same_table(const std::string& study, bool can_be_in_lanes) {
    const auto lanes = run("sweep " + study + " --output lanes --csv lanes.csv --force --threads 1 --json");
    const auto alone = run("sweep " + study + " --output alone --csv alone.csv --force --threads 2 --limit 100 --json");
    EXPECT_EQ(lanes.exit_code, 0) << lanes.errors;
    EXPECT_EQ(alone.exit_code, 0) << alone.errors;
    EXPECT_EQ(lanes.json()["together"] > 1, can_be_in_lanes) << study;
    EXPECT_EQ(alone.json()["together"], 1) << study;
    EXPECT_EQ(read_file(folder_ / "lanes.csv"), read_file(folder_ / "alone.csv")) << study;
    return read_file(folder_ / "lanes.csv");
  }
};

const char* const kBranchedTree = R"yaml(
vinculum: 1
gravity: [0.3, -0.2, -9.81]
parameters: { load: 0.5 kg, reach: 0.7 m, spring: 40 }
bodies:
  mast: { joint: { type: spherical }, mass: 2, com: [0.1, 0, 0.4], inertia: [0.3, 0.25, 0.1] }
  arm: { parent: mast, joint: { type: revolute, axis: y, origin: [0, 0, reach] }, mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05] }
  slide: { parent: arm, joint: { type: prismatic, axis: x, origin: [0.6, 0, 0] }, mass: load, com: [0, 0, 0.1], inertia: 0.02 }
  flag: { parent: mast, joint: { axes: [tz, rz], origin: [0, 0, 0.8] }, mass: 0.3, com: [0.2, 0, 0], inertia: 0.01 }
forces:
  rod: { between: [mast, [0.2, 0, 0]], and: [slide, [0, 0, 0]], stiffness: spring, damping: 1, length: 0.3 }
  stop: { joint: slide, law: "-0.4/(0.25 - slide)" }
  fan: { body: flag, point: [0.4, 0, 0], force: [0, 0.2, 0], frame: body }
initial: { mast.qw: 0.8, mast.qx: 0.6, mast.wy: 0.5, arm: 0.2, "arm'": -0.3, slide: 0.05, flag.tz: 0.1, "flag.rz'": 2 }
)yaml";

const char* const kEvaluated =
    " --run evaluate --collect \"a=accelerations.arm'\" --collect \"w=accelerations.mast.wx\" --collect x=poses.slide.position.0 "
    "--collect q=poses.flag.quaternion.3 --collect v=twists.slide.2 --collect o=twists.flag.5 --collect m=mass_matrix.3.4 "
    "--collect E=energy.kinetic --collect P=energy.potential --collect t";

// One tree in many states.
TEST_F(SweepInLanes, EvaluationsAtManyStates) {
  write("tree.yaml", kBranchedTree);
  const std::string table =
      same_table("tree.yaml --over arm=-1:1.3:17 --over slide=-0.1:0.1:9 --over mast.wx=-1,0.3" + std::string(kEvaluated), true);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 17 * 9 * 2);
  EXPECT_EQ(table.find("failed"), std::string::npos);
}

// As many trees, whose numbers are parameters of the model.
TEST_F(SweepInLanes, EvaluationsOfManyTrees) {
  write("tree.yaml", kBranchedTree);
  const std::string table =
      same_table("tree.yaml --over load=0.1:2:11 --over reach=0.2:1:7 --over arm=0.1,0.9" + std::string(kEvaluated), true);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 11 * 7 * 2);
}

// Points that fail, among others that do not: a mass below zero, a law without a value, numbers beyond all numbers.
TEST_F(SweepInLanes, PointsThatFailAreToldAsAlone) {
  write("tree.yaml", kBranchedTree);
  std::string table = same_table("tree.yaml --over load=-0.5:0.5:5 --over arm=0.1,0.2,1.3" + std::string(kEvaluated), true);
  EXPECT_NE(table.find("failed,VN-MODEL-"), std::string::npos) << table;
  table = same_table("tree.yaml --over slide=0.1,0.25,0.1 --over \"arm'=0,1e170\"" + std::string(kEvaluated), true);
  EXPECT_NE(table.find("failed,VN-"), std::string::npos) << table;
  EXPECT_NE(table.find("done"), std::string::npos) << table;
}

// What a batch does not know is asked by the command: rows, other values, options.
TEST_F(SweepInLanes, TheRestIsAskedByTheCommand) {
  write("tree.yaml", kBranchedTree);
  write("cart.yaml", R"yaml(
vinculum: 1
parameters: { mass: 1 }
bodies: { cart: { joint: { axes: [tx, ty, rz] }, mass: mass, com: [0.5, 0, 0], inertia: 0.5 } }
velocity_constraints: { blade: "cart.ty'*cos(cart.rz) - cart.tx'*sin(cart.rz) = 0" }
initial: { "cart.tx'": 1, "cart.rz'": 0.3 }
)yaml");
  same_table("cart.yaml --over mass=1:2:20 --run evaluate --collect \"a=accelerations.cart.rz'\" --collect b=multipliers.blade",
             false);
  same_table("tree.yaml --over arm=0:1:20 --run evaluate --collect \"a=accelerations.arm'\" --collect r=reactions.arm.force.1",
             false);
  same_table("tree.yaml --over arm=0:1:20 --run \"evaluate --form vector\" --collect \"a=accelerations.arm'\"", false);
}

// Values in the options are read anew at every point, however they stand there.
TEST_F(SweepInLanes, ValuesInOptionsInEveryForm) {
  write("top.yaml", R"yaml(
vinculum: 1
parameters: { drop: 1 m }
bodies: { top: { joint: {type: free}, mass: 2 kg, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] } }
strings: { s1: { from: world, to: top, length: drop } }
initial: { top.tz: -1 }
)yaml");
  const std::string over = "top.yaml --over rate=4:6:3 --over angle=-0.3,0.2,0.4 --over drop=0.5,1";
  const std::string end = " --stability' --collect s=families.0.spins.top --collect T=families.0.tensions.s1";
  const std::string apart = same_table(over + " --run 'steady --rate {rate} --angle s1={angle} --side top=below" + end, false);
  EXPECT_EQ(same_table(over + " --run 'steady --rate={rate} --angle=s1={angle} --side top=below" + end, false), apart);
  EXPECT_EQ(same_table(over + " --run 'steady --rate {rate} --angle s1={angle} --set drop={drop} --side top=below" + end, false),
            apart);
  EXPECT_EQ(apart.find("failed"), std::string::npos) << apart;
}

}  // namespace
}  // namespace vinculum::testing
