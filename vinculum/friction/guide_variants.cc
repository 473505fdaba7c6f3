// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/friction/guide_variants.h"

#include <fmt/core.h>

#include "vinculum/constraints/guide_friction.h"
#include "vinculum/friction/critical_friction.h"
#include "vinculum/friction/guide_stop.h"

namespace vinculum {

const RealisedVariant* GuideVariants::chosen() const {
  return variants.chosen ? &variants.solutions()[*variants.chosen] : nullptr;
}

Outcome<GuideVariants> find_guide_variants(ConstraintSet& set, const State& state, Workspace& workspace, const AskStop& stop) {
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  take_senses(set, *rows);
  Outcome<GuideReduction> reduction = reduce_guides(set, state, workspace);
  if (!reduction) return reduction.failure();
  Outcome<Variants> variants = find_variants(reduction->problem, reduction->names, stop);
  if (!variants) return variants.failure();
  return GuideVariants{std::move(*reduction), std::move(*variants)};
}

Outcome<GuideLook> look_at_variants(const ConstraintSet& set, const State& state, Workspace& workspace) {
  Outcome<GuideReduction> reduction = reduce_guides(set, state, workspace);
  if (!reduction) return reduction.failure();
  GuideLook look{std::move(*reduction)};
  const VariantProblem& problem = look.reduction.problem;
  if (problem.pairs() == 0) return GuideLook{std::move(look.reduction), true, true};
  Faces faces;
  for (const int pair : look.reduction.pairs) faces.push_back(set.modes[set.model.face_pairs()[pair].mode] == kFace1 ? 1 : 2);
  look.realised = try_variant(problem, faces).has_value();
  if (look.realised && is_unique_for_all_loads(problem) == true) {
    look.only = true;
    return look;
  }
  const auto all = enumerate_variants(problem);
  if (!all) return all.failure();
  look.only = all->solutions.size() == 1 && all->families.empty();
  return look;
}

std::vector<int> list_guided_pairs(const ConstraintSet& set) {
  std::vector<int> list;
  for (const Row& row : set.rows) {
    if (const auto* origin = row.from<GuideRow>()) list.push_back(origin->pair);
  }
  return list;
}

void load_faces(ConstraintSet& set, const ConstraintRows& rows, const std::vector<int>& pairs,
                const Eigen::VectorXd& signed_reactions, double unit) {
  std::vector<int> modes = set.modes;
  const double none = kUnloaded * largest_reaction(signed_reactions, unit);
  for (size_t k = 0; k < pairs.size(); ++k) {
    const double n = signed_reactions[static_cast<Eigen::Index>(k)];
    carry_on_face(set, rows, pairs[k], n > none ? kFace2 : n < -none ? kFace1 : kNoFace, modes);
  }
  set.set_modes(modes);
}

Failure no_variant(const GuideVariants& found) {
  const std::vector<RealisedVariant>& solutions = found.variants.solutions();
  std::string pairs;
  for (const std::string& name : found.reduction.names) pairs += (pairs.empty() ? "" : ", ") + name;
  if (solutions.empty()) {
    const FrictionPath& path = found.variants.path;
    return {"VN-GUIDE-003",
            fmt::format("the guides jam (self-locking): no choice of loaded faces of {} carries the load. With all friction "
                        "times {:.4g} it still slides",
                        pairs, path.end),
            "less friction, faces farther apart or a load nearer to them; a real guide would stop here at once"};
  }
  return {"VN-GUIDE-004",
          fmt::format("{} choices of loaded faces of {} carry the load, and none is reached as friction grows from zero",
                      solutions.size(), pairs),
          "`variants` lists them; the motion is not unique here (Painlevé): lower the friction"};
}

std::optional<Failure> choose_faces(ConstraintSet& set, State& state, Workspace& workspace) {
  if (set.model.face_pairs().empty()) return std::nullopt;
  const auto rows = compute_row_values(set, state);
  if (!rows) return rows.failure();
  take_senses(set, *rows);
  if (const std::vector<int> stopped = list_stopped(set, *rows, kNoSlide * set.model.scales().velocity); !stopped.empty()) {
    const auto decision = decide_stopped(set, state, stopped, false, workspace);
    if (!decision) return decision.failure();
    if (decision->leaving) state = *decision->leaving;
    return decision->choices > 0 ? std::nullopt : std::optional(no_choice(set.model, stopped, *decision));
  }
  const auto found = find_guide_variants(set, state, workspace);
  if (!found) return found.failure();
  if (found->chosen() == nullptr) return no_variant(*found);
  load_faces(set, *rows, found->reduction.pairs, found->chosen()->signed_reactions, found->reduction.problem.unit);
  return std::nullopt;
}

}  // namespace vinculum
