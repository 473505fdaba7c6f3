// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C ends every computation within a second of computing, however much there is still to do: huge powers, stiff laws, long
// chains.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/program.h"

namespace vinculum::testing {
namespace {

std::string chain(int count, const std::string& axes, const std::string& rest = "") {
  std::string text = "vinculum: 1\nbodies:\n";
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += "  b" + number + ": { " + (i == 0 ? "" : "parent: b" + std::to_string(i - 1) + ", ") +
            "joint: {type: revolute, axis: " + axes[i % axes.size()] + (i == 0 ? "" : ", origin: [1, 0, 0]") +
            "}, mass: 1, com: [0.5, 0.1, 0.2], inertia: [0.1, 0.12, 0.13] }\n";
  }
  return text + rest;
}

class Interrupt : public InScratchFolder {
 protected:
  // Seconds of processor time of a process so far.
  static double used(pid_t child) {
    std::ifstream file("/proc/" + std::to_string(child) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::istringstream rest(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) rest >> skipped;
    double user = 0, system = 0;
    rest >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  // Runs the program, interrupts it after half a second of computing, and returns how long it computed after that; negative if it
  // was done before.
  double answer(const std::string& arguments, int signal = SIGINT) {
    std::fflush(nullptr);  // or the child prints it again
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0) _exit(127);
      std::freopen("printed", "w", stdout);
      std::freopen("errors", "w", stderr);
      std::istringstream words(arguments);
      std::vector<std::string> list{VINCULUM_PROGRAM};
      for (std::string word; words >> word;) list.push_back(word);
      std::vector<char*> argv;
      for (std::string& word : list) argv.push_back(word.data());
      argv.push_back(nullptr);
      execv(VINCULUM_PROGRAM, argv.data());
      _exit(127);
    }
    int status = 0;
    rusage usage{};
    double before = 0;
    while ((before = used(child)) < 0.5) {
      if (wait4(child, &status, WNOHANG, &usage) == child) return -1;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(child, signal);
    wait4(child, &status, 0, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime) - before;
  }
};

TEST_F(Interrupt, IsAnsweredWithinASecond) {
  write("spatial.yaml", chain(8, "xyz"));
  write("planar.yaml", chain(40, "y"));
  write("long.yaml", chain(300, "y"));
  write("powers.yaml",
        chain(2, "y", "forces: { f: { joint: b0, law: \"(b0 + 2*b1)^50 - (1 + b0)^1023*b0'^9\" } }\ninitial: { b0: -1.5 }\n"));
  write("stiff.yaml", chain(2, "y", R"yaml(forces:
  f: { joint: b0, law: "-1e12*b0 - 1e9*b0' - 1e15*b0^3" }
  g: { joint: b1, law: "-1e14*sin(1e6*b1) - 1e3*exp(50*b1')" }
initial: { b0: 0.3, b1: 0.2 }
)yaml"));
  write("still.yaml", chain(1, "z"));  // one step goes as far as it is let
  int interrupted = 0;
  for (const char* command :
       {"derive spatial.yaml", "derive spatial.yaml --terms 2000 --to latex", "derive planar.yaml --form joint",
        "derive long.yaml --to c", "derive powers.yaml", "simulate powers.yaml --until 1e6", "simulate stiff.yaml --until 1e6",
        "simulate stiff.yaml --until 1e6 --integrator taylor", "simulate stiff.yaml --until 1e6 --integrator dop853",
        "simulate stiff.yaml --until 1e6 --integrator cvode", "simulate stiff.yaml --until 1e6 --integrator arkode",
        "simulate long.yaml --until 1e6", "simulate long.yaml --until 1e6 --integrator cvode",
        "simulate spatial.yaml --until 1e6", "simulate spatial.yaml --until 1e6 --integrator dop853",
        "simulate spatial.yaml --until 1e6 --integrator arkode", "simulate planar.yaml --until 1e6 --integrator taylor",
        "simulate still.yaml --until 1e6 --every 0.01 --allow-large --integrator cvode -o still", "integrals long.yaml"}) {
    const double time = answer(command);
    EXPECT_LT(time, 1) << command;
    interrupted += time >= 0 ? 1 : 0;
  }
  EXPECT_GE(interrupted, 8) << "the cases have become too easy";
}

// A plate on many rough feet that slides and turns: whatever decides which of them slip is asked before the first step.
std::string plate_on_feet(int rows) {
  std::string text =
      "vinculum: 1\nparameters: { p: 1 }\nbodies: { plate: { joint: {type: free}, mass: 20, inertia: [1, 1, 2] } }\n"
      "initial: { \"plate.tx'\": 1, \"plate.wz\": 0.7 }\nforces: { push: { body: plate, force: [0, \"30*sin(20*t)\", 0] } "
      "}\ncontacts:\n";
  for (int i = 0; i < rows * rows; ++i) {
    const double x = 0.1 * (i % rows), y = 0.13 * (i / rows);
    text += "  f" + std::to_string(i) + ": { body: plate, with: world, point: [" + std::to_string(x - 0.7) + ", " +
            std::to_string(y - 0.9) + ", 0], forbid: [normal, lateral, forward], friction: 0." + std::to_string(3 + i % 5) +
            " }\n";
  }
  return text;
}

TEST_F(Interrupt, IsAnsweredBeforeTheFirstStep) {
  write("feet.yaml", plate_on_feet(14));  // 196 points
  int interrupted = 0;
  for (const char* command :
       {"simulate feet.yaml --until 10 --contacts frictional", "simulate feet.yaml --until 10",
        "simulate feet.yaml --until 10 --contacts frictional --step 0.001 --json", "realize feet.yaml --until 1",
        "evaluate feet.yaml", "linearise feet.yaml", "equilibrium feet.yaml", "integrals feet.yaml",
        "sweep feet.yaml --over p=1,2 --run evaluate --collect energy.kinetic --force"}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      const double time = answer(command, signal);
      EXPECT_LT(time, 1) << command;
      interrupted += time >= 0 ? 1 : 0;
    }
  }
  EXPECT_GE(interrupted, 2) << "the cases have become too easy";
}

// Who waits for standard input hears as well; with --json there is one document.
TEST_F(Interrupt, IsAnsweredWhileWaitingForInput) {
  for (const char* command : {"steady - --critical --json", "realize - --json", "limit - --load a --json"}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (chdir(folder_.c_str()) != 0) _exit(127);
      dup2(ends[0], STDIN_FILENO);
      close(ends[1]);
      std::freopen("printed", "w", stdout);
      std::freopen("errors", "w", stderr);
      execl("/bin/sh", "sh", "-c", (std::string("exec " VINCULUM_PROGRAM " ") + command).c_str(), nullptr);
      _exit(127);
    }
    close(ends[0]);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));  // nothing comes from the pipe
    const auto begin = std::chrono::steady_clock::now();
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    close(ends[1]);
    EXPECT_LT(time.count(), 1) << command;
    ASSERT_TRUE(WIFEXITED(status)) << command;
    EXPECT_EQ(WEXITSTATUS(status), 1) << command;
    EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "printed"))["diagnostics"][0]["code"], "VN-USAGE-015") << command;
    EXPECT_NE(read_file(folder_ / "errors").find("[VN-USAGE-015]"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace vinculum::testing
