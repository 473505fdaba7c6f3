// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/study/sobol.h"

#include <array>
#include <cassert>

#include "vinculum/study/sample.h"

namespace vinculum {

namespace {

constexpr int kBits = 52;  // one less than a double has: a half more is exact

// A primitive polynomial x^s + a_1 x^(s-1) + .. + 1, its inner coefficients as bits, and the first s direction numbers.
struct Primitive {
  int degree;
  unsigned inner;
  std::array<unsigned, 7> first;
};
constexpr Primitive kPrimitives[kMostSobolDimensions - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

using Directions = std::array<std::uint64_t, kBits>;

// v_i as binary fractions of kBits bits. The first dimension is van der Corput's sequence; the others follow
// m_i = 2 a_1 m_(i-1) xor .. xor 2^s m_(i-s) xor m_(i-s).
Directions compute_directions(int dimension) {
  Directions v{};
  for (int i = 0; i < kBits; ++i) {
    std::uint64_t m = 1;
    if (dimension > 0) {
      const Primitive& p = kPrimitives[dimension - 1];
      if (i < p.degree) {
        m = p.first[static_cast<size_t>(i)];
      } else {
        const auto earlier = [&](int k) { return v[static_cast<size_t>(i - k)] >> (kBits - 1 - (i - k)); };
        m = (earlier(p.degree) << p.degree) ^ earlier(p.degree);
        for (int k = 1; k < p.degree; ++k) {
          if ((p.inner >> (p.degree - 1 - k)) & 1u) m ^= earlier(k) << k;
        }
      }
    }
    v[static_cast<size_t>(i)] = m << (kBits - 1 - i);
  }
  return v;
}

const Directions& directions_of(int dimension) {
  static const auto table = [] {
    std::array<Directions, kMostSobolDimensions> all;
    for (int d = 0; d < kMostSobolDimensions; ++d) all[static_cast<size_t>(d)] = compute_directions(d);
    return all;
  }();
  return table[static_cast<size_t>(dimension)];
}

}  // namespace

double sobol_number(int dimension, std::uint64_t n, std::uint64_t seed) {
  assert(dimension >= 0 && dimension < kMostSobolDimensions);
  const Directions& v = directions_of(dimension);
  std::uint64_t x = 0;
  std::uint64_t gray = n ^ (n >> 1);
  for (size_t i = 0; gray != 0 && i < kBits; ++i, gray >>= 1) {
    if (gray & 1u) x ^= v[i];
  }
  constexpr std::uint32_t kShiftStreams = 0x80000000u;  // apart from those of random parameters
  if (seed != 0)
    x ^= static_cast<std::uint64_t>(random_uniform(seed, kShiftStreams + static_cast<std::uint32_t>(dimension), 0) * 0x1p52);
  return (static_cast<double>(x) + 0.5) * 0x1p-52;
}

}  // namespace vinculum
