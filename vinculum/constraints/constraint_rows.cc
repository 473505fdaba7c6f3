// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/constraint_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/row_source.h"
#include "vinculum/constraints/slipping.h"
#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/geometry/tree_motion.h"
#include "vinculum/kernels/loop_rows.h"

namespace vinculum {

ConstraintSet::ConstraintSet(const Model& constrained)
    : model(constrained),
      modes(constrained.usual_modes()),
      left_out(constrained.rows().size(), false),
      memory(constrained.memory_size()),
      face_levels(compute_face_levels(constrained)) {
  list_rows();
}

ConstraintSet::ConstraintSet(const Model& constrained, const State& state) : ConstraintSet(constrained) {
  if (!state.modes.empty()) set_modes(state.modes);
  if (!state.memory.empty()) memory = state.memory;
}

std::span<const double> ConstraintSet::memory_of(const Grip& grip) const {
  const Memory& words = model.memories()[grip.memory];
  return std::span(memory).subspan(words.first, words.size);
}

std::span<double> ConstraintSet::memory_of(const Grip& grip) {
  const Memory& words = model.memories()[grip.memory];
  return std::span(memory).subspan(words.first, words.size);
}

void ConstraintSet::set_modes(const std::vector<int>& values) {
  modes = values;
  list_rows();
}

bool ConstraintSet::holds(int one_sided) const {
  const OneSided& element = model.one_sided()[one_sided];
  return modes[element.mode] == model.rows()[element.row].when;
}

std::vector<bool> ConstraintSet::holding() const {
  std::vector<bool> list(model.one_sided().size());
  for (size_t k = 0; k < list.size(); ++k) list[k] = holds(static_cast<int>(k));
  return list;
}

void ConstraintSet::hold(const std::vector<bool>& one_sided) {
  for (size_t k = 0; k < one_sided.size(); ++k) {
    if (!one_sided[k]) modes[model.one_sided()[k].mode] = model.one_sided()[k].without;
  }
  for (size_t k = 0; k < one_sided.size(); ++k) {
    const OneSided& element = model.one_sided()[k];
    if (one_sided[k]) modes[element.mode] = model.rows()[element.row].when;
  }
  list_rows();
}

void ConstraintSet::leave_out(const std::vector<bool>& redundant_rows) {
  left_out = redundant_rows;
  list_rows();
}

void ConstraintSet::list_rows() {
  rows.clear();
  for (const Row& row : model.rows()) {
    const bool grips = row.grip < 0 || Grip::holds(modes[model.grips()[row.grip].mode]);
    if (grips && (row.mode < 0 || modes[row.mode] == row.when) && !left_out[row.index]) rows.push_back(row);
  }
}

std::optional<int> ConstraintSet::find_row(int index) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.index == index; });
  return found == rows.end() ? std::nullopt : std::optional(static_cast<int>(found - rows.begin()));
}

// A constraint that slips is not there, but a force is in its place.
bool ConstraintSet::is_plain_tree() const {
  return model.contacts().empty() && model.grips().empty() && rows.size() == model.driven().size();
}

FeltRow compute_row(const ConstraintSet& set, const ConstraintRows& rows, const RowAt& at) {
  FeltRow result{Eigen::VectorXd(set.model.tree().velocities)};
  result.felt = compute_row(set, rows, at, {result.row.data(), static_cast<size_t>(result.row.size())});
  return result;
}

double compute_row(const ConstraintSet& set, const ConstraintRows& rows, const RowAt& at, std::span<double> row) {
  std::ranges::fill(row, 0.0);
  if (!at.is_wrench) {
    for (const auto& [velocity, factor] : at.forces) row[velocity] += factor;
    return std::ranges::all_of(row, [](double entry) { return entry == 0; }) ? 0 : 1;
  }
  const double squares = add_wrench_row(set.model, rows.links, set.model.link_of(at.on), set.model.link_of(at.against),
                                        at.point_W, at.wrench_W, row);
  const Eigen::Map<const Eigen::VectorXd> all(row.data(), static_cast<Eigen::Index>(row.size()));
  const double felt = squares > 0 ? std::sqrt(all.squaredNorm() / squares) : 0;
  if (felt > kNotFelt) return felt;
  std::ranges::fill(row, 0.0);
  return 0;
}

