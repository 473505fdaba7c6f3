// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vinculum/realization/slip_bounds.h"
#include "vinculum/realization/slip_constants.h"

namespace vinculum {

// The worst of each quantity by itself over states of a motion, each taken without its slip.               theory 3, section 5.5
struct WorstConstants {
  int states = 0;
  double rho1 = 0, rho2 = 0;
  double A = 0, B = 0;                // A not below 0
  Eigen::VectorXd rbar;               // largest |r_i|
  std::vector<double> group_force;    // largest |r| of each group,
  std::vector<double> group_inertia;  // largest eigenvalue of its block of sigma,
  std::vector<double> group_bound;    // and its least bound, in each of its rows where they have their own; 0 if it has none
  std::vector<Eigen::VectorXd> row_inertia, row_force, row_bound;  // of rows with bounds of their own, group by group
  bool sampled = false;                                            // forces are no polynomial of the velocities: A by search
};

// Failures of the slip system; VN-REALIZE-007 where rows depend on each other.
Outcome<WorstConstants> find_worst_constants(SlipSystem& system, std::span<const State> states);

// The same over a tube about them, by points of low discrepancy and a local search for A: half-widths `width` times what each
// velocity and the way made by it reach. All that grows is multiplied by kTubeSafety. This is level 2: a search, not a proof.
inline constexpr double kTubeSafety = 1.2;
Outcome<WorstConstants> search_tube(SlipSystem& system, std::span<const State> states, double width, int samples);

// Sign forces end a slip of energy s0² in the time t1.                                                     theory 3, section 5.3
//
//   c = eta/rho2 , eta = min (R - |r|) ;   sharp: c = min over rows or disks of eta_i / sqrt(lambda_max(sigma_ii)/2)
struct Certificate {
  WorstConstants worst;
  double s0 = 0;
  std::optional<double> eta, c, c_sharp;  // none: a group has no bound
  ReachingBound bound, sharp;
  std::string not_certified;  // which bound is below the reaction; empty: none is
};
Certificate certify(const SlipSystem& system, WorstConstants worst, double s0);

// The reverse: the bound of each group that ends the slip s0 within `time`, from the sharp inequality.
std::vector<double> find_needed_bounds(const SlipSystem& system, const WorstConstants& worst, double s0, double time);

}  // namespace vinculum
