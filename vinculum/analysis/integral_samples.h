// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/analysis/integral_candidates.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// Values and rates of the candidates: one matrix row per state, one column per candidate. Two parts of the rate are
// separate: the part through the joint of the subsystem (of a generalized momentum: its own joint), and that of gravity.
struct IntegralSamples {
  Eigen::MatrixXd values, rates;
  Eigen::MatrixXd by_joint, by_gravity;
  Eigen::VectorXd size;   // what each value can be for the kinetic energy that is there
  Eigen::VectorXd lever;  // |r × P'| at most, of which a rate of L or K is a sum or a difference
  double pace = 0;        // [1/s] at which velocities change
  Eigen::VectorXd times;
  std::vector<State> looked_at;  // the first three random states and all beyond kinks: for what each law does

  // States beyond kinks of the laws come after the random ones, where these have not seen them.
  int random = 0;
  std::vector<std::string> beyond;  // which side each of the others is on
  std::vector<std::string> unseen;  // sides for which no state was found
};

// At random states and values of inputs that satisfy motions and contacts, around a given state.
// The spread is reduced where laws have no value or the mechanism cannot be assembled. With
// contacts the spread is small from the start: farther away it may be assembled in another way.
Outcome<IntegralSamples> sample_candidates(const Model& model, const State& around, IntegralCandidates& candidates, int count,
                                           const AskStop& stop);

}  // namespace vinculum
