// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the contract says of `sweep`, word by word, through the command line.
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

const char* const kBead = R"yaml(
vinculum: 1
parameters: { mu: 0.5, speed: 4 m/s, mass: 12 kg }
environment: { ground: { surface: plane } }
bodies:
  car: { joint: { axes: [tx, ty, tz] }, mass: mass, inertia: 0.1 }
contacts:
  front: { body: car, with: ground, point: [0, 0, 0], forbid: [normal, lateral], friction: mu }
forces: { wind: { body: car, point: [0, 0, 0], force: [0, "speed*5 N/m*t", 0] } }
initial: { "car.tx'": speed }
)yaml";

// The file of the contract, with fewer points.
const char* const kContractStudy = R"yaml(
vinculum_study: 1
model: folder/car.yaml
over:
  mu: { from: 0.2, to: 0.9, count: 8 }
  speed: [2, 5, 10]
  mass: { normal: [12 kg, 0.5 kg] }
samples: 3
seed: 1
run: { command: simulate, options: "--until 1 --contacts frictional" }
collect: { margin: verdicts.front.friction.margin, slips: verdicts.front.friction.verdict, x: final.q.car.tx, when: "events.slip:front.t" }
)yaml";

class SweepContract : public InScratchFolder {
 protected:
  void SetUp() override {
    InScratchFolder::SetUp();
    std::filesystem::create_directories(folder_ / "folder");
    write("folder/car.yaml", kBead);
    write("study.yaml", kContractStudy);
  }

  // Rows of a query of the store, as text; null is "-".
  std::vector<std::vector<std::string>> query(const std::string& store, const std::string& text) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2((folder_ / store).c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::vector<std::vector<std::string>> rows;
    const auto keep = [](void* list, int count, char** values, char**) {
      auto& row = static_cast<std::vector<std::vector<std::string>>*>(list)->emplace_back();
      for (int i = 0; i < count; ++i) row.emplace_back(values[i] == nullptr ? "-" : values[i]);
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, text.c_str(), keep, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
    return rows;
  }
};

// DIR/study.sqlite: table points, its columns in their order, table timing apart; the first parameter varies slowest.
TEST_F(SweepContract, TheStore) {
  const auto study = run("sweep study.yaml --json");  // --output is `study` if not given
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  const std::string store = "study/study.sqlite";
  std::vector<std::string> columns;
  for (const auto& column : query(store, "PRAGMA table_info(points)")) columns.push_back(column[1]);
  EXPECT_EQ(columns, (std::vector<std::string>{"point", "mu", "speed", "mass", "margin", "slips", "x", "when", "status", "code",
                                               "message"}));
  EXPECT_EQ(query(store, "PRAGMA table_info(points)")[0][5], "1");  // the primary key
  EXPECT_EQ(query(store, "PRAGMA table_info(points)")[0][2], "INTEGER");
  const auto rows = query(store, "SELECT point, mu, speed, mass, status, slips, `when`, margin FROM points ORDER BY point");
  ASSERT_EQ(rows.size(), 8u * 3u * 3u);
  EXPECT_EQ(query(store, "SELECT COUNT(*) FROM timing WHERE seconds > 0")[0][0], "72");
  int slipped = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], std::to_string(i));
    const double mu = std::stod(rows[i][1]), speed = std::stod(rows[i][2]), mass = std::stod(rows[i][3]);
    EXPECT_NEAR(mu, 0.2 + 0.1 * static_cast<double>(i / 9), 1e-15);
    EXPECT_EQ(speed, (std::array{2.0, 5.0, 10.0}[i / 3 % 3]));
    EXPECT_NEAR(mass, 12, 5 * 0.5);
    EXPECT_EQ(rows[i][3], rows[i % 3][3]) << "every node of the grid sees the same samples";
    // It slips when 5 speed t passes mu m g, or not within the second.
    const double when = mu * mass * 9.81 / (5 * speed);
    ASSERT_EQ(rows[i][4], "done");
    ASSERT_EQ(rows[i][5], when < 1 ? "violated" : "holds") << mu << " " << speed;
    if (when < 1)
      EXPECT_NEAR(std::stod(rows[i][6]), when, 1e-9);
    else
      EXPECT_NEAR(std::stod(rows[i][7]), when, 1e-6);  // the margin: the bound over the push at the end
    slipped += when < 1 ? 1 : 0;
  }
  EXPECT_GT(slipped, 10);
  EXPECT_LT(slipped, 60);
  // `points`, `failed`, `rows` of the document.
  const auto json = study.json();
  EXPECT_EQ(json["points"], 72);
  EXPECT_EQ(json["failed"], 0);
  ASSERT_EQ(json["rows"].size(), 72u);
  EXPECT_EQ(json["rows"][5]["mu"].get<double>(), std::stod(rows[5][1]));
}

