// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_rest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>
#include <Eigen/LU>
#include <Eigen/QR>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/friction/guide_blocks.h"
#include "vinculum/friction/guide_history.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_reduction.h"
#include "vinculum/friction/guide_statics.h"
#include "vinculum/friction/limit_load.h"
#include "vinculum/math/linear_program.h"

namespace vinculum {

namespace {

constexpr double kStill = 1e-9;  // what other rows ask of a model at rest, in their RowScales
constexpr int kMostPairs = 12;   // of one block

// The rows of the pairs, of all others; and what guides do not see.
struct Split {
  std::vector<int> pairs;
  std::vector<Eigen::Index> guided, others;
};
Split split_rows(const ConstraintSet& set) {
  Split split;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const auto* origin = set.rows[i].from<GuideRow>();
    (origin != nullptr ? split.guided : split.others).push_back(static_cast<Eigen::Index>(i));
    if (origin != nullptr) split.pairs.push_back(origin->pair);
  }
  return split;
}

// No face is loaded, so that none rubs.
ConstraintSet without_friction(const ConstraintSet& set) {
  ConstraintSet unloaded = set;
  std::vector<int> modes = set.modes;
  for (const FacePair& pair : set.model.face_pairs()) modes[pair.mode] = kNoFace;
  unloaded.set_modes(modes);
  return unloaded;
}

// Where the inner polygons of a block do not hold it: by planes about the limit surfaces, added until none is violated.
std::optional<Failure> find_rest_by_planes(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                           const Split& split, const GuideBlock& block, GuideRest& rest, Workspace& workspace) {
  const Eigen::VectorXd no_load = Eigen::VectorXd::Zero(set.model.tree().velocities);
  auto statics = reduce_guides_at_rest(set, state, no_load, workspace);
  if (!statics) return statics.failure();
  RestProblem problem = statics->problem;
  problem.pairs.clear();
  std::vector<size_t> places;
  for (size_t k = 0; k < split.pairs.size(); ++k) {
    if (!block.has(split.pairs[k])) continue;
    places.push_back(k);
    problem.pairs.push_back(std::move(statics->problem.pairs[k]));
  }
  for (Eigen::Index i = 0; i < problem.constant.size(); ++i) {
    if (!block.velocities[static_cast<size_t>(i)]) problem.constant[i] = 0;
  }
  const auto answer = check_rest(problem, 0);
  if (!answer) return answer.failure();
  rest.holds = answer->rests;
  if (!rest.holds) return std::nullopt;
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t k = places[i];
    const double n = answer->signed_reactions[static_cast<Eigen::Index>(i)];
    rest.signed_reactions[static_cast<Eigen::Index>(k)] = n;
    if (n == 0) continue;
    const int face = n > 0 ? 1 : 0;
    const FaceState& at = rows.pairs[split.pairs[k]].faces[face];
    const auto [first, second] = directions_of_face(at.normal_W);
    const Eigen::Vector3d& friction = answer->friction[i];
    const Wrench push = compute_face_push(rows, split.pairs[k], face);
    const Vector3 force = friction[0] * first + friction[1] * second, arm = at.point_W - rows.pairs[split.pairs[k]].pole_W;
    rest.wrenches_W[k] = {std::abs(n) * push.force + force,
                          std::abs(n) * push.moment + cross(arm, force) + friction[2] * at.normal_W};
  }
  return std::nullopt;
}

