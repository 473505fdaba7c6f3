// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace vinculum {

// The first time something happened along a motion; none: it has not happened. Every number is a time, those below zero included,
// so no number stands for "not yet".
struct FirstTime {
  std::optional<double> t;

  bool happened() const { return t.has_value(); }
  // Keeps the earlier one in the direction of the motion.
  void take(double at, bool forward = true) {
    if (!t || (forward ? at < *t : at > *t)) t = at;
  }
  // Keeps the one that was reported first.
  void take_if_none(double at) {
    if (!t) t = at;
  }

  // As numbers of a checkpoint: whether it happened, and when.
  static constexpr std::size_t kNumbers = 2;
  void add_to(std::vector<double>& numbers) const {
    numbers.push_back(t ? 1 : 0);
    numbers.push_back(t.value_or(0));
  }
  static FirstTime from_numbers(std::span<const double, kNumbers> numbers) {
    return {numbers[0] != 0 ? std::optional<double>(numbers[1]) : std::nullopt};
  }
};

}  // namespace vinculum
