// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/math/sincos.h"

#include <cmath>

namespace vinculum {

namespace {

#ifdef __x86_64__
__attribute__((target("fma"))) SinCos<double> sincos_fused(double angle) { return sincos_within_range(angle); }

bool has_fused_instructions() { return __builtin_cpu_supports("fma"); }
#else
SinCos<double> sincos_fused(double angle) { return sincos_within_range(angle); }

bool has_fused_instructions() { return true; }
#endif

}  // namespace

SinCos<double> sincos_beyond_range(double angle) { return {std::sin(angle), std::cos(angle)}; }

SinCos<double> sincos_out_of_line(double angle) {
  if (!(std::abs(angle) <= kSincosRange)) return sincos_beyond_range(angle);
  return has_fused_instructions() ? sincos_fused(angle) : sincos_within_range(angle);
}

}  // namespace vinculum
