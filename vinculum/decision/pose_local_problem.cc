// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/decision/pose_local_problem.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/core.h>
#include <Eigen/LU>

#include "vinculum/constraints/bearing_friction.h"
#include "vinculum/constraints/contact_law.h"
#include "vinculum/constraints/guide_friction.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/math/dense.h"

namespace vinculum {

namespace {

constexpr int kMostPushing = 8;  // 2^8 principal minors

int place_of(const std::vector<int>& rows, int row) {
  const auto found = std::find(rows.begin(), rows.end(), row);
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

// Pairs of faces that slide and rub, and what a unit load on each face does: push and friction of face1, then of face2.
struct RubbingPairs {
  std::vector<int> rows;  // indices into Model::rows()
  Eigen::MatrixXd forces;
};
RubbingPairs list_rubbing_pairs(const ConstraintSet& set, const ConstraintRows& rows) {
  RubbingPairs list;
  std::vector<Eigen::VectorXd> columns;
  for (const Row& row : set.rows) {
    const auto* origin = row.from<GuideRow>();
    if (origin == nullptr) continue;
    const FacePair& pair = set.model.face_pairs()[origin->pair];
    if (!pair.rubs() || set.modes[pair.slide_mode] == kRests || pair.sticks(set.modes)) continue;
    list.rows.push_back(row.index);
    const std::array<double, 2> senses = compute_senses(set, rows, origin->pair);
    RowAt at = rows.all[row.index];
    for (int face = 0; face < 2; ++face) {
      at.wrench_W = compute_face_push(rows, origin->pair, face);
      columns.push_back(compute_row(set, rows, at).row);
      columns.push_back(Eigen::VectorXd::Zero(columns.back().size()));
      if (pair.faces[face].friction == 0) continue;
      at.wrench_W = compute_face_friction(set, rows, origin->pair, face, senses[face]);
      columns.back() = compute_row(set, rows, at).row;
    }
  }
  list.forces.resize(columns.empty() ? 0 : columns[0].size(), static_cast<Eigen::Index>(columns.size()));
  for (size_t i = 0; i < columns.size(); ++i) list.forces.col(static_cast<Eigen::Index>(i)) = columns[i];
  return list;
}

// The least s > 0 with det(W0 + s F) = 0 on all rows that hold and some that push: 1/s is the largest positive eigenvalue of
// -W0⁻¹F there.
std::optional<double> find_critical_scale(const LocalProblem& problem) {
  constexpr double kRealPart = 1e-7, kNothing = 1e-7;
  std::vector<Eigen::Index> pushing, held;
  for (const GripBlock& block : problem.blocks) {
    if (block.kind == GripBlock::Kind::pushes) pushing.push_back(block.rows[0]);
    if (block.kind == GripBlock::Kind::held) held.push_back(block.rows[0]);
  }
  if (problem.F.isZero(0) || static_cast<int>(pushing.size()) > kMostPushing) return std::nullopt;
  double largest = 0;
  for (unsigned set = 0; set < (1u << pushing.size()); ++set) {
    std::vector<Eigen::Index> rows = held;
    for (size_t i = 0; i < pushing.size(); ++i) {
      if ((set >> i & 1u) != 0) rows.push_back(pushing[i]);
    }
    if (rows.empty()) continue;
    const Eigen::MatrixXd rub = problem.F(rows, rows), C = -(problem.W(rows, rows) - rub).partialPivLu().solve(rub);
    if (rub.isZero(0) || !C.allFinite()) continue;
    const double norm = C.cwiseAbs().rowwise().sum().maxCoeff();
    for (const std::complex<double>& value : find_eigenvalues_alone(C)) {
      if (std::abs(value.imag()) <= kRealPart * std::abs(value) && value.real() > std::max(largest, kNothing * norm))
        largest = value.real();
    }
  }
  return largest > 0 ? std::optional<double>(1 / largest) : std::nullopt;
}

}  // namespace

bool is_there(const ConstraintSet& set, const Grip& grip) {
  if (!set.may_slip(grip)) return false;
  return grip.contact < 0 || set.is_there(set.model.contacts()[grip.contact]);
}

std::optional<Failure> check_held_bearings(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto held = [&](const Grip& grip) { return grip.bearing && set.find_row(grip.rows[0]).has_value(); };
  if (std::ranges::none_of(set.model.grips(), held)) return std::nullopt;
  const auto dynamics = compute_constrained_dynamics(set, state, workspace);
  if (!dynamics) return dynamics.failure();
  for (const Grip& grip : set.model.grips()) {
    if (!held(grip) || dynamics->solution.analysis.determinate[*set.find_row(grip.rows[0])]) continue;
    return Failure{"VN-CONTACT-011",
                   fmt::format("it is not determined whether joint '{}' keeps sticking. More joints and constraints hold the "
                               "mechanism than are needed, and the joint's friction depends on how they share the load",
                               grip.name),
                   "give the friction of these joints as `torque:`, which needs no reaction"};
  }
  return std::nullopt;
}

// What the other rows leave of the row's own inverse inertia,  W / (J A⁻¹ Jᵀ) , is the square of the way to the dead centre.
std::optional<int> find_side_at_dead_centre(const ConstraintSet& set, const State& state, const Grip& grip,
                                            Workspace& workspace) {
  constexpr double kAtDeadCentre = 1e-10, kNoMotion = 1e-9;
  const int row = grip.rows[0];
  const auto rows = compute_constraint_rows(set, state);
  if (!rows || !set.find_row(row) || set.rows.size() < 2) return std::nullopt;
  const Eigen::MatrixXd mass_matrix = compute_mass_matrix(set.model, state, workspace);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(mass_matrix.rows());
  ContactForces no_forces;
  no_forces.forces = none;
  const auto local = compute_local_rows(set, mass_matrix, none, *rows, no_forces, {row});
  const auto mass = factorize_mass_matrix(set, mass_matrix, rows->D);
  if (!local || !mass) return std::nullopt;
  const Eigen::VectorXd J = compute_row(set, *rows, rows->all[row]).row;
  if (local->W(0, 0) > kAtDeadCentre * mass->factor.solve_lower(J).squaredNorm()) return std::nullopt;
  ConstraintSet free = set;
  std::vector<bool> left_out = set.left_out;
  left_out[row] = true;
  free.leave_out(left_out);
  const auto motion = compute_constrained_motion(free, state, {}, workspace);
  if (!motion) return std::nullopt;
  const double x = J.dot(motion->accelerations) - rows->all[row].gamma;
  if (std::abs(x) <= kNoMotion * scales_of(set.model, row).acceleration) return std::nullopt;
  return x > 0 ? Grip::forward : Grip::backward;
}

int one_sided_of(const Model& model, int row) {
  for (size_t k = 0; k < model.one_sided().size(); ++k) {
    if (model.one_sided()[k].row == row) return static_cast<int>(k);
  }
  return -1;
}

std::string element_of(const Model& model, int row) {
  if (const int k = one_sided_of(model, row); k >= 0) return model.one_sided()[k].name;
  for (const Grip& grip : model.grips()) {
    if (std::find(grip.rows.begin(), grip.rows.end(), row) != grip.rows.end()) return grip.name;
  }
  return model.rows()[row].name;
}

Outcome<MomentProblem> pose_local_problem(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const Model& model = set.model;
  MomentProblem moment;
  auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  moment.at = std::move(*rows);
  ContactForces forces = compute_contact_forces(set, moment.at);
  // Of bearings the limits at rest and the friction that slides, by the reactions of all that is open sticking.
  std::optional<ConstrainedDynamics> sticking;
  const auto has_bearing = [&](const Grip& grip) { return grip.bearing && is_there(set, grip); };
  if (std::ranges::any_of(model.grips(), has_bearing)) {
    auto dynamics = compute_constrained_dynamics(set, state, workspace);
    if (!dynamics) return dynamics.failure();
    sticking = std::move(*dynamics);
    for (const ContactForces::Slip& slip : sticking->forces.slips) {
      const Grip& grip = model.grips()[slip.grip];
      if (grip.bearing) forces.forces[model.bodies()[grip.joint].v] += slip.force;
    }
  }
  const Eigen::Index n = model.tree().velocities;
  const std::vector<double> zero(n, 0.0);
  const std::vector<double> bias = compute_inverse_dynamics(model, state, zero, workspace).forces;
  const GivenForces given = compute_given_forces(model, state, workspace);
  const Eigen::VectorXd tau_minus_h =
      Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) - Eigen::Map<const Eigen::VectorXd>(bias.data(), n);
  const Eigen::MatrixXd mass_matrix = compute_mass_matrix(model, state, workspace);
  if (auto failure = direct_slips(set, mass_matrix, tau_minus_h, moment.at, forces)) return *failure;

