// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a study costs beside the computations it is made of, and what a second thread is worth. Prints a table.
//
//   bench_study [POINTS [STUDY]]      of the atlas of steady motions, 100000 if not given; one study alone
//
// `kernel` is the bare computation of the library in a loop, with everything prepared that does not change from point to point:
// run_simulation, find_guide_variants with the critical friction, compute_coplanar_motion with its stability, run_ensemble,
// compute_accelerations of a batch. Models are built for it beforehand.
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "apps/vinculum/ask.h"
#include "vinculum/dynamics/batch.h"
#include "vinculum/files/read_study.h"
#include "vinculum/friction/critical_friction.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_rest.h"
#include "vinculum/friction/guide_variants.h"
#include "vinculum/simulation/ensemble.h"
#include "vinculum/simulation/run.h"
#include "vinculum/strings/steady_stability.h"
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

Times run(const Study& study, const ModelSource& source, int threads, bool alone = false) {
  const std::string path = (std::filesystem::temp_directory_path() / fmt::format("bench_study.{}.sqlite", getpid())).string();
  std::filesystem::remove(path);
  auto store = StudyStore::create(path, study, "");
  StudyRunOptions options;
  options.threads = threads;
  const MakeQuestion make = [&] { return make_question({study, source, app::read_options(study)}, alone); };
  options.together = make()->together();
  const Times times = measure([&] { run_study(*store, make, options); });
  store->close();
  std::filesystem::remove(path);
  return times;
}

// Everything a kernel needs of a point.
Model build(const Study& study, const ModelSource& source, long point) {
  ReadOptions options;
  const std::vector<double> values = parameters_of(study, point);
  for (size_t i = 0; i < study.over.size(); ++i) options.overrides.push_back({study.over[i].name, shortest_text(values[i])});
  Diagnostics ignored;
  return *source.build(ignored, options);
}
// The k-th of some points that stand evenly on every axis: steps of the golden ratio.
long spread_point(const Study& study, long k) {
  const double at = static_cast<double>(k) * 0.6180339887498949;
  return static_cast<long>((at - std::floor(at)) * static_cast<double>(count_points(study)));
}
std::vector<Model> build_some(const Study& study, const ModelSource& source, long count) {
  std::vector<Model> models;
  for (long k = 0; k < count; ++k) models.push_back(build(study, source, spread_point(study, k)));
  return models;
}

// Seconds a point of the bare computation; of some points, spread over the study.
double kernel_of_simulate(const Study& study, const ModelSource& source) {
  const std::vector<Model> models = build_some(study, source, 200);
  RunOptions options;
  options.until = options.every = 4;
  options.follow = Follow::frictional;
  options.watch_integrals = false;
  RunListener nobody;
  const Times times = measure([&] {
    for (const Model& model : models) (void)run_simulation(model, model.initial_state(), options, nobody);
  });
  return times.processor / static_cast<double>(models.size());
}

double kernel_of_variants(const Study& study, const ModelSource& source) {
  const std::vector<Model> models = build_some(study, source, 1000);
  const Times times = measure([&] {
    for (const Model& model : models) {
      Workspace workspace(model);
      ConstraintSet set(model, model.initial_state());
      const auto rest = find_rest(set, model.initial_state(), workspace);
      if (rest && rest->holds) continue;
      const auto leaving = break_away(set, model.initial_state(), workspace);
      if (!leaving) continue;
      const auto found = find_guide_variants(set, *leaving, workspace);
      if (found) (void)find_critical_friction(found->reduction.problem);
    }
  });
  return times.processor / static_cast<double>(models.size());
}

