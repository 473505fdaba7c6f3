// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/constraints/dense_constraints.h"
#include "vinculum/dynamics/loops.h"

namespace vinculum {

// Solves the constraints of a model by the structure of its tree (dynamics/loops.h), three of a contact
// together: the fast alternative to the dense solve_constraints. If it does not apply, every function
// returns false, and the dense one answers or gives the reason. Reasons are dependent constraints, friction
// that depends on a multiplier, a singular mass matrix, or constraints on several velocities at once.
//
// Compiled once for all constraints; those that are not there (ConstraintSet::hold) and constraints left out are passed over. One
// for each thread.
class SparseConstraints {
 public:
  explicit SparseConstraints(const ConstraintSet& set);

  // The solution of the constraints and forces at a state; of `rows` neither D nor `felt` is used.
  bool solve(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const ContactForces& forces,
             Workspace& workspace, ConstraintSolution& solution);

  // v' alone, and the power of what contacts and drives do.
  bool compute_motion(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const ContactForces& forces,
                      Workspace& workspace, std::span<double> accelerations, double& power);

  // The same power, of a solution that `solve` found.
  static double compute_power(const ConstraintSet& set, const State& state, const ConstrainedDynamics& solved);

  // The smallest change of v, in the sense of kinetic energy, with D change = -rate; or, for positions, with D change = -gap in
  // the constraints that have a gap.
  bool compute_velocity_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows, Workspace& workspace,
                               std::span<double> change);
  bool compute_position_change(const ConstraintSet& set, const State& state, const ConstraintRows& rows, Workspace& workspace,
                               std::span<double> change);

  bool has_place(const ConstraintSet& set) const;  // for all its constraints; else none of this is done

  // The last `solve` found the solution.
  bool has_solved() const { return has_solved_; }

  // How far the constraints of the last call are from depending on each other, as in LoopSolver.
  double regularity() const { return solver_.regularity(); }

  // Memory for whoever computes what is solved here, so that it is asked for once.
  ConstraintRows& rows_memory() { return rows_; }
  ContactForces& forces_memory() { return forces_; }
  std::vector<double>& change_memory() { return change_; }
  DenseConstraints& dense_memory() { return dense_; }  // where there is no quick way

 private:
  template <class Multiplier>
  static double compute_power(const ConstraintSet& set, const State& state, const ConstraintRows& rows,
                              const ContactForces& forces, const Multiplier& multiplier);
  template <class Target>
  void set_rows(const ConstraintSet& set, const ConstraintRows& rows, const Target& target);
  bool solve_rows(const ConstraintSet& set, const State& state, const ConstraintRows& rows, const ContactForces& forces,
                  Workspace& workspace, std::span<double> accelerations);

  struct Place {
    int entry = 0, slot = 0;
  };
  std::vector<Place> places_;  // by Row::index; entry -1: none
  LoopSolver solver_;
  std::vector<Vector3> multipliers_;
  ConstraintRows rows_;
  ContactForces forces_;
  std::vector<double> change_;
  DenseConstraints dense_;
  bool has_solved_ = false;
};

}  // namespace vinculum
