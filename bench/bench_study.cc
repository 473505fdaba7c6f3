// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a study costs beside the computations it is made of, and what a second thread is worth. Prints a table.
//
//   bench_study [POINTS]      of the atlas, 100000 if not given
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "apps/vinculum/ask.h"
#include "vinculum/files/read_study.h"
#include "vinculum/study/command_line.h"
#include "vinculum/study/run_study.h"
#include "vinculum/study/sample.h"

namespace {

using namespace vinculum;

struct Times {
  double wall = 0, processor = 0;  // [s]
};

template <class Work>
Times measure(Work&& work) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

Study read(const std::string& model, const std::vector<std::string>& over, const std::string& command, const std::string& options,
           const std::string& path) {
  Study study;
  study.model = std::string(VINCULUM_SOURCE_DIR "/examples/") + model + "/model.yaml";
  for (const std::string& axis : over) study.over.push_back(*read_axis_text(axis));
  study.command = command;
  study.options = options;
  study.collect = {{"answer", path}};
  return study;
}

Times run(const Study& study, const ModelSource& source, int threads) {
  const std::string path = (std::filesystem::temp_directory_path() / fmt::format("bench_study.{}.sqlite", getpid())).string();
  std::filesystem::remove(path);
  auto store = StudyStore::create(path, study, "");
  StudyRunOptions options;
  options.threads = threads;
  const Times times = measure([&] {
    run_study(
        *store, [&] { return std::make_unique<app::CommandQuestion>(study, source); }, options);
  });
  store->close();
  std::filesystem::remove(path);
  return times;
}

// The command by itself, model and all, in a loop.
Times ask_all(const Study& study, const ModelSource& source) {
  app::CommandQuestion question(study, source);
  const long points = count_points(study);
  return measure([&] {
    for (long point = 0; point < points; ++point) (void)question.answer(parameters_of(study, point), std::nullopt);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const long atlas = argc > 1 ? std::stol(argv[1]) : 100'000;
  const long side = static_cast<long>(std::sqrt(static_cast<double>(atlas)));
  const Study studies[] = {
      read("sleigh-grip", {"grip=0.2:1.4:40", "sled.tx'=-2.4:-0.6:40"}, "simulate",
           "--until 4 --every 4 --no-integrals --contacts frictional", "verdicts.blade.verdict"),
      read("drawer", {fmt::format("offset=0:0.6:{}", side), fmt::format("f=0.05:1.25:{}", side)}, "variants", "", "verdict"),
  };
  fmt::print("{:<12} {:>9} {:>14} {:>20} {:>22}\n", "study", "points", "us a point", "study / bare loop", "one thread / two");
  for (const Study& study : studies) {
    Diagnostics diagnostics;
    const auto source = ModelSource::open(study.model, diagnostics);
    if (!source) return 1;
    const Times bare = ask_all(study, *source), one = run(study, *source, 1), two = run(study, *source, 2);
    fmt::print("{:<12} {:>9} {:>14.1f} {:>20.3f} {:>22.3f}\n", study.command, count_points(study),
               1e6 * one.processor / static_cast<double>(count_points(study)), one.processor / bare.processor,
               one.wall / two.wall);
  }
}
