// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/stepping/limit_watch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/math/find_zero.h"

namespace vinculum {

namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon() / 2;

}  // namespace

double LimitWatch::Record::time_outside(double t_end) const { return outside + (counts ? std::abs(t_end - *began.t) : 0); }

LimitWatch::LimitWatch(std::vector<SearchedFunction> functions)
    : functions_(std::move(functions)), granted_(functions_.size()), records_(functions_.size()), found_(functions_.size()) {}

bool LimitWatch::is_on_bound(size_t i) const {
  return !records_[i].is_violated() && records_[i].most && *records_[i].most > bound(i);
}

std::string LimitWatch::describe_excess(size_t i) const {
  return fmt::format("; on its bound to the accuracy of the run (exceeds it by {:.2g}, error {:.2g})",
                     *records_[i].most - bound(i), records_[i].granted);
}

std::optional<double> LimitWatch::margin(size_t i, bool is_upper) const {
  const Record& record = records_[i];
  if (!record.most) return std::nullopt;
  const double limit = is_upper ? bound(i) : -bound(i), extreme = is_upper ? *record.most : -*record.most;
  if (!(limit > 0) || !(extreme > 0)) return std::nullopt;
  const double margin = is_upper ? limit / extreme : extreme / limit;
  return record.is_violated() ? margin : std::max(margin, 1.0);
}

LimitWatch::Value LimitWatch::evaluate(size_t i, StepValues& values, double t) {
  SearchedFunction& function = functions_[i];
  arguments_.clear();
  for (const int slot : function.slots) arguments_.push_back(slot == SearchedFunction::kTime ? t : values.read(slot, t));
  Value found{t, function.formula ? function.formula->value(arguments_) : arguments_[0]};
  if (!(found.value > function.bound)) return found;
  const auto error_by = [&](const auto& error_of) {
    errors_.clear();
    for (size_t k = 0; k < arguments_.size(); ++k) {
      const bool is_time = function.slots[k] == SearchedFunction::kTime;
      errors_.push_back(is_time ? kRounding * std::abs(t) : error_of(function.slots[k], arguments_[k]));
    }
    return function.formula ? function.formula->find_error(arguments_, errors_) : errors_[0];
  };
  const double round_off =
      8 * error_by([&](int slot, double x) { return values.round_off(slot, x); }) + 8 * kRounding * std::abs(function.bound);
  found.is_above = found.value > function.bound + round_off;
  found.allowed = granted_[i] + round_off + error_by([&](int slot, double x) { return values.error(slot, x); });
  return found;
}

// A value counts by itself: of two that do the larger is kept, one that does not gives way to one that does.
void LimitWatch::take(size_t i, const Value& value, Record& record, std::vector<Begun>& begun) const {
  const bool counts = value.is_above && value.value > bound(i) + value.allowed;
  const bool is_most = counts && !record.is_violated()   ? true
                       : !counts && record.is_violated() ? false
                                                         : is_record(value.value, record.most);
  if (is_most) record.most = value.value, record.most_t = value.t, record.granted = value.allowed;
  if (!counts || record.counts) return;
  record.counts = true;
  record.first.take_if_none(*record.began.t);
  begun.push_back({i, *record.began.t});
}

// From one value to the next, with none of the places where it passes its bound between them unseen but one.
void LimitWatch::follow(size_t i, const Value& before, const Value& value, StepValues* values, Record& record,
                        std::vector<Begun>& begun) {
  if (!std::isfinite(value.value)) {
    if (record.unknown.happened()) return;
    record.unknown.t = value.t;
    if (!std::isfinite(before.value)) return;
    const auto has_value = [&](double t) { return std::isfinite(evaluate(i, *values, t).value) ? 1.0 : -1.0; };
    record.unknown.t = find_zero(has_value, before.t, 1, value.t, -1);
    return;
  }
  if (value.is_above != record.began.happened()) {
    const double a = before.value - bound(i), b = value.value - bound(i);
    double t = value.t;
    if (std::isfinite(a) && a * b < 0)
      t = find_zero([&](double x) { return evaluate(i, *values, x).value - bound(i); }, before.t, a, value.t, b);
    else if (std::isfinite(a) && value.is_above)
      t = before.t;  // it was on the bound there
    if (!value.is_above && record.counts) record.outside += std::abs(t - *record.began.t);
    record.began = value.is_above ? FirstTime{t} : FirstTime{};
    record.counts = false;
  }
  take(i, value, record, begun);
}

