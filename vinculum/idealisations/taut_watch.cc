// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/taut_watch.h"

#include <algorithm>

#include <fmt/core.h>

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

TautWatcher::Look TautWatcher::make_look(Moment& moment) {
  const ConstraintSolution& solution = moment.solution()->solution;
  Look look = looks_.take();
  look.t = moment.t();
  look.round_off = 0;
  look.tensions.assign(rows_.size(), std::nullopt);
  look.determinate.assign(rows_.size(), true);
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
  if (moment.solution() != nullptr) looks_.add(make_look(moment));
}

void TautWatcher::hear(const Occurrence& event) {
  if (event.kind != EventKind::slack) return;
  watches_[event.element.index].first_slack.take_if_none(event.t);
}

void TautWatcher::add_to_watch(const Look& look, bool forward) {
  for (size_t i = 0; i < watches_.size(); ++i) {
    Watch& watch = watches_[i];
    const std::optional<double> tension = look.tensions[i];
    const double round_off = std::max(look.round_off, kConstant * watch.largest.value_or(0));
    if (!tension || (look.determinate[i] && *tension < -round_off)) watch.first_slack.take(look.t, forward);
    if (!tension) continue;
    if (!look.determinate[i]) watch.undetermined = true;
    if (!look.determinate[i]) continue;
    if (is_low_record(*tension, watch.least)) watch.least = tension, watch.least_t = look.t;
    watch.largest = std::max(watch.largest, tension);
  }
}

void TautWatcher::search_step(StepValues& values, const LookAt& look_at, double t0, double t1, std::vector<Occurrence>&) {
  // How slack each is, then how tight: the margin knows both.
  const int count = static_cast<int>(watches_.size());
  const auto known = [&](int i) {
    const std::optional<double>& least = watches_[i % count].least;
    return i >= count ? watches_[i - count].largest : least ? std::optional<double>(-*least) : std::nullopt;
  };
  const auto value = [&](const Look& look, int i) -> std::optional<double> {
    const int k = i % count;
    if (!look.determinate[k] || !look.tensions[k]) return std::nullopt;
    return i < count ? -*look.tensions[k] : *look.tensions[k];
  };
  looks_.find_peaks(values, t0, t1, 2 * count, known, value, look_at);
}

void TautWatcher::count_looks(double begin, double end, const LookAt&, const StateAt&) {
  looks_.count(begin, end, [&](const Look& look) { add_to_watch(look, end >= begin); });
}

void TautWatcher::look_at_end(Moment& moment, bool forward) {
  if (moment.solution() == nullptr) return;
  Look look = make_look(moment);
  add_to_watch(look, forward);
  looks_.give_back(std::move(look));
}

Verdict TautWatcher::judge_one(size_t string) const {
  const Watch& watch = watches_[string];
  Verdict taut;
  taut.element = constraints_.model.strings()[string].name;
  taut.subject = taut.element + ".taut";
  taut.term = "cable slackness";
  // Both or none are known.
  const double least = watch.least.value_or(0), largest = watch.largest.value_or(0);
  if (watch.least) taut.nearest_t = watch.least_t;
  if (watch.first_slack.happened()) {
    taut.verdict = Holds::violated;
    taut.first_violation = watch.first_slack.t;
    taut.margin = 0;
    taut.hint = "the run continues with the string slack; use a spring or less acceleration to keep it taut";
    taut.why = least < -kConstant * largest
                   ? fmt::format("the string would have to push: tension {:.4g} N at t = {:.4g} s", least, watch.least_t)
                   : fmt::format("the string is slack, first at t = {:.9g} s", *watch.first_slack.t);
  } else if (watch.undetermined) {
    taut.verdict = Holds::not_unique;
    taut.why = "the tension is not determined: redundant strings";
    taut.hint = "remove a string, or replace it by a spring";
  } else {
    taut.verdict = Holds::holds;
    const double swing = largest - least, mean_twice = largest + least;
    if (swing > kConstant * mean_twice) taut.margin = mean_twice / swing;
    taut.why =
        fmt::format("the string stays taut: tension from {:.4g} N, at t = {:.4g} s, to {:.4g} N", least, watch.least_t, largest);
  }
  return taut;
}

void TautWatcher::judge(double, std::vector<Verdict>& verdicts) const {
  for (size_t i = 0; i < watches_.size(); ++i) verdicts.push_back(judge_one(i));
}

std::vector<double> TautWatcher::memory() const {
  std::vector<double> numbers;
  for (const Watch& watch : watches_) {
    add_optional(watch.least, numbers);
    add_optional(watch.largest, numbers);
    watch.first_slack.add_to(numbers);
    numbers.insert(numbers.end(), {watch.least_t, watch.undetermined ? 1.0 : 0.0});
  }
  return numbers;
}

bool TautWatcher::restore(std::span<const double> numbers) {
  if (numbers.size() != kNumbers * watches_.size()) return false;
  for (Watch& watch : watches_) {
    watch.least = take_optional(numbers);
    watch.largest = take_optional(numbers);
    watch.first_slack.t = take_optional(numbers);
    watch.least_t = numbers[0], watch.undetermined = numbers[1] != 0;
    numbers = numbers.subspan(2);
  }
  return true;
}

}  // namespace vinculum
