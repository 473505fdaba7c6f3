// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/integral_candidates.h"

#include <fmt/core.h>

#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/trace.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/dual.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace {

using Kind = IntegralCandidate::Kind;

std::vector<double> to_inputs(const State& state) {
  std::vector<double> inputs{state.t};
  inputs.insert(inputs.end(), state.q.begin(), state.q.end());
  inputs.insert(inputs.end(), state.v.begin(), state.v.end());
  return inputs;
}

}  // namespace

IntegralCandidates::IntegralCandidates(const Model& model, bool generalized_momenta, bool inner_subsystems)
    : model_(model), tape_(trace_momenta(model, inner_subsystems)) {
  for (size_t i = 0; i < model.bodies().size(); ++i) {
    const Body& body = model.bodies()[i];
    if (body.parent == kWorld) roots_.push_back({static_cast<int>(i), 0});
    root_of_body_.push_back(body.parent == kWorld ? static_cast<int>(roots_.size()) - 1 : root_of_body_[body.parent]);
    roots_[root_of_body_.back()].mass += body.mass;
  }

  list_.push_back({Kind::energy, -1, 0, "E", "J"});
  outputs_.push_back(0);

  // In the order of preference: momenta of all roots, then their angular momenta, ..
  static constexpr struct {
    Kind kind;
    char letter;
    const char* unit;
  } kVectors[] = {{Kind::linear, 'P', "N*s"}, {Kind::angular, 'L', "N*m*s"}, {Kind::central, 'K', "N*m*s"}};
  for (int vector = 0; vector < 3; ++vector) {
    const auto& [kind, letter, unit] = kVectors[vector];
    for (size_t root = 0; root < roots_.size(); ++root) {
      if (kind == Kind::central && !(roots_[root].mass > 0)) continue;
      const std::string suffix = roots_.size() == 1 ? "" : fmt::format("({})", model.bodies()[roots_[root].body].name);
      for (int axis = 0; axis < 3; ++axis) {
        list_.push_back({kind, static_cast<int>(root), axis, fmt::format("{}{}{}", letter, "xyz"[axis], suffix), unit});
        outputs_.push_back(1 + 9 * static_cast<int>(root) + 3 * vector + axis);
      }
    }
  }
  const StateUnits units = state_units(model);
  for (int k = 0; generalized_momenta && k < model.tree().velocities; ++k) {
    list_.push_back({Kind::generalized, -1, k, fmt::format("p({})", model.velocity_names()[k]), units.forces[k] + "*s"});
    outputs_.push_back(1 + 9 * static_cast<int>(roots_.size()) + k);
  }
  first_inner_ = size();
  if (inner_subsystems) {
    std::vector<double> carried(model.bodies().size());
    for (size_t i = model.bodies().size(); i-- > 0;) {
      carried[i] += model.bodies()[i].mass;
      if (model.bodies()[i].parent != kWorld) carried[model.bodies()[i].parent] += carried[i];
    }
    static constexpr struct {
      Kind kind;
      const char* letter;
      const char* unit;
    } kInner[] = {
        {Kind::linear, "P", "N*s"}, {Kind::angular, "L", "N*m*s"}, {Kind::pole, "K", "N*m*s"}, {Kind::central, "Kc", "N*m*s"}};
    int output = 1 + 9 * static_cast<int>(roots_.size()) + model.tree().velocities;
    for (size_t i = 0; i < model.bodies().size(); ++i) {
      const Body& body = model.bodies()[i];
      if (body.parent == kWorld) continue;
      const int number = static_cast<int>(inner_.size());
      inner_.push_back({static_cast<int>(i), carried[i]});
      for (const auto& [kind, letter, unit] : kInner) {
        for (int axis = 0; axis < 3; ++axis) {
          list_.push_back({kind, -1, axis, fmt::format("{}{}({})", letter, "xyz"[axis], body.name), unit, number});
          outputs_.push_back(output++);
        }
      }
    }
  }
  results_.resize(tape_.outputs.size());
  steps_.resize(tape_.steps.size());
}

void IntegralCandidates::compute_values(const State& state, Workspace& workspace, std::span<double> values) {
  inputs_ = to_inputs(state);
  evaluate(tape_, inputs_.data(), results_.data(), steps_.data());
  values[0] = compute_energy(model_, state, workspace).total();
  for (int i = 1; i < size(); ++i) values[i] = results_[outputs_[i]];
}

void IntegralCandidates::compute_rates(const State& state, std::span<const double> accelerations, std::span<double> rates) {
  using Moving = Dual<double, double>;
  State rate{1, std::vector<double>(state.q.size()), {accelerations.begin(), accelerations.end()}};
  compute_coordinate_rates(model_, state.q, state.v, rate.q);
  const std::vector<double> at = to_inputs(state), along = to_inputs(rate);
  std::vector<Moving> inputs, results(results_.size()), steps(steps_.size());
  for (size_t i = 0; i < at.size(); ++i) inputs.emplace_back(at[i], along[i]);
  evaluate(tape_, inputs.data(), results.data(), steps.data());
  for (int i = 1; i < size(); ++i) rates[i] = results[outputs_[i]].derivatives;
}

Eigen::MatrixXd IntegralCandidates::compute_gradients(const State& state, Workspace& workspace) {
  const int n = model_.tree().velocities, coordinates = model_.tree().coordinates;
  // N(q), column by column.
  std::vector<double> unit(n);
  Eigen::MatrixXd N(coordinates, n);
  for (int j = 0; j < n; ++j) {
    unit[j] = 1;
    compute_coordinate_rates(model_, state.q, unit, {N.col(j).data(), static_cast<size_t>(coordinates)});
    unit[j] = 0;
  }
  inputs_ = to_inputs(state);
  evaluate(tape_, inputs_.data(), results_.data(), steps_.data());
  Eigen::MatrixXd gradients(size(), 2 * n);
  std::vector<double> weights(results_.size()), sensitivities(steps_.size());
  Eigen::VectorXd gradient(tape_.inputs);
  for (int i = 0; i < size(); ++i) {
    weights[outputs_[i]] = 1;
    pull_back(tape_, steps_.data(), weights.data(), gradient.data(), sensitivities.data());
    weights[outputs_[i]] = 0;
    gradients.row(i).head(n) = N.transpose() * gradient.segment(1, coordinates);
    gradients.row(i).tail(n) = gradient.tail(n);
  }
  // ∂U/∂q = h - tau at rest: what gravity, springs and laws ask to be held with.
  State rest = state;
  rest.v.assign(n, 0);
  const std::vector<double> held = compute_inverse_dynamics(model_, rest, rest.v, workspace).forces;
  const auto dynamics = compute_forward_dynamics(model_, rest, workspace);
  for (int j = 0; j < n; ++j) gradients(0, j) += held[j] - (dynamics ? dynamics->joint_forces[j] : 0);
  return gradients;
}

}  // namespace vinculum
