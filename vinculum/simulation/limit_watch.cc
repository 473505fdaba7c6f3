// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/limit_watch.h"

#include <cmath>

namespace vinculum {

namespace {

// Round-off of a bound, or the error of one step, is no violation.
constexpr double kLeastExcess = 1e-9;

}  // namespace

double LimitWatch::Record::time_outside(double t_end) const { return outside + (began == kNever ? 0 : std::abs(t_end - began)); }

LimitWatch::LimitWatch(std::vector<double> bounds) : bounds_(std::move(bounds)), records_(bounds_.size()) {}

std::span<double> LimitWatch::add_look(double t) {
  Look look = looks_.take();
  look.t = t;
  look.values.resize(size());
  return looks_.add(std::move(look)).values;
}

void LimitWatch::pass(size_t i, double t, bool upwards) {
  Record& record = records_[i];
  if (upwards) {
    if (record.first == kNever) record.first = t;
    record.began = t;
    return;
  }
  if (record.began != kNever) record.outside += std::abs(t - record.began);
  record.began = kNever;
}

void LimitWatch::count_looks(double begin, double end, const Idealisation::LookAt& look_at) {
  const auto take_most = [&](const Look& look) {
    for (size_t i = 0; i < size(); ++i) {
      if (is_record(look.values[i], records_[i].most)) records_[i].most = look.values[i], records_[i].most_t = look.t;
      // What is seen above its bound is a violation, whoever saw it: margin, time and verdict come from the same values.
      const double least = kLeastExcess * (1 + std::abs(bounds_[i]));
      if (look.values[i] - bounds_[i] > least) take_first(records_[i].first, look.t, end >= begin);
    }
  };
  looks_.count(
      begin, end, static_cast<int>(size()), [&](int i) { return records_[i].most; },
      [](const Look& look, int i) { return std::optional(look.values[i]); }, look_at, take_most);
}

void LimitWatch::look_at_end(double t, std::span<const double> values, bool forward) {
  for (size_t i = 0; i < size(); ++i) {
    Record& record = records_[i];
    if (is_record(values[i], record.most)) record.most = values[i], record.most_t = t;
    const double excess = values[i] - bounds_[i], least = kLeastExcess * (1 + std::abs(bounds_[i]));
    if (excess < -least) pass(i, t, false);  // an impact may have brought it back
    // It came to its bound and no farther: nothing has been seen above it.
    if (!(record.most - bounds_[i] > least)) record.first = record.began = kNever, record.outside = 0;
    if (!(excess > least)) continue;
    take_first(record.first, t, forward);
    if (record.began == kNever) record.began = t;  // it began outside
  }
}

std::vector<double> LimitWatch::memory() const {
  std::vector<double> numbers;
  for (const Record& r : records_) numbers.insert(numbers.end(), {r.most, r.most_t, r.first, r.began, r.outside});
  return numbers;
}

bool LimitWatch::restore(std::span<const double> n) {
  if (n.size() != 5 * records_.size()) return false;
  for (size_t i = 0; i < records_.size(); ++i) records_[i] = {n[5 * i], n[5 * i + 1], n[5 * i + 2], n[5 * i + 3], n[5 * i + 4]};
  return true;
}

}  // namespace vinculum
