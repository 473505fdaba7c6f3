// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/sparse_constraints.h"

#include <algorithm>
#include <cmath>

namespace vinculum {

namespace {

// Every three rows of a contact, then the drives: an entry each, in the order of their last links, so that neighbours in the tree
// are neighbours in the list.
struct Entry {
  LoopRows rows;
  int first_row = 0, count = 0;
};

std::vector<Entry> list_entries(const ConstraintSet& set) {
  std::vector<Entry> entries;
  int row = 0;
  for (const Contact& contact : set.contacts) {
    const int end = row + static_cast<int>(contact.forbid.size());
    for (; row < end; row += entries.back().count) {
      Entry entry;
      entry.rows.kind = LoopRows::Kind::wrenches;
      entry.rows.on = contact.link;
      entry.rows.against = contact.carrier_link;
      entry.first_row = row;
      entry.count = std::min(3, end - row);
      entries.push_back(entry);
    }
  }
  for (const DrivenCoordinate& driven : set.model.driven()) {
    Entry entry;
    entry.rows.kind = LoopRows::Kind::drive;
    entry.rows.velocity = driven.v;
    entry.rows.on = driven.link;
    entry.first_row = row++;
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
  for (size_t i = 0; i < entries.size(); ++i) {
    const int end = entries[i].first_row + entries[i].count;
    places_.resize(std::max(places_.size(), static_cast<size_t>(end)));
    for (int k = 0; k < entries[i].count; ++k) places_[entries[i].first_row + k] = {static_cast<int>(i), k};
  }
  multipliers_.resize(entries.size());
}

// target(i): what row i of the set is to answer; none: the row takes no part.
template <class Target>
void SparseConstraints::set_rows(const ConstraintSet& set, const ConstraintRows& rows, const Target& target) {
  for (LoopRows& entry : solver_.rows()) {
    entry.active = {false, false, false};
    entry.target = {};
    for (int k = 0; k < 3; ++k) entry.force.column(k) = entry.moment.column(k) = {};
  }
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const RowLabel& label = set.rows[i];
    const std::optional<double> value = target(static_cast<Eigen::Index>(i));
    if (!value) continue;
    const auto [entry_index, slot] = places_[label.index];
    LoopRows& entry = solver_.rows()[entry_index];
    entry.active[slot] = true;
    entry.target[slot] = *value;
    if (label.contact < 0) continue;
    const ContactState& at = rows.contacts[label.contact];
    const Wrench& wrench = at.axes[static_cast<int>(label.axis)];
    entry.force.column(slot) = wrench.force;
    entry.moment.column(slot) = wrench.moment;
    const auto seen_from = [&](int link) {
      return link == kGround ? at.pole_W : transpose_times(rows.links[link].R, at.pole_W - rows.links[link].p);
    };
    entry.p_on = seen_from(entry.on);
    entry.p_against = seen_from(entry.against);
  }
}

bool SparseConstraints::solve_rows(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                   const ContactForces& forces, Workspace& workspace, std::span<double> accelerations) {
  if (forces.coupling.cols() > 0) return false;
  set_rows(set, rows, [&](Eigen::Index i) { return std::optional(rows.gamma[i]); });
  return solver_.compute_accelerations(state.t, state.q, state.v,
                                       {forces.forces.data(), static_cast<size_t>(forces.forces.size())}, workspace,
                                       accelerations, multipliers_);
}

bool SparseConstraints::solve(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                              const ContactForces& forces, Workspace& workspace, ConstraintSolution& solution) {
  const size_t m = set.rows.size();
  solution.accelerations.resize(set.model.tree().velocities);
  if (!solve_rows(set, state, rows, forces, workspace,
                  {solution.accelerations.data(), static_cast<size_t>(solution.accelerations.size())}))
    return false;
  solution.multipliers.resize(static_cast<Eigen::Index>(m));
  for (size_t i = 0; i < m; ++i) {
    const auto [entry, slot] = places_[set.rows[i].index];
    solution.multipliers[static_cast<Eigen::Index>(i)] = multipliers_[entry][slot];
  }
  solution.analysis = {};
  solution.analysis.rank = static_cast<int>(m);
  solution.analysis.determinate.assign(m, true);
  for (size_t i = 0; i < m; ++i) solution.analysis.order.push_back(static_cast<int>(i));
  solution.weakest_velocity = solver_.weakest_velocity();
  solution.weakest_ratio = solver_.weakest_ratio();
  return true;
}

bool SparseConstraints::compute_motion(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                       const ContactForces& forces, Workspace& workspace, std::span<double> accelerations,
                                       double& power) {
  if (!solve_rows(set, state, rows, forces, workspace, accelerations)) return false;
  power = 0;
  for (Eigen::Index k = 0; k < forces.forces.size(); ++k) power += forces.forces[k] * state.v[k];
  for (size_t i = 0; i < set.rows.size(); ++i) {
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    const auto [entry, slot] = places_[set.rows[i].index];
    power += multipliers_[entry][slot] * (rows.rate[row] + rows.F[row]);  // lambda d·v
  }
  return true;
}

bool SparseConstraints::compute_velocity_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                Workspace& workspace, std::span<double> change) {
  set_rows(set, rows, [&](Eigen::Index i) { return std::optional(-rows.rate[i]); });
  return solver_.compute_change(state.q, workspace, change);
}

bool SparseConstraints::compute_position_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                                                Workspace& workspace, std::span<double> change) {
  set_rows(set, rows, [&](Eigen::Index i) { return rows.gap[i] ? std::optional(-*rows.gap[i]) : std::nullopt; });
  return solver_.compute_change(state.q, workspace, change);
}

}  // namespace vinculum
