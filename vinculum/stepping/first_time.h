// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vinculum {

// What may not be there yet, as two numbers of a checkpoint: whether it is, and its value.
inline constexpr std::size_t kNumbersOfOptional = 2;
inline void add_optional(const std::optional<double>& value, std::vector<double>& numbers) {
  numbers.push_back(value ? 1 : 0);
  numbers.push_back(value.value_or(0));
}
// Takes them off the front.
inline std::optional<double> take_optional(std::span<const double>& numbers) {
  const std::optional<double> value = numbers[0] != 0 ? std::optional<double>(numbers[1]) : std::nullopt;
  numbers = numbers.subspan(kNumbersOfOptional);
  return value;
}

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

  // As numbers of a checkpoint.
  static constexpr std::size_t kNumbers = kNumbersOfOptional;
  void add_to(std::vector<double>& numbers) const { add_optional(t, numbers); }
  static FirstTime from_numbers(std::span<const double, kNumbers> numbers) {
    std::span<const double> rest = numbers;
    return {take_optional(rest)};
  }
};

}  // namespace vinculum
