// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What is written must be whole, and what is read must be what was written.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

constexpr const char* kSwing = R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
events: { straight: "b1" }
initial: { b0: -1, b1: .2 }
)yaml";

constexpr const char* kLonelyLink = R"(<robot name="arm"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)";

class Data : public InScratchFolder {
 protected:
  void SetUp() override {
    InScratchFolder::SetUp();
    write("swing.yaml", kSwing);
  }

  // A run into `out` in the background, begun when this returns.
  pid_t begin(std::vector<std::string> arguments) {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0) _exit(127);
      std::freopen("/dev/null", "w", stdout);
      std::freopen("/dev/null", "w", stderr);
      std::vector<char*> argv{const_cast<char*>(VINCULUM_PROGRAM)};
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(VINCULUM_PROGRAM, argv.data());
      _exit(127);
    }
    for (int wait = 0; wait < 2000 && !std::filesystem::exists(folder_ / "out/states.csv.part"); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return child;
  }
  static int end(pid_t child, int signal) {
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // A run of the swing that was interrupted, with 1 as its exit code.
  void interrupt_a_run(const std::string& integrator) {
    const pid_t child = begin({"simulate", "swing.yaml", "--until", "100000", "--every", "1", "--no-report", "--integrator",
                               integrator, "--output", "out"});
    ASSERT_EQ(end(child, SIGINT), 1);
  }
  std::string checkpoint() { return read_file(folder_ / "out/checkpoint.json"); }
};

// Every byte counts: bits flipped, entries dropped, numbers changed, the end cut off.
TEST_F(Data, TamperedCheckpointIsRefused) {
  interrupt_a_run("dop853");
  const std::string good = checkpoint(), states = read_file(folder_ / "out/states.csv");
  ASSERT_GT(good.size(), 500u);
  int tried = 0;
  const auto expect_refused = [&](const std::string& text, const std::string& how) {
    write("out/checkpoint.json", text);
    const auto run = this->run("simulate swing.yaml --output out --resume --no-report");
    EXPECT_EQ(run.exit_code, 1) << how;
    EXPECT_NE(run.errors.find("[VN-FILE-113]"), std::string::npos) << how << ": " << run.errors;
    ++tried;
  };
  const size_t stride = std::max<size_t>(1, good.size() / 250);
  for (size_t at = 0; at < good.size(); at += stride) {
    std::string text = good;
    text[at] = static_cast<char>(text[at] ^ (1 << at % 8));
    expect_refused(text, "bit flipped in byte " + std::to_string(at));
  }
  for (size_t length = 0; length < good.size(); length += 10 * stride)
    expect_refused(good.substr(0, length), "cut off after " + std::to_string(length));
  const auto content = nlohmann::ordered_json::parse(good)["content"];
  const auto envelope = [&](const nlohmann::ordered_json& changed) {
    return good.substr(0, good.find("\"content\":") + 10) + changed.dump() + "}\n";
  };
  for (const char* part : {"run", "tables", "checkpoint"}) {
    for (const auto& [key, value] : content[part].items()) {
      auto changed = content;
      changed[part].erase(key);
      expect_refused(envelope(changed), key + " dropped");
      changed = content;
      if (value.is_number()) changed[part][key] = value.get<double>() + 1;
      if (value.is_array() && !value.empty()) changed[part][key].erase(0);
      if (changed != content) expect_refused(envelope(changed), key + " changed");
    }
  }
  EXPECT_GT(tried, 300);
  EXPECT_TRUE(read_file(folder_ / "out/states.csv") == states) << "a refused folder is left as it was";
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/run.json"));
}

TEST_F(Data, TamperedTablesAreRefused) {
  interrupt_a_run("dop853");
  for (const char* name : {"out/states.csv", "out/reactions.csv"}) {
    const std::string good = read_file(folder_ / name);
    std::string flipped = good;
    flipped[good.size() / 3] ^= 1;
    for (const std::string& text : {flipped, good.substr(0, good.size() / 2), std::string()}) {
      write(name, text);
      const auto run = this->run("simulate swing.yaml --output out --resume --no-report");
      EXPECT_EQ(run.exit_code, 1) << name;
      EXPECT_NE(run.errors.find("is not as it was then [VN-FILE-113]"), std::string::npos) << run.errors;
    }
    write(name, good);
  }
}

