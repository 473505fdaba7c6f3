// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vinculum/constraints/constrained_dynamics.h"

namespace vinculum {

// The velocities that drives act on, if nobody says: those with a given motion; if there are none, those with a `joint:` law that
// is not passive; else every joint of one degree.
std::vector<int> choose_drives(const Model& model);

// The rows that hold while the drives make the motion: those of the contacts, and of given motions that no drive of the list
// makes; and those of joints that friction holds, unless a drive of the list acts on them.
ConstraintSet rows_beside_drives(const Model& model, const std::vector<int>& drives, const State* state = nullptr);

// What drives and constraints must supply for a motion that is given whole:
//
//   A a + h - Q_P = B tau + D̃ᵀ lambda ,   D a = gamma
//
// B has a unit column for each drive; Q_P and D̃ as in constrained_dynamics.h, with the passive `joint:` laws and those of
// velocities without a drive in Q_P. Other `joint:` laws on the velocity of a drive are part of its force. Where there are more
// drives and rows than the motion needs, tau is the one of smallest Euclidean norm, and for this tau lambda. `missing` is what
// neither can supply: beyond round-off, there is no such motion.
struct InverseWithRows {
  std::vector<int> drives;       // velocities
  std::vector<double> forces;    // of each drive
  std::vector<double> friction;  // of each drive whose joint friction holds: what it may give or take; 0 of others
  std::vector<bool> determined;  // of each drive: whatever forces and multipliers make this motion, it is the same
  Eigen::VectorXd missing;       // of each velocity
  double size = 0;               // the largest of the forces that add up to `missing`
  ConstrainedDynamics motion;    // multipliers and reactions; solution.analysis.determinate beside the drives

  bool is_unique() const;
};

// Failures of compute_constraint_rows; VN-CONTACT-010 (rows contradict each other), -012 (friction without a solution). Whether
// the motion obeys the constraints, and is supplied, is reported by the two checks below.
Outcome<InverseWithRows> compute_inverse_with_rows(const ConstraintSet& set, const std::vector<int>& drives, const State& state,
                                                   std::span<const double> accelerations, Workspace& workspace);

// D a - gamma of each constraint.
Eigen::VectorXd compute_acceleration_residuals(const ConstraintRows& rows, std::span<const double> accelerations);

// A motion the constraints forbid: VN-RUN-130 with constraints and residuals. Compared beside 1 and the terms of the constraint.
std::optional<Failure> check_accelerations(const ConstraintSet& set, const ConstraintRows& rows,
                                           std::span<const double> accelerations, double allowed);

// A motion that needs a force where there is neither drive nor constraint: VN-RUN-131 with velocities and forces. Compared beside
// `size`.
std::optional<Failure> check_supplied(const Model& model, const InverseWithRows& inverse, double size, double allowed);

// The smallest change of accelerations, in the sense of kinetic energy, that makes them obey the rows; velocities `held` keep
// theirs. Failure VN-RUN-002; VN-RUN-130 if what is held leaves no such motion.
std::optional<Failure> move_onto_rows(const ConstraintSet& set, const State& state, const std::vector<int>& held,
                                      std::vector<double>& accelerations, Workspace& workspace);

}  // namespace vinculum
