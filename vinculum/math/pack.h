// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstring>
#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

#include "vinculum/math/sincos.h"

namespace vinculum {
inline namespace VINCULUM_REGISTERS {

inline constexpr int kRegisterWidth = VINCULUM_REGISTER_WIDTH;

// The width of a vector type cannot be a template argument: the widths there are, one by one.
template <int N>
struct VectorTypes;
template <>
struct VectorTypes<2> {
  using Values [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
};
template <>
struct VectorTypes<4> {
  using Values [[gnu::vector_size(32)]] = double;
  using Bits [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct VectorTypes<8> {
  using Values [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
};

// Where a comparison of packs holds: all bits of a lane, or none.
template <int N>
struct Mask {
  typename VectorTypes<N>::Bits lanes;

  VINCULUM_INLINE bool operator[](int lane) const { return lanes[lane] != 0; }

  friend VINCULUM_INLINE Mask operator&(const Mask& a, const Mask& b) { return {a.lanes & b.lanes}; }
  friend VINCULUM_INLINE Mask operator|(const Mask& a, const Mask& b) { return {a.lanes | b.lanes}; }
  friend VINCULUM_INLINE Mask operator!(const Mask& a) { return {~a.lanes}; }
  friend VINCULUM_INLINE bool all(const Mask& mask) {
#if defined(__AVX512DQ__)
    if constexpr (N == 8) return _mm512_movepi64_mask(__m512i(mask.lanes)) == 0xff;
#endif
#if defined(__AVX2__) && defined(__FMA__)
    if constexpr (N == 4) return _mm256_movemask_pd(__m256d(mask.lanes)) == 0xf;
#endif
    std::int64_t common = mask.lanes[0];
#pragma GCC unroll 8
    for (int i = 1; i < N; ++i) common &= mask.lanes[i];
    return common != 0;
  }
  friend VINCULUM_INLINE bool any(const Mask& mask) { return !all(!mask); }
};

// N numbers side by side, one a state: what is done to the pack is done to each lane, with the bits a double would have. Pack<8>
// wants a file compiled for registers of 8, Pack<4> one for 4; elsewhere they are right but slow.
template <int N>
struct Pack {
  using Values = typename VectorTypes<N>::Values;
  using Bits = typename VectorTypes<N>::Bits;

  Values lanes;

  Pack() = default;
  VINCULUM_INLINE explicit Pack(double value) : lanes(value - Values{}) {}  // x - 0 is x, even for -0
  VINCULUM_INLINE explicit Pack(const Values& values) : lanes(values) {}

  // N numbers of an array, one after the other.
  static VINCULUM_INLINE Pack load(const double* values) {
    Pack pack;
    std::memcpy(&pack.lanes, values, sizeof pack.lanes);
    return pack;
  }
  VINCULUM_INLINE void store(double* values) const { std::memcpy(values, &lanes, sizeof lanes); }

  VINCULUM_INLINE double operator[](int lane) const { return lanes[lane]; }

  friend VINCULUM_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.lanes + b.lanes); }
  friend VINCULUM_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.lanes - b.lanes); }
  friend VINCULUM_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.lanes * b.lanes); }
  friend VINCULUM_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.lanes / b.lanes); }
  friend VINCULUM_INLINE Pack operator-(const Pack& a) { return Pack(-a.lanes); }

  friend VINCULUM_INLINE Mask<N> operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
  friend VINCULUM_INLINE Mask<N> operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
  friend VINCULUM_INLINE Mask<N> operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
  friend VINCULUM_INLINE Mask<N> operator>=(const Pack& a, const Pack& b) { return {a.lanes >= b.lanes}; }
  friend VINCULUM_INLINE Mask<N> operator==(const Pack& a, const Pack& b) { return {a.lanes == b.lanes}; }
};

