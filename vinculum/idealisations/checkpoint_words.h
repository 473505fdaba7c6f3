// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace vinculum {

// Words among the numbers of a checkpoint.
inline void add_words(std::vector<double>& numbers, const std::string& words) {
  numbers.push_back(static_cast<double>(words.size()));
  for (const char letter : words) numbers.push_back(static_cast<unsigned char>(letter));
}

// Takes them off the front; false if there are none.
inline bool take_words(std::span<const double>& numbers, std::string& words) {
  if (numbers.empty() || !(numbers[0] >= 0) || numbers[0] > static_cast<double>(numbers.size() - 1)) return false;
  const auto count = static_cast<size_t>(numbers[0]);
  words.clear();
  for (const double letter : numbers.subspan(1, count)) words += static_cast<char>(static_cast<unsigned char>(letter));
  numbers = numbers.subspan(1 + count);
  return true;
}

}  // namespace vinculum
