// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/output_values.h"
#include "vinculum/simulation/run.h"
#include "vinculum/stepping/lookout.h"

namespace vinculum {

// One sample after the other. A failure says that the dynamics has no result at this state, or none that is finite.
class SampleMaker {
 public:
  SampleMaker(const Model& model, MotionSystem& system, Lookout& lookout);

  Outcome<Sample> make(const State& state);

 private:
  Outcome<Sample> compute_dynamics(const State& state);
  std::optional<Failure> add_outputs(Moment& moment, Sample& sample);

  const Model& model_;
  MotionSystem& system_;
  Lookout& lookout_;
  OutputValues outputs_;
  Workspace workspace_;
};

// A failure of a motion that came to t.
Failure after_time(Failure failure, double t);

}  // namespace vinculum
