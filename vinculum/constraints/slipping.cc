// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/slipping.h"

#include <algorithm>
#include <cmath>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/contact_law.h"
#include "vinculum/constraints/grip_problem.h"
#include "vinculum/constraints/load_shares.h"
#include "vinculum/constraints/slip_force.h"

namespace vinculum {

namespace {

// What a grip does along a unit direction, as parts of a fixed bound and of a normal multiplier.
struct SlipStrength {
  double force = 0;       // fixed, along the slip
  double per_normal = 0;  // times the multiplier of a row that is there
  int normal = -1;        // which, an index into Model::rows()
};

// -rho law(speed), odd in it.
SlipStrength strength_of(const ConstraintSet& set, const ConstraintRows& rows, const Grip& grip, double speed) {
  if (!grip.friction) return {compute_slip_force(grip.law, grip.bound.value_or(0), speed), 0, -1};
  const double part = compute_slip_force(grip.law, 1, speed);
  if (grip.law.kind == SlipLawKind::viscous) return {part, 0, -1};
  if (grip.normal < 0) {  // pressed by a law of force
    const Contact& contact = set.model.contacts()[grip.contact];
    return {*grip.friction * part * compute_law_push(contact, rows.contacts[grip.contact]), 0, -1};
  }
  return {0, *grip.friction * part, grip.normal};
}

// A single row: its mode says on which side the force is.
SlipStrength strength_of_row(const ConstraintSet& set, const ConstraintRows& rows, size_t index, double slip) {
  const Grip& grip = set.model.grips()[index];
  const double side = set.modes[grip.mode] == Grip::backward ? -1 : 1;
  switch (grip.law.kind) {
    case SlipLawKind::lag: {
      // T f' + f = -R side , from what it was
      const double force = set.memory_of(grip)[0], since = set.memory_of(grip)[1];
      const double end = -grip.bound.value_or(0) * side;
      return {end + (force - end) * std::exp(-(rows.t - since) / grip.law.value), 0, -1};
    }
    case SlipLawKind::stribeck: {
      SlipStrength strength = strength_of(set, rows, grip, std::max(std::abs(slip), 1e-300));
      strength.force *= side;
      strength.per_normal *= side;
      return strength;
    }
    case SlipLawKind::backlash:
    case SlipLawKind::dead_zone:
      return set.modes[grip.mode] == Grip::free ? SlipStrength{} : strength_of(set, rows, grip, side * HUGE_VAL);
    case SlipLawKind::sign:
    case SlipLawKind::hysteresis:
    case SlipLawKind::delay: return strength_of(set, rows, grip, side);
    case SlipLawKind::viscous:
    case SlipLawKind::saturated:
    case SlipLawKind::tanh:
    case SlipLawKind::algebraic:
    case SlipLawKind::arctan: break;
  }
  return strength_of(set, rows, grip, slip);
}

void add_slip(const ConstraintSet& set, const ConstraintRows& rows, const LoadShares& shares, size_t index,
              const Eigen::VectorXd& direction, const SlipStrength& strength, ContactForces& forces) {
  const Grip& grip = set.model.grips()[index];
  const auto normal = strength.normal >= 0 ? set.find_row(strength.normal) : std::nullopt;
  const auto parts = strength.normal >= 0 ? shares.of(strength.normal) : std::nullopt;
  if ((normal || parts) && forces.coupling.cols() == 0)
    forces.coupling = Eigen::MatrixXd::Zero(forces.forces.size(), static_cast<Eigen::Index>(set.rows.size()));
  if (parts) {  // with either sign: what they add up to presses
    forces.signless.resize(set.rows.size(), false);
    forces.beside.resize(set.rows.size());
    for (size_t j = 0; j < set.rows.size(); ++j) {
      if ((*parts)[static_cast<Eigen::Index>(j)] != 0) forces.signless[j] = true;
    }
  }
  for (size_t k = 0; k < grip.rows.size(); ++k) {
    const Eigen::VectorXd row = compute_row(set, rows, rows.all[grip.rows[k]]).row;
    const double along = direction[static_cast<Eigen::Index>(k)];
    forces.forces += strength.force * along * row;
    if (parts)
      forces.coupling += strength.per_normal * along * row * parts->transpose();
    else if (normal)
      forces.coupling.col(*normal) += strength.per_normal * along * row;
    const double coefficient = normal && !parts ? strength.per_normal * along : 0;
    forces.slips.push_back({grip.rows[k], static_cast<int>(index), strength.force * along, coefficient, normal.value_or(-1)});
  }
}

}  // namespace

Eigen::VectorXd slip_of(const Grip& grip, const ConstraintRows& rows) {
  Eigen::VectorXd slip(static_cast<Eigen::Index>(grip.rows.size()));
  for (size_t k = 0; k < grip.rows.size(); ++k) slip[static_cast<Eigen::Index>(k)] = rows.all[grip.rows[k]].rate;
  return slip;
}

void add_slip_forces(const ConstraintSet& set, const ConstraintRows& rows, ContactForces& forces) {
  const auto slips = [&](const Grip& grip) { return !Grip::holds(set.modes[grip.mode]); };
  if (std::ranges::none_of(set.model.grips(), slips)) return;
  const LoadShares shares(set, rows);
  for (size_t i = 0; i < set.model.grips().size(); ++i) {
    const Grip& grip = set.model.grips()[i];
    if (Grip::holds(set.modes[grip.mode])) continue;
    if (grip.contact >= 0 && !set.is_there(set.model.contacts()[grip.contact])) continue;
    const Eigen::VectorXd slip = slip_of(grip, rows);
    if (grip.is_single()) {
      add_slip(set, rows, shares, i, Eigen::VectorXd::Ones(1), strength_of_row(set, rows, i, slip[0]), forces);
      continue;
    }
    const double speed = slip.norm();
    if (is_smooth(grip.law)) {
      if (speed > 0) add_slip(set, rows, shares, i, slip / speed, strength_of(set, rows, grip, speed), forces);
    } else if (speed < kOnset * scales_of(set.model, grip.rows[0]).velocity) {
      forces.undirected.push_back(static_cast<int>(i));
    } else {
      add_slip(set, rows, shares, i, slip / speed, strength_of(set, rows, grip, speed), forces);
    }
  }
}

Outcome<LocalRows> compute_local_rows(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                      const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows, const ContactForces& forces,
                                      std::vector<int> questioned, const Eigen::MatrixXd& further) {
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const bool rubs = forces.coupling.cols() > 0 && !forces.coupling.col(static_cast<Eigen::Index>(i)).isZero(0);
    const int index = set.rows[i].index;
    if (rubs && std::find(questioned.begin(), questioned.end(), index) == questioned.end()) questioned.push_back(index);
  }
  LocalRows local;
  local.rows = questioned;
  std::vector<Eigen::Index> others;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (std::find(questioned.begin(), questioned.end(), set.rows[i].index) == questioned.end())
      others.push_back(static_cast<Eigen::Index>(i));
  }
  ConstraintRows kept;
  kept.D = rows.D(others, Eigen::all);
  kept.F = rows.F(others);
  kept.gamma = rows.gamma(others);
  const auto mass = factorize_mass_matrix(set, mass_matrix, rows.D);
  if (!mass) return mass.failure();
  const RowAnalysis analysis = analyse_rows(mass->factor, kept);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(kept.gamma.size());
  const Eigen::VectorXd x = solve_rows(*mass, analysis, kept.D, tau_minus_h + forces.forces, kept.gamma).x;
  const Eigen::Index m = static_cast<Eigen::Index>(questioned.size());
  Eigen::MatrixXd J(m, mass_matrix.rows());
  local.W.resize(m, m);
  local.b.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowAt& at = rows.all[questioned[static_cast<size_t>(i)]];
    J.row(i) = compute_row(set, rows, at).row;
    local.b[i] = J.row(i).dot(x) - at.gamma;
  }
  const auto answer = [&](const Eigen::VectorXd& force) -> Eigen::VectorXd {
    return J * solve_rows(*mass, analysis, kept.D, force, zero).x;
  };
  local.F = Eigen::MatrixXd::Zero(m, m);
  for (Eigen::Index j = 0; j < m; ++j) {
    const auto row = set.find_row(questioned[static_cast<size_t>(j)]);
    local.W.col(j) = answer(J.row(j));
    if (!row || forces.coupling.cols() == 0 || forces.coupling.col(*row).isZero(0)) continue;
    local.F.col(j) = answer(forces.coupling.col(*row));
    local.W.col(j) += local.F.col(j);
  }
  local.answers.resize(m, further.cols());
  for (Eigen::Index j = 0; j < further.cols(); ++j) local.answers.col(j) = answer(further.col(j));
  return local;
}

