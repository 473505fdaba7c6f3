// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/verdict.h"

namespace vinculum {

bool tells_no_number(std::string_view why) {
  constexpr std::string_view kBefore = " =([", kAfter = " ,;:)]";
  for (const std::string_view word : {"nan", "inf"}) {
    for (std::size_t at = why.find(word); at != std::string_view::npos; at = why.find(word, at + 1)) {
      const std::size_t begin = at > 0 && why[at - 1] == '-' ? at - 1 : at, end = at + word.size();
      const bool begins = begin == 0 || kBefore.find(why[begin - 1]) != std::string_view::npos;
      if (begins && (end == why.size() || kAfter.find(why[end]) != std::string_view::npos)) return true;
    }
  }
  return false;
}

std::string_view to_text(Holds verdict) {
  switch (verdict) {
    case Holds::holds: return "holds";
    case Holds::violated: return "violated";
    case Holds::not_unique: return "not unique";
    case Holds::impossible: return "impossible";
    case Holds::not_checked: break;
  }
  return "not checked";
}

}  // namespace vinculum
