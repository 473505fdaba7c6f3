// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_monitor.h"

#include <algorithm>
#include <cmath>

#include "vinculum/simulation/checkpoint.h"

namespace vinculum {

RunMonitor::RunMonitor(const Model& model, MotionSystem& system, const std::vector<Integral>& watched, Checkpoint& point)
    : model_(model), system_(system), monitor_(model, watched), point_(point), workspace_(model), values_(1 + watched.size()) {}

void RunMonitor::compute_integrals(const State& state, double energy_balance) {
  values_[0] = energy_balance;
  if (values_.size() > 1) monitor_.compute(state, workspace_, std::span(values_).subspan(1));
}

void RunMonitor::begin(const State& state) {
  point_.integrals = {{system_.counts_work() ? "E - W" : "E", "J"}};
  for (const Integral& integral : integrals()) point_.integrals.push_back({integral.name, integral.unit});
  compute_integrals(state, compute_energy(model_, state, workspace_).total());
  for (size_t i = 0; i < values_.size(); ++i) point_.integrals[i].start = values_[i];
  point_.undetermined.resize(model_.rows().size());
  point_.worst_position.resize(model_.rows().size(), -1);
  point_.worst_velocity.resize(model_.rows().size());
}

void RunMonitor::keep_watched() {
  const std::vector<IntegralDrift> before = std::move(point_.integrals);
  point_.integrals.clear();
  for (const IntegralDrift& drift : before) {
    const auto is_this = [&](const Integral& integral) { return integral.name == drift.name; };
    if (point_.integrals.empty() || std::ranges::any_of(integrals(), is_this)) point_.integrals.push_back(drift);
  }
}

void RunMonitor::book_change(const State& before, const State& after) {
  const auto energy = [&](const State& state) {
    return system_.counts_work() ? 0 : compute_energy(model_, state, workspace_).total();
  };
  compute_integrals(before, energy(before));
  const std::vector<double> old = values_;
  compute_integrals(after, energy(after));
  for (size_t i = 0; i < values_.size(); ++i) point_.integrals[i].start += values_[i] - old[i];
}

void RunMonitor::watch_integrals(const State& state, std::span<const double> y) {
  const Energy energy = compute_energy(model_, state, workspace_);
  point_.energy_scale = std::max({point_.energy_scale, energy.kinetic, std::abs(system_.work(y))});
  // Where a potential is zero is arbitrary: coordinates are known to the round-off of the model's own length, and the energy to
  // that of its own energy, also of a body that rests at height zero.
  const double size = std::max(model_.scales().energy(), energy.size);
  point_.energy_size = std::max(point_.energy_size, size + std::abs(system_.work(y)));
  compute_integrals(state, energy.total() - system_.work(y));
  for (size_t i = 0; i < values_.size(); ++i) {
    IntegralDrift& integral = point_.integrals[i];
    const double departure = std::abs(values_[i] - integral.start);
    integral.drift = std::max(integral.drift, std::isnan(departure) ? HUGE_VAL : departure);
  }
}

void RunMonitor::watch_residuals(Moment& moment) {
  if (system_.is_plain_tree()) return;
  // The constraints of the solution, if it is one of this very moment.
  const ConstrainedDynamics* dynamics = moment.solution();
  const ConstraintRows* rows = dynamics != nullptr && dynamics->rows.t == moment.t() ? &dynamics->rows : nullptr;
  if (rows == nullptr) {
    if (compute_row_values(system_.constraints(), moment.state(), rows_)) return;
    rows = &rows_;
  }
  for (size_t i = 0; i < rows->gap.size(); ++i) {
    const int row = system_.constraints().rows[i].index;
    if (rows->gap[i]) point_.worst_position[row] = std::max(point_.worst_position[row], std::abs(*rows->gap[i]));
    point_.worst_velocity[row] = std::max(point_.worst_velocity[row], std::abs(rows->rate[static_cast<Eigen::Index>(i)]));
  }
}

bool RunMonitor::watch_inertia(Moment& moment) {
  WeakestInertia weakest;
  if (system_.is_plain_tree()) {
    weakest = find_weakest_inertia(model_, moment.state(), workspace_);
  } else if (const ConstrainedDynamics* dynamics = moment.solution()) {
    const std::vector<Row>& rows = system_.constraints().rows;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!dynamics->solution.analysis.determinate[i]) point_.undetermined[rows[i].index] = true;
    }
    weakest = {dynamics->dynamics.weakest_velocity, dynamics->dynamics.weakest_ratio};
  } else {
    return false;
  }
  if (weakest.ratio < point_.weakest_ratio) {
    point_.weakest_ratio = weakest.ratio;
    point_.weakest_velocity = weakest.velocity;
    point_.weakest_t = moment.t();
  }
  return true;
}

std::vector<IntegralSize> RunMonitor::sizes_of_integrals(const State& start, const State& final) {
  const double fall = norm(model_.gravity()) * (final.t - start.t);
  double mass = 0;
  for (const Body& body : model_.bodies()) mass += body.mass;
  const auto sizes = [&](double energy) {
    std::vector<double> values = monitor_.compute_sizes(start, energy, workspace_);
    const std::vector<double> at_end = monitor_.compute_sizes(final, energy, workspace_);
    for (size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], at_end[i]);
    return values;
  };
  const std::vector<double> exchanged = sizes(point_.energy_scale), all = sizes(point_.energy_size + 0.5 * mass * fall * fall);
  std::vector<IntegralSize> list;
  for (size_t i = 0; i < all.size(); ++i) list.push_back({exchanged[i], all[i]});
  return list;
}

}  // namespace vinculum
