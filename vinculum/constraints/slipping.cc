// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/slipping.h"

#include <algorithm>
#include <cmath>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/contact_law.h"
#include "vinculum/constraints/dense_constraints.h"
#include "vinculum/constraints/least_forces.h"
#include "vinculum/constraints/load_shares.h"
#include "vinculum/constraints/slip_force.h"

namespace vinculum {

namespace {

// What a grip does along a unit direction, as parts of a fixed bound and of a normal multiplier.
struct SlipStrength {
  double force = 0;       // fixed, along the slip
  double per_normal = 0;  // times the multiplier of a constraint that is there
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

// A single constraint: its mode says on which side the force is.
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

// `along`: of the slip, row by row.
void add_slip(const ConstraintSet& set, const ConstraintRows& rows, const LoadShares& shares, size_t index,
              std::span<const double> direction, const SlipStrength& strength, ContactForces& forces) {
  const Grip& grip = set.model.grips()[index];
  const auto normal = strength.normal >= 0 ? set.find_row(strength.normal) : std::nullopt;
  const auto parts = strength.normal >= 0 ? shares.of(strength.normal) : std::nullopt;
  if (normal || parts) forces.couple_some(set);
  if (parts) {  // with either sign: what they add up to presses
    forces.signless.resize(set.rows.size(), false);
    forces.beside.resize(set.rows.size());
    for (size_t j = 0; j < set.rows.size(); ++j) {
      if ((*parts)[static_cast<Eigen::Index>(j)] != 0) forces.signless[j] = true;
    }
  }
  const Scratch::Frame frame(forces.scratch);
  VectorMap row = forces.scratch.vector(set.model.tree().velocities);
  for (size_t k = 0; k < grip.rows.size(); ++k) {
    compute_row(set, rows, rows.all[grip.rows[k]], {row.data(), static_cast<size_t>(row.size())});
    const double along = direction[k];
    forces.forces += strength.force * along * row;
    if (parts)
      forces.coupling.noalias() += strength.per_normal * along * row * parts->transpose();
    else if (normal)
      forces.coupling.col(*normal) += strength.per_normal * along * row;
    const double coefficient = normal && !parts ? strength.per_normal * along : 0;
    forces.slips.push_back({grip.rows[k], static_cast<int>(index), strength.force * along, coefficient, normal.value_or(-1)});
  }
}

// The direction of a slip, and how fast it is.
double find_slip_direction(const Grip& grip, const ConstraintRows& rows, VectorMap direction) {
  for (size_t k = 0; k < grip.rows.size(); ++k) direction[static_cast<Eigen::Index>(k)] = rows.all[grip.rows[k]].rate;
  const double speed = direction.norm();
  if (speed > 0) direction /= speed;
  return speed;
}

std::span<const double> numbers_of(const VectorMap& vector) { return {vector.data(), static_cast<size_t>(vector.size())}; }

}  // namespace

Eigen::VectorXd slip_of(const Grip& grip, const ConstraintRows& rows) {
  Eigen::VectorXd slip(static_cast<Eigen::Index>(grip.rows.size()));
  for (size_t k = 0; k < grip.rows.size(); ++k) slip[static_cast<Eigen::Index>(k)] = rows.all[grip.rows[k]].rate;
  return slip;
}

double compute_slip_speed(const Grip& grip, const ConstraintRows& rows) {
  double squares = 0;
  for (const int row : grip.rows) squares += rows.all[row].rate * rows.all[row].rate;
  return std::sqrt(squares);
}

double compute_slip_along(const Grip& grip, const ConstraintRows& rows, const Eigen::VectorXd& direction) {
  double sum = 0;
  for (size_t k = 0; k < grip.rows.size(); ++k) sum += rows.all[grip.rows[k]].rate * direction[static_cast<Eigen::Index>(k)];
  return sum;
}

void add_slip_forces(const ConstraintSet& set, const ConstraintRows& rows, ContactForces& forces) {
  const auto slips = [&](const Grip& grip) { return !Grip::holds(set.modes[grip.mode]); };
  if (std::ranges::none_of(set.model.grips(), slips)) return;
  const Scratch::Frame frame(forces.scratch);
  const LoadShares shares(set, rows, forces.scratch);
  for (size_t i = 0; i < set.model.grips().size(); ++i) {
    const Grip& grip = set.model.grips()[i];
    if (Grip::holds(set.modes[grip.mode])) continue;
    if (grip.contact >= 0 && !set.is_there(set.model.contacts()[grip.contact])) continue;
    if (grip.bearing) {
      forces.bearings.push_back(static_cast<int>(i));
      continue;
    }
    if (grip.is_single()) {
      const double forward = 1, slip = rows.all[grip.rows[0]].rate;
      add_slip(set, rows, shares, i, {&forward, 1}, strength_of_row(set, rows, i, slip), forces);
      continue;
    }
    const Scratch::Frame of_grip(forces.scratch);
    VectorMap direction = forces.scratch.vector(static_cast<Eigen::Index>(grip.rows.size()));
    const double speed = find_slip_direction(grip, rows, direction);
    const bool has_begun = is_smooth(grip.law) ? speed > 0 : speed >= kOnset * scales_of(set.model, grip.rows[0]).velocity;
    if (has_begun)
      add_slip(set, rows, shares, i, numbers_of(direction), strength_of(set, rows, grip, speed), forces);
    else if (!is_smooth(grip.law))
      forces.undirected.push_back(static_cast<int>(i));
  }
}

Outcome<LocalRows> compute_local_rows(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                      const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows, const ContactForces& forces,
                                      std::vector<int> questioned, const Eigen::MatrixXd& further) {
  LocalRows local;
  local.rows = std::move(questioned);
  DenseConstraints memory;
  if (auto failure = compute_local_rows(set, mass_matrix, tau_minus_h, rows, forces, further, memory, local)) return *failure;
  return local;
}

std::optional<Failure> compute_local_rows(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, Given tau_minus_h,
                                          const ConstraintRows& rows, const ContactForces& forces, Given further,
                                          DenseConstraints& memory, LocalRows& local) {
  std::vector<int>& questioned = local.rows;
  const auto is_questioned = [&](int row) { return std::ranges::find(questioned, row) != questioned.end(); };
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const bool rubs = forces.coupling.cols() > 0 && !forces.coupling.col(static_cast<Eigen::Index>(i)).isZero(0);
    if (rubs && !is_questioned(set.rows[i].index)) questioned.push_back(set.rows[i].index);
  }
  Scratch& scratch = memory.scratch;
  const Scratch::Frame frame(scratch);
  const Eigen::Index n = mass_matrix.rows(), all = static_cast<Eigen::Index>(set.rows.size());
  const Eigen::Index m = static_cast<Eigen::Index>(questioned.size());
  const Eigen::Index others = all - std::ranges::count_if(set.rows, [&](const Row& row) { return is_questioned(row.index); });
  MatrixMap D = scratch.matrix(others, n), J = scratch.matrix(m, n);
  Eigen::VectorXd& F = memory.kept_F;
  Eigen::VectorXd& gamma = memory.kept_gamma;
  F.resize(others), gamma.resize(others);
  for (Eigen::Index i = 0, k = 0; i < all; ++i) {
    if (is_questioned(set.rows[static_cast<size_t>(i)].index)) continue;
    D.row(k) = rows.D.row(i);
    F[k] = rows.F[i];
    gamma[k++] = rows.gamma[i];
  }
  if (auto failure = factorize_mass_matrix(set, mass_matrix, rows.D, scratch, memory.mass)) return failure;
  analyse_rows(memory.mass.factor, D, F, gamma, scratch, memory.kept);
  VectorMap x = scratch.vector(n), push = scratch.vector(n), multipliers = scratch.vector(others), row = scratch.vector(n);
  push = tau_minus_h + forces.forces;
  solve_rows(memory.mass, memory.kept, D, push, gamma, scratch, x, multipliers);
  local.W.resize(m, m);
  local.b.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowAt& at = rows.all[questioned[static_cast<size_t>(i)]];
    compute_row(set, rows, at, {row.data(), static_cast<size_t>(n)});
    J.row(i) = row;
    local.b[i] = row.dot(x) - at.gamma;
  }
  gamma.setZero();
  const auto answer = [&](auto&& force, auto&& answered) {
    push = force;
    solve_rows(memory.mass, memory.kept, D, push, gamma, scratch, x, multipliers);
    answered.noalias() = J * x;
  };
  local.F.setZero(m, m);
  for (Eigen::Index j = 0; j < m; ++j) {
    const auto index = set.find_row(questioned[static_cast<size_t>(j)]);
    answer(J.row(j).transpose(), local.W.col(j));
    if (!index || forces.coupling.cols() == 0 || forces.coupling.col(*index).isZero(0)) continue;
    answer(forces.coupling.col(*index), local.F.col(j));
    local.W.col(j) += local.F.col(j);
  }
  local.answers.resize(m, further.cols());
  for (Eigen::Index j = 0; j < further.cols(); ++j) answer(further.col(j), local.answers.col(j));
  return std::nullopt;
}