// All of it from the command line: NAME=FROM:TO:COUNT, NAME alone as a path, a verdict by its subject.
TEST_F(SweepContract, TheCommandLine) {
  const auto study = run(
      "sweep folder/car.yaml --over mu=0.2:0.9:8 --over 'speed=2 m/s,5,10' --run 'simulate --until 1 --contacts frictional' "
      "--collect "
      "front.friction.margin --collect slips=front.friction.verdict --collect long=verdicts.front.friction.verdict --output a/b "
      "--csv t.csv --threads 2");
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  const std::string table = read_file(folder_ / "t.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')), "point,mu,speed [m/s],front.friction.margin,slips,long,status,code,message");
  for (const auto& row : query("a/b/study.sqlite", "SELECT slips, long FROM points")) EXPECT_EQ(row[0], row[1]);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "a" / "b" / "report.html"));
}

// Distributions by their words; the same seed draws the same numbers, another one others.
TEST_F(SweepContract, RandomParameters) {
  const auto drawn = [&](const std::string& law, int seed) {
    write("drawn.yaml", "vinculum_study: 1\nmodel: folder/car.yaml\nover: { mu: " + law + " }\nsamples: 400\nseed: " +
                            std::to_string(seed) + "\nrun: { command: evaluate }\ncollect: { N: multipliers.front.normal }\n");
    const auto study = run("sweep drawn.yaml --json --output drawn --force --no-report");
    EXPECT_EQ(study.exit_code, 0) << study.errors;
    std::vector<double> values;
    const auto json = study.json();
    for (const auto& row : json["rows"]) values.push_back(row["mu"]);
    return values;
  };
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  const auto uniform = drawn("{ uniform: [0.2, 0.6] }", 1);
  EXPECT_EQ(drawn("{ uniform: [0.2, 0.6] }", 1), uniform);
  EXPECT_NE(drawn("{ uniform: [0.2, 0.6] }", 2), uniform);
  EXPECT_NEAR(mean(uniform), 0.4, 4 * 0.4 / std::sqrt(12.0 * 400));
  EXPECT_GE(*std::ranges::min_element(uniform), 0.2);
  EXPECT_LE(*std::ranges::max_element(uniform), 0.6);
  EXPECT_NEAR(mean(drawn("{ normal: [0.5, 0.05] }", 1)), 0.5, 4 * 0.05 / 20);
  EXPECT_NEAR(mean(drawn("{ sobol: [0.2, 0.6] }", 1)), 0.4, 0.4 / 400);  // far nearer than chance
}

// `refine`: halves only cells whose corners differ. What was not asked is marked, and is what asking would have said.
TEST_F(SweepContract, Refinement) {
  const std::string rest =
      "run: { command: simulate, options: \"--until 1 --contacts frictional --every 1\" }\n"
      "collect: { slips: verdicts.front.friction.verdict }\n";
  write("coarse.yaml",
        "vinculum_study: 1\nmodel: folder/car.yaml\nover: { mu: { from: 0.2, to: 0.9, count: 5 }, speed: { from: 2 m/s, "
        "to: 20 m/s, count: 5 } }\n" +
            rest + "refine: { on: slips, levels: 3 }\n");
  write("fine.yaml",
        "vinculum_study: 1\nmodel: folder/car.yaml\nover: { mu: { from: 0.2, to: 0.9, count: 33 }, speed: { from: 2 m/s, "
        "to: 20 m/s, count: 33 } }\n" +
            rest);
  const auto refined = run("sweep coarse.yaml --json --output coarse");
  ASSERT_EQ(refined.exit_code, 0) << refined.errors;
  const auto whole = run("sweep fine.yaml --json --output fine").json();
  const auto json = refined.json();
  ASSERT_EQ(json["points"], 33 * 33);
  int inferred = 0;
  for (size_t i = 0; i < 33 * 33; ++i) {
    const auto &row = json["rows"][i], &other = whole["rows"][i];
    EXPECT_EQ(row["mu"], other["mu"]);
    EXPECT_EQ(row["speed"], other["speed"]);
    EXPECT_EQ(row["slips"], other["slips"]) << row;
    inferred += row["status"] == "inferred" ? 1 : 0;
  }
  EXPECT_EQ(json["inferred"], inferred);
  EXPECT_GT(inferred, 33 * 33 * 3 / 5);
  EXPECT_LT(inferred, 33 * 33 - 25);
}

