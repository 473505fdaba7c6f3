// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_verdicts.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/dynamics/loads.h"

namespace vinculum {

namespace {

// The energy must balance: what is not explained by work is the error of the integration. Local errors of relative size
// `tolerance` may add up over the steps; ten times that is granted.
Verdict judge_energy(const Model& model, const RunOptions& options, const Checkpoint& at_end) {
  Verdict verdict;
  verdict.subject = "energy";
  const double round_off = 1e-12 * std::abs(at_end.start_energy);  // where hardly anything moves
  const double allowed =
      10 * options.tolerance * static_cast<double>(std::max(100L, at_end.steps)) * at_end.energy_scale + round_off;
  verdict.verdict = at_end.drift <= allowed ? Holds::holds : Holds::violated;
  if (at_end.drift > 0) verdict.margin = allowed / at_end.drift;
  const std::vector<std::string> working = non_conservative_elements(model);
  const std::string law = working.empty() ? "nothing does work that a potential does not remember"
                                          : "energy minus the work of " + working.front() +
                                                (working.size() > 1 ? fmt::format(" and {} more", working.size() - 1) : "");
  verdict.why = fmt::format("{}; it stayed constant to {:.2g} J", law, at_end.drift);
  if (at_end.energy_scale > 0) verdict.why += fmt::format(", {:.2g} of the largest exchange", at_end.drift / at_end.energy_scale);
  return verdict;
}

// Every motion must meet inertia, else accelerations are not determined.
Verdict judge_inertia(const Model& model, const Checkpoint& at_end) {
  constexpr double kSingular = 1e-14, kTrusted = 1e-10;
  Verdict verdict;
  verdict.subject = "accelerations";
  verdict.verdict = at_end.weakest_ratio > kTrusted ? Holds::holds : Holds::violated;
  verdict.margin = at_end.weakest_ratio / kTrusted;
  if (verdict.verdict == Holds::violated) verdict.first_violation = at_end.weakest_t;
  verdict.why =
      at_end.weakest_velocity < 0
          ? "every motion meets inertia"
          : fmt::format(
                "every motion meets inertia; the least is {}, {:.2g} of what is around it at t = {:.4g} s (singular at {:g})",
                model.velocity_names()[at_end.weakest_velocity], at_end.weakest_ratio, at_end.weakest_t, kSingular);
  return verdict;
}

Verdict judge_reactions() {
  Verdict verdict;
  verdict.subject = "reactions";
  verdict.verdict = Holds::holds;
  verdict.why = "the bodies form a tree, so every joint reaction is determined by the motion";
  return verdict;
}

}  // namespace

std::vector<Verdict> judge_run(const Model& model, const RunOptions& options, const Checkpoint& at_end) {
  return {judge_energy(model, options, at_end), judge_inertia(model, at_end), judge_reactions()};
}

}  // namespace vinculum