Outcome<ConstraintRows> compute_row_values(const ConstraintSet& set, const State& state) {
  ConstraintRows rows;
  if (auto failure = compute_row_values(set, state, rows)) return *failure;
  return rows;
}

std::optional<Failure> compute_row_values(const ConstraintSet& set, const State& state, ConstraintRows& rows) {
  const Eigen::Index m = static_cast<Eigen::Index>(set.rows.size());
  rows.t = state.t;
  rows.links.resize(set.model.tree().links.size());
  compute_frame_motions(set.model, state.q, state.v, rows.links, rows.scratch);
  rows.environment.clear();
  for (const EnvironmentBody& body : set.model.environment())
    rows.environment.push_back(compute_environment_motion(body, state.t, rows.scratch));
  rows.all.resize(set.model.rows().size());
  for (const RowSource* source : row_sources()) {
    if (auto failure = source->compute(set, state, rows)) return *failure;
  }
  rows.F.resize(m);
  rows.gamma.resize(m);
  rows.rate.resize(m);
  rows.gap.resize(set.rows.size());
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowAt& at = rows.all[set.rows[i].index];
    // At the edge of a dead zone the slip is the edge.
    double edge = 0;
    if (const int grip = set.rows[i].grip; grip >= 0) {
      const Grip& of = set.model.grips()[grip];
      const int mode = set.modes[of.mode];
      if (mode != Grip::sticks && of.law.kind == SlipLawKind::dead_zone)
        edge = (mode == Grip::front_edge ? 1 : -1) * of.law.value;
    }
    rows.F[i] = at.given + edge;
    rows.gamma[i] = at.gamma;
    rows.rate[i] = at.rate - edge;
    rows.gap[i] = at.gap;
  }
  if (!rows.F.allFinite() || !rows.gamma.allFinite() || !rows.rate.allFinite()) return no_finite_value(state.t);
  return std::nullopt;
}

void fill_jacobian(const ConstraintSet& set, ConstraintRows& rows) {
  const Eigen::Index m = static_cast<Eigen::Index>(set.rows.size());
  const Eigen::Index n = set.model.tree().velocities;
  rows.D.resize(m, n);
  rows.felt.resize(m);
  rows.scratch.resize(std::max(rows.scratch.size(), static_cast<size_t>(n)));
  for (Eigen::Index i = 0; i < m; ++i) {
    rows.felt[i] = compute_row(set, rows, rows.all[set.rows[i].index], std::span(rows.scratch).first(static_cast<size_t>(n)));
    rows.D.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows.scratch.data(), n);
  }
}

Outcome<ConstraintRows> compute_constraint_rows(const ConstraintSet& set, const State& state) {
  Outcome<ConstraintRows> rows = compute_row_values(set, state);
  if (!rows) return rows;
  fill_jacobian(set, *rows);
  if (!rows->D.allFinite()) return no_finite_value(state.t);
  return rows;
}

void ContactForces::couple_none() {
  if (coupling.cols() > 0) coupling.swap(spare);
  coupling.resize(0, 0);
}

void ContactForces::couple_some(const ConstraintSet& set) {
  if (coupling.cols() > 0) return;
  coupling.swap(spare);
  coupling.setZero(set.model.tree().velocities, static_cast<Eigen::Index>(set.rows.size()));
}

void ContactForces::add_coupling(const ConstraintSet& set, int row, const VectorMap& forces_of_unit, const Wrench& wrench_W) {
  couple_some(set);
  signless.resize(set.rows.size(), false);
  beside.resize(set.rows.size());
  coupling.col(row) += forces_of_unit;
  signless[row] = true;
  beside[row] = wrench_W;
}

Eigen::VectorXd ContactForces::couple(const Eigen::VectorXd& multipliers) const {
  Eigen::VectorXd bring(multipliers.size());
  for (Eigen::Index i = 0; i < bring.size(); ++i) bring[i] = brought_by(i, multipliers);
  return coupling * bring;
}

