// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/sampled_run.h"

#include <cmath>

namespace vinculum {

namespace {

class MotionSampler : public RunListener {
 public:
  explicit MotionSampler(SampledMotion& motion) : motion_(motion) {}
  void on_sample(const Sample& sample) override { motion_.add(sample.state, sample.dynamics.accelerations); }

 private:
  SampledMotion& motion_;
};

}  // namespace

Outcome<SampledRun> run_sampled(const Model& model, const State& start, RunOptions options, int samples) {
  SampledRun run{{}, SampledMotion(model)};
  options.every = std::abs(options.until - start.t) / (samples - 1);
  options.watch_integrals = false;
  MotionSampler sampler(run.motion);
  auto result = run_simulation(model, start, options, sampler);
  if (!result) return result.failure();
  if (result->failure) return *result->failure;
  run.result = std::move(*result);
  return run;
}

}  // namespace vinculum
