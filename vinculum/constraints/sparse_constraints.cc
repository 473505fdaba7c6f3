// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/sparse_constraints.h"

#include <algorithm>
#include <cmath>

#include "vinculum/constraints/row_source.h"

namespace vinculum {

namespace {

// Every three rows of an element that push on the same bodies, and every row on one velocity: an entry each, in the order of
// their last links, so that neighbours in the tree are neighbours in the list. Rows on several velocities have no place here.
struct Entry {
  LoopRows rows;
  std::string element;
  int first_row = 0, count = 0;
};

std::vector<Entry> list_entries(const ConstraintSet& set) {
  std::vector<Entry> entries;
  const std::vector<Row>& rows = set.model.rows();
  const auto link_of_velocity = [&](int velocity) {
    const std::vector<Link>& links = set.model.tree().links;
    int link = 0;
    while (velocity >= links[link].v + velocity_count(links[link].kind)) ++link;
    return link;
  };
  for (const Row& row : rows) {
    const RowPlace place = source_of(row).place_in_tree(set.model, row);
    if (place.kind == RowPlace::Kind::several) continue;
    const bool is_wrench = place.kind == RowPlace::Kind::wrench;
    if (is_wrench && !entries.empty() && entries.back().count < 3 && entries.back().element == row.element &&
        entries.back().first_row + entries.back().count == row.index) {
      ++entries.back().count;
      continue;
    }
    Entry entry;
    entry.element = row.element;
    entry.rows.kind = is_wrench ? LoopRows::Kind::wrenches : LoopRows::Kind::drive;
    entry.rows.velocity = is_wrench ? -1 : place.velocity;
    entry.rows.on = is_wrench ? set.model.link_of(place.on) : link_of_velocity(place.velocity);
    entry.rows.against = is_wrench ? set.model.link_of(place.against) : kGround;
    entry.first_row = row.index;
    entry.count = 1;
    entries.push_back(entry);
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::max(a.rows.on, a.rows.against) < std::max(b.rows.on, b.rows.against);
  });
  return entries;
}

std::vector<LoopRows> rows_of(const std::vector<Entry>& entries) {
  std::vector<LoopRows> rows;
  for (const Entry& entry : entries) rows.push_back(entry.rows);
  return rows;
}

}  // namespace

SparseConstraints::SparseConstraints(const ConstraintSet& set) : solver_(set.model, rows_of(list_entries(set))) {
  const std::vector<Entry> entries = list_entries(set);
  places_.assign(set.model.rows().size(), {-1, 0});
  for (size_t i = 0; i < entries.size(); ++i) {
    for (int k = 0; k < entries[i].count; ++k) places_[entries[i].first_row + k] = {static_cast<int>(i), k};
  }
  multipliers_.resize(entries.size());
}

bool SparseConstraints::has_place(const ConstraintSet& set) const {
  return std::all_of(set.rows.begin(), set.rows.end(), [&](const Row& row) { return places_[row.index].entry >= 0; });
}

// target(i): what constraint i of the set is to answer; none: the constraint takes no part.
template <class Target>
void SparseConstraints::set_rows(const ConstraintSet& set, const ConstraintRows& rows, const Target& target) {
  for (LoopRows& entry : solver_.rows()) {
    entry.active = {false, false, false};
    entry.target = {};
    for (int k = 0; k < 3; ++k) entry.force.column(k) = entry.moment.column(k) = {};
  }
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const RowAt& at = rows.all[set.rows[i].index];
    const std::optional<double> value = target(static_cast<Eigen::Index>(i));
    if (!value) continue;
    const auto [entry_index, slot] = places_[set.rows[i].index];
    LoopRows& entry = solver_.rows()[entry_index];
    entry.active[slot] = true;
    // A drive's constraint is the velocity itself.
    entry.target[slot] = at.is_wrench ? *value : *value / at.forces[0].factor;
    if (!at.is_wrench) continue;
    entry.force.column(slot) = at.wrench_W.force;
    entry.moment.column(slot) = at.wrench_W.moment;
    const auto seen_from = [&](int link) {
      return link == kGround ? at.point_W : transpose_times(rows.links[link].R, at.point_W - rows.links[link].p);
    };
    entry.p_on = seen_from(entry.on);
    entry.p_against = seen_from(entry.against);
  }
}

