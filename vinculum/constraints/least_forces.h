// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/grip_problem.h"

namespace vinculum {

// The solution of a GripProblem with the smallest R where constraints are redundant: supports that are all equally stiff, in any
// order. By Newton's steps (settle_least_forces), from `start` if there is one. Where these do not settle, compliance ε on the
// diagonal makes the problem regular and is removed step by step:
//
//   (W + ε) R_k + b - ε R_{k-1} ,  R_0 = 0                                                                theory 8, section 7.2
//
// Independent constraints are solved at once.
bool has_redundant_rows(const Eigen::MatrixXd& W);
std::optional<GripSolution> solve_with_least_forces(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                                                    const std::vector<GripBlock>& blocks, const Eigen::VectorXd* start = nullptr);

}  // namespace vinculum
