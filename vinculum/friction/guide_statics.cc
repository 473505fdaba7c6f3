// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_statics.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/friction/guide_reduction.h"
#include "vinculum/model/compile_forces.h"

namespace vinculum {

namespace {

constexpr double kMovesOtherwise = 1e-9;  // what a row asks of a model at rest, in its RowScales

// What forces do at a state, on every velocity: of all that the description gives.
Eigen::VectorXd forces_of(const Model& model, const State& state) {
  Workspace workspace(model);
  const Eigen::Index n = model.tree().velocities;
  const std::vector<double> zero(static_cast<size_t>(n), 0.0);
  const std::vector<double> bias = compute_inverse_dynamics(model, state, zero, workspace).forces;
  const GivenForces given = compute_given_forces(model, state, workspace);
  return Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) - Eigen::Map<const Eigen::VectorXd>(bias.data(), n);
}

}  // namespace

std::array<Vector3, 2> directions_of_face(const Vector3& normal) {
  const Vector3 across = cross(normal, std::abs(normal.x) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0});
  const Vector3 first = (1 / norm(across)) * across;
  return {first, cross(normal, first)};
}

Outcome<Eigen::VectorXd> compute_load(const Model& model, const State& state, const std::string& name,
                                      const std::optional<Vector3>& direction) {
  ModelDescription with = model.description(), without = model.description();
  const auto named = [&](const ForceDescription& force) { return force.name == name; };
  const auto found = std::find_if(with.forces.begin(), with.forces.end(), named);
  if (found == with.forces.end()) {
    std::vector<std::string> names;
    for (const ForceDescription& force : with.forces) names.push_back(force.name);
    const std::string nearest = nearest_name(name, names);
    return Failure{"VN-VARIANT-025", fmt::format("the model has no force '{}'", name),
                   nearest.empty() ? "name one of `forces`" : fmt::format("did you mean '{}'?", nearest)};
  }
  if (direction) {
    if (!set_direction(*found, *direction))
      return Failure{"VN-VARIANT-025", fmt::format("the force '{}' has no direction to turn", name), "turn a force on a body"};
  }
  without.forces.erase(std::find_if(without.forces.begin(), without.forces.end(), named));
  Diagnostics diagnostics;
  const auto loaded = build_model(std::move(with), diagnostics), unloaded = build_model(std::move(without), diagnostics);
  if (!loaded || !unloaded)
    return Failure{"VN-VARIANT-025",
                   fmt::format("the model does not stand without the force '{}': {}", name,
                               diagnostics.list().empty() ? "" : diagnostics.list().front().message),
                   "outputs and events must not name it"};
  return Eigen::VectorXd(forces_of(*loaded, state) - forces_of(*unloaded, state));
}

Outcome<GuideStatics> reduce_guides_at_rest(const ConstraintSet& set, const State& state, const Eigen::VectorXd& load,
                                            Workspace& workspace) {
  if (std::ranges::any_of(set.model.face_pairs(), [&](const FacePair& pair) { return pair.sticks(set.modes); }))
    return reduce_guides_at_rest(without_sticking(set), state, load, workspace);
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  std::vector<Eigen::Index> others;
  GuideStatics statics;
  RestProblem& problem = statics.problem;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const auto at_row = static_cast<Eigen::Index>(i);
    const auto* origin = set.rows[i].from<GuideRow>();
    if (origin == nullptr) {
      const RowScales scale = scales_of(set.model.scales(), set.rows[i]);
      if (std::abs(rows->gamma[at_row]) > kMovesOtherwise * scale.acceleration ||
          std::abs(rows->F[at_row]) > kMovesOtherwise * scale.velocity)
        return Failure{"VN-VARIANT-024", fmt::format("'{}' moves the model at this state: nothing is at rest", set.rows[i].name),
                       "choose a state at which given motions stand still"};
      others.push_back(at_row);
      continue;
    }
    const FacePair& pair = set.model.face_pairs()[origin->pair];
    const PairState& at = rows->pairs[origin->pair];
    statics.names.push_back(pair.name);
    RestProblem::Pair faces;
    for (int p = 0; p < 2; ++p) {
      const GuideFace& words = pair.faces[p];
      const FaceState& face = at.faces[p];
      const Vector3 arm = face.point_W - at.pole_W;
      RowAt row = rows->all[set.rows[i].index];
      const auto force_of = [&](const Vector3& force, const Vector3& moment) -> Eigen::VectorXd {
        row.wrench_W = {force, moment};
        return compute_row(set, *rows, row).row;
      };
      const auto [first, second] = directions_of_face(face.normal_W);
      RestFace& rest = p == 0 ? faces.face1 : faces.face2;
      rest.push = force_of(face.normal_W, cross(arm, face.normal_W));
      rest.shear.resize(rest.push.size(), 2);
      rest.shear.col(0) = force_of(first, cross(arm, first));
      rest.shear.col(1) = force_of(second, cross(arm, second));
      rest.spin = force_of({}, face.normal_W);
      if (auto failure = check_face_size(pair, p, rest.push.cwiseAbs().maxCoeff() + rest.shear.cwiseAbs().maxCoeff()))
        return *failure;
      rest.friction = words.friction;
      rest.radius = words.pad.radius;
      rest.pressure = pressure_of(words.pad);
    }
    problem.pairs.push_back(std::move(faces));
  }
  if (auto failure = check_pairs_at_rest(set, *rows, state, workspace)) return *failure;
  ConstraintSet unloaded = set;
  std::vector<int> modes = set.modes;
  for (const FacePair& pair : set.model.face_pairs()) modes[pair.mode] = kNoFace;
  unloaded.set_modes(modes);
  problem.load = load;
  problem.constant = compute_known_forces(set, state, compute_contact_forces(unloaded, *rows), workspace) - load;
  problem.held = rows->D(others, Eigen::all).transpose();
  problem.mass = compute_mass_matrix(set.model, state, workspace);
  return statics;
}

}  // namespace vinculum
