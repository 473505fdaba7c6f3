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

Outcome<SampledRun> run_sampled_to_its_end(const Model& model, const State& start, RunOptions options, int samples,
                                           const AskStop& stop) {
  SampledRun run{{}, SampledMotion(model)};
  options.every = std::abs(options.until - start.t) / (samples - 1);
  options.watch_integrals = options.watch_accuracy = false;
  MotionSampler sampler(run.motion, stop);
  auto result = run_simulation(model, start, options, sampler);
  if (!result) return result.failure();
  if (result->end == RunResult::End::interrupted) return stopped_failure();
  run.result = std::move(*result);
  if (!run.result.failure) return run;
  // The step that failed may have handed out samples beyond the last good state.
  SampledRun good{std::move(run.result), SampledMotion(model)};
  const double sense = options.until >= start.t ? 1 : -1;
  for (size_t i = 0; i < run.motion.samples().size(); ++i) {
    if (sense * (good.result.final.t - run.motion.samples()[i].t) >= 0)
      good.motion.add(run.motion.samples()[i], run.motion.accelerations()[i]);
  }
  return good;
}

Outcome<SampledRun> run_sampled(const Model& model, const State& start, RunOptions options, int samples, const AskStop& stop) {
  auto run = run_sampled_to_its_end(model, start, std::move(options), samples, stop);
  if (run && run->result.failure) return *run->result.failure;
  return run;
}

}  // namespace vinculum