bool SparseConstraints::solve_rows(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                   const ContactForces& forces, Workspace& workspace, std::span<double> accelerations) {
  if (forces.coupling.cols() > 0 || !forces.undirected.empty() || !forces.bearings.empty() || !has_place(set)) return false;
  set_rows(set, rows, [&](Eigen::Index i) { return std::optional(rows.gamma[i]); });
  return solver_.compute_accelerations(state.t, state.q, state.v,
                                       {forces.forces.data(), static_cast<size_t>(forces.forces.size())}, workspace,
                                       accelerations, multipliers_);
}

bool SparseConstraints::solve(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                              const ContactForces& forces, Workspace& workspace, ConstraintSolution& solution) {
  const size_t m = set.rows.size();
  solution.accelerations.resize(set.model.tree().velocities);
  has_solved_ = solve_rows(set, state, rows, forces, workspace,
                           {solution.accelerations.data(), static_cast<size_t>(solution.accelerations.size())});
  if (!has_solved_) return false;
  solution.multipliers.resize(static_cast<Eigen::Index>(m));
  for (size_t i = 0; i < m; ++i) {
    const auto [entry, slot] = places_[set.rows[i].index];
    const RowAt& at = rows.all[set.rows[i].index];
    solution.multipliers[static_cast<Eigen::Index>(i)] = multipliers_[entry][slot] / (at.is_wrench ? 1 : at.forces[0].factor);
  }
  solution.analysis.set_independent(m);
  solution.weakest_velocity = solver_.weakest_velocity();
  solution.weakest_ratio = solver_.weakest_ratio();
  solution.friction_determinant = 1;
  solution.friction_split = 0;
  return true;
}

// Of the forces, and lambda d·v of the constraints.
template <class Multiplier>
double SparseConstraints::compute_power(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                        const ContactForces& forces, const Multiplier& multiplier) {
  double power = 0;
  for (Eigen::Index k = 0; k < forces.forces.size(); ++k) power += forces.forces[k] * state.v[k];
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    power += multiplier(i) * (rows.rate[row] + rows.F[row]);
  }
  return power;
}

bool SparseConstraints::compute_motion(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                       const ContactForces& forces, Workspace& workspace, std::span<double> accelerations,
                                       double& power) {
  if (!solve_rows(set, state, rows, forces, workspace, accelerations)) return false;
  power = compute_power(set, state, rows, forces, [&](size_t i) {
    const auto [entry, slot] = places_[set.rows[i].index];
    const RowAt& at = rows.all[set.rows[i].index];
    return multipliers_[entry][slot] / (at.is_wrench ? 1 : at.forces[0].factor);
  });
  return true;
}

double SparseConstraints::compute_power(const ConstraintSet& set, const State& state, const ConstrainedDynamics& solved) {
  return compute_power(set, state, solved.rows, solved.forces,
                       [&](size_t i) { return solved.solution.multipliers[static_cast<Eigen::Index>(i)]; });
}

bool SparseConstraints::compute_velocity_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                Workspace& workspace, std::span<double> change) {
  if (!has_place(set)) return false;
  set_rows(set, rows, [&](Eigen::Index i) { return std::optional(-rows.rate[i]); });
  return solver_.compute_change(state.q, workspace, change);
}

bool SparseConstraints::compute_position_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                Workspace& workspace, std::span<double> change) {
  if (!has_place(set)) return false;
  set_rows(set, rows, [&](Eigen::Index i) { return rows.gap[i] ? std::optional(-*rows.gap[i]) : std::nullopt; });
  return solver_.compute_change(state.q, workspace, change);
}

}  // namespace vinculum
