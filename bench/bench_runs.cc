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
#include "vinculum/simulation/motion_system.h"
#include "vinculum/simulation/run.h"

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

}  // namespace
}  // namespace vinculum::bench

int main() {
  fmt::print("{:<20}{:>8}{:>12}{:>14}{:>12}{:>10}\n", "", "steps", "evaluations", "evaluation us", "step us", "ratio");
  for (const vinculum::bench::Problem& problem : std::vector<vinculum::bench::Problem>{
           {"rolling-coin", 3}, {"ball-on-turntable", 10}, {"cart-on-terrain", 2}, {"coin-in-a-bowl", 1}})
    vinculum::bench::measure(problem);
}
