// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Work and precision of the integrators on our own dynamics: three mechanisms, every tolerance, the error of the end state
// against references of 17 digits, and the time for a given error. `ensemble`: taylor on as many motions at once as a register
// has lanes, time a motion. The squeezer has closed loops: DOP853 kept on them by projection after every step, and left alone.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "vinculum/files/read_model.h"
#include "vinculum/integration/integrator.h"
#include "vinculum/simulation/ensemble.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum::bench {
namespace {

struct Problem {
  std::string name;
  Model model;
  double until;
  std::vector<double> end;  // q, v
  bool has_loops() const { return !model.description().contacts.empty(); }
};

// n point masses of 1 kg on rods of 1 m; the reference is in angles from the vertical.
Problem pendulum(const std::string& name, const std::vector<double>& start, double until, std::vector<double> angles,
                 std::vector<double> rates) {
  std::string text = "vinculum: 1\nbodies:\n", initial = "initial: {";
  for (std::size_t i = 0; i < start.size(); ++i) {
    text += fmt::format("  b{}: {{ {}joint: {{type: revolute, axis: y{}}}, mass: 1, com: [0, 0, -1], inertia: [0, 0, 0] }}\n", i,
                        i == 0 ? "" : fmt::format("parent: b{}, ", i - 1), i == 0 ? "" : ", origin: [0, 0, -1]");
    initial += fmt::format(" b{}: {},", i, start[i] - (i == 0 ? 0 : start[i - 1]));
  }
  initial.back() = '}';
  for (auto* values : {&angles, &rates}) {
    for (std::size_t i = values->size(); i-- > 1;) (*values)[i] -= (*values)[i - 1];
  }
  angles.insert(angles.end(), rates.begin(), rates.end());
  return {name, read_model_text(text + initial), until, angles};
}

std::vector<Problem> problems() {
  std::vector<Problem> list;
  list.push_back(pendulum("double-pendulum", {0.5, 0.7}, 100, {-0.39007050488388018, -0.54717766633532228},
                          {-0.9159038823782728, -0.7524303944406362}));
  list.push_back(pendulum("chain8", std::vector<double>(8, 0.3), 20,
                          {0.17368478751135527, 0.17648277856407696, 0.19414541462107818, 0.22456987529207087,
                           0.25820418556283076, 0.31729738629793725, 0.45381384283800974, 0.61884657544140076},
                          {-0.10735190874952967, -0.16524179682032361, -0.33320005324655033, -0.32992431855655224,
                           -0.23843591366138422, 0.046761926707833475, -0.20410134933187457, -0.57070675471003951}));
  list.push_back({"heavy-top",
                  read_model_text(R"yaml(
vinculum: 1
bodies: { top: { joint: {type: spherical}, mass: 1, com: [0, 0, 0.3], inertia: [0.38, 0.42, 0.13] } }
initial: { top.qw: cos(.25), top.qx: sin(.25), top.wx: 0.2, top.wy: 0.1, top.wz: 25 }
)yaml"),
                  20,
                  {0.78978102974034026, 0.050110754742328657, 0.25057367999452701, 0.5576268180561641, -0.39070594743215648,
                   -0.062095666744899351, 24.999743000170806}});
  // Angles and rates in the order of the model file; quad precision.
  Diagnostics diagnostics;
  std::optional<Model> squeezer = read_model_file(VINCULUM_SOURCE_DIR "/examples/andrews-squeezer/model.yaml", diagnostics);
  list.push_back({"squeezer",
                  std::move(*squeezer),
                  0.03,
                  {15.810771195153709, -15.756371058411842, 0.040822240119645838, 0.52440996587995403, -0.53473011634207956,
                   1.0480807410419379, 0.53473011634207956, 1139.9203022591062, -1424.3792951775401, 11.032911910619019,
                   0.57356991482952457, 19.293374105032786, 0.3231791492491432, -19.293374105032786}});
  return list;
}

struct Measured {
  double error = 0;
  double milliseconds = 0;
  long steps = 0, evaluations = 0;
  bool failed = false;
};

double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double relative_error(const std::vector<double>& end, const Problem& problem) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < problem.end.size(); ++i) {
    difference += (end[i] - problem.end[i]) * (end[i] - problem.end[i]);
    size += problem.end[i] * problem.end[i];
  }
  return std::sqrt(difference / size);
}

// Time a motion among 32 neighbours (start values scaled by 1 + k/1000) on one thread; the error is that of the first.
Measured measure_ensemble(const Problem& problem, double tolerance, int order) {
  std::vector<State> starts(32, problem.model.initial_state());
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const double scale = 1 + 1e-3 * static_cast<double>(k);
    for (double& v : starts[k].v) v *= scale;
    if (problem.model.tree().links[0].kind == LinkKind::spherical) continue;
    for (double& q : starts[k].q) q *= scale;
  }
  EnsembleOptions options;
  options.until = problem.until;
  options.tolerance = tolerance;
  options.order = order;
  Measured best;
  best.milliseconds = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 4; ++round) {
    const double begin = processor_milliseconds();
    const auto runs = run_ensemble(problem.model, starts, options);
    const double time = (processor_milliseconds() - begin) / static_cast<double>(starts.size());
    if (time >= best.milliseconds) continue;
    best.milliseconds = time;
    best.steps = best.evaluations = runs->front().steps;
    std::vector<double> end = runs->front().final.q;
    end.insert(end.end(), runs->front().final.v.begin(), runs->front().final.v.end());
    best.error = relative_error(end, problem);
  }
  return best;
}

