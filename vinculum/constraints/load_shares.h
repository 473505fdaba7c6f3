// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"

namespace vinculum {

// Redundant rows share a load in a way that the motion does not determine: Dᵀλ is given, λ is not. Friction that hangs on λ needs
// a definite share all the same. Taken is that of supports which are all equally stiff, the smallest λ:
//
//   λ = B μ ,  B = Gᵀ(G Gᵀ)⁻¹ ,  G = [1 Xᵀ] ,  D_left = X D_kept           of all λ with  Dᵀλ = D_keptᵀ μ  the smallest |λ|
//
// kept: rows of a set; left: those it leaves out because they say nothing new (ConstraintSet::leave_out).
class LoadShares {
 public:
  // Without left rows every row carries its own.
  LoadShares(const ConstraintSet& set, const ConstraintRows& rows);

  // The load on a row, by Row::index, as parts of the multipliers of the set's rows; none: it is its own multiplier alone, or the
  // row is not there.
  std::optional<Eigen::VectorXd> of(int row) const;

 private:
  std::vector<int> index_;  // Row::index of each row of B
  Eigen::MatrixXd B_;
};

// B of rows whose dependence is known by an orthonormal Z with DᵀZ = 0, kept those of `kept`: (1 - Z Zᵀ) on these.
Eigen::MatrixXd compute_shares(const Eigen::MatrixXd& Z, const std::vector<int>& kept);

}  // namespace vinculum
