// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/friction/variant_problem.h"
#include "vinculum/verdict/stop.h"

namespace vinculum {

// Without friction every variant must be regular and all sdet(p) of one sign (theory 5, 4.3), else the pairs are dependent
// (VN-VARIANT-004) or wrongly paired (VN-VARIANT-003). Names of the pairs for the message. Above 20 pairs only a sufficient test
// is made, and `unchecked` is set if it fails.
struct PairingCheck {
  std::optional<Failure> failure;
  bool unchecked = false;
};
PairingCheck check_pairing(const VariantProblem& problem, const std::vector<std::string>& names);

// Is there exactly one realised variant for every load d (M = -(B2)⁻¹B1 is a P-matrix; 4.2)? None: above 20 pairs, where the
// sufficient test fails.
std::optional<bool> is_unique_for_all_loads(const VariantProblem& problem);

// The smallest factor s on all friction at which some variant's det(B0 + s F) vanishes (4.4): below it there is one realised
// variant whatever the load. 2^m eigenvalue problems.
struct CriticalFriction {
  static constexpr Eigen::Index kMostPairs = 14;

  std::optional<double> scale;  // none: no factor does
  Faces faces;                  // of that variant
};
// Pairs that do not feel each other are problems of their own. Failure VN-VARIANT-006 with more than `most` that do.
Outcome<CriticalFriction> find_critical_friction(const VariantProblem& problem, const AskStop& ask_stop = {},
                                                 Eigen::Index most = CriticalFriction::kMostPairs);

}  // namespace vinculum
