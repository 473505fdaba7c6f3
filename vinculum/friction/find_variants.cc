// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/find_variants.h"

#include <algorithm>

#include "vinculum/friction/critical_friction.h"

namespace vinculum {

namespace {

// Two roads to one solution agree to this much of its reactions.
constexpr double kSameEnd = 1e-7;

VariantVerdict judge(const VariantEnumeration& enumeration, bool chosen) {
  if (!enumeration.families.empty()) return VariantVerdict::singular;
  const auto& solutions = enumeration.solutions;
  if (solutions.empty()) return VariantVerdict::none;
  if (solutions.size() > 1) return chosen ? VariantVerdict::several : VariantVerdict::several_none_connected;
  const Faces& faces = solutions.front().faces;
  if (std::find(faces.begin(), faces.end(), 0) != faces.end()) return VariantVerdict::degenerate;
  return chosen ? VariantVerdict::unique : VariantVerdict::unique_not_connected;
}

}  // namespace

std::string_view to_text(VariantVerdict verdict) {
  switch (verdict) {
    case VariantVerdict::singular: return "singular (det = 0 and consistent: family)";
    case VariantVerdict::none: return "none (self-locking)";
    case VariantVerdict::several: return "several (chosen by continuation)";
    case VariantVerdict::several_none_connected: return "several, none connected";
    case VariantVerdict::degenerate: return "degenerate (some N_k = 0: state 0)";
    case VariantVerdict::unique: return "unique";
    case VariantVerdict::unique_not_connected: return "unique, not connected";
  }
  return "";
}

Outcome<Variants> find_variants(const VariantProblem& problem, const std::vector<std::string>& names, const AskStop& ask_stop) {
  if (auto failure = check_sizes(problem)) return *failure;
  const PairingCheck pairing = check_pairing(problem, names);
  if (pairing.failure) return *pairing.failure;
  Variants variants;
  variants.pairing_unchecked = pairing.unchecked;

  VariantWorkspace workspace;
  auto enumeration = enumerate_variants(problem, workspace, ask_stop);
  if (!enumeration) return enumeration.failure();
  variants.enumeration = std::move(*enumeration);
  auto path = follow_friction(problem);
  if (!path) return path.failure();
  variants.path = std::move(*path);

  const auto& solutions = variants.enumeration.solutions;
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    variants.sign_sum += solutions[i].jacobian_sign;
    if (!variants.path.connected() || variants.chosen) continue;
    const Eigen::VectorXd& n = solutions[i].signed_reactions;
    if ((n - variants.path.signed_reactions).cwiseAbs().maxCoeff() <= kSameEnd * largest_reaction(n, problem.unit))
      variants.chosen = static_cast<int>(i);
  }
  variants.verdict = judge(variants.enumeration, variants.chosen.has_value());
  return variants;
}

std::vector<std::string> number_pairs(Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index k = 1; k <= count; ++k) names.push_back(std::to_string(k));
  return names;
}

}  // namespace vinculum
