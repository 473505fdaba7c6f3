// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/constraints/grip_problem.h"

namespace vinculum {

// A local problem whose normals are statically indeterminate by themselves: a set of normals without resultant exists, as of four
// wheels on a plane. They are those of equally stiff supports, which only push:                      theory 7, section 1.2
//
//   N = U y ,  U: orthonormal basis of the range of W_n          W_n: response of the normals to normals, without friction
//
// W_n = D_n P D_nᵀ has the range of D_n on the motions that the other constraints leave. A support whose N would be negative is
// unloaded: it has no part in U while it parts or stays as it is. With N = U y the normal problem is regular, friction has
// definite bounds, and rates x are unique whether or not the tangents are redundant (theory 7, 1.3). A ladder, whose normals are
// indeterminate only together with friction, has all of U.
//
// `split`: the part of the friction of what slips that depends on that rule, (1 - U Uᵀ) mu |x| beside mu |x|. Where it is 0, any
// other share of the load has the same slips (theory 7, 1.8).
//
// `W` with the friction `F` of what slides. None: no such normals, or they do not settle.
struct OnEqualSupports {
  GripSolution solution;
  double split = 0;
};
std::optional<OnEqualSupports> solve_on_equal_supports(const Eigen::MatrixXd& W, const Eigen::MatrixXd& F,
                                                       const Eigen::VectorXd& b, const std::vector<GripBlock>& blocks);

}  // namespace vinculum