namespace {

// A tangent that other constraints hold, as the lateral one of a wheel that begins to slip beside one on the same axle that
// sticks, moves by nothing, and carries nothing: what is left of it is round-off.
void drop_held_tangents(std::span<const GripBlock> blocks, LocalRows& local) {
  constexpr double kHeld = 1e-12;  // of the largest response, and of the largest rate
  const double response = kHeld * local.W.diagonal().maxCoeff(), rate = kHeld * local.b.lpNorm<Eigen::Infinity>();
  for (const GripBlock& block : blocks) {
    if (block.kind != GripBlock::Kind::grips) continue;
    for (const int row : block.rows) {
      if (std::abs(local.W(row, row)) > response || std::abs(local.b[row]) > rate) continue;
      local.W.row(row).setZero();
      local.W.col(row).setZero();
      local.b[row] = 0;
    }
  }
}

// Of each undirected slip its direction, on rows that are independent: one after another in `directions`.
std::optional<Failure> find_directions(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, Given tau_minus_h,
                                       const ConstraintRows& rows, ContactForces& forces, DenseConstraints& memory,
                                       std::span<double> directions) {
  const Scratch::Frame frame(memory.scratch);
  const LoadShares shares(set, rows, memory.scratch);
  LocalRows& local = memory.local;
  local.rows.clear();
  const auto question = [&](int row) {
    if (std::ranges::find(local.rows, row) == local.rows.end()) local.rows.push_back(row);
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
  const MatrixMap none(nullptr, mass_matrix.rows(), 0);
  if (auto failure = compute_local_rows(set, mass_matrix, tau_minus_h, rows, forces, none, memory, local)) return failure;
  const auto place = [&](int row) { return static_cast<int>(std::ranges::find(local.rows, row) - local.rows.begin()); };
  GripProblem& problem = memory.problem;
  problem.clear();
  const std::span<int> is_grip = memory.scratch.integers(local.rows.size());
  std::ranges::fill(is_grip, 0);
  for (const int index : forces.undirected) {
    const Grip& grip = set.model.grips()[index];
    GripBlock& block = problem.add(GripBlock::Kind::grips);
    for (const int row : grip.rows) block.rows.push_back(place(row)), is_grip[static_cast<size_t>(block.rows.back())] = 1;
    const SlipStrength strength = strength_of(set, rows, grip, 1e-300);
    block.bound = -strength.force;
    block.friction = -strength.per_normal;
    const auto parts = strength.normal >= 0 ? shares.of(strength.normal) : std::nullopt;
    if (!parts && strength.normal >= 0 && set.find_row(strength.normal)) block.normal = place(strength.normal);
    for (Eigen::Index j = 0; parts && j < parts->size(); ++j) {
      if ((*parts)[j] != 0) block.shares.push_back({place(set.rows[static_cast<size_t>(j)].index), (*parts)[j]});
    }
  }
  for (size_t i = 0; i < local.rows.size(); ++i) {
    if (is_grip[i] == 0) problem.add(GripBlock::Kind::held).rows.push_back(static_cast<int>(i));
  }
  drop_held_tangents(problem.blocks(), local);
  // Tangents may depend on each other, as those of two wheels on one axle, of which one or both begin to slip.
  const bool may_depend = forces.undirected.size() > 1 || !memory.analysis.is_independent();
  if ((may_depend && has_redundant_rows(local.W)) || !problem.solve(local.W, local.b)) {
    const auto solution = solve_with_least_forces(local.W, local.b, {problem.blocks().begin(), problem.blocks().end()});
    if (!solution) return friction_not_settled(set, forces);
    problem.set(*solution);
  }
  for (size_t k = 0; k < forces.undirected.size(); ++k) {
    const Grip& grip = set.model.grips()[forces.undirected[k]];
    const GripBlock& block = problem.blocks()[k];
    const Eigen::Index size = static_cast<Eigen::Index>(grip.rows.size());
    VectorMap direction(directions.data(), size);
    directions = directions.subspan(grip.rows.size());
    const Scratch::Frame of_grip(memory.scratch);
    VectorMap slip = memory.scratch.vector(size);
    const double speed = find_slip_direction(grip, rows, slip);
    for (Eigen::Index i = 0; i < size; ++i) direction[i] = -problem.R()[block.rows[static_cast<size_t>(i)]];
    // Of a slip that comes to its end the rows would stick here, or slip the other way.
    constexpr double kWithin = 1e-6, kSurelySlips = 1e-9;  // of the velocity scale of a row
    const double least = kSurelySlips * scales_of(set.model, grip.rows[0]).velocity;
    const bool ends = direction.norm() < (1 - kWithin) * block.reach(problem.R()) && speed > 0;
    const bool turns = speed > least && slip.dot(direction) < 0;
    if (ends || turns)
      direction = slip;
    else
      direction.normalize();
  }
  return std::nullopt;
}

}  // namespace

namespace {

// The set without the rows in `memory.left_out`. Rows have names: they are listed anew only where others are there.
const ConstraintSet& leave_out_in_memory(const ConstraintSet& set, DenseConstraints& memory) {
  std::optional<ConstraintSet>& known = memory.independent;
  if (!known || &known->model != &set.model || known->modes != set.modes || known->left_out != memory.left_out) {
    known.emplace(set);
    known->leave_out(memory.left_out);
  }
  known->memory = set.memory;
  known->face_levels = set.face_levels;
  return *known;
}

}  // namespace

std::optional<Failure> direct_slips(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix,
                                    const Eigen::VectorXd& tau_minus_h, const ConstraintRows& rows, ContactForces& forces) {
  DenseConstraints memory;
  return direct_slips(set, mass_matrix, tau_minus_h, rows, forces, memory);
}

std::optional<Failure> direct_slips(const ConstraintSet& set, const Eigen::MatrixXd& mass_matrix, Given tau_minus_h,
                                    const ConstraintRows& rows, ContactForces& forces, DenseConstraints& memory) {
  if (forces.undirected.empty()) return std::nullopt;
  Scratch& scratch = memory.scratch;
  const Scratch::Frame frame(scratch);
  size_t count = 0;
  for (const int index : forces.undirected) count += set.model.grips()[index].rows.size();
  std::span<double> directions = scratch.numbers(count);
  if (auto failure = factorize_mass_matrix(set, mass_matrix, rows.D, scratch, memory.mass)) return failure;
  RowAnalysis& analysis = memory.analysis;
  analyse_rows(memory.mass.factor, rows.D, rows.F, rows.gamma, scratch, analysis);
  std::optional<Failure> failure;
  if (analysis.is_independent()) {
    failure = find_directions(set, mass_matrix, tau_minus_h, rows, forces, memory, directions);
  } else {
    // Redundant rows are left out, and the loads on them are shared.
    memory.left_out = set.left_out;
    for (size_t k = analysis.rank; k < analysis.order.size(); ++k) memory.left_out[set.rows[analysis.order[k]].index] = true;
    const ConstraintSet& independent = leave_out_in_memory(set, memory);
    memory.order.assign(analysis.order.begin(), analysis.order.begin() + analysis.rank);
    std::sort(memory.order.begin(), memory.order.end());
    ConstraintRows& own = memory.rows;
    own.all = rows.all, own.contacts = rows.contacts, own.pairs = rows.pairs;
    own.links = rows.links, own.environment = rows.environment, own.t = rows.t;
    const Eigen::Index kept = static_cast<Eigen::Index>(memory.order.size());
    own.D.resize(kept, rows.D.cols()), own.F.resize(kept), own.gamma.resize(kept);
    for (Eigen::Index i = 0; i < kept; ++i) {
      const Eigen::Index row = memory.order[static_cast<size_t>(i)];
      own.D.row(i) = rows.D.row(row);
      own.F[i] = rows.F[row];
      own.gamma[i] = rows.gamma[row];
    }
    compute_contact_forces(independent, own, memory.forces);
    failure = find_directions(independent, mass_matrix, tau_minus_h, own, memory.forces, memory, directions);
  }
  if (failure) return failure;
  const LoadShares shares(set, rows, scratch);
  for (const int index : forces.undirected) {
    const Grip& grip = set.model.grips()[index];
    const double speed = std::max(compute_slip_speed(grip, rows), 1e-300);
    add_slip(set, rows, shares, static_cast<size_t>(index), directions.first(grip.rows.size()),
             strength_of(set, rows, grip, speed), forces);
    directions = directions.subspan(grip.rows.size());
  }
  forces.undirected.clear();
  return std::nullopt;
}

}  // namespace vinculum
