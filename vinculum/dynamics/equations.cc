// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/equations.h"

#include <algorithm>

#include "vinculum/dynamics/failures.h"
#include "vinculum/dynamics/force_source.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/memory.h"
#include "vinculum/expression/evaluate.h"
#include "vinculum/math/dense.h"

namespace vinculum {

GivenForces compute_given_forces(const Model& model, const State& state, Workspace& workspace) {
  Workspace::Memory& memory = workspace.memory();
  see_bodies(model, state.q, state.v, memory);
  const Wrench* loads = compute_loads_on_links(model, state.t, state.q, state.v, memory);
  compute_joint_laws(model, state.t, state.q, state.v, memory);

  GivenForces given;
  for (const Body& body : model.bodies()) {
    const Matrix3& R_WL = memory.world[body.link].R;
    const Wrench load = loads ? loads[body.link] : Wrench{};
    given.loads_W.push_back({R_WL * load.force, R_WL * load.moment});
  }
  given.joint_forces = memory.tau;
  Bindings bindings;
  bindings.time = state.t;
  for (const DrivenCoordinate& driven : model.driven())
    given.driven_accelerations.push_back(evaluate(driven.acceleration, bindings));
  return given;
}

void compute_joint_forces(const Model& model, const State& state, Workspace& workspace, std::span<double> tau) {
  Workspace::Memory& memory = workspace.memory();
  compute_joint_laws(model, state.t, state.q, state.v, memory);
  std::copy(memory.tau.begin(), memory.tau.end(), tau.begin());
}

Outcome<ForwardDynamics> solve_equations(const Model& model, const State& state, const Equations& equations,
                                         const GivenForces& given) {
  const Eigen::Index n = equations.mass_matrix.rows();
  const Eigen::VectorXd tau_minus_h = Eigen::Map<const Eigen::VectorXd>(given.joint_forces.data(), n) -
                                      Eigen::Map<const Eigen::VectorXd>(equations.bias.data(), n);

  // Driven: A_ff v'_f = (tau - h)_f - A_fd law'', with the constraints v'_d = law'' kept in their places.
  Eigen::MatrixXd A = equations.mass_matrix;
  Eigen::VectorXd b = tau_minus_h;
  for (size_t k = 0; k < model.driven().size(); ++k) b -= given.driven_accelerations[k] * A.col(model.driven()[k].v);
  for (size_t k = 0; k < model.driven().size(); ++k) {
    const int d = model.driven()[k].v;
    A.row(d).setZero();
    A.col(d).setZero();
    A(d, d) = 1;
    b[d] = given.driven_accelerations[k];
  }

  // The pivots beside A_ii are what is left of the inertia when the velocities before are free to move.
  ForwardDynamics result;
  const Cholesky factor(A);
  for (int i = 0; factor.is_positive() && i < n; ++i) {
    const double ratio = factor.pivot(i) / A(i, i);
    if (ratio >= result.weakest_ratio) continue;
    result.weakest_ratio = ratio;
    result.weakest_velocity = i;
  }
  if (!factor.is_positive() || result.weakest_ratio < kNoInertia)
    return singular_mass_matrix(find_weakest_direction(model, A).text);

  const Eigen::VectorXd vdot = factor.solve(b);
  if (!vdot.allFinite()) return explain_no_value(model, state);
  const Eigen::VectorXd lambda = equations.mass_matrix * vdot - tau_minus_h;
  result.accelerations.assign(vdot.begin(), vdot.end());
  result.joint_forces = given.joint_forces;
  for (const DrivenCoordinate& driven : model.driven()) result.driving_forces.push_back(lambda[driven.v]);
  return result;
}

}  // namespace vinculum