TEST_F(Data, OneProcessAtATime) {
  const pid_t first = begin({"simulate", "swing.yaml", "--until", "1e7", "--every", "10", "--output", "out", "--no-report"});
  for (const char* command :
       {"simulate swing.yaml --until 1 --output out", "simulate swing.yaml --until 1 --output out --force"}) {
    const auto second = run(command);
    EXPECT_EQ(second.exit_code, 1) << command;
    EXPECT_NE(second.errors.find("another process is writing into out [VN-FILE-142]"), std::string::npos) << second.errors;
  }
  EXPECT_EQ(end(first, SIGKILL), -1);
  // The lock has gone with the process, however it ended.
  const auto third = run("simulate swing.yaml --until 1 --output out --force");
  EXPECT_EQ(third.exit_code, 0) << third.errors;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/.lock"));
}

// The stiff integrators can go on from where they were started anew, every 500 steps, the first time at the start.
TEST_F(Data, StiffRunInterruptedAtAnyTimeGoesOn) {
  for (const std::string integrator : {"cvode", "arkode"}) {
    const std::string options = "simulate swing.yaml --until 60 --every 1 --no-report --integrator " + integrator;
    ASSERT_EQ(run(options + " --output " + integrator).exit_code, 0);
    std::filesystem::remove_all(folder_ / "out");
    const pid_t child = begin({"simulate", "swing.yaml", "--until", "60", "--every", "1", "--no-report", "--integrator",
                               integrator, "--output", "out"});
    if (end(child, SIGINT) == 0) continue;  // too fast for the signal
    ASSERT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint.json")) << integrator;
    const auto resumed = run("simulate swing.yaml --output out --resume --no-report");
    ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
    for (const char* name : {"states.csv", "reactions.csv", "run.json"})
      EXPECT_TRUE(read_file(folder_ / "out" / name) == read_file(folder_ / integrator / name)) << integrator << ": " << name;
  }
}

// A finished run's results may be replaced; an interrupted run's only on purpose.
TEST_F(Data, InterruptedRunIsNotReplaced) {
  interrupt_a_run("dop853");
  const std::string before = checkpoint();
  const auto again = run("simulate swing.yaml --until 1 --output out");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_NE(again.errors.find("[VN-FILE-143]"), std::string::npos) << again.errors;
  EXPECT_EQ(checkpoint(), before);
  EXPECT_EQ(run("simulate swing.yaml --until 1 --output out --force").exit_code, 0);
  EXPECT_EQ(run("simulate swing.yaml --until 2 --output out").exit_code, 0);
}

TEST_F(Data, FilesAreNotReplacedWithoutForce) {
  write("arm.urdf", kLonelyLink);
  write("mine.yaml", "mine");
  for (const std::string command :
       {"convert arm.urdf -o mine.yaml", "new mine.yaml",
        "balance swing.yaml --property static --counterweight b0=-1,0,0 --counterweight b1=-1,0,0 --write mine.yaml"}) {
    const auto refused = run(command);
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_NE(refused.errors.find("mine.yaml exists already [VN-FILE-140]"), std::string::npos) << refused.errors;
    EXPECT_EQ(read_file(folder_ / "mine.yaml"), "mine");
  }
  EXPECT_EQ(run("balance swing.yaml --property static --counterweight b0=-1,0,0 --counterweight b1=-1,0,0 --write mine.yaml "
                "--force")
                .exit_code,
            0);
  EXPECT_EQ(run("check mine.yaml").exit_code, 0);
}

