// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_verdicts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/row_quantities.h"
#include "vinculum/dynamics/loads.h"
#include "vinculum/simulation/checkpoint.h"

namespace vinculum {

namespace {

// What should be constant departs by the errors of the integration. Local ones of relative size `tolerance` may add up over the
// steps; ten times that is granted, but never more than a hundredth of `scale`. Beyond it only round-off: of the sum of all terms
// `size`, which may be far larger than the sum, once a step with any sign, and once more for every row that is solved for: what
// constraints hold at rest moves by the round-off of their solution, and the forces do work on that.
double granted_drift(const Model& model, const RunOptions& options, const Checkpoint& at_end, double scale, double size) {
  constexpr double kMost = 0.01;
  const double steps = static_cast<double>(std::max(100L, at_end.steps));
  const double sums = 1 + static_cast<double>(model.rows().size());
  const double round_off = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(steps) * sums * size;
  return std::min(10 * options.tolerance * steps, kMost) * scale + round_off;
}

constexpr const char* kMoreExactly = "use a smaller --tolerance or a --max-step";

// The energy must balance: what is not explained by work is the error of the integration.
Verdict judge_energy(const Model& model, const RunOptions& options, const Checkpoint& at_end) {
  Verdict verdict;
  verdict.subject = "energy";
  verdict.term = "energy balance";
  const double drift = at_end.integrals.front().drift;
  const double allowed = granted_drift(model, options, at_end, at_end.energy_scale, at_end.energy_size);
  verdict.verdict = drift <= allowed ? Holds::holds : Holds::violated;
  if (drift > 0) verdict.margin = allowed / drift;
  std::vector<std::string> working = non_conservative_elements(model);
  for (std::string& element : list_working_rows(model)) working.push_back(std::move(element));
  if (may_slip(options.follow, model)) working.push_back("friction");
  if (model.has_followed_rows(options.parts())) working.push_back("impacts");
  const std::string law = working.empty() ? "energy"
                                          : "energy minus the work of " + working.front() +
                                                (working.size() > 2   ? fmt::format(" and {} other elements", working.size() - 1)
                                                 : working.size() > 1 ? " and of " + working.back()
                                                                      : "");
  const bool holds = verdict.verdict == Holds::holds;
  verdict.why = fmt::format("{} {} {:.2g} J", law, holds ? "stayed constant to" : "should stay constant but drifts by", drift);
  if (at_end.energy_scale > 0) verdict.why += fmt::format(", {:.2g} of the largest exchange", drift / at_end.energy_scale);
  if (!holds) verdict.why += fmt::format(", allowed {:.2g} J", allowed);
  if (!holds) verdict.hint = kMoreExactly;
  return verdict;
}

// Three turns one after the other lose one where the axes of the first and the last are parallel, whatever they move.
bool has_three_turns(const Model& model, const std::string& velocity) {
  for (const BodyDescription& body : model.description().bodies) {
    const std::vector<std::string> names = name_joint(body.name, body.joint).velocities;
    if (std::ranges::find(names, velocity) == names.end()) continue;
    const std::vector<ElementaryMotion> motions = elementary_motions(body.joint);
    return std::ranges::count_if(motions, [](ElementaryMotion motion) { return motion >= ElementaryMotion::rx; }) >= 3;
  }
  return false;
}

// Every motion must meet inertia, else accelerations are not determined.
Verdict judge_inertia(const Model& model, const Checkpoint& at_end) {
  constexpr double kSingular = 1e-14, kTrusted = 1e-10;
  Verdict verdict;
  verdict.subject = "accelerations";
  verdict.term = "conditioning of the mass matrix";
  verdict.verdict = at_end.weakest_ratio > kTrusted ? Holds::holds : Holds::violated;
  verdict.margin = at_end.weakest_ratio / kTrusted;
  if (verdict.verdict == Holds::violated) verdict.first_violation = at_end.weakest_t;
  if (at_end.weakest_velocity >= 0) verdict.nearest_t = at_end.weakest_t;
  if (verdict.verdict == Holds::violated && at_end.weakest_velocity >= 0) {
    const std::string& velocity = model.velocity_names()[at_end.weakest_velocity];
    verdict.hint =
        has_three_turns(model, velocity)
            ? fmt::format(
                  "two rotation axes of this joint are parallel there, so {} depends on another velocity. A `free` or "
                  "`spherical` joint has no such position; another order of `axes` has it elsewhere",
                  velocity)
            : fmt::format("give the bodies that {} moves mass and inertia, or remove this degree of freedom", velocity);
  }
  verdict.why =
      at_end.weakest_velocity < 0
          ? "the mass matrix is positive definite"
          : fmt::format("smallest relative pivot {1:.2g} (velocity {0}) at t = {2:.4g} s; singular below {3:g}",
                        model.velocity_names()[at_end.weakest_velocity], at_end.weakest_ratio, at_end.weakest_t, kSingular);
  return verdict;
}

constexpr const char* kDeterminacy = "static determinacy";

Verdict judge_reactions() {
  Verdict verdict;
  verdict.subject = "reactions";
  verdict.term = kDeterminacy;
  verdict.verdict = Holds::holds;
  verdict.why = "all joint reactions are determined: the bodies form a tree";
  return verdict;
}

// With constraints a reaction may be one of many that make the same motion.
Verdict judge_reactions(const Model& model, const Checkpoint& at_end) {
  Verdict verdict;
  verdict.subject = "reactions";
  verdict.term = kDeterminacy;
  std::string names;
  for (const Row& row : model.rows()) {
    if (at_end.undetermined[row.index] && !row.is_drive) names += (names.empty() ? "" : ", ") + row.name;
  }
  verdict.verdict = names.empty() ? Holds::holds : Holds::not_unique;
  verdict.why = names.empty() ? "all reactions are determined"
                              : fmt::format("not determined: {}; the values of smallest Euclidean norm are given", names);
  if (!names.empty()) verdict.hint = "remove redundant constraints (`check` names them), or replace one by a force law";
  return verdict;
}

// Constraints must have been kept: the residuals of all of them at the ends of all steps.
Verdict judge_constraints(const Model& model, const RunOptions& options, bool projected, const Checkpoint& at_end) {
  Verdict verdict;
  verdict.subject = "constraints";
  verdict.term = "constraint drift";
  const double allowed = allowed_residual(projected, options.tolerance);
  // In units of the constraint's scales; told as it is.
  size_t row = 0;
  double worst = 0, told = 0, unit = 1;
  for (size_t i = 0; i < at_end.worst_velocity.size(); ++i) {
    const RowScales scale = scales_of(model, static_cast<int>(i));
    for (const auto& [residual, size] :
         {std::pair{at_end.worst_position[i], scale.position}, std::pair{at_end.worst_velocity[i], scale.velocity}}) {
      if (residual / size >= worst) worst = residual / size, told = residual, unit = size, row = i;
    }
  }
  verdict.verdict = worst <= allowed ? Holds::holds : Holds::violated;
  if (worst > 0) verdict.margin = allowed / worst;
  verdict.why =
      fmt::format("kept by {}; largest residual {:.2g} of {} (allowed {:.1g})", projected ? "projection" : "Baumgarte's terms",
                  told, at_end.worst_velocity.empty() ? "no constraint" : model.rows()[row].name, allowed * unit);
  if (verdict.verdict == Holds::violated)
    verdict.hint =
        projected ? kMoreExactly : "use a smaller --tolerance, or leave out --baumgarte: constraints are then kept by projection";
  return verdict;
}

// Where constraints lose rank on the way, the motion beyond is one of several.
Verdict judge_position(const Checkpoint& at_end) {
  Verdict verdict;
  verdict.subject = "position";
  verdict.term = "singular configuration";
  if (at_end.singular_times.empty()) {
    verdict.verdict = Holds::holds;
    verdict.why = fmt::format("constraint Jacobian kept full rank; smallest relative pivot {:.2g} at t = {:.4g} s",
                              at_end.least_regularity, at_end.least_regularity_t);
    verdict.nearest_t = at_end.least_regularity_t;
    return verdict;
  }
  verdict.verdict = Holds::not_unique;
  verdict.first_violation = at_end.singular_times.front();
  const size_t count = at_end.singular_times.size();
  verdict.why = fmt::format(
      "constraint Jacobian loses rank {}at t = {:.6g} s: several motions pass through this position, and the smooth one is given",
      count > 1 ? fmt::format("{} times, first ", count) : "", at_end.singular_times.front());
  verdict.hint = "end there with `--stop-at singular`, drive a coordinate that decides the branch, or avoid the position";
  return verdict;
}

}  // namespace

std::vector<size_t> list_disproved(const Model& model, const RunOptions& options, const Checkpoint& at_end,
                                   const std::vector<Integral>& watched, std::span<const IntegralSize> sizes) {
  std::vector<size_t> disproved;
  for (size_t i = 0; i < watched.size(); ++i) {
    const double granted = granted_drift(model, options, at_end, sizes[i].scale, sizes[i].size);
    if (!watched[i].doubt.empty() && at_end.integrals[i + 1].drift > granted) disproved.push_back(i);
  }
  return disproved;
}

std::optional<Verdict> judge_integrals(const Model& model, const RunOptions& options, const Checkpoint& at_end,
                                       const Outcome<std::vector<Integral>>& watched, std::span<const IntegralSize> sizes) {
  Verdict verdict;
  verdict.subject = "integrals";
  verdict.term = "conservation laws";
  if (!watched) {
    verdict.why = "first integrals other than energy are not checked: " + watched.failure().message;
    return verdict;
  }
  if (watched->empty()) return std::nullopt;
  const auto granted = [&](size_t i) { return granted_drift(model, options, at_end, sizes[i].scale, sizes[i].size); };
  // The first stands for the energy, which has a verdict of its own.
  const auto drift = [&](size_t i) { return at_end.integrals[i + 1].drift; };
  const std::vector<size_t> disproved = list_disproved(model, options, at_end, *watched, sizes);
  std::string dropped;
  for (const size_t i : disproved) {
    dropped += fmt::format("{}{} changes by {:.2g} {}: {} acts on it, which the search before the run did not find",
                           dropped.empty() ? "" : "; ", (*watched)[i].name, drift(i), (*watched)[i].unit, (*watched)[i].doubt);
  }
  std::optional<size_t> worst;
  std::string broken;
  for (size_t i = 0; i < watched->size(); ++i) {
    if (std::ranges::find(disproved, i) != disproved.end()) continue;
    if (!worst || drift(i) * granted(*worst) > drift(*worst) * granted(i)) worst = i;
    if (drift(i) > granted(i)) broken += (broken.empty() ? "" : ", ") + (*watched)[i].name;
  }
  if (!worst) {
    verdict.why = "no first integral is left to check: " + dropped;
    return verdict;
  }
  verdict.verdict = broken.empty() ? Holds::holds : Holds::violated;
  if (drift(*worst) > 0) verdict.margin = granted(*worst) / drift(*worst);
  const Integral& of = (*watched)[*worst];
  const size_t kept = watched->size() - disproved.size();
  const std::string figure = fmt::format("{} by {:.2g} {}, allowed {:.2g}", of.name, drift(*worst), of.unit, granted(*worst));
  verdict.why = broken.empty() ? fmt::format("{} stayed constant; largest drift: {}",
                                             kept == 1 ? "the first integral" : fmt::format("{} first integrals", kept), figure)
                               : fmt::format("should stay constant but drift: {}; {}", broken, figure);
  if (!dropped.empty()) verdict.why += "; dropped: " + dropped;
  if (!broken.empty()) verdict.hint = kMoreExactly;
  return verdict;
}

Verdict judge_implicit_steps(double step) {
  Verdict verdict;
  verdict.subject = "step";
  verdict.term = "discretisation error";
  verdict.why = fmt::format(
      "implicit steps of {:g} s have an error of first order: energy and constraint residuals are not judged, and events are "
      "reported at the ends of steps",
      step);
  verdict.hint = "halve --step to see the error, or leave it out";
  return verdict;
}

std::optional<Verdict> judge_end(const std::optional<Failure>& failure, double t) {
  if (!failure) return std::nullopt;
  if (failure->cause() != FailureCause::contact_friction && failure->cause() != FailureCause::load_sharing) return std::nullopt;
  Verdict verdict;
  verdict.subject = "friction";
  verdict.term = "Painlevé paradox";
  verdict.hint = failure->hint;
  verdict.verdict = failure->kind() == FailureKind::no_solution ? Holds::impossible : Holds::not_unique;
  verdict.first_violation = t;
  verdict.why = failure->message;
  return verdict;
}

std::vector<Verdict> judge_run(const Model& model, const RunOptions& options, bool projected, const Checkpoint& at_end) {
  std::vector<Verdict> verdicts{judge_energy(model, options, at_end), judge_inertia(model, at_end)};
  if (model.is_plain_tree() && !model.has_followed_rows(options.parts())) {
    verdicts.push_back(judge_reactions());
    return verdicts;
  }
  verdicts.push_back(judge_reactions(model, at_end));
  verdicts.push_back(judge_constraints(model, options, projected, at_end));
  verdicts.push_back(judge_position(at_end));
  return verdicts;
}

}  // namespace vinculum
