// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/requirements.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace vinculum {

namespace {

std::vector<double> list_bounds(const Model& model) {
  std::vector<double> bounds;
  for (const Requirement& requirement : model.outputs().requirements)
    bounds.push_back(requirement.below ? requirement.bound : -requirement.bound);
  return bounds;
}

// In place of a value that is not a number: above every bound, and told as what it is.
constexpr double kNoValue = 1e300;

// A value on its bound, a clamp or a stop, is above it by round-off at most.
constexpr double kOnBound = 1e-12;

}  // namespace

Requirements::Requirements(const Model& model)
    : model_(model),
      outputs_(model),
      watch_(list_bounds(model)),
      used_(watch_.size()),
      blows_(watch_.size()),
      undetermined_(watch_.size(), LimitWatch::kNever) {}

// Of several requirements on one output the upper is called .max, the lower .min.
std::string Requirements::subject(size_t i) const {
  const auto& all = model_.outputs().requirements;
  const std::string& name = model_.outputs().columns[requirement(i).column].name;
  const auto same = [&](const Requirement& other) { return other.column == requirement(i).column; };
  return std::count_if(all.begin(), all.end(), same) == 1 ? name : name + (requirement(i).below ? ".max" : ".min");
}

bool Requirements::compute(Moment& moment) {
  if (!outputs_.compute(moment)) return false;
  for (size_t i = 0; i < used_.size(); ++i) {
    const double value = outputs_.columns()[requirement(i).column];
    used_[i] = std::isfinite(value) ? (requirement(i).below ? value : -value) : kNoValue;
  }
  return true;
}

void Requirements::evaluate_guards(Moment& moment, std::span<double> guards) {
  std::fill(guards.begin(), guards.end(), 1.0);
  if (!compute(moment)) return;
  std::ranges::copy(used_, watch_.add_look(moment.t()).begin());
  for (size_t i = 0; i < used_.size(); ++i) {
    const double most = std::abs(watch_.record(i).most);
    const double size = std::abs(watch_.bound(i)) + (most < kNoValue ? std::max(most, std::abs(used_[i])) : 0);
    guards[i] = watch_.bound(i) - used_[i] + kOnBound * size;
  }
}

Idealisation::Passed Requirements::pass(int guard, double, double t, bool falls, const StateAt&) {
  watch_.pass(static_cast<size_t>(guard), t, falls);
  if (!falls) return {};
  return {ElementEvent{"requirement", subject(static_cast<size_t>(guard))}, {}};
}

void Requirements::count_looks(double begin, double end, const LookAt& look_at, const StateAt&) {
  watch_.count_looks(begin, end, look_at);
}

void Requirements::look_at_end(Moment& moment, bool forward) {
  if (!compute(moment)) return;
  watch_.look_at_end(moment.t(), used_, forward);
  take_impulses(moment);
  const std::vector<bool> open = outputs_.find_undetermined(moment);
  for (size_t i = 0; i < undetermined_.size(); ++i) {
    if (open[requirement(i).column] && undetermined_[i] == LimitWatch::kNever) undetermined_[i] = moment.t();
  }
}

void Requirements::hear_impact(const ImpactReport& report, double t) { heard_.emplace_back(t, report); }

// An impulse is a force without bound for no time: what it does to an output is seen with one that acts for a very short time.
void Requirements::take_impulses(Moment& moment) {
  constexpr double kShort = 1e-9;  // of the model's time
  const double duration = kShort * model_.scales().time();
  for (const auto& [t, report] : heard_) {
    for (const ImpactReport::RowImpulse& row : report.impulses) {
      const std::vector<double> columns = outputs_.compute_with_force(moment, row.row, row.impulse / duration);
      for (size_t i = 0; i < blows_.size(); ++i) {
        const double value = columns[requirement(i).column];
        const bool is_beyond = requirement(i).below ? value > requirement(i).bound : value < requirement(i).bound;
        if (is_beyond && value != outputs_.columns()[requirement(i).column] && blows_[i].t == LimitWatch::kNever)
          blows_[i] = {t, row.impulse, static_cast<double>(row.row)};
      }
    }
  }
  heard_.clear();
}

