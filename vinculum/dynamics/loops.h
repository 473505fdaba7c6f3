// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/dynamics/workspace.h"

namespace vinculum {

// Two points that stay together: of a body, and of another body or of the world (kWorld), each in its own axes.
struct ClosedLoop {
  int body = 0;
  Vector3 p_B;
  int other = kWorld;
  Vector3 p_other;
};

// Trees with loops closed by balls, by the structure of the tree: no dense matrix is ever solved, a chain of platforms costs in
// proportion to their number. Sized once; one for each thread.
class LoopSolver {
 public:
  LoopSolver(const Model& model, std::span<const ClosedLoop> loops);
  ~LoopSolver();
  LoopSolver(LoopSolver&&) noexcept;
  LoopSolver& operator=(LoopSolver&&) noexcept;

  // v' of the model's forces, and the force of each loop on its body, world axes, at a state that obeys the loops in position and
  // velocity. False where the answer is not to be trusted: rows that depend on each other, or nearly (a pivot below 1e-10 of what
  // it was), a mass matrix that is singular by itself, a law without a finite value. Drives are not known here.
  bool compute_accelerations(double t, std::span<const double> q, std::span<const double> v, Workspace& workspace,
                             std::span<double> accelerations, std::span<Vector3> forces_W);

  struct Memory;  // loops.cc

 private:
  std::unique_ptr<Memory> memory_;
};

}  // namespace vinculum
