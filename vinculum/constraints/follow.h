// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace vinculum {

// What contacts, stops and velocity constraints do in a run: hold whatever happens; push or part; and also stick or slip under
// `friction`, `bound` and `law`. All is judged in any case; this is what is followed.
enum class Follow { bilateral, unilateral, frictional };

inline constexpr std::array<std::string_view, 3> kFollowWords{"bilateral", "unilateral", "frictional"};

inline std::string_view word_of(Follow follow) { return kFollowWords[static_cast<int>(follow)]; }

inline std::optional<Follow> find_follow(std::string_view word) {
  for (size_t i = 0; i < kFollowWords.size(); ++i) {
    if (kFollowWords[i] == word) return static_cast<Follow>(i);
  }
  return std::nullopt;
}

}  // namespace vinculum