// Which reactions follow from the loads? A reaction does not that takes part in a self-stress of the loaded faces, their push and
// friction together, and of the other rows: a solution x of  columns x = 0  with x_i != 0 .
std::vector<bool> find_determinate(const ConstraintSet& set, const ConstraintRows& rows, const GuideRest& rest,
                                   const Split& split) {
  constexpr double kNothing = 1e-9;
  std::vector<Eigen::VectorXd> columns;
  std::vector<size_t> row_of_column;
  for (size_t k = 0; k < split.pairs.size(); ++k) {
    const double n = rest.signed_reactions[static_cast<Eigen::Index>(k)];
    if (n == 0) continue;
    const FacePair& pair = set.model.face_pairs()[split.pairs[k]];
    const PairState& at = rows.pairs[split.pairs[k]];
    const FaceState& face = at.faces[n > 0 ? 1 : 0];
    RowAt row = rows.all[set.rows[split.guided[k]].index];
    const auto add = [&](const Vector3& force) {
      row.wrench_W = {force, cross(face.point_W - at.pole_W, force)};
      columns.push_back(compute_row(set, rows, row).row);
      row_of_column.push_back(static_cast<size_t>(split.guided[k]));
    };
    add(face.normal_W);
    if (pair.faces[n > 0 ? 1 : 0].friction > 0) add(at.in_face_W[0]), add(at.in_face_W[1]);
  }
  for (const Eigen::Index i : split.others) {
    columns.push_back(rows.D.row(i).transpose());
    row_of_column.push_back(static_cast<size_t>(i));
  }
  std::vector<bool> determinate(set.rows.size(), true);
  if (columns.empty()) return determinate;
  Eigen::MatrixXd all(columns[0].size(), static_cast<Eigen::Index>(columns.size()));
  for (size_t i = 0; i < columns.size(); ++i) {
    // What no joint feels (friction across the plane of a planar mechanism) is nothing, and determined.
    const double size = columns[i].norm();
    all.col(static_cast<Eigen::Index>(i)) = columns[i] / (size > 0 ? size : 1);
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> factor(all);
  if (factor.dimensionOfKernel() == 0) return determinate;
  const Eigen::MatrixXd kernel = factor.kernel();
  for (Eigen::Index j = 0; j < kernel.cols(); ++j) {
    for (Eigen::Index i = 0; i < kernel.rows(); ++i) {
      if (columns[static_cast<size_t>(i)].isZero(0)) continue;
      // A kernel vector that is all in columns of nothing says nothing of the others.
      if (std::abs(kernel(i, j)) > kNothing * kernel.col(j).norm()) determinate[row_of_column[static_cast<size_t>(i)]] = false;
    }
  }
  return determinate;
}

}  // namespace

Eigen::VectorXd compute_known_forces(const ConstraintSet& set, const State& state, const ContactForces& forces,
                                     Workspace& workspace) {
  const Eigen::Index n = set.model.tree().velocities;
  const std::vector<double> zero(static_cast<size_t>(n), 0.0);
  const std::vector<double> bias = compute_inverse_dynamics(set.model, state, zero, workspace).forces;
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  return Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) - Eigen::Map<const Eigen::VectorXd>(bias.data(), n) +
         forces.forces;
}

