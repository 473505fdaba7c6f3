// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <Eigen/Core>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// A direction y that agrees with its own accelerations, where friction is against y (theory 5, sections 6 and 7.4):
//
//   a(y) = sign c y ,  c > 0 ,  |y| = 1 ;      sign = +1: how it breaks away;  -1: how it comes to rest.
//
// By Newton's steps from `start`: the velocities on the way to rest, which the motion itself has brought near; before a breakaway
// damped fixed points of  y -> a(y)/|a(y)|  come near first. Failures: VN-GUIDE-009: none was found; of the accelerations.
struct SlipDirection {
  Eigen::VectorXd direction;
  double rate = 0;  // c
};
using AccelerationsOf = std::function<Outcome<Eigen::VectorXd>(const Eigen::VectorXd&)>;
Outcome<SlipDirection> find_slip_direction(const AccelerationsOf& accelerations, Eigen::VectorXd start, double sign);

}  // namespace vinculum
