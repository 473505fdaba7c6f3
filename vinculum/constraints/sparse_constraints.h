// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/dynamics/loops.h"

namespace vinculum {

// The rows of a model by the structure of its tree (dynamics/loops.h), three of a contact together: the quick way to what
// solve_constraints finds by dense matrices. Where there is no quick way every function says so by false, and the dense one
// answers, or tells what is the matter: rows that depend on each other, friction that hangs on a multiplier, a singular mass
// matrix.
//
// Compiled once for all contacts; those that have let go (ConstraintSet::hold) are passed over. One for each thread.
class SparseConstraints {
 public:
  explicit SparseConstraints(const ConstraintSet& set);

  // The solution of the rows and forces at a state; of `rows` neither D nor `felt` is used.
  bool solve(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const ContactForces& forces,
             Workspace& workspace, ConstraintSolution& solution);

  // v' alone, and the power of what contacts and drives do. Also with rows that depend on each other, once `leave_out` knows
  // them.
  bool compute_motion(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const ContactForces& forces,
                      Workspace& workspace, std::span<double> accelerations, double& power);

  // The smallest change of v, in the sense of kinetic energy, with D change = -rate; or, for positions, with D change = -gap in
  // the rows that have a gap.
  bool compute_velocity_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows, Workspace& workspace,
                               std::span<double> change);
  bool compute_position_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows, Workspace& workspace,
                               std::span<double> change);

  // Redundant rows say nothing new where they agree with the others; compute_motion makes sure that they still do.
  void leave_out(const ConstraintSet& set, const RowAnalysis& analysis);

  // Which rows are left out, by RowLabel::index: the results depend on it in their last bits.
  const std::vector<bool>& left_out() const { return left_out_; }
  void leave_out(const std::vector<bool>& rows) { left_out_ = rows; }

 private:
  template <class Target>
  void set_rows(const ConstraintSet& set, const ConstraintRows& rows, const Target& target);
  bool solve_rows(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const ContactForces& forces,
                  Workspace& workspace, std::span<double> accelerations);
  bool agrees(const ConstraintSet& set, const ConstraintRows& rows, int row, std::span<const double> accelerations) const;

  struct Place {
    int entry = 0, slot = 0;
  };
  std::vector<Place> places_;   // by RowLabel::index
  std::vector<bool> left_out_;  // by RowLabel::index
  LoopSolver solver_;
  std::vector<Vector3> multipliers_;
};

}  // namespace vinculum
