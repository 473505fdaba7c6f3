// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/idealisations/requirements.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "vinculum/model/units.h"

namespace vinculum {

namespace {

// The formula of a requirement `f <= bound`, with all that has a formula written out, over the numbers of a motion.
std::vector<SearchedFunction> list_functions(const Model& model, const MotionNumbers& numbers) {
  std::vector<SearchedFunction> functions;
  for (const Requirement& requirement : model.outputs().requirements) {
    const Expression value = write_out(model, model.outputs().columns[requirement.column].value);
    SearchedFunction function = make_function(requirement.below ? value : -value, numbers);
    function.bound = requirement.below ? requirement.bound : -requirement.bound;
    function.is_strict = !requirement.or_equal;
    functions.push_back(std::move(function));
  }
  return functions;
}

}  // namespace

Requirements::Requirements(const Model& model, double tolerance)
    : model_(model),
      tolerance_(tolerance),
      outputs_(model),
      watch_(list_functions(model, MotionNumbers(model, tolerance))),
      blows_(watch_.size()),
      undetermined_(watch_.size()) {}

// Of several requirements on one output the upper is called .max, the lower .min.
std::string Requirements::subject(size_t i) const {
  const auto& all = model_.outputs().requirements;
  const std::string& name = model_.outputs().columns[requirement(i).column].name;
  const auto same = [&](const Requirement& other) { return other.column == requirement(i).column; };
  return std::count_if(all.begin(), all.end(), same) == 1 ? name : name + (requirement(i).below ? ".max" : ".min");
}

Occurrence Requirements::begins(size_t i, double t) const {
  return {EventKind::requirement, {ElementKind::requirement, static_cast<int>(i)}, subject(i), t};
}

void Requirements::search_step(StepValues& values, const LookAt&, double t0, double t1, std::vector<Occurrence>& found) {
  for (const LimitWatch::Begun& begun : watch_.search(values, t0, t1)) found.push_back(begins(begun.index, begun.t));
}

void Requirements::lose_values(StepValues& values, double last, double failed) {
  for (size_t i = 0; i < watch_.size(); ++i) watch_.lose(i, values, last, failed);
}

void Requirements::count_looks(double, double end, const LookAt&, const StateAt&) { watch_.count(end); }

void Requirements::look_at_end(Moment& moment, bool) {
  MomentValues values(model_, tolerance_, outputs_, moment);
  for (size_t i = 0; i < watch_.size(); ++i) watch_.look(i, values, moment.t());
  if (!outputs_.compute(moment)) return;
  take_impulses(moment);
  const std::vector<bool> open = outputs_.find_undetermined(moment);
  for (size_t i = 0; i < undetermined_.size(); ++i) {
    if (open[requirement(i).column]) undetermined_[i].take_if_none(moment.t());
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
        if (is_beyond && value != outputs_.columns()[requirement(i).column] && !blows_[i].when.happened())
          blows_[i] = {{t}, row.impulse, static_cast<double>(row.row)};
      }
    }
  }
  heard_.clear();
}

std::vector<double> Requirements::memory() const {
  std::vector<double> numbers = watch_.memory();
  for (const FirstTime& time : undetermined_) time.add_to(numbers);
  for (const Blow& blow : blows_) {
    blow.when.add_to(numbers);
    numbers.insert(numbers.end(), {blow.impulse, blow.row});
  }
  return numbers;
}

bool Requirements::restore(std::span<const double> numbers) {
  const size_t own = FirstTime::kNumbers * undetermined_.size() + (FirstTime::kNumbers + 2) * blows_.size();
  if (numbers.size() < own) return false;
  const size_t of_watch = numbers.size() - own;
  std::span<const double> rest = numbers.subspan(of_watch);
  for (FirstTime& time : undetermined_) time.t = take_optional(rest);
  for (Blow& blow : blows_) {
    blow.when.t = take_optional(rest);
    blow.impulse = rest[0], blow.row = rest[1];
    if (!(blow.row >= 0 && blow.row < std::max(1.0, static_cast<double>(model_.rows().size())))) return false;
    rest = rest.subspan(2);
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
    if (record.unknown.happened()) {
      verdict.nearest_t = *record.unknown.t;
      verdict.why = fmt::format("the output has no value at t = {:.4g} s", *record.unknown.t);
      verdict.hint = "check divisions, roots, logarithms and the ranges of tables";
      verdicts.push_back(std::move(verdict));
      continue;
    }
    if (!record.most) {
      verdict.why = "the output was never computed";
      verdicts.push_back(std::move(verdict));
      continue;
    }
    const double extreme = asked.below ? *record.most : -*record.most;
    verdict.nearest_t = record.most_t;
    verdict.verdict = record.is_violated() ? Holds::violated : Holds::holds;
    verdict.margin = watch_.margin(i, asked.below);
    verdict.why = fmt::format("{} {} at t = {:.4g} s, required {}{} {}", asked.below ? "reaches" : "falls to",
                              in_sentence(extreme, column.unit), record.most_t, asked.below ? "<" : ">",
                              asked.or_equal ? "=" : "", in_sentence(asked.bound, column.unit));
    if (watch_.is_on_bound(i)) verdict.why += watch_.describe_excess(i);
    if (record.is_violated()) {
      verdict.first_violation = record.first.t;
      verdict.hint = "change the design or the requirement; `sweep` finds values that satisfy it";
      verdict.why += fmt::format("; {} it for {:.4g} s", asked.below ? "above" : "below", record.time_outside(t_end));
    }
    if (const Blow& blow = blows_[i]; blow.when.happened()) {
      const Row& row = model_.rows()[static_cast<size_t>(blow.row)];
      verdict.verdict = Holds::violated;
      verdict.margin = 0;
      verdict.nearest_t = blow.when.t;
      FirstTime first = record.first;
      first.take(*blow.when.t, *blow.when.t <= t_end);
      verdict.first_violation = first.t;
      verdict.why = fmt::format("{} has an impulse of {:.4g} {}*s at t = {:.4g} s, unbounded as a force; otherwise {}", row.name,
                                blow.impulse, row.unit, *blow.when.t, verdict.why);
      verdict.hint = "avoid the impact, or give the contact a stiffness";
    }
    if (undetermined_[i].happened()) {
      verdict.verdict = Holds::not_unique;
      verdict.margin.reset();
      verdict.first_violation = undetermined_[i].t;
      verdict.why = fmt::format("statically indeterminate from t = {:.4g} s, so this value is one of several; {}",
                                *undetermined_[i].t, verdict.why);
      verdict.hint = "give the redundant elements a stiffness, or require their sum";
    }
    verdicts.push_back(std::move(verdict));
  }
}

void Requirements::list_events(std::vector<Occurrence>& events) const {
  for (size_t i = 0; i < watch_.size(); ++i) events.push_back(begins(i, 0));
}

}  // namespace vinculum
