// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/realization/slip_system.h"

namespace vinculum {

// How the slips are completed to as many quasi-velocities pi' = F v = (phi', psi') as there are velocities.
//
//   Z: J Z = 0 , Z_d = -J_d⁻¹J_i , Z_i = 1 ;  d: the first columns that pivots choose, i: the others, ascending
//   partition: phi' are the velocities i;  orthogonal: phi' = Zᵀ v;  mass: phi' = Zᵀ M v
enum class Completion { partition, orthogonal, mass };

// The same system in quasi-velocities, after Appell: the cross-check of slip_system.h.                  theory 3, section 2
//
//   u = BᵀMB , B = F⁻¹ ;  u pi'' = Pi + S + (0, R) ,  Pi + S = Bᵀf + u (F'v + f0')
//   r = u_psiphi phi'' - (Pi + S)_psi ,  phi'' = u_phiphi⁻¹ (Pi + S)_phi           at psi' = 0; (4.9), (4.10)
//   sigma = u_psipsi - u_psiphi u_phiphi⁻¹ u_phipsi
//
// F_phi' has no part in r: it is left out. With permanent rows all this on the velocities they leave, those that the same pivots
// keep. Constraints are independent: VN-REALIZE-007 where they are so by inertia, but every choice of d is singular to round-off.
struct AppellForm {
  std::vector<int> kept;  // velocities i
  Eigen::MatrixXd u;      // phi' first, then the constraints
  Eigen::VectorXd reactions;
  Eigen::MatrixXd sigma;
};
Outcome<AppellForm> compute_appell_form(const SlipState& at, Completion completion);

}  // namespace vinculum
