// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/taut_watch.h"

#include <algorithm>

#include <fmt/core.h>

#include "vinculum/simulation/peak.h"

namespace vinculum {

namespace {

constexpr double kConstant = 1e-9;  // of a tension, beside the largest: what varies by less does not

}  // namespace

TautWatcher::TautWatcher(const ConstraintSet& constraints)
    : constraints_(constraints), watches_(constraints.model.strings().size()) {
  for (const Row& row : constraints.model.rows()) {
    if (row.from<StringRow>() != nullptr) rows_.push_back(row.index);
  }
}

TautWatcher::Look TautWatcher::make_look(Moment& moment) const {
  const ConstraintSolution& solution = moment.solution()->solution;
  Look look{moment.t(), 0, std::vector<double>(rows_.size(), kNever), std::vector<bool>(rows_.size(), true)};
  if (solution.multipliers.size() > 0) look.round_off = kConstant * solution.multipliers.lpNorm<Eigen::Infinity>();
  for (size_t i = 0; i < rows_.size(); ++i) {
    const auto row = moment.set().find_row(rows_[i]);
    if (!row) continue;
    look.tensions[i] = solution.multipliers[*row];
    look.determinate[i] = solution.analysis.determinate[*row];
  }
  return look;
}

void TautWatcher::evaluate_guards(Moment& moment, std::span<double>) {
  if (moment.solution() != nullptr) looks_.push_back(make_look(moment));
}

void TautWatcher::hear(const ElementEvent& event, double t) {
  if (event.kind != "slack") return;
  for (size_t i = 0; i < watches_.size(); ++i) {
    if (constraints_.model.strings()[i].name == event.subject && watches_[i].first_slack == kNever) watches_[i].first_slack = t;
  }
}

void TautWatcher::add_to_watch(const Look& look, bool forward) {
  for (size_t i = 0; i < watches_.size(); ++i) {
    Watch& watch = watches_[i];
    const double tension = look.tensions[i];
    if (tension == kNever || (look.determinate[i] && tension < -std::max(look.round_off, kConstant * watch.largest))) {
      if (watch.first_slack == kNever || (forward ? look.t < watch.first_slack : look.t > watch.first_slack))
        watch.first_slack = look.t;
    }
    if (tension == kNever) continue;
    if (!look.determinate[i]) watch.undetermined = 1;
    if (!look.determinate[i]) continue;
    if (tension < watch.least) watch.least = tension, watch.least_t = look.t;
    watch.largest = std::max(watch.largest, tension);
  }
}

void TautWatcher::count_looks(double begin, double end, const LookAt& look_at, const StateAt&) {
  if (begin != end) {
    look_at(begin);  // the end of the step before, between which and the first look the least may lie
    for (size_t i = 0; i < watches_.size(); ++i) {
      const auto slackness = [&](const Look& look) -> std::optional<double> {
        if (!look.determinate[i] || look.tensions[i] == kNever) return std::nullopt;
        return -look.tensions[i];
      };
      find_peak(looks_, begin, end, -watches_[i].least, slackness, look_at);
    }
  }
  sort_looks(looks_, begin, end);
  for (const Look& look : looks_) {
    if ((look.t - begin) * (look.t - end) <= 0) add_to_watch(look, end >= begin);
  }
  looks_.clear();
}

void TautWatcher::look_at_end(Moment& moment, bool forward) {
  if (moment.solution() != nullptr) add_to_watch(make_look(moment), forward);
}

Verdict TautWatcher::judge_one(size_t string) const {
  const Watch& watch = watches_[string];
  Verdict taut;
  taut.subject = constraints_.model.strings()[string].name + ".taut";
  if (watch.first_slack < kNever) {
    taut.verdict = Holds::violated;
    taut.first_violation = watch.first_slack;
    taut.margin = 0;
    taut.why = watch.least < -kConstant * watch.largest
                   ? fmt::format("the string would have to push: tension {:.4g} N at t = {:.4g} s", watch.least, watch.least_t)
                   : fmt::format("the string is slack, first at t = {:.9g} s", watch.first_slack);
  } else if (watch.undetermined != 0) {
    taut.verdict = Holds::not_unique;
    taut.why = "the tension is not determined by the motion: there are more strings than it needs";
  } else {
    taut.verdict = Holds::holds;
    const double swing = watch.largest - watch.least, mean_twice = watch.largest + watch.least;
    if (swing > kConstant * mean_twice) taut.margin = mean_twice / swing;
    taut.why = fmt::format("the string stays taut: tension from {:.4g} N, at t = {:.4g} s, to {:.4g} N", watch.least,
                           watch.least_t, watch.largest);
  }
  return taut;
}

void TautWatcher::judge(double, std::vector<Verdict>& verdicts) const {
  for (size_t i = 0; i < watches_.size(); ++i) verdicts.push_back(judge_one(i));
}

std::vector<double> TautWatcher::memory() const {
  std::vector<double> numbers;
  for (const Watch& watch : watches_)
    numbers.insert(numbers.end(), {watch.least, watch.least_t, watch.largest, watch.first_slack, watch.undetermined});
  return numbers;
}

bool TautWatcher::restore(std::span<const double> numbers) {
  if (numbers.size() != kNumbers * watches_.size()) return false;
  for (size_t i = 0; i < watches_.size(); ++i) {
    const auto own = numbers.subspan(i * kNumbers, kNumbers);
    watches_[i] = {own[0], own[1], own[2], own[3], own[4]};
  }
  return true;
}

}  // namespace vinculum
