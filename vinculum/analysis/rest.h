// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/derivatives.h"

namespace vinculum {

// The equations near a state of rest that obeys its contacts: small departures δ = G η that the constraints allow,
//
//   mass η'' + damping η' + stiffness η = force + Gᵀ δtau ,      D G = 0
//
//   mass = GᵀAG ,  damping = -Gᵀ ∂f/∂v G ,  stiffness = -Gᵀ (∂f/∂q + H) G ,  force = Gᵀ f ,  f = tau - h
//
// H δ = ∂(Dᵀ lambda)/∂q δ with the reactions of A v' = f + Dᵀ lambda: bending of the constraints. gamma = -∂²g(v, v) is a form of
// second order in v, so H comes from it by polarisation, and ½ (Dᵀ lambda) × δ for balls, whose turns do not commute. Everything
// is exact.
struct RestEquations {
  std::vector<int> independent;  // the velocities η are departures along
  Eigen::MatrixXd G;
  Eigen::MatrixXd mass, damping, stiffness;
  Eigen::VectorXd force;
  Eigen::VectorXd accelerations;  // mass⁻¹ force: zero in equilibrium
  double largest_free = 0;        // the largest acceleration without contacts: what they hold

  // To a departure of 1e-10, and 1e-12 of the largest acceleration that a departure of 1 brings or that the contacts hold.
  bool is_equilibrium() const;
};

// Failures of compute_constraint_rows and compute_forward_derivatives. VN-LINEAR-001 for
// constraints that limit no position (rolling), and for contacts with laws, friction or given
// motion. VN-LINEAR-002 if a driven coordinate moves, -130 if the ground of a spring does.
Outcome<RestEquations> compute_rest_equations(const ConstraintSet& set, const State& state, DerivativesWorkspace& workspace);

}  // namespace vinculum
