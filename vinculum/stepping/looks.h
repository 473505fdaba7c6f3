// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "vinculum/math/find_zero.h"
#include "vinculum/stepping/step_search.h"

namespace vinculum {

// What all who watch a motion have in common. Looks made within a step wait until it is known how far the motion came; then those
// up to there are counted, and all are forgotten but the one at the end: the next step begins with it.
template <class Look>
class Looks {
 public:
  using LookAt = std::function<void(double)>;
  using ValueOf = std::function<std::optional<double>(const Look&)>;

  // One to be filled, in the memory of an old one.
  Look take() {
    if (spent_.empty()) return {};
    Look look = std::move(spent_.back());
    spent_.pop_back();
    return look;
  }
  Look& add(Look look) { return waiting_.emplace_back(std::move(look)); }
  void give_back(Look look) { spent_.push_back(std::move(look)); }

  // Of `quantities` numbers value(look, i), none where they are not known, with known(i) the largest so far, if any: looks where
  // they are larger between t0 and t1, by look_at(t), which adds a look.
  template <class Known, class Value>
  void find_peaks(StepValues& step, double t0, double t1, int quantities, const Known& known, const Value& value,
                  const LookAt& look_at) {
    SearchedFunction function;
    function.is_dear = true;
    function.wants_crossings = false;
    function.slots = {0};
    for (int i = 0; t0 != t1 && i < quantities; ++i) {
      const std::optional<double> most = known(i);
      PeakValues values(
          *this, step, look_at, [&](const Look& look) -> std::optional<double> { return value(look, i); }, most.value_or(0));
      for (const double t : search_.search(function, values, t0, t1, most).times) values.read(0, t);
    }
  }

  // The first time between t0 and t1 from which on the number value(look) is above zero, by more than `least` there.
  std::optional<double> find_first_above_zero(StepValues& step, double t0, double t1, double least, const ValueOf& value,
                                              const LookAt& look_at) {
    SearchedFunction function;
    function.is_dear = true;
    function.wants_most = false;
    function.slots = {0};
    PeakValues values(*this, step, look_at, value, least);
    std::vector<double> times = search_.search(function, values, t0, t1, 0).times;
    for (const Look& look : waiting_) {
      if (is_within(look, t0, t1)) times.push_back(look.t);
    }
    std::sort(times.begin(), times.end(), [&](double a, double b) { return t1 >= t0 ? a < b : a > b; });
    double before_t = t0, before = std::numeric_limits<double>::quiet_NaN(), began = t0;
    for (const double t : times) {
      const double now = values.read(0, t);
      if (now > 0 && !(before > 0))
        began = before < 0 ? find_zero([&](double x) { return values.read(0, x); }, before_t, before, t, now) : t;
      if (now > least) return began;
      before_t = t, before = now;
    }
    return std::nullopt;
  }

  // count(look) is called in the direction of time.
  template <class Count>
  void count(double begin, double end, const Count& count) {
    sort(end >= begin);
    for (const Look& look : waiting_) {
      if (is_within(look, begin, end)) count(look);
    }
    // The last of those at the end was made with the modes the motion continues with.
    const auto last = std::find_if(waiting_.rbegin(), waiting_.rend(), [&](const Look& look) { return look.t == end; });
    if (last != waiting_.rend()) std::iter_swap(last, waiting_.begin());
    const auto first_spent = waiting_.begin() + (last != waiting_.rend() ? 1 : 0);
    std::move(first_spent, waiting_.end(), std::back_inserter(spent_));
    waiting_.erase(first_spent, waiting_.end());
  }

 private:
  static bool is_within(const Look& look, double begin, double end) { return (look.t - begin) * (look.t - end) <= 0; }

  // In the direction of time, those at the same time in the order they were made. They nearly are already.
  void sort(bool forward) {
    const auto is_later = [&](const Look& a, const Look& b) { return forward ? a.t > b.t : a.t < b.t; };
    for (auto next = waiting_.begin(); next != waiting_.end(); ++next) {
      const auto place = std::find_if(waiting_.begin(), next, [&](const Look& look) { return is_later(look, *next); });
      std::rotate(place, next, std::next(next));
    }
  }

  // One quantity of the looks, which are made where they are missing.
  class PeakValues : public StepValues {
   public:
    PeakValues(Looks& looks, StepValues& step, const LookAt& look_at, ValueOf value, double known)
        : looks_(looks), step_(step), look_at_(look_at), value_(std::move(value)), size_(std::abs(known)) {}
    double read(int, double t) override {
      if (looks_.find(t) == nullptr) look_at_(t);
      const Look* look = looks_.find(t);
      const std::optional<double> found = look != nullptr ? value_(*look) : std::nullopt;
      if (found) size_ = std::max(size_, std::abs(*found));
      return found.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    bool is_dear(int) const override { return true; }
    std::span<const double> pieces() override { return step_.pieces(); }
    double unseen(double t0, double t1) override { return step_.unseen(t0, t1); }
    double noise(int) const override { return kPeakKnown * size_; }

   private:
    Looks& looks_;
    StepValues& step_;
    const LookAt& look_at_;
    ValueOf value_;
    double size_;
  };

  // The last one that was made for t.
  const Look* find(double t) const {
    const auto place = std::find_if(waiting_.rbegin(), waiting_.rend(), [&](const Look& look) { return look.t == t; });
    return place == waiting_.rend() ? nullptr : &*place;
  }

  std::vector<Look> waiting_, spent_;
  StepSearch search_;
};

}  // namespace vinculum
