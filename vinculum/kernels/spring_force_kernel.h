// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/line_kernel.h"

// Linear springs with dampers: the pull is k (length - L) + c rate.
namespace vinculum {

// The numbers of a spring.
template <class S>
struct SpringOf {
  S stiffness, damping, length;
};

template <class S>
VINCULUM_INLINE S pull(const SpringOf<S>& spring, const Stretch<S>& s) {
  return spring.stiffness * (s.length - spring.length) + spring.damping * s.rate;
}
template <class S>
VINCULUM_INLINE S pull(const SpringLaw& spring, const Stretch<S>& s) {
  return pull(SpringOf<S>{lift<S>(spring.stiffness), lift<S>(spring.damping), lift<S>(spring.length)}, s);
}

template <class S>
VINCULUM_INLINE void add_to_links(const SpringLaw& law, const ForceView<S>& view, WrenchOf<S>* loads) {
  const Stretch<S> s = compute_stretch(view.model, law.a, law.b, view.at);
  apply_pull(pull(law, s), s, view.at, loads);
}

// A damper takes c d'²; an end moved from outside brings pull · its share of d'.
template <class S>
VINCULUM_INLINE void add_power(const SpringLaw& law, const ForceView<S>& view, S& power) {
  const Stretch<S> s = compute_stretch(view.model, law.a, law.b, view.at);
  power = power + (pull(law, s) * s.given_rate - lift<S>(law.damping) * s.rate * s.rate);
}

}  // namespace vinculum
