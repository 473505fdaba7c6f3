// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/applied.h"
#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// How v' of a motion with contacts changes with the state. Columns as in derivatives.h: by q is along a velocity, q' = N(q) e_j.
struct ConstrainedDerivatives {
  Eigen::VectorXd accelerations;
  Eigen::MatrixXd by_q, by_v;
  Eigen::MatrixXd by_tau;                    // of a force on each velocity
  Eigen::MatrixXd D;                         // independent constraints: how their rates D v - F change with v
  Eigen::MatrixXd rate_by_q;                 // and with q
  Eigen::MatrixXd position;                  // constraints that limit the position: position δ = 0
  double largest_gap = 0, largest_rate = 0;  // residuals of all constraints
  int worst_row = -1;                        // of the larger one
  double error = 0;                          // of by_q and by_v beside their largest entry: an estimate, 0 if they are exact
};

// From the equations differentiated as they stand,
//
//   A δv' - Dᵀ δlambda = -δ(A v' + h - tau - Dᵀ lambda) ,   D δv' = -δ(Y')         v' and lambda held on the right
//
// Y = D v - F. The right sides come from the tapes of both (constrained_series.h): on dual numbers, and Y' on dual numbers of
// dual numbers. Exact, redundant constraints or not: reactions that do nothing take no part.
//
// Contacts that have no tape (they are searched for, have laws or friction, hold a rolling body upright) by central differences
// of v' itself with halved steps, extrapolated to none: about 1e-11, and the error is estimated.
class ConstrainedDifferentiator {
 public:
  explicit ConstrainedDifferentiator(const ConstraintSet& set);
  ~ConstrainedDifferentiator();

  bool is_exact() const;

  // Failures of compute_constrained_dynamics; VN-CONTACT-100 at a singular position; VN-RUN-003 where a slope is not finite.
  Outcome<ConstrainedDerivatives> compute(const State& state);
  // With forces from outside, which stay as they are while the mechanism moves. Failure VN-RUN-147 where they do not fit.
  Outcome<ConstrainedDerivatives> compute(const State& state, const Applied& applied);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace vinculum
