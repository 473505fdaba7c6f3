// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Studies as a user runs them.
#include <algorithm>
#include <cstdlib>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

const char* const kSweptSled = R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { grip: 0.8 N, mass: 1 kg, never: 0 }
bodies:
  sled: { joint: { axes: [tx, ty, rz] }, mass: mass, com: [0.5, 0, 0], inertia: 0.5 }
velocity_constraints:
  blade: { equation: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0", bound: grip }
initial: { "sled.tx'": -1.5, "sled.rz'": 0.3 }
events: { reversal: "sled.tx'*cos(sled.rz) + sled.ty'*sin(sled.rz)"
}
)yaml";

const char* const kStudy = R"yaml(
vinculum_study: 1
model: sled.yaml
over:
  grip: { from: 0.5 N, to: 1.1 N, count: 4 }
  "sled.tx'": [-2 m/s, -1, -0.2]
  mass: { normal: [0.5 kg, 1 kg] }
samples: 4
seed: 3
run: { command: simulate, options: "--until 3 --contacts frictional --every 3" }
collect: { margin: verdicts.blade.margin, blade: blade.verdict, slip: "events.slip:blade.t", x: final.q.sled.tx }
)yaml";

// What stands at the end of a path, null if nothing does: names with points in them, lists by `subject`, `name` or number.
nlohmann::json value_at(const nlohmann::json& node, const std::string& path) {
  if (path.empty()) return node;
  std::vector<std::pair<std::string, const nlohmann::json*>> entries;
  if (node.is_object()) {
    for (const auto& [name, value] : node.items()) entries.emplace_back(name, &value);
  } else if (node.is_array()) {
    for (size_t i = 0; i < node.size(); ++i) {
      const bool is_verdict = node[i].is_object() && node[i].contains("verdict");
      const auto name = node[i].is_object() ? node[i].find(is_verdict ? "subject" : "name") : node[i].end();
      entries.emplace_back(name != node[i].end() ? name->get<std::string>() : std::to_string(i), &node[i]);
    }
  }
  for (const auto& [name, value] : entries) {
    if (path == name) return *value;
    if (path.rfind(name + ".", 0) != 0) continue;
    if (const auto found = value_at(*value, path.substr(name.size() + 1)); !found.is_null()) return found;
  }
  return nullptr;
}

class Sweep : public InScratchFolder {
 protected:
  void SetUp() override {
    InScratchFolder::SetUp();
    write("sled.yaml", kSweptSled);
    write("study.yaml", kStudy);
  }
  std::string file(const std::string& name) { return read_file(folder_ / name); }
  int shell(const std::string& line) {
    return std::system(("cd '" + folder_.string() + "' && " + line + " >.shell 2>&1").c_str());
  }
  const std::string program_ = "'" VINCULUM_PROGRAM "'";
};

// Point after point the numbers are those that the command prints by itself.
TEST_F(Sweep, CollectsWhatTheCommandSays) {
  const auto study = run("sweep study.yaml --threads 2 --json --output out");
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  const auto json = study.json();
  ASSERT_EQ(json["points"], 4 * 3 * 4);
  ASSERT_EQ(json["rows"].size(), 48u);
  int failed = 0, slipped = 0;
  for (const int point : {0, 7, 19, 33, 47}) {
    const auto& row = json["rows"][static_cast<size_t>(point)];
    ASSERT_EQ(row["point"], point);
    const auto number = [&](const char* name) { return row[name].dump(); };
    const auto alone = run("simulate sled.yaml --until 3 --contacts frictional --every 3 --json --set grip=" + number("grip") +
                           " --set \"sled.tx'=" + number("sled.tx'") + "\" --set mass=" + number("mass"));
    if (alone.exit_code != 0) {
      EXPECT_EQ(row["status"], "failed");
      continue;
    }
    const auto answer = alone.json();
    EXPECT_EQ(row["x"], answer["final"]["q"]["sled.tx"]);
    for (const auto& verdict : answer["verdicts"]) {
      if (verdict["subject"] != "blade") continue;
      EXPECT_EQ(row["margin"], verdict["margin"]);
      EXPECT_EQ(row["blade"], verdict["verdict"]);
    }
  }
  // Draws of the mass below zero are failed rows, with the reason, and some sleds slip.
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["status"] == "failed", row["mass"] <= 0) << row;
    if (row["status"] == "failed") {
      ++failed;
      EXPECT_FALSE(row["message"].get<std::string>().empty());
      EXPECT_EQ(row["code"].get<std::string>().rfind("VN-MODEL-", 0), 0u);
      EXPECT_TRUE(row["x"].is_null());
    }
    slipped += row["blade"] == "violated" ? 1 : 0;
    EXPECT_EQ(row["blade"] == "violated", !row["slip"].is_null());
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(slipped, 0);
  EXPECT_EQ(json["failed"], failed);
}

