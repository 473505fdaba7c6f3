// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "vinculum/verdict/outcome.h"

namespace vinculum {

// Is there a self-stress: weights x >= 0, not all zero, with  edges x = 0 ? The columns are what unit weights on the edges of
// friction cones do on the motions that all else allows; the faces are those of one variant, never both of a pair. The recession
// problem of theory 5, 7.5: where it has a solution, faces can wedge each other. Failure of the linear program.
Outcome<bool> has_self_stress(const Eigen::MatrixXd& edges);

}  // namespace vinculum
