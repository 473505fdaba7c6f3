// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/constrained_forms.h"

#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/vector_form.h"

namespace vinculum {

namespace {

// The given forces and what the constraints and their laws do on the bodies, world axes, about the origins.
GivenForces with_reactions(const ConstraintSet& set, const ConstrainedDynamics& dynamics, GivenForces given) {
  const std::vector<Body>& bodies = set.model.bodies();
  const auto push = [&](int body, const Vector3& point, const Wrench& wrench, double sign) {
    if (body == kWorld) return;
    const Vector3 r = point - dynamics.rows.links[bodies[body].link].p;
    given.loads_W[body] += Wrench{sign * wrench.force, sign * (wrench.moment + cross(r, wrench.force))};
  };
  const auto act = [&](const RowAt& at, double strength) {
    if (!at.is_wrench) return;
    push(at.on, at.point_W, at.wrench_W, strength);
    push(at.against, at.point_W, at.wrench_W, -strength);
  };
  for (size_t i = 0; i < set.rows.size(); ++i)
    act(dynamics.rows.all[set.rows[i].index], dynamics.solution.multipliers[static_cast<Eigen::Index>(i)]);
  for (const ContactForces::Law& law : dynamics.forces.laws) {
    const Contact& contact = set.model.contacts()[law.contact];
    const ContactState& at = dynamics.rows.contacts[law.contact];
    const Wrench& unit = at.axes[static_cast<int>(law.axis)];
    push(contact.body, at.pole_W, unit, law.force);
    if (contact.with.on == Anchor::On::body) push(contact.with.index, at.pole_W, unit, -law.force);
  }
  return given;
}

}  // namespace

Outcome<ConstrainedDynamics> compute_constrained_vector_dynamics(const ConstraintSet& set, const State& state,
                                                                 ConstraintRows rows, Workspace& workspace) {
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  const Equations equations = compute_vector_equations(set.model, state, given);
  auto dynamics = compute_constrained_dynamics(set, state, std::move(rows), equations, workspace);
  if (!dynamics) return dynamics;
  const VectorForm form =
      compute_vector_form(set.model, state, dynamics->dynamics.accelerations, with_reactions(set, *dynamics, given));
  for (size_t i = 0; i < set.model.bodies().size(); ++i)
    dynamics->dynamics.reactions_W[i] = form.joint_wrenches_W[set.model.bodies()[i].link];
  return dynamics;
}

Outcome<ConstrainedDynamics> compute_constrained_aggregate_dynamics(const ConstraintSet& set, const State& state,
                                                                    ConstraintRows rows, Workspace& workspace) {
  const GivenForces given = compute_given_forces(set.model, state, workspace);
  const AggregateForm form = compute_aggregate_form(set.model, state, given);
  rows.D = rows_by_structural_matrix(set, rows, form);
  auto dynamics = compute_constrained_dynamics(set, state, std::move(rows), form.equations(), workspace);
  if (!dynamics) return dynamics;
  const AggregateForm with_rows = compute_aggregate_form(set.model, state, with_reactions(set, *dynamics, given));
  dynamics->dynamics.reactions_W = compute_inverse_dynamics(set.model, with_rows, dynamics->dynamics.accelerations).reactions_W;
  return dynamics;
}

}  // namespace vinculum