// Whatever is kept from point to point, every value is what the command by itself prints: parameters, starts, both, options; runs
// side by side in lanes.
TEST_F(Sweep, PointsAreThoseOfThePlainCommand) {
  write("arm.yaml", R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
parameters: { length: 1 m, load: 0.5 kg }
bodies:
  upper: { joint: {type: revolute, axis: z}, mass: 1, com: [length/2, 0, 0], inertia: 0.1 }
  lower: { parent: upper, joint: {type: revolute, axis: z, origin: [length, 0, 0]}, mass: load, com: [0.4, 0, 0], inertia: 0.05 }
events: { turn: "sin((upper + lower - pi/2)/2)" }
initial: { upper: 0.3 }
)yaml");
  write("rail.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { f: 0.3, pull: 20 N, offset: 0.3 m }
bodies:
  drawer: { joint: { axes: [tx, ty, rz] }, mass: 2, inertia: 0.2 }
guides:
  rails:
    body: drawer
    with: world
    pairs:
      - { face1: {point: [-0.2, 0.2, 0], normal: [0, -1, 0], friction: f}, face2: {point: [-0.2, -0.2, 0], normal: [0, 1, 0], friction: f} }
      - { face1: {point: [0.2, 0.2, 0], normal: [0, -1, 0], friction: f}, face2: {point: [0.2, -0.2, 0], normal: [0, 1, 0], friction: f} }
forces: { hand: { body: drawer, point: [0, offset, 0], force: [pull, 0, 0] } }
)yaml");
  struct Case {
    const char *model, *over, *command, *options, *collect;
  };
  const Case cases[] = {
      {"sled.yaml", "{ \"sled.rz'\": [0.1, 0.3, 0.5], grip: [0.5, 0.9], \"sled.tx'\": [-2, -1] }", "simulate",
       "--until 2 --contacts frictional", "{ m: blade.margin, w: blade.why, x: final.q.sled.tx, e: energy.margin, s: steps }"},
      {"sled.yaml", "{ mass: [1, 2], \"sled.rz'\": [0.1, 0.3, 0.5] }", "simulate", "--until 1",
       "{ i: integrals.E.drift, x: final.q.sled.tx }"},
      {"arm.yaml", "{ upper: [0.2, 1.1, 2.5], lower: [0, 1, 2, 3], \"upper'\": [0, 2] }", "simulate",
       "--until 3 --integrator taylor --stop-at turn",
       "{ t: events.turn.t, end: final.t, q: final.q.lower, v: \"final.v.upper'\", s: steps }"},
      {"arm.yaml", "{ upper: [0.2, 1.1], length: [1, 1.2], load: [0.5, 1] }", "simulate",
       "--until 1 --integrator taylor --every 0.001", "{ q: final.q.lower, n: samples }"},
      {"arm.yaml", "{ length: [0.5, 1], upper: [0, 1, 2], \"lower'\": [0, 3] }", "evaluate", "",
       "{ a: \"accelerations.upper'\", e: energy.kinetic }"},
      {"arm.yaml", "{ length: [0.5, 1], load: [0.1, 1, 2] }", "equilibrium", "", "{ q: state.q.upper, n: iterations }"},
      {"arm.yaml", "{ upper: [-1.5707963267948966], length: [0.5, 1, 2] }", "linearise", "",
       "{ s: stability.verdict, g: stability.growth }"},
      {"rail.yaml", "{ f: [0.1, 0.4, 0.9], offset: [0, 0.2, 0.6] }", "variants", "",
       "{ v: verdict, c: critical_friction_scale, a: \"solutions.0.accelerations.drawer.tx'\" }"},
      {"rail.yaml", "{ f: [0.1, 0.4], offset: [0.2, 0.6] }", "limit", "--load hand", "{ v: verdict, l: alpha }"},
      {"sled.yaml", "{ grip: [0.5, 0.9], T: [0.5, 1, 1.5] }", "realize", "--until {T}",
       "{ v: verdict, m: blade.margin, x: realized.final.q.sled.tx }"},
  };
  int number = 0;
  for (const Case& c : cases) {
    const std::string name = "case" + std::to_string(number++);
    write(name + ".yaml",
          std::string("vinculum_study: 1\nmodel: ") + c.model + "\nover: " + c.over + "\nrun: { command: " + c.command +
              (*c.options != 0 ? std::string(", options: \"") + c.options + "\"" : "") + " }\ncollect: " + c.collect + "\n");
    const auto study = run("sweep " + name + ".yaml --threads 2 --json --output " + name);
    ASSERT_EQ(study.exit_code, 0) << name << study.errors;
    const auto rows = study.json()["rows"];
    ASSERT_GT(rows.size(), 2u);
    for (const size_t point : {size_t{0}, rows.size() / 2, rows.size() - 1}) {
      const auto& row = rows[point];
      // The line that the study gives for this point, by its own words.
      std::string options = c.options, sets;
      for (const auto& [key, value] : row.items()) {
        const std::string over = std::string(c.over);
        if (over.find(" " + key + ":") == std::string::npos && over.find("\"" + key + "\":") == std::string::npos) continue;
        const size_t at = options.find("{" + key + "}");
        if (at != std::string::npos)
          options.replace(at, key.size() + 2, value.dump());
        else
          sets += " --set \"" + key + "=" + value.dump() + "\"";
      }
      const auto alone = run(std::string(c.command) + " " + c.model + " " + options + sets + " --json");
      ASSERT_EQ(alone.exit_code == 0, row["status"] == "done") << name << " " << point << alone.errors;
      if (alone.exit_code != 0) continue;
      const auto answer = alone.json();
      bool is_told = false;
      std::string paths = c.collect;
      for (size_t begin = paths.find_first_not_of("{ "); begin < paths.size();) {
        const size_t colon = paths.find(": ", begin), end = std::min(paths.find(", ", colon), paths.find(" }", colon));
        std::string path = paths.substr(colon + 2, end - colon - 2);
        path.erase(std::remove(path.begin(), path.end(), '"'), path.end());
        nlohmann::json expected = value_at(answer, path);
        if (expected.is_null() && answer.contains("verdicts")) expected = value_at(answer["verdicts"], path);
        EXPECT_EQ(row[paths.substr(begin, colon - begin)], expected) << name << " " << point << " " << path;
        is_told = is_told || !expected.is_null();
        begin = paths.find_first_not_of(", }", end);
      }
      EXPECT_TRUE(is_told) << name << " " << point;
    }
  }
}

