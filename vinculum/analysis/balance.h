// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "vinculum/analysis/gears.h"

namespace vinculum {

// What a mechanism can be asked to be, in every position (theory 2, section 7). With gears, v = G u:
enum class BalanceProperty {
  static_balance,        // gravity and springs need no drive:  Gᵀ tau(q) = 0 at rest
  force,                 // no shaking force:  P = 0
  constant_mass_matrix,  // Gᵀ A(q) G is the same everywhere
  decoupled,             // Gᵀ A(q) G is diagonal
  reactionless,          // no shaking force and no shaking moment:  P = 0, L = 0
};

// Gravity, mass matrix and momentum are linear in the inertial parameters π of the bodies (derivatives.h), and in the
// stiffnesses of springs. So a property required everywhere is a homogeneous linear system
//
//   C π = 0
//
// found from matrix rows at random positions, as many as make the rank certain, and reduced to canonical form. Each
// condition is solved for one parameter: inertias before static moments before masses, from the tips to the root.
struct BalanceConditions {
  std::vector<std::string> parameters;  // BODY.m sx sy sz Jxx Jyy Jzz Jxy Jxz Jyz of each body; SPRING.k for static balance
  Eigen::VectorXd present;              // π of the model
  Eigen::VectorXd size;                 // what counts as large: total mass, by lengths of the mechanism
  Eigen::MatrixXd C;
  std::vector<int> pivots;         // the parameter each condition is solved for
  std::vector<std::string> texts;  // "arm.sx + 0.5*hand.m = 0"
  Eigen::VectorXd values;          // C π
  std::vector<bool> holds;         // to 1e-9 of what is large
  std::vector<bool> impossible;    // a sum of masses and moments of inertia that are there: no design makes it zero
  double kept = 1, dropped = 0;    // how sure the rank is, see ReducedRows

  int rank() const { return static_cast<int>(texts.size()); }
};

// Failures VN-BALANCE-002 (a closed loop, a string, a guide), -003 (the rank is not clear).
Outcome<BalanceConditions> find_balance_conditions(const Model& model, BalanceProperty property, const Gears& gears);

// How far a mechanism is from each property: the largest value in random motions with
// rates up to 2π rad/s and accelerations up to (2π)² rad/s². It is computed from the laws
// of motion, not from the conditions. Displacements count in lengths of the mechanism.
struct BalanceMeasures {
  double holding = 0;           // [N, N*m] what drives must supply at rest
  double shaking_force = 0;     // [N] on the ground, weight apart
  double shaking_moment = 0;    // [N*m] about the world origin, weight apart
  double variation = 0;         // of an entry of the mass matrix
  double coupling = 0;          // an entry off the diagonal
  std::vector<double> inertia;  // seen by each independent drive at the start
};
BalanceMeasures measure_balance(const Model& model, const Gears& gears);

// A length of the mechanism: its farthest joint from its base, mass centre, or radius of gyration; 1 if there is none.
double length_of(const Model& model);

}  // namespace vinculum
