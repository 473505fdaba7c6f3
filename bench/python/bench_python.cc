// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// The C++ side of overhead.py: the same computations, as JSON in seconds.
//   bench_python TREE.yaml SIMULATED.yaml
#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include <fmt/core.h>

#include "vinculum/decision/taut_strings.h"
#include "vinculum/dynamics/batch.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/files/read_model.h"
#include "vinculum/simulation/run.h"

namespace {

using namespace vinculum;

double median_of(const std::function<void()>& call, int repeats, int inner) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < inner; ++k) call();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / inner);
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<size_t>(repeats) / 2];
}

// Keeps the samples, as a program that wants them would.
class Keeper : public RunListener {
 public:
  void on_sample(const Sample& sample) override {
    numbers_.push_back(sample.state.t);
    numbers_.insert(numbers_.end(), sample.state.q.begin(), sample.state.q.end());
    numbers_.insert(numbers_.end(), sample.state.v.begin(), sample.state.v.end());
  }

 private:
  std::vector<double> numbers_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  Diagnostics diagnostics;
  const auto tree = read_model_file(argv[1], diagnostics), simulated = read_model_file(argv[2], diagnostics);
  if (!tree || !simulated) return 3;
  const State state = tree->initial_state();
  Workspace workspace(*tree);
  std::vector<double> accelerations(state.v.size());
  const double forward =
      median_of([&] { compute_accelerations(*tree, state.t, state.q, state.v, accelerations, workspace); }, 50, 2000);
  constexpr int kStates = 10'000;
  Batch batch(*tree);
  const StateBatch states = make_batch(std::vector<State>(kStates, state));
  std::vector<double> all(kStates * state.v.size());
  const double side_by_side = median_of([&] { compute_accelerations(batch, states, all); }, 15, 1);
  RunOptions options;
  options.until = 20;
  const double run = median_of(
      [&] {
        Keeper keeper;
        if (!run_simulation(*simulated, simulated->initial_state(), options, keeper)) std::abort();
      },
      5, 1);
  fmt::print("{{\"forward\": {}, \"batch\": {}, \"simulate\": {}}}\n", forward, side_by_side, run);
}