TEST_F(Sweep, SameBytesWhateverThreadsShardsAndKills) {
  ASSERT_EQ(run("sweep study.yaml --threads 1 --output one --csv one.csv").exit_code, 0);
  const std::string expected = file("one.csv");
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 49);
  EXPECT_EQ(expected.substr(0, expected.find('\n')),
            "point,grip [N],sled.tx' [m/s],mass [kg],margin,blade,slip,x,status,code,message");
  ASSERT_EQ(run("sweep study.yaml --threads 2 --output two --csv two.csv").exit_code, 0);
  EXPECT_EQ(file("two.csv"), expected);

  for (const char* i : {"1", "2", "3"})
    ASSERT_EQ(run(std::string("sweep study.yaml --output part") + i + " --shard " + i + "/3").exit_code, 0);
  const auto merged = run("sweep --merge part1 part2 part3 --output merged --csv merged.csv");
  ASSERT_EQ(merged.exit_code, 0) << merged.errors;
  EXPECT_EQ(file("merged.csv"), expected);

  // Killed without warning, several times.
  shell("timeout -s KILL 0.05 " + program_ + " sweep study.yaml --threads 1 --output killed");
  for (int i = 0; i < 3; ++i) shell("timeout -s KILL 0.1 " + program_ + " sweep study.yaml --threads 1 --output killed --resume");
  const auto resumed = run("sweep study.yaml --output killed --csv killed.csv --resume");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
  EXPECT_EQ(file("killed.csv"), expected);
}

