// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "vinculum/model/model.h"

namespace vinculum {

// What contacts, stops and velocity constraints do in a run: hold whatever happens; push or part; and also stick or slip under
// `friction`, `bound` and `law`. Joints stick and slip under their friction in every run. All is judged in any case; this is what
// is followed.
enum class Follow { bilateral, unilateral, frictional };

inline constexpr std::array<std::string_view, 3> kFollowWords{"bilateral", "unilateral", "frictional"};

inline bool may_slip(Follow follow, const Grip& grip) { return follow == Follow::frictional || grip.always_followed(); }
inline bool may_slip(Follow follow, const Model& model) {
  return std::ranges::any_of(model.grips(), [&](const Grip& grip) { return may_slip(follow, grip); });
}

inline std::string_view word_of(Follow follow) { return kFollowWords[static_cast<int>(follow)]; }

inline std::optional<Follow> find_follow(std::string_view word) {
  for (size_t i = 0; i < kFollowWords.size(); ++i) {
    if (kFollowWords[i] == word) return static_cast<Follow>(i);
  }
  return std::nullopt;
}

}  // namespace vinculum
