// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/verdict/verdict.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>

#include <fmt/core.h>

#include "vinculum/verdict/words.h"

namespace vinculum {

namespace {

// As printed: equal wheels are equal, whatever their round-off.
double printed_margin(const Verdict& verdict) {
  return verdict.margin ? std::strtod(fmt::format("{:.3g}", *verdict.margin).c_str(), nullptr)
                        : std::numeric_limits<double>::infinity();
}

}  // namespace

void sort_by_gravity(std::vector<Verdict>& verdicts) {
  const auto rank = [](const Verdict& verdict) {
    const auto gravity = std::ranges::find(verdicts_by_gravity(), verdict.verdict) - verdicts_by_gravity().begin();
    const bool of_run = verdict.element.empty(), ranked = !of_run || verdict.verdict != Holds::holds;
    return std::tuple(gravity, of_run, ranked ? printed_margin(verdict) : 0.0);
  };
  std::stable_sort(verdicts.begin(), verdicts.end(), [&](const Verdict& a, const Verdict& b) { return rank(a) < rank(b); });
}

Holds gravest(const std::vector<Verdict>& verdicts) {
  for (const Holds worst : verdicts_by_gravity()) {
    if (std::any_of(verdicts.begin(), verdicts.end(), [&](const Verdict& v) { return v.verdict == worst; })) return worst;
  }
  return Holds::holds;
}

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

}  // namespace vinculum
