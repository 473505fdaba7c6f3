// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_sample.h"

#include <fmt/core.h>

#include "vinculum/constraints/row_quantities.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/simulation/run_gate.h"

namespace vinculum {

Failure after_time(Failure failure, double t) {
  failure.message = fmt::format("after t = {:g} s: {}", t, failure.message);
  return failure;
}

SampleMaker::SampleMaker(const Model& model, MotionSystem& system, Lookout& lookout)
    : model_(model), system_(system), lookout_(lookout), outputs_(model), workspace_(model) {}

std::optional<Failure> SampleMaker::add_outputs(Moment& moment, Sample& sample) {
  if (model_.outputs().columns.empty() || !outputs_.compute(moment)) return std::nullopt;
  sample.outputs.assign(outputs_.columns().begin(), outputs_.columns().end());
  return check_outputs(model_, sample.outputs, moment.t());
}

// With constraints also their multipliers.
Outcome<Sample> SampleMaker::compute_dynamics(const State& state) {
  Sample sample;
  sample.state = state;
  sample.multipliers.assign(model_.rows().size() - model_.driven().size(), 0.0);
  if (system_.is_plain_tree()) {
    Outcome<ForwardDynamics> dynamics = compute_forward_dynamics(model_, state, workspace_);
    if (!dynamics) return dynamics.failure();
    sample.dynamics = std::move(*dynamics);
    ConstrainedDynamics none;
    Moment moment(system_.constraints(), state, workspace_, &system_.sparse_constraints(), none);
    if (auto failure = add_outputs(moment, sample)) return *failure;
    return sample;
  }
  Outcome<ConstrainedDynamics> dynamics =
      system_.at_rest()  ? lookout_.rest_dynamics(state)
      : system_.sticks() ? compute_held_dynamics(system_.constraints(), state, workspace_)
                         : compute_constrained_dynamics(system_.constraints(), state, workspace_, &system_.sparse_constraints());
  if (!dynamics) return after_time(dynamics.failure(), state.t);
  sample.dynamics = std::move(dynamics->dynamics);
  for (size_t i = 0; i < system_.constraints().rows.size(); ++i) {
    const size_t row = system_.constraints().rows[i].index;
    if (row < sample.multipliers.size()) sample.multipliers[row] = dynamics->solution.multipliers[static_cast<Eigen::Index>(i)];
  }
  for (const ContactForces::Slip& slip : dynamics->forces.slips) sample.multipliers[slip.row] = slip.force;
  fill_forces_in_place(system_.constraints(), *dynamics, sample.multipliers);
  sample.quantities = compute_row_quantities(system_.constraints(), *dynamics);
  Moment moment(system_.constraints(), state, workspace_, *dynamics);
  if (auto failure = add_outputs(moment, sample)) return *failure;
  return sample;
}

Outcome<Sample> SampleMaker::make(const State& state) {
  Outcome<Sample> sample = compute_dynamics(state);
  if (!sample) return sample;
  sample->energy = compute_energy(model_, state, workspace_);
  if (auto overflow = find_overflow(model_, *sample)) return after_time(*overflow, state.t);
  return sample;
}

}  // namespace vinculum
