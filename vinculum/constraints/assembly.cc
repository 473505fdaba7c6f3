// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/assembly.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/model/units.h"

namespace vinculum {

namespace {

constexpr int kOtherStarts = 40;
constexpr double kDifferent = 1e-6;

// A coordinate that is the integral of a velocity: those of quaternions are not.
struct Coordinate {
  int q = 0, v = 0;
  bool is_angle = false;
};

std::vector<Coordinate> list_coordinates(const Model& model) {
  const StateUnits units = state_units(model);
  std::vector<Coordinate> list;
  for (size_t v = 0; v < model.velocity_names().size(); ++v) {
    std::string name = model.velocity_names()[v];
    if (!name.ends_with("'")) continue;
    name.pop_back();
    if (const auto q = model.find_coordinate(name)) list.push_back({*q, static_cast<int>(v), units.coordinates[*q] == "rad"});
  }
  return list;
}

// Coordinates that the gaps leave free, in the order of preference: each must not depend on the rows and those before it.
std::vector<Coordinate> choose_held(const ConstraintSet& set, const ConstraintRows& rows) {
  std::vector<Coordinate> candidates = list_coordinates(set.model);
  const auto is_given = [&](const Coordinate& coordinate) {
    const auto& given = set.model.description().initial;
    return std::any_of(given.begin(), given.end(),
                       [&](const InitialValue& value) { return value.name == set.model.coordinate_names()[coordinate.q]; });
  };
  std::stable_partition(candidates.begin(), candidates.end(), is_given);

  // Gram and Schmidt, twice: what is left of a row beside an orthonormal basis of those before.
  std::vector<Eigen::VectorXd> basis;
  const auto add = [&](Eigen::VectorXd row) {
    const double size = row.norm();
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::VectorXd& b : basis) row -= b.dot(row) * b;
    }
    if (!(row.norm() > 1e-6 * size)) return false;
    basis.push_back(row.normalized());
    return true;
  };
  for (Eigen::Index i = 0; i < rows.D.rows(); ++i) {
    if (rows.gap[i]) add(rows.D.row(i));
  }
  std::vector<Coordinate> held;
  for (const Coordinate& candidate : candidates) {
    if (add(Eigen::VectorXd::Unit(rows.D.cols(), candidate.v))) held.push_back(candidate);
  }
  return held;
}

// How far two positions are apart: the largest difference of a body's place or axes. Angles may differ by turns.
double difference(const Model& model, const State& a, const State& b) {
  const std::vector<FrameMotion> links_a = compute_tree_motion(model, a), links_b = compute_tree_motion(model, b);
  double largest = 0;
  for (const Body& body : model.bodies()) {
    const FrameMotion &x = links_a[body.link], &y = links_b[body.link];
    for (int k = 0; k < 3; ++k) largest = std::max(largest, norm(x.R.column(k) - y.R.column(k)));
    largest = std::max(largest, norm(x.p - y.p));
  }
  return largest;
}

}  // namespace

Outcome<Assembly> assemble(const ConstraintSet& set, const State& start, Workspace& workspace) {
  Assembly assembly;
  std::vector<int> held;
  const auto hold = [&](const State& at) -> std::optional<Failure> {
    const auto rows = compute_constraint_rows(set, at);
    if (!rows) return rows.failure();
    held.clear();
    assembly.held.clear();
    for (const Coordinate& coordinate : choose_held(set, *rows)) {
      held.push_back(coordinate.v);
      assembly.held.push_back(set.model.coordinate_names()[coordinate.q]);
    }
    return std::nullopt;
  };
  if (auto failure = hold(start)) return *failure;
  auto found = project_state(set, start, workspace, held);
  if (!found) {
    found = project_state(set, start, workspace);
    if (!found) return found.failure();
    assembly.keeps_start = false;
    if (auto failure = hold(found->state)) return *failure;
  }
  assembly.state = found->state;

  // Elsewhere: the coordinates that are not held, from anywhere.
  const std::vector<Coordinate> coordinates = list_coordinates(set.model);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int k = 0; k < kOtherStarts; ++k) {
    State other = assembly.state;
    for (const Coordinate& c : coordinates) {
      if (std::find(held.begin(), held.end(), c.v) == held.end()) other.q[c.q] += (c.is_angle ? M_PI : 0.5) * number(random);
    }
    const auto tried = project_state(set, other, workspace, held);
    if (!tried || difference(set.model, tried->state, assembly.state) < kDifferent) continue;
    const bool known = std::any_of(assembly.others.begin(), assembly.others.end(),
                                   [&](const State& s) { return difference(set.model, tried->state, s) < kDifferent; });
    if (known) continue;
    // Told without whole turns.
    State told = tried->state;
    for (const Coordinate& c : coordinates) {
      if (c.is_angle) told.q[c.q] = assembly.state.q[c.q] + std::remainder(told.q[c.q] - assembly.state.q[c.q], 2 * M_PI);
    }
    assembly.others.push_back(std::move(told));
  }
  return assembly;
}

}  // namespace vinculum
