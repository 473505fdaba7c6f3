// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "apps/vinculum/command.h"

#if defined(__SANITIZE_ADDRESS__)
#define VINCULUM_FUZZ_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define VINCULUM_FUZZ_SANITIZED 1
#endif
#endif

namespace vinculum::fuzz {

#ifdef VINCULUM_FUZZ_SANITIZED
inline constexpr double kSlowness = 8, kUsualSlowness = 2;  // of a program under the sanitizers, at most and mostly
#else
inline constexpr double kSlowness = 1, kUsualSlowness = 1;
#endif

// Of computing, so that a busy machine changes nothing: then Ctrl-C is pressed, and the program has this long to end. Runs that
// would go on without end take nearly all the time; most are stopped soon, for they do the same again and again, and some are
// given long, for what comes late.
inline constexpr double kLongPatience = 0.25, kPatience = 0.025, kAnswer = 1;  // [s]
inline constexpr int kGivenLong = 10;                                          // one case in so many
inline constexpr double kAsleep = 120;  // [s] of waiting for a program that does not compute

struct Execution {
  std::vector<std::string> arguments;
  bool interrupted = false;  // Ctrl-C was pressed, or SIGTERM sent
  bool hung = false;         // and not answered
  int status = 0;            // as waitpid tells
  double seconds = 0;        // of computing
  std::string output, errors;
};

inline std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline double computed_by(pid_t process) {
  clockid_t clock;
  timespec now{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

[[noreturn]] inline void become_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
  const auto limit = [](int what, rlim_t most) {
    const rlimit limits{most, most};
    setrlimit(static_cast<__rlimit_resource>(what), &limits);
  };
  limit(RLIMIT_CPU, static_cast<rlim_t>(30 * kSlowness));
  limit(RLIMIT_FSIZE, 64 << 20);
  limit(RLIMIT_CORE, 0);
#ifndef VINCULUM_FUZZ_SANITIZED
  limit(RLIMIT_AS, rlim_t{3} << 30);
#endif
  if (chdir(folder.c_str()) != 0) _exit(100);
  for (const auto& [name, stream] : {std::pair(".output", 1), std::pair(".errors", 2)}) {
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, stream);
    close(file);
  }
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::vector<char*> argv;
  static std::string program = "vinculum";
  argv.push_back(program.data());
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  const int count = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  const int code = app::run_program(count, argv.data());
  std::fflush(nullptr);
  _exit(code);
}

// Sleeps for this time, or until the process ends: `handle` of pidfd_open, or -1 where there is none.
inline void sleep_beside(int handle, int milliseconds) {
  pollfd ended{handle, POLLIN, 0};
  if (handle < 0 || poll(&ended, 1, milliseconds) < 0) usleep(1000 * static_cast<useconds_t>(milliseconds));
}

// Runs the program in a process of its own, in this folder.
inline Execution execute(std::vector<std::string> arguments, const std::filesystem::path& folder, double patience = kLongPatience,
                         int signal = SIGINT) {
  Execution execution;
  execution.arguments = std::move(arguments);
  const pid_t process = fork();
  if (process == 0) become_program(execution.arguments, folder);

  constexpr int kNap = 5;  // [ms]
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  double pressed = 0, waited = 0;
  rusage used{};
  for (sleep_beside(handle, kNap); wait4(process, &execution.status, WNOHANG, &used) == 0; sleep_beside(handle, kNap)) {
    waited += 1e-3 * kNap;
    execution.seconds = computed_by(process);
    if (!execution.interrupted && (execution.seconds > patience * kUsualSlowness || waited > kAsleep / 2)) {
      execution.interrupted = true;
      pressed = execution.seconds;
      kill(process, signal);
    }
    execution.hung = execution.interrupted && (execution.seconds - pressed > kAnswer * kSlowness || waited > kAsleep);
    if (execution.hung) kill(process, SIGKILL);
  }
  if (handle >= 0) close(handle);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  execution.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  execution.output = read_whole(folder / ".output");
  execution.errors = read_whole(folder / ".errors");
  return execution;
}

}  // namespace vinculum::fuzz