TEST_F(Data, TablesThatFillTheDiskAreRefused) {
  const auto refused = run("simulate swing.yaml --until 10 --every 1e-10 --output out");
  EXPECT_EQ(refused.exit_code, 2);
  // t, two coordinates, two velocities, two energies; t, two reactions of six: 20 columns of 20 bytes, 1e11 times.
  EXPECT_NE(refused.errors.find("100000000001 samples, tables of about 40000000 MB"), std::string::npos) << refused.errors;
  // More than there are numbers is told as the largest.
  const auto endless = run("simulate swing.yaml --until -1e308 --every 0.1 --output out");
  EXPECT_EQ(endless.exit_code, 2);
  EXPECT_NE(endless.errors.find("1.8e+308 samples, tables of about 1.8e+308 MB"), std::string::npos) << endless.errors;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
  const auto told = run("simulate swing.yaml --until 1 --every 0.5 --allow-large --output out");
  EXPECT_EQ(told.exit_code, 0) << told.errors;
}

// A disk that is full while the run goes on: no more than so many bytes a file, and no signal about it.
TEST_F(Data, FullDiskEndsTheRun) {
  const std::string command = "cd '" + folder_.string() +
                              "' && (trap '' XFSZ; ulimit -f 8; timeout 60 '" VINCULUM_PROGRAM
                              "' simulate swing.yaml --until 1e5 --every 0.01 --output out --no-report 2>errors >/dev/null)";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(read_file(folder_ / "errors").find("[VN-FILE-110]"), std::string::npos) << read_file(folder_ / "errors");
}

