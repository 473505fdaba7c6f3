// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/constraint_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/loop_rows.h"
#include "vinculum/expression/evaluate.h"

namespace vinculum {

namespace {

bool needs_angular_axes(const Contact& contact) {
  return std::any_of(contact.forbid.begin(), contact.forbid.end(), is_angular) ||
         std::any_of(contact.laws.begin(), contact.laws.end(), [](const auto& law) { return is_angular(law.first); });
}

}  // namespace

ConstraintSet::ConstraintSet(const Model& constrained) : model(constrained) {
  for (const ContactDescription& words : model.description().contacts) contacts.push_back(compile_contact(model, words));
  size_t all = model.driven().size();
  for (const Contact& contact : contacts) all += contact.forbid.size();
  holding.assign(contacts.size(), true);
  left_out.assign(all, false);
  list_rows();
}

void ConstraintSet::hold(const std::vector<bool>& contacts_that_hold) {
  holding = contacts_that_hold;
  list_rows();
}

void ConstraintSet::leave_out(const std::vector<bool>& redundant_rows) {
  left_out = redundant_rows;
  list_rows();
}

void ConstraintSet::list_rows() {
  rows.clear();
  int index = 0;
  const auto add = [&](bool holds, const std::string& name, int contact, ContactAxis axis, int driven) {
    if (holds && !left_out[index]) rows.push_back({name, contact, axis, driven, index});
    ++index;
  };
  for (size_t k = 0; k < contacts.size(); ++k) {
    for (ContactAxis axis : contacts[k].forbid) add(holding[k], contacts[k].row_name(axis), static_cast<int>(k), axis, -1);
  }
  for (size_t k = 0; k < model.driven().size(); ++k) {
    const std::string name = "motion:" + model.coordinate_names()[model.driven()[k].q];
    add(true, name, -1, ContactAxis::normal, static_cast<int>(k));
  }
}

std::optional<int> ConstraintSet::find_row(int contact, ContactAxis axis) const {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const RowLabel& label) { return label.contact == contact && label.axis == axis; });
  return found == rows.end() ? std::nullopt : std::optional(static_cast<int>(found - rows.begin()));
}

AxisRow compute_axis_row(const ConstraintSet& set, const ConstraintRows& rows, int contact, ContactAxis axis) {
  AxisRow result{Eigen::VectorXd::Zero(set.model.tree().velocities)};
  const ContactState& state = rows.contacts[contact];
  const double squares =
      add_wrench_row(set.model, rows.links, set.contacts[contact].link, set.contacts[contact].carrier_link, state.pole_W,
                     state.axes[static_cast<int>(axis)], {result.row.data(), static_cast<size_t>(result.row.size())});
  if (squares > 0) result.felt = std::sqrt(result.row.squaredNorm() / squares);
  if (result.felt > kNotFelt) return result;
  return {Eigen::VectorXd::Zero(set.model.tree().velocities), 0};
}

Outcome<ConstraintRows> compute_row_values(const ConstraintSet& set, const State& state) {
  const Eigen::Index m = static_cast<Eigen::Index>(set.rows.size());
  ConstraintRows rows;
  rows.links = compute_tree_motion(set.model, state);
  rows.contacts.reserve(set.contacts.size());
  for (size_t k = 0; k < set.contacts.size(); ++k) {
    const Contact& contact = set.contacts[k];
    auto at = compute_contact_state(set.model, contact, state.t, rows.links, needs_angular_axes(contact));
    if (!at && set.holding[k]) return at.failure();
    rows.contacts.push_back(at ? std::move(*at) : compute_distant_state(set.model, contact, state.t, rows.links));
  }

  rows.F.resize(m);
  rows.gamma.resize(m);
  rows.rate.resize(m);
  rows.gap.resize(set.rows.size());
  Bindings bindings;
  bindings.time = state.t;
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowLabel& label = set.rows[i];
    if (label.driven >= 0) {
      // v_i = law'
      const DrivenCoordinate& driven = set.model.driven()[label.driven];
      rows.F[i] = evaluate(driven.rate, bindings);
      rows.gamma[i] = evaluate(driven.acceleration, bindings);
      rows.rate[i] = state.v[driven.v] - rows.F[i];
      rows.gap[i] = state.q[driven.q] - evaluate(driven.law, bindings);
      continue;
    }
    const ContactState& at = rows.contacts[label.contact];
    const int a = static_cast<int>(label.axis);
    rows.F[i] = at.given[a];
    rows.gamma[i] = at.gamma[a];
    rows.rate[i] = at.rate[a];
    rows.gap[i] = at.gap[a];
  }
  if (!rows.F.allFinite() || !rows.gamma.allFinite() || !rows.rate.allFinite()) return no_finite_value(state.t);
  return rows;
}

