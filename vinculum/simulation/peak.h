// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

namespace vinculum {

// Looks at a motion, each with its time `t`, in the direction of time.
template <class Look>
void sort_looks(std::vector<Look>& looks, double begin, double end) {
  std::stable_sort(looks.begin(), looks.end(),
                   [&](const Look& a, const Look& b) { return end >= begin ? a.t < b.t : a.t > b.t; });
}

// Their memory is kept for those to come.
template <class Look>
void forget_looks(std::vector<Look>& looks, std::vector<Look>& spent) {
  std::move(looks.begin(), looks.end(), std::back_inserter(spent));
  looks.clear();
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

}  // namespace vinculum
