// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vinculum {

inline constexpr int kMostSobolDimensions = 21;

// The n-th number, in (0, 1), of one dimension of Sobol's sequence with the direction numbers of Joe and Kuo (2008).
// A random pattern of bits shifts each dimension (a digital shift keeps the uniformity, and no point lies on 0):
//
//   x_n = shift xor  g_1 v_1 xor g_2 v_2 xor ..      g = n xor (n >> 1), the Gray code of n
//
// A seed of 0 leaves the shift out, for comparison with tables; then the first number is 2^-53, not 0.
double sobol_number(int dimension, std::uint64_t n, std::uint64_t seed);

}  // namespace vinculum
