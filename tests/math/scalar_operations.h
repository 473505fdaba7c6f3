// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/pack.h"

// What every scalar is asked to do, once for all scalars.
namespace vinculum::testing {

inline constexpr int kFunctions = 20, kChoices = 2, kOperations = kFunctions + kChoices;

template <class S>
VINCULUM_INLINE void apply_functions(const S& a, const S& b, const S& c, S* results) {
  using std::sqrt, std::abs, std::exp, std::log, std::pow, std::tanh, std::floor, std::atan2;
  const auto [s, k] = sincos(a);
  const S all[kFunctions] = {a + b,       a - b,
                             a * b,       a / b,
                             -a,          multiply_add(a, b, c),
                             sqrt(a),     abs(a),
                             sign(a),     exp(a),
                             log(a),      pow(a, b),
                             s,           k,
                             tanh(a),     floor(a),
                             atan2(a, b), min(a, b),
                             max(a, b),   choose(a - b, c, a)};
  for (int i = 0; i < kFunctions; ++i) results[i] = all[i];
}

// And those that compare.
template <class S>
VINCULUM_INLINE void apply_operations(const S& a, const S& b, const S& c, S* results) {
  apply_functions(a, b, c, results);
  const S choices[kChoices] = {select(a < b, c, a), select(a <= b, a, c)};
  for (int i = 0; i < kChoices; ++i) results[kFunctions + i] = choices[i];
}

// N of each at a time; number i of lane k stands at [i N + k].
template <int N>
VINCULUM_INLINE void apply_operations_in_packs(const double* a, const double* b, const double* c, double* results) {
  Pack<N> packs[kOperations];
  apply_operations(Pack<N>::load(a), Pack<N>::load(b), Pack<N>::load(c), packs);
  for (int i = 0; i < kOperations; ++i) packs[i].store(results + i * N);
}

// The same, in files compiled for wider registers.
void apply_operations_with_avx2(const double* a, const double* b, const double* c, double* results);    // Pack<4>
void apply_operations_with_avx512(const double* a, const double* b, const double* c, double* results);  // Pack<8>

}  // namespace vinculum::testing