std::vector<double> Requirements::memory() const {
  std::vector<double> numbers = watch_.memory();
  numbers.insert(numbers.end(), undetermined_.begin(), undetermined_.end());
  for (const Blow& blow : blows_) numbers.insert(numbers.end(), {blow.t, blow.impulse, blow.row});
  return numbers;
}

bool Requirements::restore(std::span<const double> numbers) {
  const size_t own = undetermined_.size() + 3 * blows_.size();
  if (numbers.size() < own) return false;
  const size_t of_watch = numbers.size() - own;
  const std::span<const double> blows = numbers.subspan(of_watch + undetermined_.size());
  std::ranges::copy(numbers.subspan(of_watch, undetermined_.size()), undetermined_.begin());
  for (size_t i = 0; i < blows_.size(); ++i) {
    blows_[i] = {blows[3 * i], blows[3 * i + 1], blows[3 * i + 2]};
    if (!(blows_[i].row >= 0 && blows_[i].row < std::max(1.0, static_cast<double>(model_.rows().size())))) return false;
  }
  return watch_.restore(numbers.first(of_watch));
}

void Requirements::judge(double t_end, std::vector<Verdict>& verdicts) const {
  for (size_t i = 0; i < watch_.size(); ++i) {
    const Requirement& asked = requirement(i);
    const LimitWatch::Record& record = watch_.record(i);
    const OutputColumn& column = model_.outputs().columns[asked.column];
    Verdict verdict;
    verdict.subject = verdict.element = subject(i);
    verdict.term = "requirement";
    if (record.most == -LimitWatch::kNever) {
      verdict.why = "the output was never computed";
      verdicts.push_back(std::move(verdict));
      continue;
    }
    if (record.most >= kNoValue) {
      verdict.nearest_t = record.most_t;
      verdict.why = fmt::format("the output has no value at t = {:.4g} s", record.most_t);
      verdict.hint = "check divisions, roots, logarithms and the ranges of tables";
      verdicts.push_back(std::move(verdict));
      continue;
    }
    const double extreme = asked.below ? record.most : -record.most;
    verdict.nearest_t = record.most_t;
    verdict.verdict = record.is_violated() ? Holds::violated : Holds::holds;
    if (asked.bound > 0 && extreme > 0) verdict.margin = asked.below ? asked.bound / extreme : extreme / asked.bound;
    verdict.why = fmt::format("{} {:.4g} {} at t = {:.4g} s, required {}{} {:.4g}", asked.below ? "reaches" : "falls to", extreme,
                              column.unit, record.most_t, asked.below ? "<" : ">", asked.or_equal ? "=" : "", asked.bound);
    if (record.is_violated()) {
      verdict.first_violation = record.first;
      verdict.hint = "change the design, or what `require` asks; `sweep` finds values with which it holds";
      verdict.why += fmt::format("; {} it for {:.4g} s", asked.below ? "above" : "below", record.time_outside(t_end));
    }
    if (const Blow& blow = blows_[i]; blow.t != LimitWatch::kNever) {
      const Row& row = model_.rows()[static_cast<size_t>(blow.row)];
      verdict.verdict = Holds::violated;
      verdict.margin = 0;
      verdict.first_violation = std::min(blow.t, record.is_violated() ? record.first : blow.t);
      verdict.why = fmt::format("{} takes an impulse of {:.4g} {}*s at t = {:.4g} s, without bound as a force; else {}", row.name,
                                blow.impulse, row.unit, blow.t, verdict.why);
      verdict.hint = "avoid the impact, or give what is struck a stiffness";
    }
    if (undetermined_[i] != LimitWatch::kNever) {
      verdict.verdict = Holds::not_unique;
      verdict.margin.reset();
      verdict.first_violation = undetermined_[i];
      verdict.why = fmt::format("statically indeterminate from t = {:.4g} s, so that this value is one of several; {}",
                                undetermined_[i], verdict.why);
      verdict.hint = "give the redundant elements a stiffness, or require their sum";
    }
    verdicts.push_back(std::move(verdict));
  }
}

void Requirements::list_events(std::vector<std::string>& names) const {
  for (size_t i = 0; i < watch_.size(); ++i) names.push_back("requirement:" + subject(i));
}

}  // namespace vinculum