Outcome<GuideRest> find_rest(const ConstraintSet& set, const State& state, Workspace& workspace) {
  if (std::ranges::any_of(set.model.face_pairs(), [&](const FacePair& pair) { return pair.sticks(set.modes); }))
    return find_rest(without_sticking(set), state, workspace);
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const Split split = split_rows(set);
  const int m = static_cast<int>(split.pairs.size());
  GuideRest rest;
  rest.signed_reactions = Eigen::VectorXd::Zero(m);
  rest.wrenches_W.resize(static_cast<size_t>(m));
  for (const Eigen::Index i : split.others) {
    const RowScales scale = scales_of(set.model.scales(), set.rows[static_cast<size_t>(i)]);
    if (std::abs(rows->gamma[i]) > kStill * scale.acceleration || std::abs(rows->F[i]) > kStill * scale.velocity)
      return rest;  // something is moved
  }
  if (auto failure = check_pairs_at_rest(set, *rows, state, workspace)) return *failure;

  // Motions that the other rows allow: Zᵀ(forces) = 0.
  const Eigen::Index n = set.model.tree().velocities;
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n, n);
  if (!split.others.empty()) {
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(rows->D(split.others, Eigen::all));
    Z = factor.dimensionOfKernel() > 0 ? Eigen::MatrixXd(factor.kernel()) : Eigen::MatrixXd(n, 0);
    for (Eigen::Index i = 0; i < Z.cols(); ++i) Z.col(i).normalize();
  }
  struct Column {
    Wrench wrench;
    Eigen::VectorXd force;
  };
  const auto column_of = [&](int k, const Wrench& wrench) {
    RowAt at = rows->all[set.rows[split.guided[k]].index];
    at.wrench_W = wrench;
    return Column{wrench, Z.transpose() * compute_row(set, *rows, at).row};
  };
  const auto check_size = [&](int k, int p, const Column& column) {
    return check_face_size(set.model.face_pairs()[split.pairs[k]], p,
                           column.force.size() > 0 ? column.force.cwiseAbs().maxCoeff() : 0);
  };
  for (int k = 0; k < m; ++k) {
    for (int p = 0; p < 2; ++p) {
      if (auto failure = check_size(k, p, column_of(k, compute_face_push(*rows, split.pairs[k], p)))) return *failure;
    }
  }
  // The edges of the cones are many, and asked for where reactions of smallest norm do not hold a block.
  std::vector<std::array<std::vector<Column>, 2>> columns(static_cast<size_t>(m));
  const auto list_columns = [&](int k) -> std::optional<Failure> {
    for (int p = 0; p < 2; ++p) {
      for (const Wrench& wrench : list_cone_edges(set, *rows, split.pairs[k], p)) {
        columns[k][p].push_back(column_of(k, wrench));
        if (auto failure = check_size(k, p, columns[k][p].back())) return failure;
      }
    }
    return std::nullopt;
  };
  const auto is_exact = [&](int pair) {
    const FacePair& of = set.model.face_pairs()[pair];
    return std::ranges::all_of(std::array{0, 1}, [&](int p) {
      return of.faces[p].friction == 0 || (of.faces[p].pad.radius == 0 && find_slide_direction(set, *rows, pair, p));
    });
  };
  for (const GuideBlock& block : list_guide_blocks(set, *rows)) {
    std::vector<int> places;  // of its pairs
    for (int k = 0; k < m; ++k) {
      if (block.has(split.pairs[k])) places.push_back(k);
    }
    if (places.empty()) continue;
    const int count = static_cast<int>(places.size());
    if (count > kMostPairs)
      return Failure{"VN-GUIDE-006",
                     fmt::format("rest is not tested with {} connected pairs of faces: at most {}", count, kMostPairs),
                     "leave pairs out that carry nothing"};
    // Mostly the reactions of smallest norm are within the cones; else others may be.
    const auto least = find_least_hold(with_all_sticking(set), state, Eigen::VectorXd::Zero(n), block, workspace);
    if (!least) return least.failure();
    if (*least) {
      for (size_t i = 0; i < (*least)->pairs.size(); ++i) {
        const auto k = std::ranges::find(split.pairs, (*least)->pairs[i]) - split.pairs.begin();
        rest.signed_reactions[k] = (*least)->signed_reactions[static_cast<Eigen::Index>(i)];
        rest.wrenches_W[static_cast<size_t>(k)] = (*least)->wrenches_W[i];
      }
      rest.holds = true;
      continue;
    }
    for (const int k : places) {
      if (auto failure = list_columns(k)) return *failure;
    }
    Eigen::VectorXd masked = compute_known_forces(set, state, compute_contact_forces(without_friction(set), *rows), workspace);
    for (Eigen::Index i = 0; i < masked.size(); ++i) {
      if (!block.velocities[static_cast<size_t>(i)]) masked[i] = 0;
    }
    const Eigen::VectorXd known = Z.transpose() * masked;
    const double scale = std::max(known.size() > 0 ? known.lpNorm<Eigen::Infinity>() : 0, 1e-300);
    bool block_holds = false;
    for (unsigned variant = 0; !block_holds && variant < (1u << count); ++variant) {
      const auto face = [&](int i) { return (variant >> i) & 1u ? 0 : 1; };
      Eigen::Index unknowns = 0;
      for (int i = 0; i < count; ++i) unknowns += static_cast<Eigen::Index>(columns[places[i]][face(i)].size());
      LinearProgram program;
      program.equations.resize(Z.cols(), unknowns);
      program.right = -known / scale;
      program.upper = Eigen::VectorXd::Constant(unknowns, HUGE_VAL);
      program.cost = Eigen::VectorXd::Ones(unknowns);
      Eigen::Index next = 0;
      for (int i = 0; i < count; ++i) {
        for (const Column& column : columns[places[i]][face(i)]) program.equations.col(next++) = column.force;
      }
      const auto solved = solve_linear_program(program);
      if (!solved) return solved.failure();
      if (!solved->feasible) continue;
      block_holds = true;
      next = 0;
      for (int i = 0; i < count; ++i) {
        const int k = places[i];
        double N = 0;
        for (const Column& column : columns[k][face(i)]) {
          const double part = scale * solved->x[next++];
          N += part;
          rest.wrenches_W[k] += Wrench{part * column.wrench.force, part * column.wrench.moment};
        }
        rest.signed_reactions[k] = face(i) == 1 ? N : -N;
      }
    }
    rest.holds = block_holds;
    if (!block_holds && !std::ranges::all_of(block.pairs, is_exact)) {
      if (auto failure = find_rest_by_planes(set, state, *rows, split, block, rest, workspace)) return *failure;
    }
    if (!rest.holds) break;
  }
  return rest;
}

