// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/scalar.h"

namespace vinculum {

template <class Scalar>
struct SinCos {
  Scalar sin;
  Scalar cos;
};

// Up to here [rad] the reduction below is good to the last bit; beyond, and for what is no number, the C library is asked.
inline constexpr double kSincosRange = 0x1p30;

SinCos<double> sincos_beyond_range(double angle);

// For files not compiled for fused instructions: looks whether the machine has them.
SinCos<double> sincos_out_of_line(double angle);

// sin and cos within one unit in the last place, without a branch: the same text, and so the same bits, for a double and each
// lane of a pack.
//
//   |x| = n π/2 + r + tail ,  |r| < π/4
//   sin(r) = r + r³ S(r²) ,   cos(r) = 1 - r²/2 + r⁴ C(r²)
//
// S and C are minimax to a relative error of 2⁻⁵⁷ and 2⁻⁶³ in sin and cos.
template <class S>
VINCULUM_INLINE SinCos<S> sincos_within_range(const S& angle) {
  using Bits = typename BitsOf<S>::Type;
  const Bits angle_bits = __builtin_bit_cast(Bits, angle);
  const Bits sign = angle_bits & kSignBit;
  const S x = __builtin_bit_cast(S, angle_bits ^ sign);

  // Adding 1.5·2⁵² leaves n, rounded to a whole number, in the low bits.
  const S shift = lift<S>(0x1.8p52);
  const S shifted = multiply_add(x, lift<S>(0x1.45f306dc9c883p-1), shift);
  const S n = shifted - shift;
  const Bits quadrant = __builtin_bit_cast(Bits, shifted);

  // π/2 in three parts of 53 bits (Cody, Waite). The first difference is exact, because it is a multiple of 2⁻⁵³
  // below 1. So it is a multiple of the last place of p = n·part2 too, and the error of r needs no comparison.
  const S part1 = lift<S>(0x1.921fb54442d18p+0), part2 = lift<S>(0x1.1a62633145c07p-54), part3 = lift<S>(-0x1.f1976b7ed8fbcp-110);
  const S difference = multiply_add(-n, part1, x);
  const S p = n * part2, p_error = multiply_add(n, part2, -p);
  const S r = difference - p;
  const S tail = multiply_add(-n, part3, ((difference - r) - p) - p_error);

  const S z = r * r;
  S s = multiply_add(z, lift<S>(0x1.5d93943689437p-33), lift<S>(-0x1.ae5e686c9c209p-26));
  s = multiply_add(z, s, lift<S>(0x1.71de357ae4586p-19));
  s = multiply_add(z, s, lift<S>(-0x1.a01a019c15e6fp-13));
  s = multiply_add(z, s, lift<S>(0x1.111111110f8a5p-7));
  s = multiply_add(z, s, lift<S>(-0x1.5555555555549p-3));
  S c = multiply_add(z, lift<S>(-0x1.8fb11e3fe1ec4p-37), lift<S>(0x1.1ee9f13295c57p-29));
  c = multiply_add(z, c, lift<S>(-0x1.27e4f8128ec6ep-22));
  c = multiply_add(z, c, lift<S>(0x1.a01a019cbf388p-16));
  c = multiply_add(z, c, lift<S>(-0x1.6c16c16c1521ep-10));
  c = multiply_add(z, c, lift<S>(0x1.555555555554cp-5));

  // sin(r + tail) = sin r + tail cos r ,  cos(r + tail) = cos r - tail r , the large parts last.
  const S one = lift<S>(1), half = lift<S>(0.5);
  const S half_z = half * z, w = one - half_z;
  s = r + multiply_add(r * z, s, multiply_add(-half_z, tail, tail));
  c = w + multiply_add(z * z, c, multiply_add(-r, tail, (one - w) - half_z));

  // Odd quarters exchange sine and cosine; signs follow the quarter, and sine the argument.
  const Bits sin_bits = __builtin_bit_cast(Bits, s), cos_bits = __builtin_bit_cast(Bits, c);
  const Bits exchange = (sin_bits ^ cos_bits) & -(quadrant & 1);
  return {__builtin_bit_cast(S, sin_bits ^ exchange ^ sign ^ ((quadrant & 2) << 62)),
          __builtin_bit_cast(S, cos_bits ^ exchange ^ (((quadrant + 1) & 2) << 62))};
}

VINCULUM_INLINE SinCos<double> sincos(double angle) {
#ifdef __FMA__
  return __builtin_fabs(angle) <= kSincosRange ? sincos_within_range(angle) : sincos_beyond_range(angle);
#else
  return sincos_out_of_line(angle);
#endif
}

}  // namespace vinculum
