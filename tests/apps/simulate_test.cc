// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs as a user makes them: results, interruption, resumption.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

class Simulate : public InScratchFolder {
 protected:
  // Starts a run into `out` in the background, ends it by `signal` after `milliseconds` (if it still lives) and returns its exit
  // status. A signal that can be handled is sent when the run has begun, so that there is something to interrupt.
  int run_and_signal(const std::vector<std::string>& arguments, int signal, int milliseconds) {
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0) _exit(127);
      std::freopen("/dev/null", "w", stdout);
      std::freopen("/dev/null", "w", stderr);
      std::vector<char*> argv{const_cast<char*>(VINCULUM_PROGRAM)};
      for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      execv(VINCULUM_PROGRAM, argv.data());
      _exit(127);
    }
    for (int wait = 0; signal != SIGKILL && wait < 2000 && !std::filesystem::exists(folder_ / "out/states.csv.part"); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  void expect_same_file(const std::string& a, const std::string& b) {
    const std::string left = read_file(folder_ / a), right = read_file(folder_ / b);
    EXPECT_GT(left.size(), 100u) << a;
    EXPECT_TRUE(left == right) << a << " and " << b << " differ";
  }
};

constexpr const char* kTriple = R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  b0: { joint: {type: revolute, axis: z}, mass: 1, com: [.5, 0, 0], inertia: .08 }
  b1: { parent: b0, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: .8, com: [.45, 0, 0], inertia: .06 }
  b2: { parent: b1, joint: {type: revolute, axis: z, origin: [.9, 0, 0]}, mass: .6, com: [.4, 0, 0], inertia: .04 }
forces: { damper: { joint: b2, law: "-0.01*b2'" } }
events: { straight: "b1" }
initial: { b0: -pi/2 + .6, b1: .2, b2: -.3, "b0'": .3, "b1'": -.2, "b2'": .5 }
)yaml";

