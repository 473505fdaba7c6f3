// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

// The small algebra is compiled for several instruction sets (dynamics/kernels.h). A function left out of line with new instructions could be
// linked into code for old processors, so these are always inlined.
#define VINCULUM_INLINE inline __attribute__((always_inline))

namespace vinculum {

// The rules that let one text of a law run on any scalar (a number, a pack of states, a traced value):
//   - constants enter through lift<Scalar>(x), so that a scalar may fold them;
//   - sine and cosine come from one call;
//   - no law compares scalars;
//   - a b + c has one rounding, by multiply_add, so that every processor and every lane of a pack gives the same bits.

template <class Scalar>
VINCULUM_INLINE Scalar lift(double value) {
  return Scalar(value);
}

template <class Scalar>
struct SinCos {
  Scalar sin;
  Scalar cos;
};

VINCULUM_INLINE SinCos<double> sincos(double angle) { return {std::sin(angle), std::cos(angle)}; }

VINCULUM_INLINE double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace vinculum
