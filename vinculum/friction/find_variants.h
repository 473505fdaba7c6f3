// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vinculum/friction/continuation.h"
#include "vinculum/friction/enumerate_variants.h"

namespace vinculum {

// What is to be said of a problem (theory 5, 4.6), in this order of precedence.
enum class VariantVerdict {
  singular,                // a variant with dependent equations has a family of solutions
  none,                    // self-locking: no variant is realised, which is proven
  several,                 // one of them is reached by friction that grows from none, and chosen
  several_none_connected,  // none of them is
  degenerate,              // one, with an unloaded pair
  unique,
  unique_not_connected  // one, but friction that grows from none does not lead to it
};
std::string_view to_text(VariantVerdict verdict);

struct Variants {
  VariantVerdict verdict = VariantVerdict::none;
  VariantEnumeration enumeration;
  std::optional<int> chosen;  // index of a solution
  FrictionPath path;
  int sign_sum = 0;  // of jacobian_sign over all solutions: +1 below the critical friction
  bool pairing_unchecked = false;

  const std::vector<RealisedVariant>& solutions() const { return enumeration.solutions; }
};

// Every realised variant, the verdict and the choice. `names` of the pairs are for messages. Failures: those of check_pairing and
// of the enumeration.
Outcome<Variants> find_variants(const VariantProblem& problem, const std::vector<std::string>& names,
                                const AskStop& ask_stop = {});

// "1", "2", ..: names of the pairs of a problem without a mechanism.
std::vector<std::string> number_pairs(Eigen::Index count);

}  // namespace vinculum