double kernel_of_steady(const Study& study, const ModelSource& source) {
  Diagnostics ignored;
  const auto model = source.build(ignored);
  const auto trees = find_string_trees(*model);
  const long some = std::min(count_points(study), 20'000L);
  const Times times = measure([&] {
    for (long k = 0; k < some; ++k) {
      const std::vector<double> values = parameters_of(study, spread_point(study, k));
      const SteadyMotion motion =
          compute_coplanar_motion(trees->front(), 4.9, std::vector<double>{values[0], values[1], 0.77}, Sides{1, 1, 1});
      if (motion.feasible()) (void)analyse_stability(trees->front(), motion);
    }
  });
  return times.processor / static_cast<double>(some);
}

double kernel_of_evaluate(const Study& study, const ModelSource& source) {
  std::vector<State> states;
  const std::vector<Model> models = build_some(study, source, 1024);
  for (const Model& model : models) states.push_back(model.initial_state());
  const StateBatch in_lanes = make_batch(states);
  Batch batch(models.front());
  std::vector<double> accelerations(in_lanes.v.size());
  const int repeats = 100;
  const Times times = measure([&] {
    for (int i = 0; i < repeats; ++i) (void)compute_accelerations(batch, in_lanes, accelerations);
  });
  return times.processor / static_cast<double>(repeats * states.size());
}

double kernel_of_ensemble(const Study& study, const ModelSource& source) {
  const std::vector<Model> models = build_some(study, source, 400);
  std::vector<State> starts;
  for (const Model& model : models) starts.push_back(model.initial_state());
  EnsembleOptions options;
  options.until = 10;
  options.stop_at = "turn";
  const Times times = measure([&] { (void)run_ensemble(models.front(), starts, options); });
  return times.processor / static_cast<double>(models.size());
}

}  // namespace

int main(int argc, char** argv) {
  const long atlas = argc > 1 ? std::stol(argv[1]) : 100'000;
  const long side = std::max(2L, static_cast<long>(std::sqrt(static_cast<double>(atlas))));
  const struct {
    const char* name;
    Study study;
    double (*kernel)(const Study&, const ModelSource&);
  } cases[] = {
      {"simulate",
       read("sleigh-grip", {"grip=0.2:1.4:40", "sled.tx'=-2.4:-0.6:40"}, "simulate", "--until 4 --every 4 --contacts frictional",
            "verdicts.blade.verdict"),
       kernel_of_simulate},
      {"in lanes",
       read("triple-pendulum-turns", {"first=-1.5:1.5:60", "second=-3:3:60"}, "simulate",
            "--until 10 --integrator taylor --stop-at turn", "events.turn.t"),
       kernel_of_ensemble},
      {"evaluate",
       read("triple-pendulum-turns", {"first=-1.5:1.5:200", "second=-3:3:200"}, "evaluate", "", "accelerations.third'"),
       kernel_of_evaluate},
      {"variants", read("drawer", {"offset=0:0.6:100", "f=0.05:1.25:100"}, "variants", "", "verdict"), kernel_of_variants},
      {"steady",
       read("three-tops-on-strings", {fmt::format("a=-0.14:-0.08:{}", side), fmt::format("b=0.18:0.24:{}", side)}, "steady",
            "--rate 4.9 --angle s1={a} --angle s2={b} --angle s3=0.77 --side upper=below --side middle=below --side lower=below "
            "--stability",
            "families.0.stability.verdict"),
       kernel_of_steady},
  };
  fmt::print("{:<10} {:>9} {:>12} {:>14} {:>16} {:>14}\n", "study", "points", "us a point", "study/kernel", "one thread/two",
             "alone/in lanes");
  for (const auto& [name, study, kernel] : cases) {
    if (argc > 2 && name != std::string_view(argv[2])) continue;
    Diagnostics diagnostics;
    const auto source = ModelSource::open(study.model, diagnostics);
    if (!source) return 1;
    // In turn, the least of three.
    double bare = HUGE_VAL, used = HUGE_VAL, alone = HUGE_VAL, ratio = 0;
    const bool has_lanes = make_question({study, *source, app::read_options(study)})->together() > 1;
    const int repeats = count_points(study) > 200'000 ? 1 : 3;
    for (int i = 0; i < repeats; ++i) {
      bare = std::min(bare, kernel(study, *source));
      const Times one = run(study, *source, 1), two = run(study, *source, 2);
      used = std::min(used, one.processor / static_cast<double>(count_points(study)));
      if (has_lanes) alone = std::min(alone, run(study, *source, 1, true).processor / static_cast<double>(count_points(study)));
      ratio = std::max(ratio, one.wall / two.wall);
    }
    fmt::print("{:<10} {:>9} {:>12.1f} {:>14.2f} {:>16.2f} {:>14}\n", name, count_points(study), 1e6 * used, used / bare, ratio,
               has_lanes ? fmt::format("{:.2f}", alone / used) : "");
    std::fflush(stdout);
  }
}
