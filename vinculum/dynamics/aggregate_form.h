// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "vinculum/dynamics/equations.h"
#include "vinculum/dynamics/inverse.h"

namespace vinculum {

// The aggregate form of the dynamics of trees, literally as in theory 1, section 3: for reading beside the formulas and for
// checking the fast form. Everything of body k in its own axes about its origin; twists and screws are six-columns, linear part
// first.
//
//   V = Sᵀ v                                   twists of all bodies, one below the other; S: the structural matrix
//   A_k V_k' + B_k V_k = screw_k               each body
//   A v' + B v = S (T + H) + u
//   A = S diag(A_k) Sᵀ ,   B = S diag(B_k) Sᵀ + S diag(A_k) (Sᵀ)'
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// A body of the user.
struct AggregateBody {
  Matrix3 R_WB = kIdentity3;
  Matrix6 X = Matrix6::Identity();  // transport: V_k = X V_parent + Phi_k v_k
  Matrix6 A;                        // [m 1, -m<c>; m<c>, J_o]
  Matrix6 B;                        // [m<w>, -m<w><c>; m<c><w>, <w>J_o + J_o<w>]: skew, so that A' - 2B is
  Vector6 V;                        // twist
  Vector6 T;                        // screw of gravity (m g; c × m g)
  Vector6 H;                        // of the other given forces
};

struct AggregateForm {
  std::vector<AggregateBody> bodies;
  Eigen::MatrixXd S_T, S_T_dot;  // Sᵀ and its derivative: six matrix rows per body, in the order of the model
  Eigen::MatrixXd A, B;
  Eigen::VectorXd v;
  Eigen::VectorXd S_screws;  // S (T + H)

  Equations equations() const;  // A and h = B v - S (T + H)
};

AggregateForm compute_aggregate_form(const Model& model, const State& state, const GivenForces& given);

// The inverse problem: V' = Sᵀ v' + (Sᵀ)' v; what A_k V_k' + B_k V_k asks for beyond the given screws comes through the joint,
// and is handed inward by Xᵀ.
InverseDynamics compute_inverse_dynamics(const Model& model, const AggregateForm& form, std::span<const double> accelerations);

Outcome<ForwardDynamics> compute_aggregate_dynamics(const Model& model, const State& state, Workspace& workspace);

}  // namespace vinculum