// A word without letters, the reason why a feasible motion is not, is kept as it is and told by a name.
TEST_F(SweepContract, EmptyWordsHaveAName) {
  write("top.yaml", R"yaml(
vinculum: 1
bodies: { top: { joint: {type: free}, mass: 2 kg, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.03] } }
strings: { s1: { from: world, to: top, length: 1 m } }
initial: { top.tz: -1 }
)yaml");
  const auto study =
      run("sweep top.yaml --over rate=4:8:3 --run 'steady --rate {rate} --angle s1=0.5 --side top=below' --collect "
          "reason=families.0.reason --output top");
  ASSERT_EQ(study.exit_code, 0) << study.errors;
  EXPECT_NE(study.output.find("(empty) 1 of 3"), std::string::npos) << study.output;
  EXPECT_EQ(query("top/study.sqlite", "SELECT COUNT(*) FROM points WHERE reason = ''")[0][0], "1");
}

// What would be ignored is refused, before anything runs.
TEST_F(SweepContract, NothingIsIgnored) {
  const std::string end = " --run 'simulate --until 1' --collect x=final.t --output wrong";
  const auto refused = [&](const std::string& arguments, const std::string& told) {
    const auto result = run("sweep " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_NE(result.errors.find(told), std::string::npos) << arguments << "\n" << result.errors;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "wrong")) << arguments;
  };
  refused("folder/car.yaml --over mu=0.2:0.9:1" + end, "one value does not go from 0.2 to 0.9");
  refused("folder/car.yaml --over mu=nan:0.9:3" + end, "VN-STUDY-007");
  refused("folder/car.yaml --over mu=0.1:inf:3" + end, "VN-STUDY-007");
  refused("folder/car.yaml --over mu=0.1:1e999:3" + end, "VN-STUDY-007");
  refused("folder/car.yaml --over mu=0.1:0.9:3 --over mu=1:2:3" + end, "VN-STUDY-004");
  refused("folder/car.yaml --over mu=0.1:0.9:40000 --over speed=1:2:40000" + end, "VN-STUDY-006");
  refused("folder/car.yaml --over mu=0.1:0.9:3 --run 'simulate --until 1 --set mu=3' --collect x=final.t --output wrong",
          "varied by the study and set by --set");
  refused("study.yaml --retry --output wrong", "--resume");
  refused("study.yaml --limit 0 --output wrong", "--limit");
  refused("study.yaml --threads -2 --output wrong", "--threads");
  refused("study.yaml --merge study --output wrong", "--merge");
  // One value twice is one value.
  EXPECT_EQ(run("sweep folder/car.yaml --over mu=0.5:0.5:1 --run 'simulate --until 1' --collect x=final.t").exit_code, 0);
  // Where there is no study yet, --resume begins it.
  EXPECT_EQ(run("sweep study.yaml --resume --output begun --csv begun.csv").exit_code, 0);
  EXPECT_EQ(run("sweep study.yaml --output new --csv new.csv").exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "begun.csv"), read_file(folder_ / "new.csv"));
  // A batch job says the same line when it is started again, also in a folder that is there and empty.
  std::filesystem::create_directories(folder_ / "job");
  for (const char* csv : {"first.csv", "second.csv"}) {
    const auto started = run(std::string("sweep study.yaml --resume --output job --csv ") + csv);
    EXPECT_EQ(started.exit_code, 0) << started.errors;
    EXPECT_EQ(read_file(folder_ / csv), read_file(folder_ / "new.csv"));
  }
  // Nothing is left behind where there is nothing to merge.
  EXPECT_EQ(run("sweep --merge nowhere --output absent").exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "absent"));
}

}  // namespace
}  // namespace vinculum::testing