// The best of as many runs as fit into a quarter of a second. "projected": DOP853, brought back onto the loops after every step.
Measured measure(const Problem& problem, const std::string& method, double tolerance, int order) {
  const bool projected = method == "projected";
  const std::string name = projected ? "dop853" : method;
  MotionSystem system(problem.model);
  const std::vector<double> start = system.pack(problem.model.initial_state(), 0);
  const auto integrator = make_integrator(name);
  Measured best;
  best.milliseconds = std::numeric_limits<double>::infinity();
  double total = 0;
  for (int round = 0; round < 3 || total < 250; ++round) {
    Measured now;
    const double begin = processor_milliseconds();
    IntegratorOptions options{tolerance, tolerance};
    options.order = order;
    integrator->start(system, {0, start, 0, {}}, options);
    for (double t = 0; t != problem.until;) {
      const auto step = integrator->advance(problem.until);
      if (!step) {
        best.failed = true;
        return best;
      }
      t = step->t1;
      if (projected) {
        std::vector<double> y = integrator->state().y;
        if (system.correct(t, y)) integrator->correct(y);
      }
      ++now.steps;
      now.evaluations += step->evaluations;
    }
    now.milliseconds = processor_milliseconds() - begin;
    total += now.milliseconds;
    if (now.milliseconds >= best.milliseconds) continue;
    best = now;
    best.error = relative_error(integrator->state().y, problem);
    if (total > 2000) break;
  }
  return best;
}

// Time at an error, straight between the measured points in logarithms; infinite if never reached.
double time_at(const std::vector<Measured>& points, double error) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].failed || points[i].error > error) continue;
    if (i == 0 || points[i - 1].failed) return points[i].milliseconds;
    const double share = std::log(error / points[i - 1].error) / std::log(points[i].error / points[i - 1].error);
    return std::exp(std::lerp(std::log(points[i - 1].milliseconds), std::log(points[i].milliseconds), share));
  }
  return std::numeric_limits<double>::infinity();
}

void run(const std::string& only, int order) {
  const double errors[] = {1e-6, 1e-8, 1e-10, 1e-12, 1e-13, 1e-14};
  for (const Problem& problem : problems()) {
    if (!only.empty() && only != problem.name) continue;
    const bool loops = problem.has_loops();
    const std::vector<std::string> names = loops ? std::vector<std::string>{"projected", "dop853"}
                                                 : std::vector<std::string>{"taylor", "ensemble", "dop853", "cvode", "arkode"};
    fmt::print("\n{}, {} s: time [ms] for a relative error of the end state\n{:<10}", problem.name, problem.until, "");
    for (double error : errors) fmt::print("{:>10.0e}", error);
    fmt::print("{:>14}\n", "least error");
    std::map<std::string, std::vector<Measured>> measured;
    for (const std::string& name : names) {
      std::vector<Measured>& points = measured[name];
      const bool stiff = name == "cvode" || name == "arkode";
      for (double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16}) {
        if (stiff && (tolerance < 0.9e-13 || (!points.empty() && points.back().milliseconds > 2000))) continue;
        points.push_back(name == "ensemble" ? measure_ensemble(problem, tolerance, order)
                                            : measure(problem, name, tolerance, order));
      }
      double least = std::numeric_limits<double>::infinity();
      for (const Measured& point : points) least = point.failed ? least : std::min(least, point.error);
      fmt::print("{:<10}", name);
      for (double error : errors) {
        const double time = time_at(points, error);
        fmt::print("{:>10}", std::isfinite(time) ? fmt::format("{:.3f}", time) : "-");
      }
      fmt::print("{:>14.1e}\n", least);
    }
    const std::string ours = names.front();
    for (const std::string& name : names) {
      if (name == ours) continue;
      fmt::print("{:<10}", "x " + name);
      for (double error : errors) {
        const double ratio = time_at(measured[name], error) / time_at(measured[ours], error);
        fmt::print("{:>10}", std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : "-");
      }
      fmt::print("   times the time of {}\n", ours);
    }
    for (const std::string& name : names) {
      if (name == "cvode" || name == "arkode") continue;
      for (const Measured& point : measured[name])
        fmt::print("  {:<9} error {:.1e} {:>9.4f} ms {:>6} steps {:>7} evaluations, {:.2f} us a step\n", name, point.error,
                   point.milliseconds, point.steps, point.evaluations,
                   1e3 * point.milliseconds / static_cast<double>(point.steps));
    }
  }
}

}  // namespace
}  // namespace vinculum::bench

// bench_integrators [problem] [order of taylor]
int main(int argc, char** argv) { vinculum::bench::run(argc > 1 ? argv[1] : "", argc > 2 ? std::atoi(argv[2]) : 0); }
