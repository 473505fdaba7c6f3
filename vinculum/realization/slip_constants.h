// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/realization/slip_system.h"

namespace vinculum {

// How fast slip energy G = ½ psi'ᵀ sigma psi' can grow by itself, at a state without slip.                 theory 3, section 5.1
//
//   G' = psi'.(R - r) + X ,   X = ½ psi'ᵀ sigma' psi' + psi'.[w(psi') - w(0)] <= A G + B G^{3/2} ,  w = sigma b
//   rho1² |psi'|² <= G <= rho2² |psi'|²
//
// at q, v_par, t fixed and v = v_par + P Jᵀ sigma psi', also in sigma'. With psi' = L⁻ᵀy, L Lᵀ = sigma/2, is G = |y|²; forces at
// most quadratic in the velocities make the even part of X a quadratic form, A its largest eigenvalue, and the odd part a cubic
// one, B its largest value on the unit sphere: exact for one or two rows, for more the norm of its coefficients, which is never
// less. Other forces: A is the largest X/G found on spheres of several radii, `sampled`.
struct SlipConstants {
  double rho1 = 0, rho2 = 0;
  double A = 0, B = 0;
  Eigen::VectorXd inertia;  // sigma_ii
  Eigen::VectorXd r;        // reactions
  bool sampled = false;
};

// Of a state without slip; constraints are independent. Failures of SlipSystem::compute.
Outcome<SlipConstants> compute_slip_constants(SlipSystem& system, const State& state);

// X at a slip psi' beside a state without.
Outcome<double> compute_slip_growth(SlipSystem& system, const State& state, const SlipState& at, const Eigen::VectorXd& slip);

}  // namespace vinculum
