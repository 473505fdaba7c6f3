// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

// Code on packs is always inlined. A file compiled for wider registers than the rest must
// not leave a copy of a common function, because the linker could use it everywhere.
#define VINCULUM_INLINE inline __attribute__((always_inline))

// How many numbers a register holds. Templates compiled for different registers are different templates (an inline namespace, or
// a type in it), so that the linker cannot mix them up.
#if defined(__AVX512F__)
#define VINCULUM_REGISTER_WIDTH 8
#define VINCULUM_REGISTERS registers_of_8
#elif defined(__AVX2__) && defined(__FMA__)
#define VINCULUM_REGISTER_WIDTH 4
#define VINCULUM_REGISTERS registers_of_4
#else
#define VINCULUM_REGISTER_WIDTH 2
#define VINCULUM_REGISTERS registers_of_2
#endif

namespace vinculum {

// The rules that let one text of a law run on any scalar (a number, a pack of states, a dual number, a traced value):
//   - constants enter through lift<Scalar>(x), so that a scalar may fold them;
//   - sine and cosine come from one call, sincos(x) of sincos.h;
//   - a b + c with one rounding is written multiply_add(a, b, c): nothing else is ever fused;
//   - sqrt, exp, log, pow, abs, tanh and floor are called without std::, after `using std::sqrt`;
//   - no law branches on a scalar: select(a < b, x, y) takes x where the comparison holds, choose(s, x, y) where s > 0.
// Every operation gives a lane of a pack, the value of a dual number and the step of a tape the bits it gives a double.

template <class Scalar>
VINCULUM_INLINE Scalar lift(double value) {
  return Scalar(value);
}

// What has the right type already.
template <class Scalar>
requires(!std::is_same_v<Scalar, double>) VINCULUM_INLINE const Scalar& lift(const Scalar& value) { return value; }

VINCULUM_INLINE double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <class Scalar>
VINCULUM_INLINE Scalar select(bool condition, const Scalar& where_true, const Scalar& where_false) {
  return condition ? where_true : where_false;
}
VINCULUM_INLINE double min(double a, double b) { return a < b ? a : b; }
VINCULUM_INLINE double max(double a, double b) { return a > b ? a : b; }

// x where s > 0, else y: what is not taken may be no number.
VINCULUM_INLINE double choose(double s, double x, double y) { return s > 0 ? x : y; }

// ±1; 0 at 0.
VINCULUM_INLINE double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// The type of the 64 bits of a number, or of each lane of a pack, for what is quicker said about bits.
template <class Scalar>
struct BitsOf {
  using Type = typename Scalar::Bits;
};
template <>
struct BitsOf<double> {
  using Type = std::int64_t;
};
inline constexpr std::int64_t kSignBit = INT64_MIN;

}  // namespace vinculum
