// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vinculum/friction/limit_load.h"

namespace vinculum {

// Can faces press each other within their friction cones without any load (theory 5, 7.5): has the recession problem with zero
// load another solution than zero, in some variant of the faces?
Outcome<bool> can_wedge(const RestProblem& problem);

// How a mechanism at rest starts to slip at a factor alpha of its load (7.4): with friction against its own acceleration, loaded
// faces connected with those of zero friction (4.5). None: it does not.
struct SlipStart {
  Eigen::VectorXd direction;  // velocities, of length 1
  Faces faces;
  Eigen::VectorXd N;  // >= 0
};

// The factors at which no slip starts, in order, within [-farthest, farthest]; `farthest` stands for no end. Each with the slip
// that starts beyond its upper end. Regions narrower than the grid on which they are looked for are found where the slip reverses
// in them. With several degrees of freedom from 0 on only.
struct UnwedgedInterval {
  double low = 0, high = 0;
  std::optional<SlipStart> beyond;
};
// Failures: of the variants; stopped.
Outcome<std::vector<UnwedgedInterval>> find_unwedged_rest(const RestProblem& problem, double unit, double farthest,
                                                          const AskStop& ask_stop);

}  // namespace vinculum
