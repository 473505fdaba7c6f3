// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/force_view.h"

// The line between two points, for the forces that act along it.
namespace vinculum {

// Length of a line, its direction from a to b, and the rates due to the bodies and to given motions of its ends.
template <class S>
struct Stretch {
  LoadedPoint<S> a, b;
  Vector3Of<S> direction;
  S length;
  S rate;
  S given_rate;  // the part of rate that comes from ends whose motion is given
};

template <class S>
VINCULUM_INLINE Stretch<S> compute_stretch(const Model& model, const Anchor& a, const Anchor& b, const Surroundings<S>& at) {
  using std::sqrt;
  Stretch<S> s;
  s.a = anchor_motion(model, a, at);
  s.b = anchor_motion(model, b, at);
  const Vector3Of<S> d = s.b.position - s.a.position;
  const S zero = lift<S>(0);
  s.length = sqrt(dot(d, d));
  S inverse = lift<S>(1) / s.length;
  // Ends that coincide give no direction, and then a spring pulls nowhere. A tape cannot ask.
  if constexpr (requires { s.length > zero; }) inverse = select(s.length > zero, inverse, zero);
  s.direction = inverse * d;
  const S rate_a = -dot(s.direction, s.a.velocity), rate_b = dot(s.direction, s.b.velocity);
  s.rate = rate_a + rate_b;
  s.given_rate = (s.a.link == kGround ? rate_a : zero) + (s.b.link == kGround ? rate_b : zero);
  return s;
}

// A pull on both ends.
template <class S>
VINCULUM_INLINE void apply_pull(const S& pull, const Stretch<S>& s, const Surroundings<S>& at, WrenchOf<S>* loads) {
  const Vector3Of<S> force = pull * s.direction;
  apply_force(s.a, force, at, loads);
  apply_force(s.b, -force, at, loads);
}

}  // namespace vinculum