namespace {

// Of each undirected slip its direction, on rows that are independent.
Outcome<std::vector<Eigen::VectorXd>> find_directions(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                                      const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows,
                                                      const ContactForces& forces) {
  const LoadShares shares(set, rows);
  std::vector<int> questioned;
  const auto question = [&](int row) {
    if (std::find(questioned.begin(), questioned.end(), row) == questioned.end()) questioned.push_back(row);
  };
  for (const int index : forces.undirected) {
    const Grip& grip = set.model.grips()[index];
    for (const int row : grip.rows) question(row);
    if (!grip.friction || grip.normal < 0) continue;
    if (const auto parts = shares.of(grip.normal)) {
      for (Eigen::Index j = 0; j < parts->size(); ++j) {
        if ((*parts)[j] != 0) question(set.rows[static_cast<size_t>(j)].index);
      }
    } else if (set.find_row(grip.normal)) {
      question(grip.normal);
    }
  }
  const auto local = compute_local_rows(set, mass_matrix, tau_minus_h, rows, forces, std::move(questioned));
  if (!local) return local.failure();
  const auto place = [&](int row) {
    return static_cast<int>(std::find(local->rows.begin(), local->rows.end(), row) - local->rows.begin());
  };
  std::vector<GripBlock> blocks;
  std::vector<bool> is_grip(local->rows.size(), false);
  for (const int index : forces.undirected) {
    const Grip& grip = set.model.grips()[index];
    GripBlock block{GripBlock::Kind::grips, {}, 0, 0, -1};
    for (const int row : grip.rows) block.rows.push_back(place(row)), is_grip[block.rows.back()] = true;
    const SlipStrength strength = strength_of(set, rows, grip, 1e-300);
    block.bound = -strength.force;
    block.friction = -strength.per_normal;
    const auto parts = strength.normal >= 0 ? shares.of(strength.normal) : std::nullopt;
    if (!parts && strength.normal >= 0 && set.find_row(strength.normal)) block.normal = place(strength.normal);
    for (Eigen::Index j = 0; parts && j < parts->size(); ++j) {
      if ((*parts)[j] != 0) block.shares.push_back({place(set.rows[static_cast<size_t>(j)].index), (*parts)[j]});
    }
    blocks.push_back(block);
  }
  for (size_t i = 0; i < local->rows.size(); ++i) {
    if (!is_grip[i]) blocks.push_back({GripBlock::Kind::held, {static_cast<int>(i)}, 0, 0, -1});
  }
  const auto solution = solve_grip_problem(local->W, local->b, blocks);
  if (!solution) return friction_not_settled(set, forces);
  std::vector<Eigen::VectorXd> directions;
  for (size_t k = 0; k < forces.undirected.size(); ++k) {
    const GripBlock& block = blocks[k];
    const Eigen::VectorXd R = solution->R(block.rows), slip = slip_of(set.model.grips()[forces.undirected[k]], rows);
    // Of a slip that comes to its end the rows would stick here, or slip the other way.
    constexpr double kWithin = 1e-6, kSurelySlips = 1e-9;  // of the velocity scale of a row
    const double least = kSurelySlips * scales_of(set.model, set.model.grips()[forces.undirected[k]].rows[0]).velocity;
    const bool ends = R.norm() < (1 - kWithin) * block.reach(solution->R) && slip.norm() > 0;
    const bool turns = slip.norm() > least && slip.dot(R) > 0;
    directions.emplace_back(ends || turns ? slip.normalized() : (-R).normalized());
  }
  return directions;
}

}  // namespace