Outcome<ConstrainedDynamics> compute_rest_dynamics(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const bool remembers = remembers_hold(set);
  const Outcome<GuideRest> rest = remembers ? find_remembered_rest(set, state, workspace) : find_rest(set, state, workspace);
  if (!rest) return rest.failure();
  if (!rest->holds)
    return Failure{"VN-GUIDE-005", "the guides do not hold the model at rest at this state", "it breaks away: see `simulate`"};
  auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const Split split = split_rows(set);
  ContactForces forces = compute_contact_forces(set, *rows);
  forces.coupling.resize(0, 0);
  forces.signless.assign(set.rows.size(), false);
  forces.beside.assign(set.rows.size(), Wrench{});

  Eigen::VectorXd left = compute_known_forces(set, state, forces, workspace);
  ConstraintSolution solution;
  solution.accelerations = Eigen::VectorXd::Zero(set.model.tree().velocities);
  solution.multipliers = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(set.rows.size()));
  for (size_t k = 0; k < split.pairs.size(); ++k) {
    const double n = rest->signed_reactions[static_cast<Eigen::Index>(k)];
    const size_t row = static_cast<size_t>(split.guided[k]);
    RowAt at = rows->all[set.rows[row].index];
    const Wrench of_row = at.wrench_W;
    at.wrench_W = rest->wrenches_W[k];
    left += compute_row(set, *rows, at).row;
    solution.multipliers[split.guided[k]] = n;
    if (n == 0) continue;
    forces.signless[row] = true;
    forces.beside[row] = {(1 / n) * at.wrench_W.force - of_row.force, (1 / n) * at.wrench_W.moment - of_row.moment};
  }
  std::vector<Eigen::Index> balancing = split.others;
  for (size_t k = 0; k < split.pairs.size(); ++k) {
    // Beside faces that remember, those without friction carry what is left.
    if (remembers && !set.model.face_pairs()[split.pairs[k]].rubs() && rest->signed_reactions[static_cast<Eigen::Index>(k)] == 0)
      balancing.push_back(split.guided[k]);
  }
  if (!balancing.empty()) {
    const Eigen::MatrixXd across = rows->D(balancing, Eigen::all).transpose();
    const Eigen::VectorXd held = across.completeOrthogonalDecomposition().solve(-left);
    for (size_t i = 0; i < balancing.size(); ++i) solution.multipliers[balancing[i]] = held[static_cast<Eigen::Index>(i)];
  }
  solution.analysis.rank = static_cast<int>(set.rows.size());
  solution.analysis.determinate = find_determinate(set, *rows, *rest, split);
  return explain_solution(set, state, std::move(*rows), std::move(forces), compute_given_forces(set.model, state, workspace),
                          std::move(solution), workspace);
}

}  // namespace vinculum
