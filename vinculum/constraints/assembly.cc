// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/assembly.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/core.h>

#include "vinculum/geometry/tree_motion.h"
#include "vinculum/model/state.h"
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

// Coordinates that the gaps leave free, in the order of preference: each must not depend on the rows and those before it. First
// those that are held anyway, then those that `initial` names.
std::vector<Coordinate> choose_held(const ConstraintSet& set, const ConstraintRows& rows, const std::vector<int>& held_anyway) {
  std::vector<Coordinate> candidates = list_coordinates(set.model);
  const auto is_given = [&](const Coordinate& coordinate) {
    const auto& given = set.model.description().initial;
    return std::any_of(given.begin(), given.end(),
                       [&](const InitialValue& value) { return value.name == set.model.coordinate_names()[coordinate.q]; });
  };
  std::stable_partition(candidates.begin(), candidates.end(), is_given);
  std::stable_partition(candidates.begin(), candidates.end(), [&](const Coordinate& coordinate) {
    return std::find(held_anyway.begin(), held_anyway.end(), coordinate.v) != held_anyway.end();
  });

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

Outcome<Held> find_held(const Model& model, const std::vector<std::string>& names) {
  Held held;
  const std::vector<Coordinate> coordinates = list_coordinates(model);
  for (const std::string& name : names) {
    if (const auto v = model.find_velocity(name)) {
      held.velocities.push_back(*v);
      continue;
    }
    const auto q = model.find_coordinate(name);
    if (!q) {
      std::vector<std::string> known = model.coordinate_names();
      known.insert(known.end(), model.velocity_names().begin(), model.velocity_names().end());
      const std::string nearest = nearest_name(name, known);
      return Failure{"VN-USAGE-001", fmt::format("--hold: there is no '{}' in the model", name),
                     nearest.empty() ? "`vinculum check` lists the names" : fmt::format("did you mean {}?", nearest)};
    }
    const auto integral = std::find_if(coordinates.begin(), coordinates.end(), [&](const Coordinate& c) { return c.q == *q; });
    if (integral != coordinates.end()) {
      held.coordinates.push_back(integral->v);
      continue;
    }
    for (const Link& link : model.tree().links) {
      const int quaternion = quaternion_index(link), turns = link.v + velocity_count(link.kind) - 3;
      if (quaternion >= 0 && *q >= quaternion && *q < quaternion + 4)
        held.coordinates.insert(held.coordinates.end(), {turns, turns + 1, turns + 2});
    }
  }
  for (std::vector<int>* list : {&held.coordinates, &held.velocities}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  return held;
}

namespace {

std::vector<int> velocities_of(const std::vector<Coordinate>& coordinates) {
  std::vector<int> velocities;
  for (const Coordinate& coordinate : coordinates) velocities.push_back(coordinate.v);
  return velocities;
}

}  // namespace

Outcome<Assembly> assemble(const ConstraintSet& set, const State& start, Workspace& workspace, const Held& held) {
  Assembly assembly;
  const auto rows = compute_constraint_rows(set, start);
  if (!rows) return rows.failure();
  std::vector<Coordinate> kept = choose_held(set, *rows, held.coordinates);
  const bool chosen = held.coordinates.empty();
  auto found = project_state(set, start, workspace, chosen ? velocities_of(kept) : held.coordinates, held.velocities);
  if (!found && chosen) {
    found = project_state(set, start, workspace, {}, held.velocities);
    assembly.keeps_start = false;
  }
  if (!found) return found.failure();
  assembly.state = std::move(found->state);
  assembly.position = found->position;
  assembly.velocity = found->velocity;
  if (!chosen || !assembly.keeps_start) {
    const auto there = compute_constraint_rows(set, assembly.state);
    if (!there) return there.failure();
    kept = choose_held(set, *there, held.coordinates);
  }
  for (const Coordinate& coordinate : kept) assembly.held.push_back(set.model.coordinate_names()[coordinate.q]);
  return assembly;
}

void look_for_others(const ConstraintSet& set, Workspace& workspace, Assembly& assembly) {
  const std::vector<Coordinate> coordinates = list_coordinates(set.model);
  std::vector<int> held;
  for (const Coordinate& c : coordinates) {
    const std::string& name = set.model.coordinate_names()[c.q];
    if (std::find(assembly.held.begin(), assembly.held.end(), name) != assembly.held.end()) held.push_back(c.v);
  }
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
}

}  // namespace vinculum