TEST_F(Sweep, SameBytesWhateverRanks) {
  if (std::system("command -v mpirun >/dev/null 2>&1") != 0 ||
      !std::filesystem::exists(std::filesystem::path(VINCULUM_PROGRAM).parent_path() / "libvinculum_ranks.so"))
    GTEST_SKIP() << "MPI is not installed, or was not when the program was built";
  ASSERT_EQ(run("sweep study.yaml --threads 1 --output one --csv one.csv").exit_code, 0);
  for (const char* ranks : {"1", "2", "3"}) {
    for (const char* threads : {"1", "2"}) {
      const std::string name = std::string(ranks) + threads;
      const int status = shell("mpirun --allow-run-as-root --oversubscribe -n " + std::string(ranks) + " " + program_ +
                               " sweep study.yaml --threads " + threads + " --output " + name + " --csv " + name + ".csv");
      ASSERT_EQ(status, 0) << file(".shell");
      EXPECT_EQ(file(name + ".csv"), file("one.csv")) << ranks << " ranks, " << threads << " threads";
    }
  }
  // What is wrong is told once, and nobody waits for ever.
  EXPECT_NE(shell("mpirun --allow-run-as-root --oversubscribe -n 2 " + program_ + " sweep study.yaml --output one"), 0);
  const std::string told = file(".shell");
  EXPECT_NE(told.find("VN-STUDY-020"), std::string::npos) << told;
  EXPECT_EQ(told.find("VN-STUDY-020"), told.rfind("VN-STUDY-020")) << told;
}

TEST_F(Sweep, WrongStudiesAreToldBeforeAnythingRuns) {
  const auto refused = [&](const std::string& arguments, const std::string& code, int exit_code) {
    const auto result = run("sweep " + arguments + " --output wrong");
    EXPECT_EQ(result.exit_code, exit_code) << arguments << "\n" << result.errors;
    EXPECT_NE(result.errors.find(code), std::string::npos) << arguments << "\n" << result.errors;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "wrong" / "study.sqlite")) << arguments;
    return result.errors;
  };
  const std::string run_it = " --run 'simulate --until 1' --collect x=final.q.sled.tx";
  EXPECT_NE(refused("sled.yaml --over gripp=1:2:3" + run_it, "VN-FILE-027", 2).find("did you mean 'grip'"), std::string::npos);
  refused("sled.yaml --over grip=1:2:0" + run_it, "VN-STUDY-007", 2);
  refused("sled.yaml --over grip=1:1:3" + run_it, "VN-STUDY-002", 2);
  refused("sled.yaml --over grip=1:2:3:4" + run_it, "VN-STUDY-007", 2);
  refused("sled.yaml --over grip" + run_it, "VN-STUDY-007", 2);
  refused("sled.yaml --over grip=1:2:1e9" + run_it, "VN-STUDY-007", 2);
  refused("sled.yaml --over grip=1:2:1000000000" + run_it, "VN-STUDY-006", 2);
  refused("sled.yaml --over \"sled.tx'=1 kg:2 kg:3\"" + run_it, "VN-", 2);
  refused("sled.yaml" + run_it, "VN-STUDY-001", 2);
  refused("sled.yaml --over grip=1:2:3 --run 'simulate --until 1'", "VN-STUDY-001", 2);
  refused("sled.yaml --over grip=1:2:3 --run 'simulat --until 1' --collect x=final.t", "VN-STUDY-013", 2);
  refused("sled.yaml --over grip=1:2:3 --run 'simulate --untill 1' --collect x=final.t", "VN-STUDY-015", 2);
  refused("sled.yaml --over grip=1:2:3 --run 'simulate' --collect x=final.t", "--until", 2);
  refused("sled.yaml --over grip=1:2:3 --run 'simulate --until 1 -o there' --collect x=final.t", "VN-STUDY-014", 2);
  EXPECT_NE(refused("sled.yaml --over grip=1:2:3 --run 'simulate --until 1' --collect x=final.q.sled.tz", "VN-STUDY-012", 2)
                .find("did you mean"),
            std::string::npos);
  refused("sled.yaml --over grip=1:2:3 --run 'simulate --until 1' --collect x=events.slide:blade.t", "VN-STUDY-012", 2);
  refused("absent.yaml --over grip=1:2:3" + run_it, "", 2);
  refused("study.yaml --over grip=1:2:3", "VN-USAGE-001", 2);
  refused("study.yaml --shard 4/3", "VN-USAGE-001", 2);
  refused("", "VN-USAGE-001", 2);

  const auto refused_file = [&](const std::string& from, const std::string& to, const std::string& code, int exit_code = 3) {
    std::string text = kStudy;
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    write("wrong.yaml", text.replace(at, from.size(), to));
    refused("wrong.yaml", code, exit_code);
  };
  refused_file("vinculum_study: 1", "vinculum_study: 2", "VN-FILE-013");
  refused_file("seed: 3", "sed: 3", "wrong.yaml:");
  refused_file("count: 4", "count: 0", "VN-STUDY-007");
  refused_file("count: 4", "count: 99999999999", "VN-STUDY-007");
  refused_file("[-2 m/s, -1, -0.2]", "[]", "wrong.yaml:");
  refused_file("[-2 m/s, -1, -0.2]", "[1 m/s, 1 kg]", "VN-STUDY-007");
  refused_file("samples: 4", "samples: 1.5", "VN-STUDY-007");
  refused_file("normal: [0.5 kg, 1 kg]", "normal: [1 kg, 0]", "VN-STUDY-002");
  refused_file("model: sled.yaml", "model: sleigh.yaml", "VN-FILE-001");
  refused_file("margin: verdicts", "margin: 3, status: verdicts", "VN-STUDY-004");
}

