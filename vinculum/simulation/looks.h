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

namespace vinculum {

inline constexpr double kNever = std::numeric_limits<double>::max();  // a time that has not come, a value not seen

// The first time something is so, in the direction of the motion.
inline void take_first(double& first, double t, bool forward) {
  if (first == kNever || (forward ? t < first : t > first)) first = t;
}

// Looks at a motion, each with its time `t`, in the direction of time.
template <class Look>
void sort_looks(std::vector<Look>& looks, double begin, double end) {
  std::stable_sort(looks.begin(), looks.end(),
                   [&](const Look& a, const Look& b) { return end >= begin ? a.t < b.t : a.t > b.t; });
}

// The largest value of the looks, made larger by parabolas through it and its neighbours as long as that beats what is known.
// look_at(t) adds a look; value(look) is none where it is not known.
template <class Look, class Value>
void find_peak(std::vector<Look>& looks, double begin, double end, double known, const Value& value,
               const std::function<void(double)>& look_at) {
  constexpr int kMost = 12, kMostBeside = 4;
  constexpr double kEnough = 1e-7;  // relative
  const auto inside = [&](const Look& look) { return (look.t - begin) * (look.t - end) <= 0; };
  int looked_beside = 0;
  for (int tried = 0; tried < kMost; ++tried) {
    sort_looks(looks, begin, end);
    size_t top = looks.size();
    for (size_t j = 0; j < looks.size(); ++j) {
      if (inside(looks[j]) && value(looks[j]) && (top == looks.size() || *value(looks[j]) > *value(looks[top]))) top = j;
    }
    if (top == looks.size()) return;
    // Neighbours at other times.
    size_t left = top, right = top;
    while (left > 0 && looks[left].t == looks[top].t) --left;
    while (right + 1 < looks.size() && looks[right].t == looks[top].t) ++right;
    const double t = looks[top].t, a = looks[left].t - t, b = looks[right].t - t;
    const bool has_left = a != 0 && inside(looks[left]), has_right = b != 0 && inside(looks[right]);
    if (!has_left || !has_right) {
      // At an end of the interval the peak may still lie between the end and its neighbour, if that is much lower.
      const size_t beside = has_right ? right : left;
      if (looked_beside == kMostBeside || has_left == has_right || !value(looks[beside])) return;
      const double height = *value(looks[top]), fall = height - *value(looks[beside]);
      if (height < known - 0.1 * std::abs(known) || fall < 1e-3 * std::abs(height)) return;
      ++looked_beside;
      look_at(t + 0.25 * (has_right ? b : a));
      continue;
    }
    if (!value(looks[left]) || !value(looks[right])) return;
    // value - top = s x + c x² , through both neighbours
    const double left_fall = *value(looks[left]) - *value(looks[top]), right_fall = *value(looks[right]) - *value(looks[top]);
    // A pulse between looks is no parabola: nearer first.
    const double height = *value(looks[top]);
    if (std::max(-left_fall, -right_fall) > 0.5 * std::abs(height) && height > known - 0.1 * std::abs(known)) {
      look_at(t + 0.25 * a);
      look_at(t + 0.25 * b);
      continue;
    }
    const double curvature = (right_fall / b - left_fall / a) / (b - a), slope = right_fall / b - curvature * b;
    const double shift = -slope / (2 * curvature), peak = *value(looks[top]) - slope * slope / (4 * curvature);
    const bool beats = peak > known + kEnough * std::abs(known) && peak - *value(looks[top]) > kEnough * std::abs(peak);
    if (!(curvature < 0) || !beats || !(std::abs(shift) > 1e-3 * std::min(std::abs(a), std::abs(b)))) return;
    look_at(t + shift);
  }
}

// What all who watch a motion have in common. Looks made within a step wait until it is known how far the motion came; then those
// up to there are counted, the peaks between them first looked for, and all are forgotten.
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
  // called in the direction of time. The end of the step before is looked at as well: a peak may lie between it and the first
  // look.
  template <class Known, class Value, class Count>
  void count(double begin, double end, int quantities, const Known& known, const Value& value, const LookAt& look_at,
             const Count& count) {
    if (begin != end && quantities > 0) look_at(begin);
    for (int i = 0; begin != end && i < quantities; ++i) {
      find_peak(
          waiting_, begin, end, known(i), [&](const Look& look) { return value(look, i); }, look_at);
    }
    sort_looks(waiting_, begin, end);
    for (const Look& look : waiting_) {
      if ((look.t - begin) * (look.t - end) <= 0) count(look);
    }
    std::move(waiting_.begin(), waiting_.end(), std::back_inserter(spent_));
    waiting_.clear();
  }

 private:
  std::vector<Look> waiting_, spent_;
};

}  // namespace vinculum
