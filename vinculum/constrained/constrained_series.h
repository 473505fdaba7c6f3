// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "vinculum/constraints/constraint_rows.h"
#include "vinculum/dynamics/workspace.h"
#include "vinculum/math/tape.h"
#include "vinculum/series/series.h"

namespace vinculum {

// Power series of a motion with contacts and loops. At order n the equations
//
//   A v' + h = tau + Dᵀ lambda ,  Y = D v - F = 0                                        theory 2, section 10, last row
//
// are linear in v'_n and lambda_n, with the matrices of order 0 at every order: residuals with v'_n = lambda_n = 0 come from
// tapes, and constraints are differentiated by their own series, never by hand: Y_{n+1} = 0, v_{n+1} = v'_n/(n+1).
//
// y = (q, v) and, if asked for, the work of all that has no potential, contacts and drives included.
class ConstrainedSeries {
 public:
  ConstrainedSeries(const ConstraintSet& set, bool counts_work, int highest_order);
  ~ConstrainedSeries();
  ConstrainedSeries(ConstrainedSeries&&) noexcept;

  int dimension() const;

  // Coefficients 0..order of y, order after order. False where there are none. Driven coordinates start on their law.
  bool compute(double t, std::span<const double> y, int order, std::span<double> coefficients);

  // As MotionSeries::find_branch.
  double find_branch(double reach) const;

  // Of the last computation, orders below the highest: of a row of the set; through the joint of a link, link axes, about the
  // origin.
  double multiplier(int row, int order) const;
  Wrench wrench(int link, int order) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

// The equations on tapes, for all that is differentiated (constrained_derivatives.h). Inputs t, q, v.
// Outputs: of each constraint Y = D v - F, of each constraint F, then q'.
Tape trace_constraint_rows(const ConstraintSet& set);
// Inputs continue with v' and a multiplier each constraint; outputs as trace_motion has them: first A v' + h - tau - Dᵀ lambda.
Tape trace_constrained_motion(const ConstraintSet& set);

// Contacts that have no tape, as a refusal: VN-RUN-015.
std::optional<Failure> check_traced_rows(const ConstraintSet& set);

// What of a model has no power series: as check_analytic, and VN-RUN-015 for contacts that a search must find (wheels and spheres
// on curved surfaces), that follow a path, have laws, or forbid rotations of a rolling body.
std::optional<Failure> check_series(const ConstraintSet& set);

// As compute_motion_coefficients, for models with contacts.
Outcome<MotionCoefficients> compute_motion_coefficients(const ConstraintSet& set, const State& state, int order);

}  // namespace vinculum