// Units of values are those of the model: rad/s is 1/s inside.
TEST_F(Sweep, ValuesHaveUnits) {
  write("rates.yaml", R"yaml(
vinculum_study: 1
model: sled.yaml
over: { "sled.rz'": [0.3 rad/s, 12 deg/s] }
run: { command: simulate, options: "--until 0.1" }
collect: { rate: "final.v.sled.rz'" }
)yaml");
  const auto study = run("sweep rates.yaml --json --output rates");
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  EXPECT_NEAR(study.json()["rows"][1]["sled.rz'"].get<double>(), 12 * M_PI / 180, 1e-15);
  write("wrong.yaml", R"yaml(
vinculum_study: 1
model: sled.yaml
over: { "sled.rz'": [0.3 m/s, 0.4 m/s] }
run: { command: simulate, options: "--until 0.1" }
collect: { rate: "final.v.sled.rz'" }
)yaml");
  EXPECT_EQ(run("sweep wrong.yaml --output wrong").exit_code, 2);
}

TEST_F(Sweep, AStoreOfAnotherStudyIsRefused) {
  ASSERT_EQ(run("sweep study.yaml --output out").exit_code, 0);
  EXPECT_NE(run("sweep study.yaml --output out").errors.find("VN-STUDY-020"), std::string::npos);
  EXPECT_EQ(run("sweep study.yaml --output out --resume").exit_code, 0);
  std::string other = kStudy;
  write("other.yaml", other.replace(other.find("seed: 3"), 7, "seed: 4"));
  EXPECT_NE(run("sweep other.yaml --output out --resume").errors.find("VN-STUDY-023"), std::string::npos);
  std::string model = kSweptSled;
  write("sled.yaml", model.replace(model.find("inertia: 0.5"), 12, "inertia: 0.6"));
  EXPECT_NE(run("sweep study.yaml --output out --resume").errors.find("another model"), std::string::npos);
  EXPECT_EQ(run("sweep study.yaml --output out --force").exit_code, 0);
}

// A pendulum that is asked for longer than anybody waits, at one of its points.
TEST_F(Sweep, APointThatHangsIsAFailedRow) {
  write("long.yaml", R"yaml(
vinculum: 1
parameters: { turns: 1 }
bodies: { bob: { joint: { type: revolute, axis: y }, mass: 1, com: [0, 0, -1], inertia: 0.1 } }
forces: { shake: { joint: bob, law: "sin(turns*t)"
}
}
initial: { bob: 1 }
)yaml");
  const auto study =
      run("sweep long.yaml --over turns=1,2,1e9,3 --run 'simulate --until 2 --every 2 --integrator dop853' --collect "
          "x=final.q.bob --limit 1 "
          "--threads 2 --json --output out");
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  const auto rows = study.json()["rows"];
  EXPECT_EQ(rows[2]["status"], "failed");
  EXPECT_EQ(rows[2]["code"], "VN-STUDY-010");
  for (const int i : {0, 1, 3}) EXPECT_EQ(rows[static_cast<size_t>(i)]["status"], "done");
}

