// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/realization/sampled_motion.h"
#include "vinculum/realization/slip_system.h"
#include "vinculum/verdict/stop.h"
#include "vinculum/verdict/verdict.h"

namespace vinculum {

// What a group needs at a state without slip, and what it has.                                            theory 3, section 3
struct GroupDemand {
  double force = 0;                         // |r| of its constraints
  std::optional<double> normal;             // N
  std::optional<double> required_friction;  // |r|/N; none: no normal force, or it does not press
  std::optional<double> demand;             // needed / bound; none: there is no bound
  bool determined = true;                   // r and N are
};
std::vector<GroupDemand> compute_demands(const SlipSystem& system, const SlipState& at);

// Sliding by mu N against the direction e of slip changes N itself:  N = N0 / (1 + mu C.e) . Where the denominator can vanish,
// 1 - mu |C| <= 0, sliding has no or several solutions: a configuration of Painlevé's kind. Other groups are kept.
struct SlidingDenominator {
  double least = 1;           // 1 - mu |C|
  Eigen::VectorXd direction;  // of the slip for which it is least
};
std::optional<SlidingDenominator> compute_sliding_denominator(const SlipSystem& system, const SlipState& at, int group);

// All of it along a motion without slip.
struct GroupReactions {
  std::optional<Peak> required_friction, demand;   // the largest
  std::optional<double> first_slip;                // [s] where the demand passes 1,
  std::optional<double> normal_lost;               // and where N ceases to press
  std::optional<double> undetermined;              // and where r or N is not determined
  std::optional<Peak> painleve;                    // where the denominator of sliding is first zero or below
  std::vector<double> path_lateral, path_forward;  // (r_i / N) at the samples where N presses: the trace in the friction circle
};
struct ReactionHistory {
  std::vector<double> times;
  std::vector<Eigen::VectorXd> r;  // at them
  std::vector<Peak> peaks;         // of |r_i|, of each realized constraint
  std::vector<GroupReactions> groups;
  Peak power;                       // of the reactions, the largest: r . given, not zero on turntables and belts
  Peak condition;                   // of W, the largest
  std::optional<double> rank_lost;  // where constraints first depend on each other, for a moment or from there on
  std::vector<int> lost_rows;       // which
};
Outcome<ReactionHistory> follow_reactions(SlipSystem& system, const SampledMotion& motion, const AskStop& stop = {});

// Whether each group holds: at a state (a history of one instant) or along a motion.
std::vector<Verdict> judge_groups(const SlipSystem& system, const ReactionHistory& history, const Eigen::VectorXd& slip_at_start);

// The worst of them; `not checked` while a group has no bound.
Holds worst_verdict(const std::vector<Verdict>& verdicts);

}  // namespace vinculum
