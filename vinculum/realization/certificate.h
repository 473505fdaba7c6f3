// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "vinculum/realization/slip_bounds.h"
#include "vinculum/realization/slip_constants.h"
#include "vinculum/verdict/stop.h"

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
  std::vector<Eigen::VectorXd> row_inertia, row_force, row_bound;  // of constraints with bounds of their own, group by group
  // What a bound has to spare at one and the same state, R - |r|, the least of it, and when: of groups, and of rows with bounds
  // of their own.
  struct Excess {
    double value = 0, t = 0;
    double bound = 0;  // R there
  };
  std::vector<Excess> group_excess;
  std::vector<std::vector<Excess>> row_excess;
  double damping = 0;    // of groups that are all viscous, least of  kappa = 2 lambda_min(sigma^-1/2 K sigma^-1/2)
  bool sampled = false;  // forces are no polynomial of the velocities: A by search
};

// What does not depend on bounds, the worst of both: of the same constraints along another motion.
void widen_by_motion(WorstConstants& worst, const WorstConstants& other);

// Failures of the slip system; VN-REALIZE-007 where constraints depend on each other.
Outcome<WorstConstants> find_worst_constants(SlipSystem& system, std::span<const State> states);

// The same at every `stride`-th of the states, and again with each quantity followed to its largest value among the states
// between: where it is larger than at its neighbours, by ever shorter steps.
struct RefinedConstants {
  WorstConstants uniform, refined;
};
Outcome<RefinedConstants> refine_worst_constants(SlipSystem& system, std::span<const State> states, int stride,
                                                 const AskStop& stop = {});

// The same over a tube about them, by points of low discrepancy and a local search for A: half-widths `width` times what each
// velocity and the way made by it reach. All that grows is multiplied by kTubeSafety. This is level 2: a search, not a proof.
inline constexpr double kTubeSafety = 1.2;
Outcome<WorstConstants> search_tube(SlipSystem& system, std::span<const State> states, double width, int samples,
                                    const AskStop& stop = {});

// How a law falls short of sign forces of its bound:                                            theory 3, sections 4, 5.2 and 5.4
//
//   sign       not at all
//   Stribeck   its force is never below its lower branch, min(1, ratio) R: sign forces of that size certify it
//   creeping   |power it lacks| ≤ delta:  d(s²)/dt ≤ A s² + B s³ - c s + delta ; the slip ends in a band
//   viscous    no bound: section 5.2
struct LawShortfall {
  double part = 1;   // of the bound that is there whatever the slip
  double delta = 0;  // [W] at a bound of 1, times the bound
  bool viscous = false;
  std::string refused;  // why this law has no certificate; empty: it has one
};
LawShortfall find_law_shortfall(const SlipLaw& law, bool is_single);

// Sign forces end a slip of energy s0² in the time t1.                                                     theory 3, section 5.3
//
//   c = eta/rho2 , eta = min (R - |r|) ;   sharp: c = min over constraints or disks of eta_i / sqrt(lambda_max(sigma_ii)/2)
//
// Of a law that falls short there is no such time: `band` then says where the slip ends, from anywhere below `outer`, and
// `t_band` when it is there but for kNearBand of it. Viscous forces take the slip energy away like exp(-rate t), theorem 1.
inline constexpr double kNearBand = 0.01;
struct Certificate {
  WorstConstants worst;
  double s0 = 0;
  std::optional<double> eta, c, c_sharp;  // none: a group has no bound
  ReachingBound bound, sharp;
  double delta = 0;
  std::optional<SlipBand> band;        // of s, where delta > 0 or all is viscous
  std::optional<double> slip_in_band;  // |psi'| there at most
  std::optional<double> t_band;        // [s] after the start: s is below (1 + kNearBand) inner from then on
  std::optional<double> rate;          // [1/s] of viscous forces: kappa - A
  std::string not_certified;           // why: a bound below the reaction, or a law; empty: certified
};
// `law` is that of all groups; none: their own.
Certificate certify(const SlipSystem& system, WorstConstants worst, double s0, const std::optional<SlipLaw>& law);

// The reverse: the bound of each group that ends the slip s0 within `time`, from the sharp inequality, and is above its reaction
// in any case. Of a Stribeck law the bound at which it sticks. None for laws that never end a slip. A proposal: the motion under
// these bounds is another one, and has constants of its own.
std::optional<std::vector<double>> find_needed_bounds(const SlipSystem& system, const WorstConstants& worst, double s0,
                                                      double time, const std::optional<SlipLaw>& law);

}  // namespace vinculum