double ContactForces::brought_by(Eigen::Index row, const Eigen::VectorXd& multipliers) const {
  const bool with_either_sign = static_cast<size_t>(row) < signless.size() && signless[static_cast<size_t>(row)];
  return with_either_sign ? multipliers[row] : std::max(multipliers[row], 0.0);
}

ContactForces compute_contact_forces(const ConstraintSet& set, const ConstraintRows& rows) {
  ContactForces result;
  compute_contact_forces(set, rows, result);
  return result;
}

void compute_contact_forces(const ConstraintSet& set, const ConstraintRows& rows, ContactForces& forces) {
  forces.forces.setZero(set.model.tree().velocities);
  forces.couple_none();
  forces.signless.clear();
  forces.beside.clear();
  forces.laws.clear();
  forces.slips.clear();
  forces.bearings.clear();
  forces.undirected.clear();
  for (const RowSource* source : row_sources()) source->add_forces(set, rows, forces);
  add_slip_forces(set, rows, forces);
}

std::vector<ContactAxisName> list_law_axes(const std::vector<Contact>& contacts) {
  std::vector<ContactAxisName> list;
  for (size_t k = 0; k < contacts.size(); ++k) {
    for (ContactAxis axis : kContactAxes) {
      if (contacts[k].has_law(axis)) list.push_back({static_cast<int>(k), axis, contacts[k].row_name(axis)});
    }
  }
  return list;
}

std::vector<ContactAxisName> list_slip_axes(const std::vector<Contact>& contacts) {
  std::vector<ContactAxisName> list;
  for (size_t k = 0; k < contacts.size(); ++k) {
    for (ContactAxis axis : {ContactAxis::normal, ContactAxis::lateral, ContactAxis::forward}) {
      if (!contacts[k].forbids(axis)) list.push_back({static_cast<int>(k), axis, contacts[k].row_name(axis)});
    }
  }
  return list;
}

std::vector<RowResidual> list_residuals(const ConstraintSet& set, const ConstraintRows& rows) {
  std::vector<RowResidual> residuals;
  for (size_t i = 0; i < set.rows.size(); ++i)
    residuals.push_back({set.rows[i].name, rows.gap[i], rows.rate[static_cast<Eigen::Index>(i)]});
  return residuals;
}

std::optional<Failure> check_residuals(const ConstraintSet& set, const std::vector<RowResidual>& residuals, double allowed) {
  std::string list;
  size_t count = 0;
  constexpr size_t kMost = 6;
  for (size_t i = 0; i < residuals.size(); ++i) {
    const RowResidual& residual = residuals[i];
    const Row& row = set.rows[i];
    const double position = std::abs(residual.position.value_or(0)), velocity = std::abs(residual.velocity);
    // `allowed` is in SI, as --residual has it, for models up to a thousand metres; of larger ones it is a part of their own
    // length and velocity, whose round-off grows with them.
    constexpr double kPartOfScale = 0x1p-10;
    const RowScales scale = scales_of(set.model.scales(), row);
    const double gap = allowed * std::max(1.0, kPartOfScale * scale.position);
    const double slip = allowed * std::max(1.0, kPartOfScale * scale.velocity);
    if (position <= gap && velocity <= slip) continue;
    if (++count > kMost) continue;
    list += fmt::format("{}{}", list.empty() ? "" : "; ", residual.row);
    if (position > gap) list += source_of(row).describe_gap(set.model, row, *residual.position);
    if (velocity > slip)
      list += fmt::format("{} by {:.4g}{}", position > gap ? " and" : "", residual.velocity,
                          row.unit == "N*m" ? " rad/s"
                          : row.unit == "N" ? " m/s"
                                            : "");
  }
  if (count == 0) return std::nullopt;
  if (count > kMost) list += fmt::format("; and {} more", count - kMost);
  return Failure{
      "VN-RUN-004", fmt::format("the state violates the constraints: {} (allowed {:g})", list, allowed),
      "`simulate` and `evaluate` move the state onto the constraints by --project and show the change; or correct `initial`"};
}

std::optional<Failure> check_state(const Model& model, const State& state, double allowed) {
  const ConstraintSet set(model, state);
  const auto rows = compute_constraint_rows(set, state);
  return rows ? check_residuals(set, list_residuals(set, *rows), allowed) : rows.failure();
}

}  // namespace vinculum