TEST_F(Simulate, ResultsFolder) {
  write("triple.yaml", kTriple);
  const auto run = this->run("simulate triple.yaml --until 2 --every 0.01 --output out --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const std::string states = read_file(folder_ / "out/states.csv");
  EXPECT_TRUE(states.starts_with(
      "t [s],b0 [rad],b1 [rad],b2 [rad],b0' [rad/s],b1' [rad/s],b2' [rad/s],kinetic energy [J],potential energy [J]\n0,"));
  EXPECT_EQ(std::count(states.begin(), states.end(), '\n'), 202);
  EXPECT_TRUE(read_file(folder_ / "out/reactions.csv").starts_with("t [s],b0.force.x [N],"));
  const auto json = nlohmann::json::parse(read_file(folder_ / "out/run.json"));
  EXPECT_EQ(json["status"], "complete");
  EXPECT_EQ(json["fingerprint"].get<std::string>().size(), 16u);
  EXPECT_EQ(json["options"]["until"], 2);
  EXPECT_EQ(json["verdicts"][0]["subject"], "energy");
  EXPECT_EQ(json["verdicts"][0]["verdict"], "holds");
  EXPECT_EQ(json["integrals"][0]["name"], "E - W");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/checkpoint.json"));
  EXPECT_EQ(json["final"], run.json()["final"]);
  EXPECT_FALSE(json["events"].empty());
}

TEST_F(Simulate, SameInputSameBytes) {
  write("triple.yaml", kTriple);
  ASSERT_EQ(run("simulate triple.yaml --until 3 --output a").exit_code, 0);
  ASSERT_EQ(run("simulate triple.yaml --until 3 --output b").exit_code, 0);
  for (const char* name : {"states.csv", "reactions.csv", "run.json"})
    expect_same_file(std::string("a/") + name, std::string("b/") + name);
}

// Killed at many moments: either there is nothing to resume, or resuming gives the bytes of an uninterrupted run.
class Killed : public Simulate, public ::testing::WithParamInterface<const char*> {};

TEST_P(Killed, ResumesToTheSameBytes) {
  write("triple.yaml", kTriple);
  const std::string integrator = GetParam();
  const std::string options =
      "simulate triple.yaml --until 400 --every 0.02 --tolerance 1e-9 --no-report --integrator " + integrator;
  ASSERT_EQ(run(options + " --output whole").exit_code, 0);
  int resumed = 0;
  for (int milliseconds : {5, 40, 80, 120, 200, 300}) {
    std::filesystem::remove_all(folder_ / "out");
    run_and_signal({"simulate", "triple.yaml", "--until", "400", "--every", "0.02", "--tolerance", "1e-9", "--no-report",
                    "--integrator", integrator, "--output", "out", "--checkpoint", "0.01"},
                   SIGKILL, milliseconds);
    if (!std::filesystem::exists(folder_ / "out/checkpoint.json")) {
      // Before the first checkpoint, or after the end: no half result either way.
      if (std::filesystem::exists(folder_ / "out/run.json")) expect_same_file("out/states.csv", "whole/states.csv");
      continue;
    }
    const auto again = run("simulate triple.yaml --output out --resume --no-report");
    ASSERT_EQ(again.exit_code, 0) << again.errors;
    for (const char* name : {"states.csv", "reactions.csv", "run.json"})
      expect_same_file(std::string("out/") + name, std::string("whole/") + name);
    ++resumed;
  }
  EXPECT_GE(resumed, 1) << "no run was killed between a checkpoint and its end";
}

INSTANTIATE_TEST_SUITE_P(Integrators, Killed, ::testing::Values("dop853", "taylor", "cvode"),
                         [](const auto& tested) { return std::string(tested.param); });

// The same with contacts that let go and touch down: a block hops on a table that shakes. So many rows are thinned on the page.
TEST_F(Simulate, UnilateralRunResumesToTheSameBytes) {
  write("hops.yaml", R"yaml(
vinculum: 1
bodies: { block: { joint: {axes: [tx, tz, ry]}, mass: 2, inertia: 0.1 } }
environment: { table: { surface: plane, position: [0, 0, "0.02*(1 - cos(30*t))"] } }
contacts:
  left: { body: block, with: table, point: [-0.2, 0, 0], forward: x, forbid: [normal, forward] }
  right: { body: block, with: table, point: [0.25, 0, 0], forward: x, forbid: [normal, forward] }
)yaml");
  ASSERT_EQ(run("simulate hops.yaml --until 20 --every 0.001 --contacts unilateral --output whole").exit_code, 0);
  int resumed = 0;
  for (int milliseconds : {40, 100, 200, 400, 800}) {
    std::filesystem::remove_all(folder_ / "out");
    run_and_signal({"simulate", "hops.yaml", "--until", "20", "--every", "0.001", "--contacts", "unilateral", "--output", "out",
                    "--checkpoint", "0.01"},
                   SIGKILL, milliseconds);
    if (!std::filesystem::exists(folder_ / "out/checkpoint.json")) continue;
    ASSERT_EQ(run("simulate hops.yaml --output out --resume").exit_code, 0);
    const bool has_page = std::filesystem::exists(folder_ / "whole/report.html");
    for (const char* name : {"states.csv", "reactions.csv", "run.json", has_page ? "report.html" : "run.json"})
      expect_same_file(std::string("out/") + name, std::string("whole/") + name);
    ++resumed;
  }
  EXPECT_GE(resumed, 1) << "no run was killed between a checkpoint and its end";
}

// Ctrl-C: a valid partial result, which can be gone on with.
TEST_F(Simulate, InterruptedLeavesAValidResult) {
  write("triple.yaml", kTriple);
  ASSERT_EQ(run("simulate triple.yaml --until 4000 --output whole --no-report").exit_code, 0);
  const int status = run_and_signal({"simulate", "triple.yaml", "--until", "4000", "--output", "out"}, SIGINT, 60);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 0) GTEST_SKIP() << "the run was over before the signal";
  const auto json = nlohmann::json::parse(read_file(folder_ / "out/run.json"));
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_LT(json["final"]["t"], 4000);
  const std::string states = read_file(folder_ / "out/states.csv");
  EXPECT_EQ(states.back(), '\n');
  ASSERT_EQ(run("simulate triple.yaml --output out --resume --no-report").exit_code, 0);
  for (const char* name : {"states.csv", "reactions.csv", "run.json"})
    expect_same_file(std::string("out/") + name, std::string("whole/") + name);
}

// The integrals a run watches are found again when it is resumed, and their drift is gone on with.
TEST_F(Simulate, AResumedRunWatchesTheSameIntegrals) {
  write("top.yaml", R"yaml(
vinculum: 1
bodies: { top: { joint: {type: spherical}, mass: 1, com: [0, 0, .3], inertia: [.02, .02, .01] } }
initial: { top.wx: 1, top.wz: 9 }
)yaml");
  ASSERT_EQ(run("simulate top.yaml --until 1500 --output whole --no-report").exit_code, 0);
  const int status = run_and_signal({"simulate", "top.yaml", "--until", "1500", "--output", "out", "--no-report"}, SIGINT, 60);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 0) GTEST_SKIP() << "the run was over before the signal";
  const auto resumed = run("simulate top.yaml --output out --resume --no-report --json");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.errors;
  const auto integrals = resumed.json()["integrals"];
  ASSERT_EQ(integrals.size(), 3u);
  EXPECT_EQ(integrals[1]["name"], "Lz");
  EXPECT_EQ(integrals[2]["name"], "p(top.wz)");
  EXPECT_EQ(integrals[2]["unit"], "N*m*s");
  EXPECT_NEAR(integrals[2]["start"], .01 * 9, 1e-15);
  expect_same_file("out/run.json", "whole/run.json");
}