void fill_jacobian(const ConstraintSet& set, ConstraintRows& rows) {
  const Eigen::Index m = static_cast<Eigen::Index>(set.rows.size());
  rows.D = Eigen::MatrixXd::Zero(m, set.model.tree().velocities);
  rows.felt.setOnes(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const RowLabel& label = set.rows[i];
    if (label.driven >= 0) {
      rows.D(i, set.model.driven()[label.driven].v) = 1;
      continue;
    }
    const AxisRow axis = compute_axis_row(set, rows, label.contact, label.axis);
    rows.D.row(i) = axis.row;
    rows.felt[i] = axis.felt;
  }
}

Outcome<ConstraintRows> compute_constraint_rows(const ConstraintSet& set, const State& state) {
  Outcome<ConstraintRows> rows = compute_row_values(set, state);
  if (!rows) return rows;
  fill_jacobian(set, *rows);
  if (!rows->D.allFinite()) return no_finite_value(state.t);
  return rows;
}

ContactForces compute_contact_forces(const ConstraintSet& set, const ConstraintRows& rows) {
  ContactForces result;
  const Eigen::Index n = set.model.tree().velocities;
  result.forces = Eigen::VectorXd::Zero(n);

  for (size_t k = 0; k < set.contacts.size(); ++k) {
    const Contact& contact = set.contacts[k];
    const ContactState& at = rows.contacts[k];
    const int index = static_cast<int>(k);
    std::array<double, 6> forces{};
    for (const auto& [axis, law] : contact.laws) {
      const int a = static_cast<int>(axis);
      if (set.holding[k]) forces[a] = -law.stiffness * at.gap[a].value_or(0) - law.viscous * at.rate[a];
    }

    // Friction against the slip on the allowed tangential axes: per unit of the normal force -mu tanh(|Y|/v0) Y/|Y|.
    std::array<double, 6> per_normal{};
    const int normal = set.find_row(index, ContactAxis::normal).value_or(-1);
    if (contact.sliding_friction) {
      const auto [mu, v0] = *contact.sliding_friction;
      double squares = 0;
      for (ContactAxis axis : {ContactAxis::lateral, ContactAxis::forward}) {
        if (!contact.forbids(axis)) squares += at.rate[static_cast<int>(axis)] * at.rate[static_cast<int>(axis)];
      }
      const double speed = std::sqrt(squares), factor = speed > 0 ? std::tanh(speed / v0) / speed : 1 / v0;
      for (ContactAxis axis : {ContactAxis::lateral, ContactAxis::forward}) {
        const int a = static_cast<int>(axis);
        if (contact.forbids(axis)) continue;
        per_normal[a] = -mu * factor * at.rate[a];
        if (normal < 0) forces[a] += per_normal[a] * std::max(forces[0], 0.0);
      }
    }

    for (ContactAxis axis : kContactAxes) {
      if (!contact.has_law(axis)) continue;
      const int a = static_cast<int>(axis);
      const Eigen::VectorXd row = compute_axis_row(set, rows, index, axis).row;
      const bool coupled = contact.rubs(axis) && normal >= 0;
      result.forces += forces[a] * row;
      if (coupled) {
        if (result.coupling.cols() == 0) result.coupling = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(set.rows.size()));
        result.coupling.col(normal) += per_normal[a] * row;
      }
      result.laws.push_back({contact.row_name(axis), index, axis, forces[a], coupled ? per_normal[a] : 0, coupled ? normal : -1});
    }
  }
  return result;
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

std::optional<Failure> check_residuals(const std::vector<RowResidual>& residuals, double allowed) {
  std::string list;
  size_t count = 0;
  constexpr size_t kMost = 6;
  for (const RowResidual& residual : residuals) {
    const double position = std::abs(residual.position.value_or(0)), velocity = std::abs(residual.velocity);
    if (position <= allowed && velocity <= allowed) continue;
    if (++count > kMost) continue;
    list += fmt::format("{}{}", list.empty() ? "" : "; ", residual.row);
    if (position > allowed) list += fmt::format(" by {:.4g} in position", *residual.position);
    if (velocity > allowed) list += fmt::format("{} by {:.4g} in velocity", position > allowed ? " and" : "", residual.velocity);
  }
  if (count == 0) return std::nullopt;
  if (count > kMost) list += fmt::format("; and {} more rows", count - kMost);
  return Failure{
      "VN-RUN-004", fmt::format("the state violates the constraints: {} (allowed {:g})", list, allowed),
      "`simulate` and `evaluate` move the state onto the constraints by --project and show the change; or correct `initial`"};
}

std::optional<Failure> check_state(const Model& model, const State& state, double allowed) {
  const ConstraintSet set(model);
  const auto rows = compute_constraint_rows(set, state);
  return rows ? check_residuals(list_residuals(set, *rows), allowed) : rows.failure();
}

}  // namespace vinculum
