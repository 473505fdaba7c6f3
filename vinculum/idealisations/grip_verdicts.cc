// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said of grips at the end of a run.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/constraints/slip_force.h"
#include "vinculum/idealisations/grips.h"
#include "vinculum/verdict/demand_text.h"

namespace vinculum {

// Contacts with more rows than are needed: friction that no distribution of the reactions does with is too little for certain.
Verdict Grips::judge_undetermined(const Grip& grip, Verdict verdict) const {
  const bool open = (grip.bound || grip.friction) && least_ > 0;
  verdict.verdict = open && least_ > 1 ? Holds::violated : Holds::not_unique;
  if (!open) {
    verdict.why = grip.contact >= 0 && grip.friction
                      ? "normal reaction and required friction are not determined: redundant constraints"
                      : "its reaction is not determined: redundant constraints";
    return verdict;
  }
  if (least_ == kNoFactor) {
    verdict.margin = 0;
    verdict.first_violation = least_first_.t;
    verdict.why = fmt::format("reaction forces are not unique; at t = {:.4g} s no distribution presses", least_t_);
    return verdict;
  }
  const auto amount = [&](double factor) {
    return grip.friction ? fmt::format("friction {:.3g}", factor * *grip.friction)
                         : fmt::format("{:.4g} {}", factor * *grip.bound, model_.rows()[grip.rows[0]].unit);
  };
  verdict.why = fmt::format(
      "reaction forces are not unique; the most favourable distribution needs at most {} at t = {:.4g} s, available {}",
      amount(least_), least_t_, amount(1));
  if (least_ > 1) {
    verdict.margin = 1 / least_;
    verdict.first_violation = least_first_.t;
    verdict.why = fmt::format(
        "reaction forces are not unique; even the most favourable distribution needs at least {} at t = {:.4g} s, available {}",
        amount(least_), least_t_, amount(1));
  }
  return verdict;
}

// Judged on redundant supports: it would slip where no distribution holds any longer, and it has a part in the mechanism that
// slips or needs more than it bears.
bool Grips::judge_shared(const Watch& watch, Verdict& verdict) const {
  if (!least_first_.happened() || !(watch.moves.happened() || watch.beyond.happened())) return false;
  verdict.verdict = Holds::violated;
  std::optional<double> first = watch.moves.t;
  if (watch.beyond.happened()) first = std::min(first.value_or(HUGE_VAL), std::max(*watch.beyond.t, *least_first_.t));
  verdict.first_violation = first;
  return true;
}

// What is needed at most, beside what there is. Where nothing is needed there is no moment of it.
std::string Grips::describe_demand(const Grip& grip, const Watch& watch) const {
  const std::string unit = grip.friction ? "" : model_.rows()[grip.rows[0]].unit;
  if (grip.bearing) {
    const double has = grip.bearing->friction_at_rest;
    return demand_text(watch.most * has, has, "", fmt::format("at t = {:.4g} s", watch.most_t));
  }
  const double available = grip.friction ? *grip.friction : *grip.holding_bound();
  if (!(watch.most > 0)) return demand_text(0, available, unit, "");
  return demand_text(grip.friction ? watch.most : watch.most * available, available, unit,
                     fmt::format("at t = {:.4g} s", watch.most_t));
}

Verdict Grips::judge_followed(size_t index, Verdict verdict) const {
  const Grip& grip = grips_[index];
  const Watch& watch = watches_[index];
  const std::string& unit = model_.rows()[grip.rows[0]].unit;
  const std::string has = grip.friction ? fmt::format("friction {:.3g}", *grip.friction)
                          : grip.bound  ? fmt::format("{:.4g} {}", *grip.bound, unit)
                                        : "no bound";
  if (!sticks(grip.law)) {
    verdict.why = fmt::format("its law never sticks; this run follows it ({})", has);
    return verdict;
  }
  verdict.verdict = Holds::violated;
  verdict.nearest_t = verdict.first_violation = watch.first.t;
  if (watch.began == Watch::Began::at_start || watch.began == Watch::Began::landing) {
    // It was not torn off: what counts is whether it goes on sticking.
    verdict.why = watch.began == Watch::Began::at_start ? "starts with slip"
                                                        : fmt::format("lands with slip at t = {:.4g} s", *watch.first.t);
    if (watch.regrips.happened() && watch.most < kNoFactor && (grip.friction || grip.bound))
      verdict.why += fmt::format(" (once it sticks it {})", describe_demand(grip, watch));
  } else {
    verdict.why = fmt::format(
        "slips at t = {:.4g} s: {} the available {}", watch.first.t.value_or(0),
        watch.began == Watch::Began::together ? "no distribution of the redundant reactions suffices with" : "needs more than",
        has);
  }
  if (watch.regrips.happened())
    verdict.why += fmt::format(", sticks again at t = {:.4g} s", *watch.regrips.t);
  else
    verdict.why += ", still slips at the end";
  if (watch.count > 1) verdict.why += fmt::format("; {} slips, the last at {:.4g} s", watch.count, watch.last);
  return verdict;
}

namespace {

Verdict load_split_verdict() {
  Verdict verdict;
  verdict.subject = "load split";
  verdict.term = "statically indeterminate support";
  return verdict;
}

}  // namespace

// What slides, or begins to, on more supports than it needs.
Verdict judge_load_split(double first_t, double share, double share_t) {
  Verdict verdict = load_split_verdict();
  verdict.verdict = Holds::not_unique;
  verdict.nearest_t = share_t;
  verdict.first_violation = first_t;
  verdict.why = fmt::format(
      "from t = {:.4g} s the motion depends on how redundant supports that slip share the load (up to {:.2g} of their friction), "
      "which rigid bodies leave undetermined. This run assumes equally stiff supports",
      first_t, share);
  verdict.hint =
      "give the supports their stiffness: `forbid: []`, `laws: {normal: {stiffness: ..}}` and `sliding_friction` for each";
  return verdict;
}

void Grips::judge(double, std::vector<Verdict>& verdicts) const {
  constexpr double kMissed = 1e-6;  // a demand this much beyond what is there, where nothing was seen to slip
  if (follows_contacts() && split_first_.happened()) {
    verdicts.push_back(judge_load_split(*split_first_.t, split_, split_t_));
  } else if (follows_contacts() && std::ranges::any_of(watches_, &Watch::shares)) {
    Verdict split = load_split_verdict();
    split.verdict = Holds::holds;
    split.why = "the motion does not depend on how the redundant supports share the load";
    verdicts.push_back(std::move(split));
  }
  for (size_t i = 0; i < grips_.size(); ++i) {
    const Grip& grip = grips_[i];
    const Watch& watch = watches_[i];
    if (grip.contact >= 0 && grip.friction && !model_.contacts()[grip.contact].can_lift_off() && !follows(grip)) continue;
    const bool missed = follows(grip) && watch.most > (1 + kMissed) * grip.friction.value_or(1);
    // That a joint slips is no assumption that fails, where it is followed; only a slip that was missed is.
    if (grip.joint >= 0 && (follows(grip) ? !missed || watch.first.happened() : watch.most == 0 && !watch.undetermined)) continue;
    Verdict verdict;
    verdict.subject = grip.judged;
    verdict.element = grip.contact >= 0 ? model_.contacts()[grip.contact].name : grip.name;
    verdict.term = grip.friction ? "friction demand" : "limited force";
    if (watch.most > 0) verdict.nearest_t = watch.most_t;
    bool slips = watch.first.happened();
    if (follows(grip) && (slips || !sticks(grip.law))) {
      verdicts.push_back(judge_followed(i, std::move(verdict)));
      continue;
    }
    if (!grip.has_limit()) {
      verdict.why = "no bound to compare with; `simulate --contacts frictional` follows its law";
      verdicts.push_back(std::move(verdict));
      continue;
    }
    if (!slips && watch.undetermined) {
      verdicts.push_back(judge_undetermined(grip, std::move(verdict)));
      continue;
    }
    verdict.verdict = slips ? Holds::violated : Holds::holds;
    if (slips) verdict.first_violation = watch.first.t;
    if (!follows(grip) && watch.shares) slips = judge_shared(watch, verdict);
    if (watch.most == kNoFactor) {
      verdict.margin = 0;
      verdict.why = grip.contact >= 0 ? fmt::format("no normal force at t = {:.4g} s, so no friction suffices", watch.most_t)
                                      : fmt::format("{} does not press at t = {:.4g} s, so no friction is available",
                                                    model_.rows()[grip.normal].name, watch.most_t);
    } else {
      if (watch.most > 0) verdict.margin = grip.friction.value_or(1) / watch.most;
      verdict.why = describe_demand(grip, watch);
      if (watch.shares) verdict.why += " (redundant supports, taken as equally stiff)";
      // It needs more than it has and others bear the rest, or the other way round: what counts is what all bear together.
      if (watch.shares && least_ > 0 && (verdict.verdict == Holds::holds) != (verdict.margin.value_or(1) >= 1))
        verdict.margin = 1.0 / least_;
    }
    if (missed) {
      verdict.verdict = Holds::violated;
      verdict.first_violation = watch.most_t;
      verdict.why += "; this slip was too short to be located and is not in the motion";
      verdict.hint = "use a smaller --tolerance, which makes shorter steps";
    }
    if (slips && grip.joint >= 0) {
      verdict.why += "; it does not hold the joint";
      verdict.hint = "`simulate` from this state shows how it slips";
    } else if (slips) {
      verdict.why += "; it would slip from then on; this run kept it sticking";
      verdict.hint = "run with `--contacts frictional` to let it slip";
    }
    verdicts.push_back(std::move(verdict));
  }
}

}  // namespace vinculum
