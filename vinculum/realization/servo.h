// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/realization/slip_system.h"

namespace vinculum {

// A programmed constraint kept by inputs u that act elsewhere than along its constraints, Q = B_u u.          theory 3, section 8
//
//   psi'' = b + D u , D = J P B_u ;   u = -D⁻¹ b  keeps it (equivalent control)
//
// What the direction costs: |B_u u| / |Jᵀr| with |F|² = F.P F, Gauss: no force that keeps the constraints is less than Jᵀr.
struct Servo {
  Eigen::MatrixXd D;
  Eigen::VectorXd control, accelerations;
  double price = 1;
  std::vector<bool> reversed;  // inputs that must act with the sign against their own constraint: D_ii < 0
};

// Failure VN-REALIZE-006 if there are not as many inputs as rows, or D is singular: the inputs cannot move every row at once.
Outcome<Servo> compute_servo(const SlipState& at, const Eigen::MatrixXd& inputs);

}  // namespace vinculum
