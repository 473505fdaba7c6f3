// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"

namespace vinculum {

// Redundant constraints share a load in a way that the motion does not determine: Dᵀλ is given, λ is not.
// Friction that depends on λ still needs a definite share. It is that of equally stiff supports, the smallest λ:
//
//   λ = B μ ,  B = Gᵀ(G Gᵀ)⁻¹ ,  G = [1 Xᵀ] ,  D_left = X D_kept           of all λ with  Dᵀλ = D_keptᵀ μ  the smallest |λ|
//
// kept: constraints of a set; left: those it leaves out because they say nothing new (ConstraintSet::leave_out).
class LoadShares {
 public:
  // Without left constraints every constraint carries its own.
  LoadShares(const ConstraintSet& set, const ConstraintRows& rows);

  // The load on a constraint, by Row::index, as parts of the multipliers of the set's constraints; none: it is its own multiplier
  // alone, or the constraint is not there.
  std::optional<Eigen::VectorXd> of(int row) const;

 private:
  std::vector<int> index_;  // Row::index of each constraint of B
  Eigen::MatrixXd B_;
};

// B of constraints whose dependence is known by an orthonormal Z with DᵀZ = 0, kept those of `kept`: (1 - Z Zᵀ) on these.
Eigen::MatrixXd compute_shares(const Eigen::MatrixXd& Z, const std::vector<int>& kept);

}  // namespace vinculum
