// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/dynamics/workspace.h"
#include "vinculum/kernels/loop_rows.h"

namespace vinculum {

// Trees with constraints, by the structure of the tree: no dense matrix is ever solved, a chain of platforms costs in
// proportion to their number. Sized once; one for each thread.
class LoopSolver {
 public:
  LoopSolver(const Model& model, std::vector<LoopRows> rows);
  ~LoopSolver();
  LoopSolver(LoopSolver&&) noexcept;
  LoopSolver& operator=(LoopSolver&&) noexcept;

  // Wrenches, targets and what is active are set here before a call; kinds and links stay.
  std::vector<LoopRows>& rows();

  // v' of the model's forces and of `pushed` (on each velocity; or empty), and the three multipliers of each
  // entry. For a ball they are its force on the body, world axes. The state satisfies the constraints in
  // position and velocity. False if the result is not reliable: dependent constraints (a pivot below 1e-10 of
  // its start), constraints without effect on any joint, a singular mass matrix, a law without a finite value.
  bool compute_accelerations(double t, std::span<const double> q, std::span<const double> v, std::span<const double> pushed,
                             Workspace& workspace, std::span<double> accelerations, std::span<Vector3> multipliers);

  // The smallest change of v in kinetic energy that reaches the targets of the constraints. Not for balls and points.
  bool compute_change(std::span<const double> q, Workspace& workspace, std::span<double> change);

  // The smallest change that leads back onto balls and points: of the coordinates (q ⊕ N change) while a gap above `round_off` is
  // left, then of v.
  bool compute_way_back(std::span<const double> q, std::span<const double> v, double round_off, Workspace& workspace,
                        std::span<double> change);
  double largest_gap() const;  // before the last of these

  // Of the last call: the distance of the constraints from losing rank. The smaller
  // one of: the sine of the smallest angle (in kinetic energy) between a constraint
  // and those before it; the smallest effect on the joints. 0: redundant.
  double regularity() const;

  // Of the last call, as in ForwardDynamics.
  int weakest_velocity() const;
  double weakest_ratio() const;

  std::vector<double>& change_memory();  // for whoever asks for a change, so that it is asked for once

  struct Memory;  // loops.cc

 private:
  std::unique_ptr<Memory> memory_;
};

}  // namespace vinculum
