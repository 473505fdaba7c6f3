// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run with contacts costs beside the evaluations of its integrator: guards of contacts, projection, verdicts.
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum::bench {
namespace {

struct Problem {
  std::string example;
  double until;
};

class States : public RunListener {
 public:
  void on_sample(const Sample& sample) override { list.push_back(sample.state); }
  std::vector<State> list;
};

double processor_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// The time of one evaluation at the states of the run, in turn with the run itself: a slow minute is slow for both.
void measure(const Problem& problem) {
  Diagnostics diagnostics;
  const auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/" + problem.example + "/model.yaml", diagnostics);
  if (!model) return;
  Workspace workspace(*model);
  const auto projected = project_state(ConstraintSet(*model), model->initial_state(), workspace);
  if (!projected) return;
  RunOptions options;
  options.until = problem.until;
  options.integrator = "dop853";
  options.watch_integrals = false;
  options.every = problem.until / 16;
  States states;
  const auto first = run_simulation(*model, projected->state, options, states);
  if (!first) return;

  MotionSystem system(*model);
  if (system.choose_rows(projected->state)) return;
  std::vector<double> derivative(system.dimension()), of_evaluation, of_step;
  options.every = problem.until;
  for (int round = 0; round < 15; ++round) {
    constexpr int kTimes = 50;
    double begin = processor_microseconds();
    for (int k = 0; k < kTimes; ++k) {
      for (const State& state : states.list) system.compute_derivative(state.t, system.pack(state, 0), derivative);
    }
    of_evaluation.push_back((processor_microseconds() - begin) / static_cast<double>(kTimes * states.list.size()));
    States ends;
    begin = processor_microseconds();
    const auto run = run_simulation(*model, projected->state, options, ends);
    of_step.push_back((processor_microseconds() - begin) / static_cast<double>(run->steps));
  }
  const double evaluations = static_cast<double>(first->evaluations) / static_cast<double>(first->steps);
  const double evaluation = median(of_evaluation), step = median(of_step);
  fmt::print("{:<20}{:>8}{:>12.1f}{:>14.2f}{:>12.1f}{:>10.2f}\n", problem.example, first->steps, evaluations, evaluation, step,
             step / (evaluations * evaluation));
}

// The time of a step of a run in which nothing slips: followed, judged only, and with constraints that have no limit.
void measure_grip(const Problem& problem, double friction) {
  Diagnostics diagnostics;
  auto model = read_model_file(VINCULUM_SOURCE_DIR "/examples/" + problem.example + "/model.yaml", diagnostics);
  if (!model) return;
  ModelDescription held = model->description(), free = held;
  for (VelocityConstraintDescription& row : held.velocity_constraints) row.bound = friction * row.bound.value_or(0);
  for (ContactDescription& contact : held.contacts) contact.friction = friction;
  for (VelocityConstraintDescription& row : free.velocity_constraints) row.bound.reset();
  for (ContactDescription& contact : free.contacts) contact.friction.reset();
  const auto limited = build_model(held, diagnostics), ideal = build_model(free, diagnostics);
  if (!limited || !ideal) return;
  const auto time_of_step = [&](const Model& of, Follow follow) {
    RunOptions options;
    options.until = options.every = problem.until;
    options.integrator = "dop853";
    options.watch_integrals = false;
    options.follow = follow;
    Workspace workspace(of);
    const auto projected = project_state(ConstraintSet(of), of.initial_state(), workspace);
    States ends;
    const double begin = processor_microseconds();
    const auto run = run_simulation(of, projected->state, options, ends);
    return (processor_microseconds() - begin) / static_cast<double>(run->steps);
  };
  std::vector<double> followed, judged, without;
  for (int round = 0; round < 15; ++round) {
    followed.push_back(time_of_step(*limited, Follow::frictional));
    judged.push_back(time_of_step(*limited, Follow::bilateral));
    without.push_back(time_of_step(*ideal, Follow::bilateral));
  }
  fmt::print("{:<20}{:>14.1f}{:>12.1f}{:>12.1f}{:>16.2f}{:>14.2f}\n", problem.example, median(followed), median(judged),
             median(without), median(followed) / median(judged), median(followed) / median(without));
}

}  // namespace
}  // namespace vinculum::bench

// With the name of an example: that one alone.
int main(int argc, char** argv) {
  const auto is_asked_for = [&](const std::string& example) { return argc < 2 || example == argv[1]; };
  fmt::print("{:<20}{:>8}{:>12}{:>14}{:>12}{:>10}\n", "", "steps", "evaluations", "evaluation us", "step us", "ratio");
  for (const vinculum::bench::Problem& problem : std::vector<vinculum::bench::Problem>{
           {"rolling-coin", 3}, {"ball-on-turntable", 10}, {"cart-on-terrain", 2}, {"coin-in-a-bowl", 1}}) {
    if (is_asked_for(problem.example)) vinculum::bench::measure(problem);
  }
  fmt::print("\n{:<20}{:>14}{:>12}{:>12}{:>16}{:>14}\n", "a step, us", "frictional", "judged", "ideal", "to judged", "to ideal");
  if (is_asked_for("car-with-trailer")) vinculum::bench::measure_grip({"car-with-trailer", 5}, 2);
  if (is_asked_for("rolling-coin")) vinculum::bench::measure_grip({"rolling-coin", 3}, 10);
  if (is_asked_for("ball-on-turntable")) vinculum::bench::measure_grip({"ball-on-turntable", 10}, 10);
}
