// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/math/dense.h"

namespace vinculum {

// Redundant constraints share a load in a way that the motion does not determine: Dᵀλ is given, λ is not.
// Friction that depends on λ still needs a definite share. It is that of equally stiff supports, the smallest λ:
//
//   λ = B μ ,  B = Gᵀ(G Gᵀ)⁻¹ ,  G = [1 Xᵀ] ,  D_left = X D_kept           of all λ with  Dᵀλ = D_keptᵀ μ  the smallest |λ|
//
// kept: constraints of a set; left: those it leaves out because they say nothing new (ConstraintSet::leave_out).
class LoadShares {
 public:
  // If no constraint is left out, each carries its own load. The result lives in `scratch`, as long as the frame of the caller.
  LoadShares(const ConstraintSet& set, const ConstraintRows& rows, Scratch& scratch);

  // The load on a constraint, by Row::index, as parts of the multipliers of the set. None: the load is its own multiplier alone,
  // or the constraint does not exist.
  using Parts = Eigen::Map<const Eigen::VectorXd>;
  std::optional<Parts> of(int row) const;

 private:
  std::span<int> index_;  // Row::index of each row of the matrix B
  MatrixMap B_T_;
};

// B of constraints whose dependence is given by an orthonormal Z with DᵀZ = 0, of which `kept` are kept: (1 - Z Zᵀ) on these.
void compute_shares(const Eigen::MatrixXd& Z, std::span<const int> kept, InPlace B);

}  // namespace vinculum