  std::vector<int> questioned;
  const auto question = [&](int row) {
    if (place_of(questioned, row) < 0) questioned.push_back(row);
  };
  for (const Grip& grip : model.grips()) {
    if (!is_there(set, grip) || set.modes[grip.mode] != Grip::sticks || !grip.has_limit()) continue;
    moment.open.push_back(&grip);
    for (const int row : grip.rows) question(row);
    if (grip.normal >= 0 && set.find_row(grip.normal)) question(grip.normal);
  }
  for (size_t k = 0; k < model.one_sided().size(); ++k) {
    const int row = model.one_sided()[k].row;
    if (set.follows(static_cast<int>(k)) && set.holds(static_cast<int>(k)) && set.find_row(row)) question(row);
  }
  const RubbingPairs pairs = list_rubbing_pairs(set, moment.at);
  for (const int row : pairs.rows) question(row);

  auto local = compute_local_rows(set, mass_matrix, tau_minus_h, moment.at, forces, std::move(questioned), pairs.forces);
  if (!local) return local.failure();
  moment.rows = local->rows;
  moment.W = local->W;
  LocalProblem& problem = moment.problem;
  problem.W = std::move(local->W);
  problem.F = std::move(local->F);
  problem.b = std::move(local->b);
  for (const int row : moment.rows) problem.names.push_back(element_of(model, row));
  for (size_t k = 0; k < pairs.rows.size(); ++k) {
    const int row = place_of(moment.rows, pairs.rows[k]);
    problem.W.col(row).setZero();
    problem.F.col(row).setZero();
    const auto column = [&](int i) { return local->answers.col(static_cast<Eigen::Index>(4 * k) + i); };
    problem.faces.push_back({row, column(0) + column(1), column(2) + column(3), column(1), column(3)});
  }
  std::vector<bool> in_grip(moment.rows.size(), false);
  for (const Grip* grip : moment.open) {
    GripBlock block{GripBlock::Kind::grips, {}, grip->holding_bound().value_or(0), grip->friction.value_or(0), -1};
    for (const int row : grip->rows) block.rows.push_back(place_of(moment.rows, row)), in_grip[block.rows.back()] = true;
    if (grip->bearing) block.bound = compute_bearing_limit(set, sticking->rows, *grip, sticking->dynamics.reactions_W, true);
    if (grip->friction && grip->normal >= 0) block.normal = place_of(moment.rows, grip->normal);
    if (grip->friction && grip->normal < 0)
      block.bound = *grip->friction * compute_law_push(model.contacts()[grip->contact], moment.at.contacts[grip->contact]);
    moment.blocks.push_back(block);
  }
  problem.blocks = moment.blocks;
  for (size_t i = 0; i < moment.rows.size(); ++i) {
    if (in_grip[i]) continue;
    const int one_sided = one_sided_of(model, moment.rows[i]);
    const bool pushes = one_sided >= 0 && set.follows(one_sided);
    const GripBlock block{pushes ? GripBlock::Kind::pushes : GripBlock::Kind::held, {static_cast<int>(i)}, 0, 0, -1};
    moment.blocks.push_back(block);
    if (place_of(pairs.rows, moment.rows[i]) < 0) problem.blocks.push_back(block);
  }
  return moment;
}

Outcome<MomentChoices> find_choices(const ConstraintSet& set, const State& state, Workspace& workspace) {
  const auto moment = pose_local_problem(set, state, workspace);
  if (!moment) return moment.failure();
  return MomentChoices{find_local_choices(moment->problem), find_critical_scale(moment->problem)};
}

}  // namespace vinculum
