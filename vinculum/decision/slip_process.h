// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <Eigen/Core>

#include "vinculum/model/impact_law.h"

namespace vinculum {

// One contact that is struck, one or two tangential rows and then the normal:                              theory 7, section 4
//
//   W = [W_tt W_tn; W_nt W_nn] ,  rates (s, c) before, c < 0
struct StruckContact {
  Eigen::MatrixXd W;
  Eigen::VectorXd rates;
  double friction = 0;
};

// The impulses (tangential, normal) of a contact whose friction follows the slip during the impact. The normal impulse p is the
// clock:
//
//   ds/dp = W_tt k + W_tn ,  dc/dp = W_nt k + W_nn ,  k = -mu s/|s|
//   s = 0:  it sticks with k = -W_tt⁻¹W_tn if |k| ≤ mu, else slips on:  k = -mu e , W_tn - mu W_tt e = a e , a > 0
//
// It ends at p = (1 + e) p_c (poisson), or where the work of expansion is e² of that of compression (energetic). A single
// tangential row has straight pieces; with two the slip turns, and is integrated with ln|s| and its angle over dp/|s|. Newton's
// law has no such process. None: compression has no end (friction drives the bodies together), or the gap closes again before the
// end.
std::optional<Eigen::VectorXd> follow_slip_of_impact(const StruckContact& contact, const ImpactLaw& law);

}  // namespace vinculum
