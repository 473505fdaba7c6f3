// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace vinculum {

// The rules that let one text of a law run on any scalar (a number, a pack of states, a traced value):
//   - constants enter through lift<Scalar>(x), so that a scalar may fold them;
//   - sine and cosine come from one call;
//   - no law compares scalars.

template <class Scalar>
inline Scalar lift(double value) {
  return Scalar(value);
}

template <class Scalar>
struct SinCos {
  Scalar sin;
  Scalar cos;
};

inline SinCos<double> sincos(double angle) { return {std::sin(angle), std::cos(angle)}; }

}  // namespace vinculum