// Every command, as text and as JSON, into a full disk, a closed pipe and nothing at all.
TEST_F(Data, OutputThatCannotBeWrittenIsToldByEveryCommand) {
  write("arm.urdf", kLonelyLink);
  write("motion.csv", "t,b0,b1\n0,0,0\n1,1,0\n2,0,0\n3,1,0\n");
  const std::vector<std::string> commands = {"check swing.yaml",
                                             "evaluate swing.yaml",
                                             "inverse swing.yaml",
                                             "inverse swing.yaml --motion motion.csv",
                                             "simulate swing.yaml --until 1",
                                             "series swing.yaml --order 4",
                                             "integrals swing.yaml",
                                             "derive swing.yaml",
                                             "derive swing.yaml --to c",
                                             "balance swing.yaml --property static",
                                             "linearise swing.yaml",
                                             "equilibrium swing.yaml",
                                             "convert arm.urdf"};
  std::vector<std::string> all = {"--help", "--version", "simulate --help", "explain", "explain --markdown", "new fresh.yaml"};
  for (const std::string& command : commands) {
    all.push_back(command);
    all.push_back(command + " --json");
  }
  for (const std::string& command : all) {
    ASSERT_EQ(run(command + " >/dev/null").exit_code, 0) << command;
    for (const std::string where : {">/dev/full", ">&-", "| true"}) {
      std::filesystem::remove(folder_ / "fresh.yaml");
      // The shell tells the exit code of the program itself, and not that of `true`.
      const std::string line = "cd '" + folder_.string() + "' && (sleep 0.0; '" VINCULUM_PROGRAM "' " + command + " 2>errors " +
                               (where == "| true" ? "; echo $? >code) | true" : where + "; echo $? >code)");
      std::filesystem::remove(folder_ / "code");
      std::system(line.c_str());
      for (int wait = 0; wait < 1000 && read_file(folder_ / "code").empty(); ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const std::string errors = read_file(folder_ / "errors"), code = read_file(folder_ / "code");
      if (where == "| true" && code == "0\n") continue;  // it was faster than `true`, which had not ended yet
      EXPECT_EQ(code, "1\n") << command << where;
      EXPECT_NE(errors.find("[VN-FILE-145]"), std::string::npos) << command << where << errors;
    }
  }
}

nlohmann::json page_of(const std::filesystem::path& path) {
  const std::string page = read_file(path), mark = R"(<script type="application/json" id="vinculum-data">)";
  const size_t begin = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// A page says how its run ended: a' grows as 1/(1 - t).
TEST_F(Data, PageOfAFailedRunSaysSo) {
  write("pole.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { a: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [0, 0, 0] } }
forces: { push: { joint: a, law: "a'^2" } }
events: { one: "a - 0.5" }
initial: { "a'": 1 }
)yaml");
  ASSERT_EQ(run("simulate pole.yaml --until 2 --output out").exit_code, 1);
  if (!std::filesystem::exists(folder_ / "out/report.html")) GTEST_SKIP() << "built without the page";
  const auto failed = page_of(folder_ / "out/report.html")["end"];
  EXPECT_EQ(failed["state"], "failed");
  EXPECT_EQ(failed["asked"], 2);
  EXPECT_NEAR(failed["at"], 1, 1e-6);
  EXPECT_FALSE(failed["reason"].get<std::string>().empty());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/checkpoint.json")) << "it would fail again";
  ASSERT_EQ(run("simulate pole.yaml --until 2 --stop-at one --output out").exit_code, 0);
  EXPECT_EQ(page_of(folder_ / "out/report.html")["end"]["state"], "stopped at event");
  ASSERT_EQ(run("simulate pole.yaml --until 0.5 --output out").exit_code, 0);
  EXPECT_EQ(page_of(folder_ / "out/report.html")["end"]["state"], "complete");
}

// Rows of states.csv that have the time of the row before them, with that row: `t, values ..` twice.
std::vector<std::array<std::vector<std::string>, 2>> rows_of_one_time(const std::string& table) {
  std::vector<std::array<std::vector<std::string>, 2>> pairs;
  std::vector<std::string> last;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (!last.empty() && last[0] == cells[0]) pairs.push_back({last, cells});
    last = std::move(cells);
  }
  return pairs;
}

// A ball falls 1 m and bounces with e = 1/2: at t = √(2h/g) its velocity jumps from -√(2gh) to half of it upwards; and a weight
// falls √(2gh) into a rope that becomes taut and stops it. Between the rows of other times nothing jumps.
TEST_F(Data, TablesHaveTheMotionBeforeAndAfterAJump) {
  write("ball.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: { ball: { joint: {axes: [tx, tz]}, mass: 1, inertia: [0, 0, 0] } }
environment: { table: { surface: plane } }
contacts: { foot: { body: ball, with: table, point: [0, 0, 0], forbid: [normal], restitution: 0.5 } }
initial: { ball.tz: 1 }
)yaml");
  write("weight.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: { weight: { joint: {axes: [tx, tz]}, mass: 3, inertia: [0, 0, 0] } }
strings: { rope: { from: world, to: weight, length: 1 } }
)yaml");
  const double t = std::sqrt(2 / 9.81), speed = std::sqrt(2 * 9.81);
  for (const auto& [name, after] : {std::pair{"ball", speed / 2}, std::pair{"weight", 0.0}}) {
    ASSERT_EQ(run(fmt::format("simulate {}.yaml --until 0.6 --contacts unilateral --output out --force", name)).exit_code, 0);
    const auto pairs = rows_of_one_time(read_file(folder_ / "out/states.csv"));
    ASSERT_EQ(pairs.size(), 1u) << name;
    EXPECT_NEAR(std::stod(pairs[0][0][0]), t, 1e-12) << name;
    EXPECT_NEAR(std::stod(pairs[0][0][4]), -speed, 1e-10) << name;
    EXPECT_NEAR(std::stod(pairs[0][1][4]), after, 1e-10) << name;
    EXPECT_EQ(rows_of_one_time(read_file(folder_ / "out/reactions.csv")).size(), 1u) << name;
    // Handed back as the motion of a free body: no force but gravity's acts on the ball; the rope then carries 3 kg.
    write("free.yaml", fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: {{ {}: {{ joint: {{axes: [tx, tz]}}, mass: 3, inertia: [0, 0, 0] }} }}
)yaml",
                                   name));
    const auto inverse = run("inverse free.yaml --motion out/states.csv --output forces.csv --force --json");
    ASSERT_EQ(inverse.exit_code, 0) << inverse.errors;
    const std::vector<double> forces = inverse.json()["forces"][fmt::format("{}.tz'", name)], times = inverse.json()["t"];
    ASSERT_EQ(forces.size(), 1003u);
    const double carried = name == std::string("ball") ? 0 : 3 * 9.81;
    const auto jump = static_cast<size_t>(std::adjacent_find(times.begin(), times.end()) - times.begin());
    for (size_t i = 0; i < forces.size(); ++i) EXPECT_NEAR(forces[i], i <= jump ? 0 : carried, 1e-6) << name << times[i];
  }
}