template <int N>
VINCULUM_INLINE Pack<N> select(const Mask<N>& mask, const Pack<N>& where_true, const Pack<N>& where_false) {
  return Pack<N>(mask.lanes ? where_true.lanes : where_false.lanes);
}
template <int N>
VINCULUM_INLINE Pack<N> min(const Pack<N>& a, const Pack<N>& b) {
  return select(a < b, a, b);
}
template <int N>
VINCULUM_INLINE Pack<N> max(const Pack<N>& a, const Pack<N>& b) {
  return select(a > b, a, b);
}
template <int N>
VINCULUM_INLINE Pack<N> choose(const Pack<N>& s, const Pack<N>& x, const Pack<N>& y) {
  return select(s > Pack<N>(0), x, y);
}
template <int N>
VINCULUM_INLINE Pack<N> abs(const Pack<N>& x) {
  return __builtin_bit_cast(Pack<N>, typename Pack<N>::Bits(x.lanes) & ~kSignBit);
}
template <int N>
VINCULUM_INLINE Pack<N> sign(const Pack<N>& x) {
  const Pack<N> zero(0), one(1);
  return select(x > zero, one, select(x < zero, -one, x));
}

// One instruction where the machine has it: vector types have no operator for these two, and only one of g++'s vectorisers, which
// the scalar recursions cannot afford, would find them.
template <int N>
VINCULUM_INLINE Pack<N> multiply_add(const Pack<N>& a, const Pack<N>& b, const Pack<N>& c) {
#if defined(__AVX512F__)
  if constexpr (N == 8) return Pack<N>(_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes));
#endif
#if defined(__AVX2__) && defined(__FMA__)
  if constexpr (N == 4) return Pack<N>(_mm256_fmadd_pd(a.lanes, b.lanes, c.lanes));
  if constexpr (N == 2) return Pack<N>(_mm_fmadd_pd(a.lanes, b.lanes, c.lanes));
#endif
  Pack<N> result;
  for (int i = 0; i < N; ++i) result.lanes[i] = __builtin_fma(a.lanes[i], b.lanes[i], c.lanes[i]);
  return result;
}
template <int N>
VINCULUM_INLINE Pack<N> sqrt(const Pack<N>& x) {
#if defined(__AVX512F__)
  if constexpr (N == 8) return Pack<N>(_mm512_mask_sqrt_pd(x.lanes, 0xff, x.lanes));
#endif
#if defined(__AVX2__) && defined(__FMA__)
  if constexpr (N == 4) return Pack<N>(_mm256_sqrt_pd(x.lanes));
#endif
  Pack<N> result;
  for (int i = 0; i < N; ++i) result.lanes[i] = __builtin_sqrt(x.lanes[i]);
  return result;
}

// Lane by lane, by the function for a double.
template <int N>
VINCULUM_INLINE Pack<N> exp(const Pack<N>& x) {
  double result[N];
  for (int i = 0; i < N; ++i) result[i] = __builtin_exp(x[i]);
  return Pack<N>::load(result);
}
template <int N>
VINCULUM_INLINE Pack<N> log(const Pack<N>& x) {
  double result[N];
  for (int i = 0; i < N; ++i) result[i] = __builtin_log(x[i]);
  return Pack<N>::load(result);
}
template <int N>
VINCULUM_INLINE Pack<N> tanh(const Pack<N>& x) {
  double result[N];
  for (int i = 0; i < N; ++i) result[i] = __builtin_tanh(x[i]);
  return Pack<N>::load(result);
}
template <int N>
VINCULUM_INLINE Pack<N> atan2(const Pack<N>& y, const Pack<N>& x) {
  double result[N];
  for (int i = 0; i < N; ++i) result[i] = __builtin_atan2(y[i], x[i]);
  return Pack<N>::load(result);
}
template <int N>
VINCULUM_INLINE Pack<N> floor(const Pack<N>& x) {
  double result[N];
  for (int i = 0; i < N; ++i) result[i] = __builtin_floor(x[i]);
  return Pack<N>::load(result);
}
template <int N>
VINCULUM_INLINE Pack<N> pow(const Pack<N>& base, const Pack<N>& exponent) {
  double result[N];
  for (int i = 0; i < N; ++i) result[i] = __builtin_pow(base[i], exponent[i]);
  return Pack<N>::load(result);
}

template <int N>
VINCULUM_INLINE SinCos<Pack<N>> sincos(const Pack<N>& angle) {
  if (all(abs(angle) <= Pack<N>(kSincosRange))) [[likely]]
    return sincos_within_range(angle);
  double sines[N], cosines[N];
  for (int i = 0; i < N; ++i) {
    const SinCos<double> lane = sincos_out_of_line(angle[i]);
    sines[i] = lane.sin;
    cosines[i] = lane.cos;
  }
  return {Pack<N>::load(sines), Pack<N>::load(cosines)};
}

}  // namespace VINCULUM_REGISTERS
}  // namespace vinculum
