// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_gate.h"

#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "vinculum/dynamics/failures.h"

namespace vinculum {

namespace {

bool is_clean(const Verdict& verdict) {
  return std::isfinite(verdict.margin.value_or(0)) && std::isfinite(verdict.first_violation.value_or(0)) &&
         !tells_no_number(verdict.why);
}

}  // namespace

void pass_gate(RunResult& result) {
  std::string first;
  const auto note = [&](const std::string& quantity) {
    if (first.empty()) first = quantity;
  };
  for (IntegralDrift& integral : result.integrals) {
    for (double* value : {&integral.start, &integral.drift}) {
      if (std::isfinite(*value)) continue;
      note(fmt::format("the integral {}", integral.name));
      *value = std::numeric_limits<double>::max();
    }
  }
  for (Verdict& verdict : result.verdicts) {
    if (is_clean(verdict)) continue;
    note(fmt::format("a number in the verdict {}", verdict.subject));
    verdict = {verdict.subject, Holds::not_checked, {}, {}, "a number it hangs on is beyond all doubles"};
  }
  if (first.empty()) return;
  result.end = RunResult::End::failed;
  if (!result.failure) result.failure = beyond_all_numbers(first);
}

}  // namespace vinculum