std::optional<Failure> direct_slips(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                    const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows, ContactForces& forces) {
  if (forces.undirected.empty()) return std::nullopt;
  const auto mass = factorize_mass_matrix(set, mass_matrix, rows.D);
  if (!mass) return mass.failure();
  const RowAnalysis analysis = analyse_rows(mass->factor, rows);
  Outcome<std::vector<Eigen::VectorXd>> directions = std::vector<Eigen::VectorXd>{};
  if (analysis.is_independent()) {
    directions = find_directions(set, mass_matrix, tau_minus_h, rows, forces);
  } else {
    // Redundant rows are left out, and the loads on them are shared.
    ConstraintSet independent = set;
    std::vector<bool> left_out = set.left_out;
    for (size_t k = analysis.rank; k < analysis.order.size(); ++k) left_out[set.rows[analysis.order[k]].index] = true;
    independent.leave_out(left_out);
    std::vector<int> kept(analysis.order.begin(), analysis.order.begin() + analysis.rank);
    std::sort(kept.begin(), kept.end());
    ConstraintRows of_kept = rows;
    of_kept.D = rows.D(kept, Eigen::all);
    of_kept.F = rows.F(kept);
    of_kept.gamma = rows.gamma(kept);
    directions = find_directions(independent, mass_matrix, tau_minus_h, of_kept, compute_contact_forces(independent, of_kept));
  }
  if (!directions) return directions.failure();
  const LoadShares shares(set, rows);
  const std::vector<int> undirected = std::move(forces.undirected);
  forces.undirected.clear();
  for (size_t k = 0; k < undirected.size(); ++k) {
    const Grip& grip = set.model.grips()[undirected[k]];
    add_slip(set, rows, shares, static_cast<size_t>(undirected[k]), (*directions)[k],
             strength_of(set, rows, grip, std::max(slip_of(grip, rows).norm(), 1e-300)), forces);
  }
  return std::nullopt;
}

}  // namespace vinculum
