// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_verdicts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/dynamics/loads.h"

namespace vinculum {

namespace {

// The energy must balance: what is not explained by work is the error of the integration. Local errors of relative size
// `tolerance` may add up over the steps; ten times that is granted, but never more than a hundredth of what was exchanged. Beyond
// it only round-off: of the sum of all terms, which may be far larger than the sum, once a step with any sign.
Verdict judge_energy(const Model& model, const ConstraintSet& constraints, const RunOptions& options, const Checkpoint& at_end) {
  constexpr double kMost = 0.01;
  Verdict verdict;
  verdict.subject = "energy";
  const double drift = at_end.integrals.front().drift, steps = static_cast<double>(std::max(100L, at_end.steps));
  const double round_off = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(steps) * at_end.energy_size;
  const double allowed = std::min(10 * options.tolerance * steps, kMost) * at_end.energy_scale + round_off;
  verdict.verdict = drift <= allowed ? Holds::holds : Holds::violated;
  if (drift > 0) verdict.margin = allowed / drift;
  std::vector<std::string> working = non_conservative_elements(model);
  for (const Contact& contact : constraints.contacts) {
    if (does_work(model, contact)) working.push_back(fmt::format("contact '{}'", contact.name));
  }
  const std::string law = working.empty() ? "nothing does work that a potential does not remember"
                                          : "energy minus the work of " + working.front() +
                                                (working.size() > 1 ? fmt::format(" and {} more", working.size() - 1) : "");
  const bool holds = verdict.verdict == Holds::holds;
  verdict.why =
      fmt::format("{}; it {} {:.2g} J", law, holds ? "stayed constant to" : "should stay constant, but departs by", drift);
  if (at_end.energy_scale > 0) verdict.why += fmt::format(", {:.2g} of the largest exchange", drift / at_end.energy_scale);
  if (!holds) verdict.why += fmt::format(", where {:.2g} J is granted", allowed);
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

// With contacts a reaction may be one of many that make the same motion.
Verdict judge_reactions(const ConstraintSet& constraints, const std::vector<ContactWatch>& watches) {
  Verdict verdict;
  verdict.subject = "reactions";
  std::string names;
  for (const RowLabel& row : constraints.rows) {
    if (row.contact < 0 || !(watches[row.contact].undetermined & 1 << static_cast<int>(row.axis))) continue;
    names += (names.empty() ? "" : ", ") + row.name;
  }
  verdict.verdict = names.empty() ? Holds::holds : Holds::not_unique;
  verdict.why = names.empty()
                    ? "every reaction is determined by the motion"
                    : fmt::format("not determined by the motion: {}; given are those of smallest Euclidean norm", names);
  return verdict;
}

// Contacts must have been kept: the residuals of all rows at the ends of all steps.
Verdict judge_constraints(const ConstraintSet& constraints, const RunOptions& options, bool projected, const Checkpoint& at_end) {
  Verdict verdict;
  verdict.subject = "constraints";
  const double allowed = projected ? 1e-8 : std::max(1e-8, 100 * options.tolerance);
  size_t row = 0;
  double worst = 0;
  for (size_t i = 0; i < at_end.worst_velocity.size(); ++i) {
    const double residual = std::max(at_end.worst_position[i], at_end.worst_velocity[i]);
    if (residual >= worst) worst = residual, row = i;
  }
  verdict.verdict = worst <= allowed ? Holds::holds : Holds::violated;
  if (worst > 0) verdict.margin = allowed / worst;
  verdict.why = fmt::format("kept by {}; the largest residual is {:.2g} of {} (allowed {:.1g})",
                            projected ? "projection" : "Baumgarte's terms", worst,
                            at_end.worst_velocity.empty() ? "no row" : ConstraintSet(constraints.model).rows[row].name, allowed);
  return verdict;
}

// Where rows lose rank on the way, the motion beyond is one of several.
Verdict judge_position(const Checkpoint& at_end) {
  Verdict verdict;
  verdict.subject = "position";
  if (at_end.singular_times.empty()) {
    verdict.verdict = Holds::holds;
    verdict.why = fmt::format("the rows kept their rank, least {:.2g} of what is around them, at t = {:.4g} s",
                              at_end.least_regularity, at_end.least_regularity_t);
    return verdict;
  }
  verdict.verdict = Holds::not_unique;
  verdict.first_violation = at_end.singular_times.front();
  const size_t count = at_end.singular_times.size();
  verdict.why = fmt::format(
      "the rows lose rank on the way, {}at t = {:.6g} s: several motions cross there, and the one that goes on "
      "smoothly is given",
      count > 1 ? fmt::format("{} times, first ", count) : "", at_end.singular_times.front());
  return verdict;
}

// A contact can push, not pull.
Verdict judge_push(const Contact& contact, const ContactWatch& watch, bool unilateral) {
  Verdict pushes;
  pushes.subject = contact.name + ".normal";
  if (watch.first_pull < ContactWatch::kNever) {
    pushes.verdict = Holds::violated;
    pushes.first_violation = watch.first_pull;
    pushes.why = watch.lowest_normal < 0 ? fmt::format("the contact would have to pull: normal reaction {:.4g} N at t = {:.4g} s",
                                                       watch.lowest_normal, watch.lowest_t)
                                         : fmt::format("the contact loses its push at t = {:.4g} s", watch.first_pull);
    pushes.why += unilateral ? "; let go it would press in at once, so it is its other rows that lift it, and it slips"
                             : "; a body that is not held lifts off";
    return pushes;
  }
  if (watch.undetermined & 1) {
    pushes.verdict = Holds::not_unique;
    pushes.why = "the normal reaction is not determined: there are more supports than the motion needs";
    return pushes;
  }
  pushes.verdict = Holds::holds;
  if (watch.first_release < ContactWatch::kNever) {
    pushes.why = fmt::format("the contact lets go, first at t = {:.4g} s", watch.first_release);
  } else if (watch.lowest_normal == ContactWatch::kNever) {
    pushes.why = "the contact does not touch";
  } else {
    pushes.why = fmt::format("the contact pushes, least {:.4g} N at t = {:.4g} s", watch.lowest_normal, watch.lowest_t);
  }
  return pushes;
}

// Friction has a limit.
Verdict judge_grip(const Contact& contact, double friction, const ContactWatch& watch) {
  Verdict grips;
  grips.subject = contact.name + ".friction";
  const bool slips = watch.first_slip < ContactWatch::kNever;
  if (!slips && !is_force_determined(contact, watch.undetermined)) {
    grips.verdict = Holds::not_unique;
    grips.why =
        "the reaction is not determined by the motion, and so is the friction it needs: there are more rows than are needed";
    return grips;
  }
  grips.verdict = slips ? Holds::violated : Holds::holds;
  if (slips) grips.first_violation = watch.first_slip;
  if (watch.largest_demand == ContactWatch::kNever) {
    grips.margin = 0;
    grips.why = fmt::format("where nothing presses there is no friction: at t = {:.4g} s none would be enough", watch.demand_t);
  } else {
    if (watch.largest_demand > 0) grips.margin = friction / watch.largest_demand;
    grips.why = fmt::format("needs friction {:.3g} at t = {:.4g} s, has {:.3g}", watch.largest_demand, watch.demand_t, friction);
  }
  return grips;
}

// The point of contact must be the nearest one: no other part of the surface is inside the body.
Verdict judge_nearest(const Contact& contact, const ContactWatch& watch) {
  Verdict nearest;
  nearest.subject = contact.name + ".contact";
  const char* body = std::holds_alternative<WheelGeometry>(contact.geometry) ? "wheel" : "sphere";
  if (watch.first_inside == ContactWatch::kNever) {
    nearest.verdict = Holds::holds;
    nearest.why = fmt::format("no other part of the surface reaches into the {}", body);
    return nearest;
  }
  nearest.verdict = Holds::violated;
  nearest.first_violation = watch.first_inside;
  nearest.why =
      fmt::format("the surface reaches {:.3g} m into the {} at t = {:.4g} s, beside the point where it is taken to touch",
                  watch.deepest, body, watch.deepest_t);
  return nearest;
}

}  // namespace

std::vector<Verdict> judge_contacts(const ConstraintSet& constraints, const std::vector<ContactWatch>& watches, bool unilateral) {
  std::vector<Verdict> verdicts;
  for (size_t i = 0; i < constraints.contacts.size(); ++i) {
    const Contact& contact = constraints.contacts[i];
    if (watches[i].deepest > -ContactWatch::kNever) verdicts.push_back(judge_nearest(contact, watches[i]));
    if (!contact.can_lift_off()) continue;
    verdicts.push_back(judge_push(contact, watches[i], unilateral));
    const auto& friction = constraints.model.description().contacts[i].friction;
    if (friction) verdicts.push_back(judge_grip(contact, *friction, watches[i]));
  }
  return verdicts;
}

std::vector<Verdict> judge_run(const Model& model, const ConstraintSet& constraints, const RunOptions& options, bool projected,
                               const Checkpoint& at_end) {
  std::vector<Verdict> verdicts{judge_energy(model, constraints, options, at_end), judge_inertia(model, at_end)};
  if (constraints.contacts.empty()) {
    verdicts.push_back(judge_reactions());
    return verdicts;
  }
  verdicts.push_back(judge_reactions(constraints, at_end.contacts));
  verdicts.push_back(judge_constraints(constraints, options, projected, at_end));
  verdicts.push_back(judge_position(at_end));
  for (Verdict& verdict : judge_contacts(constraints, at_end.contacts, options.unilateral))
    verdicts.push_back(std::move(verdict));
  return verdicts;
}

}  // namespace vinculum