// Without gravity a puck touches the table and does not press: it is not apart.
TEST_F(Data, PuckThatTouchesWithoutPressingIsNotApart) {
  write("puck.yaml", R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { puck: { joint: {axes: [tx, tz]}, mass: 1, inertia: [0, 0, 0] } }
environment: { table: { surface: plane } }
contacts: { foot: { body: puck, with: table, point: [0, 0, 0], forbid: [normal] } }
initial: { "puck.tx'": 1 }
)yaml");
  ASSERT_EQ(run("simulate puck.yaml --until 1 --contacts unilateral --output out").exit_code, 0);
  const std::string states = read_file(folder_ / "out/states.csv");
  EXPECT_NE(states.find(",mode:foot\n"), std::string::npos) << states.substr(0, 200);
  EXPECT_NE(states.find(",holds\n"), std::string::npos) << states.substr(0, 200);
  EXPECT_EQ(states.find(",apart\n"), std::string::npos);
  if (!std::filesystem::exists(folder_ / "out/report.html")) GTEST_SKIP() << "built without the page";
  EXPECT_EQ(page_of(folder_ / "out/report.html")["elements"][0]["apart"], nlohmann::json::array());
}

TEST_F(Data, FoldersAreNoFiles) {
  for (const char* command :
       {"convert .", "convert . --json", "evaluate swing.yaml --state .", "inverse swing.yaml --motion ."}) {
    const auto refused = run(command);
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_NE(refused.errors.find("cannot read"), std::string::npos) << refused.errors;
  }
}

TEST_F(Data, NumbersOfOptionsAreNumbers) {
  for (const char* option : {"--until", "--tolerance", "--order", "--every", "--baumgarte", "--checkpoint"}) {
    for (const char* value : {"''", "5x", "nan", "inf", "1e999", "' 5'"}) {
      const bool is_time = std::string_view(option) == "--until" || std::string_view(option) == "--every";
      if (is_time && std::string_view(value) == "' 5'") continue;  // times are formulas, which may have blanks
      const auto refused = run(std::string("simulate swing.yaml --until 1 ") + option + " " + value);
      EXPECT_EQ(refused.exit_code, 2) << option << " " << value;
      EXPECT_NE(refused.errors.find(option), std::string::npos) << refused.errors;
    }
  }
  for (const char* command : {"series swing.yaml --order", "derive swing.yaml --terms", "evaluate swing.yaml --residual"})
    EXPECT_EQ(run(std::string(command) + " ''").exit_code, 2) << command;
  for (const char* option : {"--output", "--state", "--stop-at", "--integrator", "--set"})
    EXPECT_EQ(run(std::string("simulate swing.yaml --until 1 ") + option + " ''").exit_code, 2) << option;
}

// A file that is there is not replaced, unless by --force.
TEST_F(Data, ForcesAndStatesAreNotReplaced) {
  write("arm.yaml",
        "vinculum: 1\nbodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -1], inertia: 0.1 } }\n");
  write("motion.csv", "t [s],arm [rad]\n0,0\n1,1\n2,0\n3,1\n");
  for (const std::string& command :
       {"inverse arm.yaml --motion motion.csv --output mine", "equilibrium arm.yaml --set arm=0.1 --write-state mine"}) {
    write("mine", "precious");
    const auto refused = run(command);
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_NE(refused.errors.find("--force"), std::string::npos) << refused.errors;
    EXPECT_EQ(read_file(folder_ / "mine"), "precious") << command;
    EXPECT_EQ(run(command + " --force").exit_code, 0) << command;
    EXPECT_NE(read_file(folder_ / "mine"), "precious") << command;
  }
}

}  // namespace
}  // namespace vinculum::testing