// Nothing is looked for, nothing is watched but the energy, and a resumed run keeps to that.
TEST_F(Simulate, WithoutIntegralsOnlyTheEnergyIsWatched) {
  write("triple.yaml", kTriple);
  const auto whole = run("simulate triple.yaml --until 4000 --output whole --no-report --no-integrals --json");
  ASSERT_EQ(whole.exit_code, 0) << whole.errors;
  EXPECT_EQ(whole.json()["integrals"].size(), 1u);
  EXPECT_EQ(whole.json()["not_watched"], "not looked for, as asked by --no-integrals");
  EXPECT_EQ(whole.errors, "");
  const int status = run_and_signal(
      {"simulate", "triple.yaml", "--until", "4000", "--output", "out", "--no-report", "--no-integrals"}, SIGINT, 60);
  ASSERT_EQ(WEXITSTATUS(status), 1);
  ASSERT_EQ(run("simulate triple.yaml --output out --resume --no-report").exit_code, 0);
  expect_same_file("out/run.json", "whole/run.json");
}

// A damper near round-off, and a mechanism of many bodies and one freedom: what the search cannot decide keeps no run from
// starting.
TEST_F(Simulate, AnUndecidedSearchKeepsNoRunFromStarting) {
  for (const std::string damping : {"1e-8", "1e-10"}) {
    write("free.yaml",
          "vinculum: 1\nbodies: { b: { joint: {type: free}, mass: 1, inertia: .1 } }\n"
          "forces: { drag: { joint: b.tz, law: \"-" +
              damping + "*b.tz'\" } }\n");
    const auto run = this->run("simulate free.yaml --until 1 --json");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NEAR(run.json()["final"]["q"]["b.tz"], -9.81 / 2 + std::stod(damping) * 9.81 / 6, 1e-12);
  }
  EXPECT_NE(run("simulate free.yaml --until 1").errors.find("first integrals are not watched"), std::string::npos);
}

// A start whose energy overflows has no sample, hence no page; the reason is told.
TEST_F(Simulate, ARunWithoutASampleHasNoPage) {
  write("far.yaml", R"yaml(
vinculum: 1
bodies: { b: { joint: {type: revolute, axis: y}, mass: 1, com: [1, 0, 0], inertia: .1 } }
forces: { spring: { joint: b, law: "-20*b" } }
initial: { b: 1e300 }
)yaml");
  const auto run = this->run("simulate far.yaml --until 1 --output out");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.errors.find("error:"), std::string::npos) << run.errors;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/report.html"));
}

TEST_F(Simulate, ResumeRefusesAnotherModel) {
  write("triple.yaml", kTriple);
  const int status = run_and_signal({"simulate", "triple.yaml", "--until", "4000", "--output", "out", "--no-report"}, SIGINT, 60);
  ASSERT_EQ(WEXITSTATUS(status), 1);
  const auto other = run("simulate triple.yaml --set b0=0.1 --output out --resume");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.errors.find("another model"), std::string::npos) << other.errors;
  EXPECT_EQ(run("simulate triple.yaml --output out --resume --until 5").exit_code, 2);
  EXPECT_EQ(run("simulate triple.yaml --output nothing --resume").exit_code, 1);
}

// W3 of theory 2: released 2.5 rad off the bottom, first passage after a quarter period.
TEST_F(Simulate, StopsAtAnEvent) {
  write("pendulum.yaml", R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies: { b: { joint: {type: revolute, axis: z}, mass: 1, com: [.7, 0, 0], inertia: [0, 0, 0] } }
events: { bottom: "b + pi/2" }
initial: { b: 2.5 - pi/2 }
)yaml");
  const auto json = run("simulate pendulum.yaml --until 10 --tolerance 1e-13 --stop-at bottom --json").json();
  EXPECT_NEAR(json["final"]["t"], 0.689393690206, 2e-12);
  EXPECT_NEAR(json["final"]["q"]["b"], -std::acos(-1.0) / 2, 1e-11);
  EXPECT_EQ(json["events"].size(), 1u);
  // All passages: a period of 2.757574760825 has two.
  const auto all = run("simulate pendulum.yaml --until 10 --tolerance 1e-13 --json").json();
  EXPECT_EQ(all["events"].size(), 7u);
  EXPECT_NEAR(all["final"]["q"]["b"], -1.935827658738 - std::acos(-1.0) / 2, 2e-10);
  EXPECT_EQ(run("simulate pendulum.yaml --until 1 --stop-at top").exit_code, 2);
}

// No step is longer than --max-step, which is a positive time.
TEST_F(Simulate, LongestStep) {
  write("arm.yaml",
        "vinculum: 1\nbodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, com: [1, 0, 0], inertia: 0.1 } }\n");
  for (const char* integrator : {"taylor", "dop853", "cvode"}) {
    const std::string command = std::string("simulate arm.yaml --until 2 --tolerance 1e-3 --json --integrator ") + integrator;
    EXPECT_LT(run(command).json()["steps"], 100) << integrator;
    const auto bounded = run(command + " --max-step 0.002").json();
    EXPECT_GE(bounded["steps"], 1000) << integrator;
    EXPECT_EQ(bounded["final"]["t"], 2);
  }
  for (const char* wrong : {"0", "-1", "nan", "soon"}) {
    const auto refused = run(std::string("simulate arm.yaml --until 2 --max-step ") + wrong);
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_NE(refused.errors.find("--max-step"), std::string::npos) << refused.errors;
  }
}

}  // namespace
}  // namespace vinculum::testing
