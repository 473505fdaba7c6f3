// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "interrupts.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <mutex>
#include <string_view>

namespace vinculum::app {

namespace {

volatile std::sig_atomic_t g_interrupted = 0, g_computing = 0, g_as_json = 0;
thread_local std::optional<std::chrono::steady_clock::time_point> g_deadline;
thread_local std::function<bool()> g_asked_elsewhere;

// The watch after an interrupt: every tenth of a second it is seen how much has been computed since.
timer_t g_watch;
volatile bool g_has_watch = false;
constexpr long kBetweenLooks = 100'000'000;                    // [ns]
constexpr double kLongestComputing = 0.8, kLeastWorth = 2e-3;  // [s]
constexpr double kLeastComputing = 0.2;                        // [s] left to a busy machine before the clock on the wall counts
constexpr int kMostIdleLooks = 6, kMostLooks = 9;
double g_computed_at_start = 0, g_computed_before = 0;
int g_idle_looks = 0, g_looks = 0;

double computed_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// In a signal handler: nothing but system calls.
void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

extern "C" void on_look(int) {
  if (g_computing == 0) return;
  const double now = computed_seconds();
  g_idle_looks = now - g_computed_before < kLeastWorth ? g_idle_looks + 1 : 0;
  g_computed_before = now;
  const double computed = now - g_computed_at_start;
  const bool is_late = computed >= kLongestComputing || (++g_looks >= kMostLooks && computed >= kLeastComputing);
  if (!is_late && g_idle_looks < kMostIdleLooks) return;
  write_all(STDERR_FILENO,
            "error: interrupted in the middle of a computation, which gave no answer [VN-USAGE-015]\n"
            "  hint: what was written before is good; --resume continues a run or a study\n");
  if (g_as_json != 0)
    write_all(
        STDOUT_FILENO,
        "{\n \"diagnostics\": [\n  {\n   \"severity\": \"error\",\n   \"code\": \"VN-USAGE-015\",\n   \"message\": "
        "\"interrupted in the middle of a computation, which gave no answer\",\n   \"file\": \"\",\n   \"line\": 0,\n   "
        "\"column\": 0,\n   \"element\": \"\",\n   \"hint\": \"what was written before is good; --resume continues a run or "
        "a study\"\n  }\n ]\n}\n");
  _exit(1);
}

extern "C" void on_interrupt(int signal) {
  g_interrupted = 1;
  std::signal(signal, SIG_DFL);
  if (!g_has_watch) return;
  g_computed_at_start = g_computed_before = computed_seconds();
  const itimerspec looks{{0, kBetweenLooks}, {0, kBetweenLooks}};
  timer_settime(g_watch, 0, &looks, nullptr);
}

}  // namespace

void catch_interrupts() {
  if (g_asked_elsewhere) return;
  static std::once_flag caught;  // a study asks commands that catch as well
  std::call_once(caught, [] {
    struct sigaction look {};
    look.sa_handler = on_look;
    look.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &look, nullptr);
    g_has_watch = timer_create(CLOCK_MONOTONIC, nullptr, &g_watch) == 0;  // sends SIGALRM
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
  });
  g_computing = 1;
}

bool is_interrupted() { return g_interrupted != 0 || has_passed_deadline() || (g_asked_elsewhere && g_asked_elsewhere()); }

void end_computing() { g_computing = 0; }

void answer_interrupts_as(bool json) { g_as_json = json ? 1 : 0; }

Deadline::Deadline(std::optional<std::chrono::steady_clock::time_point> end) { g_deadline = end; }
Deadline::~Deadline() { g_deadline.reset(); }
bool has_passed_deadline() { return g_deadline && std::chrono::steady_clock::now() >= *g_deadline; }

AskedElsewhere::AskedElsewhere(std::function<bool()> wants_to_stop) { g_asked_elsewhere = std::move(wants_to_stop); }
AskedElsewhere::~AskedElsewhere() { g_asked_elsewhere = nullptr; }

}  // namespace vinculum::app
