// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vinculum/friction/find_variants.h"

namespace vinculum {

// The paradox explorer (SVG): the signed reactions of all pairs along the path of growing friction, n_k(s), with changes of
// faces, folds and the jam; and at s = 1 every realised variant, the chosen one filled.
std::string draw_friction_path(const VariantProblem& problem, const Variants& variants, const std::vector<std::string>& names);

// The limit load over its direction (SVG): a ray for each angle; none: without end.
struct LimitRay {
  double angle = 0;  // [rad]
  bool endless = false, rests = false;
  double alpha = 0;
};
std::string draw_limit_diagram(const std::vector<LimitRay>& rays, const std::string& load);

}  // namespace vinculum
