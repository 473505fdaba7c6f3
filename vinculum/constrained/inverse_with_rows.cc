// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/inverse_with_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/bearing_friction.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/model/units.h"

namespace vinculum {

namespace {

Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

bool contains(const std::vector<int>& list, int value) { return std::find(list.begin(), list.end(), value) != list.end(); }

// The metric in which constraints are compared: the inertia, or none where it is singular. What is found does not depend on it.
Cholesky choose_metric(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, const Eigen::MatrixXd& D) {
  auto mass = factorize_mass_matrix(set, mass_matrix, D);
  return mass ? std::move(mass->factor) : Cholesky(Eigen::MatrixXd::Identity(D.cols(), D.cols()));
}

// Dependence of some constraints, whatever their elements.
RowAnalysis analyse(const Cholesky& metric, const Eigen::MatrixXd& D) {
  ConstraintRows rows;
  rows.D = D;
  rows.gamma = rows.F = Eigen::VectorXd::Zero(D.rows());
  return analyse_rows(metric, rows);
}

struct Supply {
  Eigen::VectorXd forces, multipliers;
  std::vector<bool> determined, determinate;
  Eigen::VectorXd missing;
  double size = 0;
};

// x = (tau; lambda) of  Mᵀx = needed ,  M = (Bᵀ; D̃): one on independent rows; then along the null space of Mᵀ to the smallest
// tau, and along that of D̃ᵀ to the smallest lambda.
Supply share_out(const Cholesky& metric, const std::vector<int>& drives, const Eigen::MatrixXd& D,
                 const Eigen::VectorXd& needed) {
  const Eigen::Index k = static_cast<Eigen::Index>(drives.size()), m = D.rows();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(k + m, D.cols());
  for (Eigen::Index i = 0; i < k; ++i) M(i, drives[i]) = 1;
  M.bottomRows(m) = D;

  const RowAnalysis all = analyse(metric, M);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(k + m);
  if (all.rank > 0) {
    const Eigen::VectorXd scaled = solve_upper(all.R, all.Q.transpose() * metric.solve_lower(needed));
    for (int i = 0; i < all.rank; ++i) x[all.order[i]] = scaled[i] / all.scale[all.order[i]];
  }
  if (all.Z.cols() > 0 && k > 0) x -= all.Z * solve_least_squares(all.Z.topRows(k), x.head(k), RowAnalysis::kRankTolerance).x;
  if (m > 0) {
    const Eigen::MatrixXd Z = analyse(metric, D).Z;
    if (Z.cols() > 0) x.tail(m) -= Z * (Z.transpose() * x.tail(m)).eval();
  }

  Supply supply{x.head(k), x.tail(m), {}, {}, needed - M.transpose() * x, 0};
  supply.determined.assign(all.determinate.begin(), all.determinate.begin() + k);
  supply.determinate.assign(all.determinate.begin() + k, all.determinate.end());
  if (x.size() > 0) supply.size = (M.transpose().cwiseAbs() * x.cwiseAbs()).lpNorm<Eigen::Infinity>();
  return supply;
}

// Sliding friction comes with normal multipliers that push; one that pulls brings none.
Outcome<Supply> share_out_with_friction(const ConstraintSet& set, const Cholesky& metric, const std::vector<int>& drives,
                                        const ConstraintRows& rows, ContactForces& forces, const Eigen::VectorXd& needed) {
  if (forces.coupling.cols() == 0) return share_out(metric, drives, rows.D, needed);
  Supply supply = share_out(metric, drives, rows.D + forces.coupling.transpose(), needed);
  std::vector<int> without;
  for (ContactForces::Law& law : forces.laws) {
    if (law.normal_row < 0 || law.coefficient == 0 || supply.multipliers[law.normal_row] >= 0) continue;
    without.push_back(law.normal_row);
    forces.coupling.col(law.normal_row).setZero();
    law.coefficient = 0;
  }
  if (without.empty()) return supply;
  supply = share_out(metric, drives, rows.D + forces.coupling.transpose(), needed);
  for (const Eigen::Index i : without) {
    if (supply.multipliers[i] <= 0) continue;
    return Failure{
        "VN-CONTACT-012",
        fmt::format("friction of {} and its normal reaction have no common solution. With friction it pulls, without it pushes",
                    set.rows[i].element),
        "lower the friction coefficient; a rod pushed into rough ground can jam like this (Painlevé paradox)"};
  }
  return supply;
}

// tau of the `joint:` laws that are no part of a drive: all where no drive acts, the passive ones where one does.
Eigen::VectorXd forces_beside_drives(const Model& model, const State& state, const GivenForces& given,
                                     const std::vector<int>& drives) {
  Eigen::VectorXd forces = as_vector(given.joint_forces);
  const std::vector<double> passive = compute_passive_forces(model, state);
  for (const int drive : drives) forces[drive] = passive[static_cast<size_t>(drive)];
  return forces;
}

std::string join_most(const std::vector<std::string>& items) {
  constexpr size_t kMost = 6;
  std::string list;
  for (size_t i = 0; i < std::min(kMost, items.size()); ++i) list += (i > 0 ? "; " : "") + items[i];
  if (items.size() > kMost) list += fmt::format("; and {} more", items.size() - kMost);
  return list;
}

}  // namespace

std::vector<int> choose_drives(const Model& model) {
  std::vector<int> drives;
  for (const DrivenCoordinate& driven : model.driven()) drives.push_back(driven.v);
  if (drives.empty()) {
    for (const VelocityForce& force : list_velocity_forces(model)) {
      if (!force.is_passive) drives.push_back(force.velocity);
    }
  }
  if (drives.empty()) {
    for (const Body& body : model.bodies()) {
      if (body.v_count == 1) drives.push_back(body.v);
    }
  }
  std::sort(drives.begin(), drives.end());
  drives.erase(std::unique(drives.begin(), drives.end()), drives.end());
  return drives;
}

ConstraintSet rows_beside_drives(const Model& model, const std::vector<int>& drives, const State* state) {
  ConstraintSet set(model, state != nullptr ? *state : State{});
  std::erase_if(set.rows, [&](const Row& row) {
    const auto* motion = row.from<MotionRow>();
    const int joint = row.grip >= 0 ? model.grips()[row.grip].joint : -1;
    return (motion != nullptr && contains(drives, model.driven()[motion->driven].v)) ||
           (joint >= 0 && contains(drives, model.bodies()[joint].v));
  });
  return set;
}

bool InverseWithRows::is_unique() const {
  const auto all = [](const std::vector<bool>& list) { return std::find(list.begin(), list.end(), false) == list.end(); };
  return all(determined) && all(motion.solution.analysis.determinate);
}

Outcome<InverseWithRows> compute_inverse_with_rows(const ConstraintSet& set, const std::vector<int>& drives, const State& state,
                                                   std::span<const double> accelerations, Workspace& workspace) {
  Outcome<ConstraintRows> rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const Eigen::MatrixXd mass_matrix = compute_mass_matrix(set.model, state, workspace);
  const Cholesky metric = choose_metric(set, mass_matrix, rows->D);
  ConstraintSolution solution;
  solution.analysis = analyse_rows(metric, *rows);
  if (const auto contradiction = check_consistent(set, *rows, solution.analysis)) return *contradiction;

  // A a + h - Q_P
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  const InverseDynamics whole = compute_inverse_dynamics(set.model, state, accelerations, workspace);
  ContactForces forces = compute_contact_forces(set, *rows);
  const Eigen::VectorXd passive = forces_beside_drives(set.model, state, given, drives);
  std::optional<Supply> supply;
  const auto supply_all = [&](ContactForces& all) -> Outcome<ConstraintSolution> {
    const Eigen::VectorXd needed = as_vector(whole.forces) - passive - all.forces;
    for (Eigen::Index i = 0; i < needed.size(); ++i) {
      if (!std::isfinite(needed[i])) return beyond_all_numbers("the force on " + set.model.velocity_names()[i]);
    }
    auto shared = share_out_with_friction(set, metric, drives, *rows, all, needed);
    if (!shared) return shared.failure();
    supply = std::move(*shared);
    ConstraintSolution supplied = solution;
    supplied.accelerations = as_vector(accelerations);
    supplied.multipliers = supply->multipliers;
    return supplied;
  };
  const auto supplied =
      forces.bearings.empty() ? supply_all(forces) : repeat_with_bearings(set, state, *rows, forces, supply_all, workspace);
  if (!supplied) return supplied.failure();

  InverseWithRows result;
  result.drives = drives;
  result.forces.assign(supply->forces.begin(), supply->forces.end());
  result.determined = supply->determined;
  result.friction.assign(drives.size(), 0);
  result.missing = supply->missing;
  const Eigen::VectorXd inertia = mass_matrix.cwiseAbs() * as_vector(accelerations).cwiseAbs();
  for (const Eigen::VectorXd& part : {inertia, Eigen::VectorXd(as_vector(whole.forces)), passive, forces.forces}) {
    if (part.size() > 0) result.size = std::max(result.size, part.lpNorm<Eigen::Infinity>());
  }
  result.size = std::max(result.size, supply->size);
  solution.accelerations = as_vector(accelerations);
  solution.multipliers = supply->multipliers;
  solution.analysis.determinate = supply->determinate;
  result.motion = explain_solution(set, state, std::move(*rows), std::move(forces), given, std::move(solution), workspace);
  for (const Grip& grip : set.model.grips()) {
    if (grip.joint < 0 || !Grip::holds(set.modes[grip.mode])) continue;
    const auto drive = std::ranges::find(drives, set.model.bodies()[grip.joint].v);
    if (drive == drives.end()) continue;
    result.friction[drive - drives.begin()] =
        grip.bearing ? compute_bearing_limit(set, result.motion.rows, grip, result.motion.dynamics.reactions_W, true)
                     : grip.holding_bound().value_or(0);
  }
  return result;
}

Eigen::VectorXd compute_acceleration_residuals(const ConstraintRows& rows, std::span<const double> accelerations) {
  return rows.D * as_vector(accelerations) - rows.gamma;
}

std::optional<Failure> check_accelerations(const ConstraintSet& set, const ConstraintRows& rows,
                                           std::span<const double> accelerations, double allowed) {
  const Eigen::VectorXd residuals = compute_acceleration_residuals(rows, accelerations);
  const Eigen::VectorXd terms = rows.D.cwiseAbs() * as_vector(accelerations).cwiseAbs() + rows.gamma.cwiseAbs();
  std::vector<std::string> broken;
  for (Eigen::Index i = 0; i < residuals.size(); ++i) {
    if (!(std::abs(residuals[i]) <=
          allowed * (scales_of(set.model.scales(), set.rows[static_cast<size_t>(i)]).acceleration + terms[i])))
      broken.push_back(fmt::format("{} by {:.4g}{}", set.rows[i].name, residuals[i],
                                   set.rows[i].unit == "N*m" ? " rad/s^2"
                                   : set.rows[i].unit == "N" ? " m/s^2"
                                                             : ""));
  }
  if (broken.empty()) return std::nullopt;
  return Failure{"VN-RUN-130",
                 fmt::format("the constraints forbid these accelerations: {} (allowed {:g})", join_most(broken), allowed),
                 "give accelerations with jacobian * a = gamma (`evaluate` prints both), or let --project find those that \"a\" "
                 "does not name"};
}

std::optional<Failure> check_supplied(const Model& model, const InverseWithRows& inverse, double size, double allowed) {
  const StateUnits units = state_units(model);
  std::vector<std::string> lacking;
  for (Eigen::Index i = 0; i < inverse.missing.size(); ++i) {
    if (!(std::abs(inverse.missing[i]) <= allowed * size))
      lacking.push_back(fmt::format("{} lacks {:.6g} {}", model.velocity_names()[i], inverse.missing[i], units.forces[i]));
  }
  if (lacking.empty()) return std::nullopt;
  std::string drives;
  for (const int drive : inverse.drives) drives += (drives.empty() ? "" : ", ") + model.velocity_names()[drive];
  return Failure{"VN-RUN-131",
                 fmt::format("the drives ({}) and constraint forces cannot produce this motion: {}",
                             drives.empty() ? "none" : drives, join_most(lacking)),
                 "name more drives by --drives, or ask for a motion that needs no force there"};
}

std::optional<Failure> move_onto_rows(const ConstraintSet& set, const State& state, const std::vector<int>& held,
                                      std::vector<double>& accelerations, Workspace& workspace) {
  const auto rows = compute_constraint_rows(set, state);
  if (!rows) return rows.failure();
  const Eigen::Index m = rows->D.rows(), n = rows->D.cols(), with_held = m + static_cast<Eigen::Index>(held.size());
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(with_held, n);
  Eigen::VectorXd residual = Eigen::VectorXd::Zero(with_held);
  D.topRows(m) = rows->D;
  residual.head(m) = compute_acceleration_residuals(*rows, accelerations);
  for (Eigen::Index i = m; i < with_held; ++i) D(i, held[i - m]) = 1;
  const auto mass = factorize_mass_matrix(set, compute_mass_matrix(set.model, state, workspace), D);
  if (!mass) return mass.failure();
  const Eigen::VectorXd change = smallest_change(mass->factor, D, -residual);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!contains(held, static_cast<int>(i))) accelerations[i] += change[i];
  }
  return check_accelerations(set, *rows, accelerations, 1e-8);
}

}  // namespace vinculum
