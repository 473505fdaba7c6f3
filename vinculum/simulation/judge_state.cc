// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/judge_state.h"

#include "vinculum/idealisations/idealisations.h"

namespace vinculum {

std::vector<Verdict> judge_state(const ConstraintSet& set, const State& state, const ConstrainedDynamics& dynamics,
                                 Workspace& workspace, std::span<const double> supplied) {
  StateJudge judge(set);
  judge.look(state, dynamics, workspace, supplied);
  return judge.judge();
}

std::vector<Verdict> judge_state(const Model& model, const State& state) {
  const ConstraintSet set(model, state);
  const StateJudge judge(set);
  if (set.is_plain_tree() && !judge.has_subjects()) return {};
  const auto not_checked = [&](const Failure& reason) {
    std::vector<Verdict> verdicts = judge.judge();
    for (Verdict& verdict : verdicts) {
      verdict.verdict = Holds::not_checked;
      verdict.margin = verdict.first_violation = verdict.nearest_t = std::nullopt;
      verdict.why = reason.message;
      verdict.hint = reason.hint;
    }
    return verdicts;
  };
  constexpr double kOnRows = 1e-8;  // as all commands ask of a state
  if (const auto violation = check_state(model, state, kOnRows)) return not_checked(*violation);
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(set, state, workspace);
  if (dynamics) return judge_state(set, state, *dynamics, workspace);
  if (auto verdict = judge_uniqueness(dynamics.failure())) return {std::move(*verdict)};
  return not_checked(dynamics.failure());
}

std::optional<Verdict> judge_uniqueness(const Failure& failure) {
  const bool is_of_friction = failure.cause() == FailureCause::contact_friction || failure.cause() == FailureCause::load_sharing;
  if (!is_of_friction || failure.kind() != FailureKind::not_unique) return std::nullopt;
  Verdict verdict;
  verdict.subject = "accelerations";
  verdict.verdict = Holds::not_unique;
  verdict.why = failure.message;
  verdict.hint = failure.hint;
  return verdict;
}

}  // namespace vinculum
