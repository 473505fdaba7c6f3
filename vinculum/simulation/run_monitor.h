// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "vinculum/analysis/integrals.h"
#include "vinculum/constraints/idealisation.h"
#include "vinculum/simulation/run_verdicts.h"
#include "vinculum/stepping/motion_system.h"

namespace vinculum {

// What every run monitors at the ends of its steps: first integrals, constraint residuals, the pivots of
// the mass matrix, and which multipliers are determined. What it finds is in the checkpoint it writes to.
class RunMonitor {
 public:
  RunMonitor(const Model& model, MotionSystem& system, const std::vector<Integral>& watched, Checkpoint& point);

  const std::vector<Integral>& integrals() const { return monitor_.integrals(); }

  void begin(const State& state);
  // Only integrals that are still monitored continue from a checkpoint: the energy, and others of the same names.
  void keep_watched();

  // The state was changed from outside: integrals are constant from here on at their new values. (The energy counts the change as
  // work, where work is counted.)
  void book_change(const State& before, const State& after);

  void watch_integrals(const State& state, std::span<const double> y);
  void watch_residuals(Moment& moment);
  // And which multipliers are determined. False: the moment has no solution.
  bool watch_inertia(Moment& moment);

  // The larger of those at the start and at the end, with the largest exchange of energy. It includes all that
  // could have been exchanged, by gravity too, because balanced forces leave the round-off of their impulses.
  std::vector<IntegralSize> sizes_of_integrals(const State& start, const State& final);

 private:
  void compute_integrals(const State& state, double energy_balance);

  const Model& model_;
  MotionSystem& system_;
  IntegralMonitor monitor_;
  Checkpoint& point_;
  Workspace workspace_;
  ConstraintRows rows_;         // scratch
  std::vector<double> values_;  // the balance of the energy, then what was found
};

}  // namespace vinculum