void LimitWatch::search_one(size_t i, StepValues& values, double t0, double t1, Record& record, std::vector<Begun>& begun,
                            std::span<const double> known) {
  SearchedFunction& function = functions_[i];
  const SearchFound& found = search_.search(function, values, t0, t1, record.most);
  const auto is_flat = [&](double t) {
    return std::ranges::any_of(found.flat, [&](const SearchFound::Stretch& flat) { return (t - flat.t0) * (t - flat.t1) <= 0; });
  };
  const auto value_at = [&](double t) {
    Value value = evaluate(i, values, t);
    // It stays on a bound that it must not even reach.
    const double near = 8 * kRounding * std::abs(function.bound);
    if (!found.flat.empty() && std::abs(value.value - function.bound) <= near && is_flat(t))
      value.is_above = true, value.allowed = -2 * near - std::numeric_limits<double>::min();
    return value;
  };
  Value before{t0, std::numeric_limits<double>::quiet_NaN()};
  times_ = found.times;
  for (const double t : known) {
    if ((t - t0) * (t - t1) < 0) times_.push_back(t);
  }
  if (times_.size() > found.times.size()) {
    std::sort(times_.begin(), times_.end(), [&](double a, double b) { return t1 >= t0 ? a < b : a > b; });
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  }
  for (const double t : times_) {
    const Value value = value_at(t);
    follow(i, before, value, &values, record, begun);
    before = value;
  }
  check(i, record);
}

// One truth.
void LimitWatch::check([[maybe_unused]] size_t i, [[maybe_unused]] const Record& record) const {
  assert(record.is_violated() == (record.most && *record.most > bound(i) + record.granted));
  assert(record.is_violated() || record.time_outside(record.began.t.value_or(0)) == 0);
  assert(!record.counts || record.began.happened());
}

std::vector<LimitWatch::Begun> LimitWatch::search(StepValues& values, double t0, double t1, std::span<const double> known) {
  known_.assign(known.begin(), known.end());
  values_ = &values;
  found_from_ = t0, found_to_ = t1;
  found_ = records_;
  std::vector<Begun> begun;
  for (size_t i = 0; i < size(); ++i) search_one(i, values, t0, t1, found_[i], begun, known_);
  return begun;
}

void LimitWatch::count(double end) {
  if (values_ == nullptr) return;
  if (end != found_to_) search(*values_, found_from_, end, std::vector<double>(known_));
  records_ = found_;
  values_ = nullptr;
}

void LimitWatch::lose(size_t i, StepValues& values, double last, double failed) {
  const Value lost = evaluate(i, values, failed);
  std::vector<Begun> begun;
  if (!std::isfinite(lost.value)) follow(i, evaluate(i, values, last), lost, &values, records_[i], begun);
}

void LimitWatch::look(size_t i, StepValues& values, double t) {
  std::vector<Begun> begun;
  search_one(i, values, t, t, records_[i], begun);
}

void LimitWatch::look(size_t i, double value, double t) {
  std::vector<Begun> begun;
  const double round_off = 8 * kRounding * (std::abs(value) + std::abs(bound(i)));
  follow(i, {t, std::numeric_limits<double>::quiet_NaN()}, {t, value, value > bound(i) + round_off, round_off}, nullptr,
         records_[i], begun);
  check(i, records_[i]);
}

std::vector<double> LimitWatch::memory() const {
  std::vector<double> numbers;
  for (const Record& record : records_) {
    add_optional(record.most, numbers);
    for (const FirstTime& time : {record.first, record.began, record.unknown}) time.add_to(numbers);
    numbers.insert(numbers.end(), {record.most_t, record.granted, record.counts ? 1.0 : 0.0, record.outside});
  }
  return numbers;
}

bool LimitWatch::restore(std::span<const double> n) {
  if (n.size() != kNumbers * records_.size()) return false;
  for (Record& record : records_) {
    record.most = take_optional(n);
    for (FirstTime* time : {&record.first, &record.began, &record.unknown}) time->t = take_optional(n);
    record.most_t = n[0], record.granted = n[1], record.counts = n[2] != 0, record.outside = n[3];
    if (record.counts && !record.began.happened()) return false;
    n = n.subspan(4);
  }
  return true;
}

}  // namespace vinculum