// So does every other command that may take long.
TEST_F(Sweep, TheLimitHoldsInEveryCommand) {
  write("tops.yaml", R"yaml(
vinculum: 1
bodies:
  a: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
  b: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
  c: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
  d: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] }
strings:
  s1: { from: world, to: a, length: 1 m }
  s2: { from: a, at: [0, 0, -0.6], to: b, length: 1 m }
  s3: { from: b, at: [0, 0, -0.6], to: c, length: 1 m }
  s4: { from: c, at: [0, 0, -0.6], to: d, length: 1 m }
)yaml");
  write("bob.yaml", R"yaml(
vinculum: 1
bodies: { bob: { joint: { type: revolute, axis: y }, mass: 1, com: [0, 0, -1], inertia: 0.1 } }
)yaml");
  for (const char* question : {"sled.yaml --over grip=0.4,0.5 --run 'realize --until 1e7' --collect v=verdict",
                               "bob.yaml --over bob=1,2 --run 'simulate --until 1e7 --every 1e7' --collect x=final.t",
                               "tops.yaml --over rate=10,11 --run 'steady --rate {rate} --spin a=0' --collect n=search.found"}) {
    std::filesystem::remove_all(folder_ / "out");
    const auto study = run(std::string("sweep ") + question + " --limit 0.3 --threads 2 --json --output out");
    ASSERT_EQ(study.exit_code, 0) << question << study.errors;
    const auto json = study.json();
    for (const auto& row : json["rows"]) {
      EXPECT_EQ(row["status"], "failed") << question << row;
      EXPECT_EQ(row["code"], "VN-STUDY-010") << question << row;
    }
  }
}

// The disk is full: a clear end, and everything that was written is good.
TEST_F(Sweep, AFullDiskEndsClearlyAndTheStudyGoesOn) {
  const std::string question =
      "sweep sled.yaml --over grip=0.1:1:250 --over mass=0.5:2:40 --run evaluate --collect e=energy.kinetic "
      "--collect a=\"accelerations.sled.rz'\" --output out";
  const int status = shell("ulimit -f 400; " + program_ + " " + question);
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(file(".shell").find("VN-STUDY-021"), std::string::npos) << file(".shell");
  EXPECT_NE(file(".shell").find("--resume"), std::string::npos) << file(".shell");
  const auto resumed = run(question + " --resume --csv out.csv");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
  ASSERT_EQ(run("sweep sled.yaml --over grip=0.1:1:250 --over mass=0.5:2:40 --run evaluate --collect e=energy.kinetic "
                "--collect a=\"accelerations.sled.rz'\" --output whole --csv whole.csv")
                .exit_code,
            0);
  EXPECT_EQ(file("out.csv"), file("whole.csv"));
}

TEST_F(Sweep, ValuesInTheOptionsOfTheQuestion) {
  write("top.yaml", R"yaml(
vinculum: 1
bodies: { top: { joint: {type: free}, mass: 2 kg, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] } }
strings: { s1: { from: world, to: top, length: 1 m } }
initial: { top.tz: -1 }
)yaml");
  const auto study =
      run("sweep top.yaml --over rate=4:6:3 --over angle=0.2,0.4 --run 'steady --rate {rate} --angle s1={angle} --side top=below "
          "--stability' "
          "--collect spin=families.0.spins.top --collect stable=families.0.stability.verdict --json --output out");
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  const auto row = study.json()["rows"][3];
  const auto alone = run("steady top.yaml --rate 5 --angle s1=0.4 --side top=below --stability --json").json();
  EXPECT_EQ(row["rate"], 5);
  EXPECT_EQ(row["spin"], alone["families"][0]["spins"]["top"]);
  EXPECT_EQ(row["stable"], alone["families"][0]["stability"]["verdict"]);
}

}  // namespace
}  // namespace vinculum::testing
