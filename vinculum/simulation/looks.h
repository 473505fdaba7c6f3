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

#include "vinculum/simulation/find_peak.h"

namespace vinculum {

inline constexpr double kNever = std::numeric_limits<double>::max();  // a time that has not come, a value not seen

// The first time something is so, in the direction of the motion.
inline void take_first(double& first, double t, bool forward) {
  if (first == kNever || (forward ? t < first : t > first)) first = t;
}

// Is it above the largest value so far? By what its peak is known to, at least: one that comes again, or a value that stays,
// keeps its first moment.
inline bool is_record(double value, double most) {
  constexpr double kKnown = 1e-10;
  return most == -kNever ? value > most : value > most + kKnown * std::abs(most);
}

// What all who watch a motion have in common. Looks made within a step wait until it is known how far the motion came; then those
// up to there are counted, the peaks between them first looked for, and all are forgotten but the one at the end: the next step
// begins with it.
template <class Look>
class Looks {
 public:
  using LookAt = std::function<void(double)>;

  // One to be filled, in the memory of an old one.
  Look take() {
    if (spent_.empty()) return {};
    Look look = std::move(spent_.back());
    spent_.pop_back();
    return look;
  }
  Look& add(Look look) { return waiting_.emplace_back(std::move(look)); }
  void give_back(Look look) { spent_.push_back(std::move(look)); }

  // Of `quantities` numbers value(look, i), none where they are not known, with known(i) the largest so far; count(look) is
  // called in the direction of time. look_at(t) adds a look.
  template <class Known, class Value, class Count>
  void count(double begin, double end, int quantities, const Known& known, const Value& value, const LookAt& look_at,
             const Count& count) {
    for (int i = 0; begin != end && i < quantities; ++i) find_peak_of(i, begin, end, known(i), value, look_at);
    sort(end >= begin);
    for (const Look& look : waiting_) {
      if (is_within(look, begin, end)) count(look);
    }
    // The last of those at the end was made with the modes the motion goes on with.
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

  template <class Value>
  void find_peak_of(int quantity, double begin, double end, double known, const Value& value, const LookAt& look_at) {
    constexpr int kMost = 20;
    for (int looked = 0; looked < kMost;) {
      sort(end >= begin);
      points_.clear();
      for (const Look& look : waiting_) {
        if (!is_within(look, begin, end)) continue;
        const std::optional<double> found = value(look, quantity);
        if (!found) continue;
        if (!points_.empty() && points_.back().t == look.t) points_.pop_back();
        points_.push_back({look.t, *found});
      }
      const PeakLooks next = where_to_look_for_peak(points_, known);
      const size_t before = waiting_.size();
      for (const double t : next.times()) look_at(t);
      looked += next.count;
      if (waiting_.size() == before) return;
    }
  }

  std::vector<Look> waiting_, spent_;
  std::vector<PeakPoint> points_;  // scratch
};

}  // namespace vinculum
