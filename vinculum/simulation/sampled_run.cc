// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/sampled_run.h"

#include <cmath>

namespace vinculum {

namespace {

class MotionSampler : public RunListener {
 public:
  MotionSampler(SampledMotion& motion, const AskStop& stop) : motion_(motion), stop_(stop) {}
  void on_sample(const Sample& sample) override { motion_.add(sample.state, sample.dynamics.accelerations); }
  bool wants_to_stop() override { return is_stopped(stop_); }

 private:
  SampledMotion& motion_;
  const AskStop& stop_;
};

}  // namespace

Outcome<SampledRun> run_sampled(const Model& model, const State& start, RunOptions options, int samples, const AskStop& stop) {
  SampledRun run{{}, SampledMotion(model)};
  options.every = std::abs(options.until - start.t) / (samples - 1);
  options.watch_integrals = options.watch_accuracy = false;
  MotionSampler sampler(run.motion, stop);
  auto result = run_simulation(model, start, options, sampler);
  if (!result) return result.failure();
  if (result->failure) return *result->failure;
  if (result->end == RunResult::End::interrupted) return stopped_failure();
  run.result = std::move(*result);
  return run;
}

}  // namespace vinculum
