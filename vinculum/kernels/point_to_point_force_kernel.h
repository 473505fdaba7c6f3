// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/line_kernel.h"

// Pulls along the line between two points by a law of length, rate, t, q and v. Where the points coincide there is no direction,
// and no value (explain_no_value tells).
namespace vinculum {

template <class S>
VINCULUM_INLINE BindingsOf<S> with_stretch(BindingsOf<S> bindings, const Stretch<S>& s) {
  bindings.surface_x = s.length;
  bindings.surface_y = s.rate;
  return bindings;
}

template <class S>
VINCULUM_INLINE Stretch<S> stretch_of(const PointToPointLaw& law, const ForceView<S>& view) {
  Stretch<S> s = compute_stretch(view.model, law.a, law.b, view.at);
  // 0/0 where there is none, as on a tape.
  if constexpr (requires { s.length > s.length; }) s.direction = (s.length / s.length) * s.direction;
  return s;
}

template <class S>
VINCULUM_INLINE void add_to_links(const PointToPointLaw& law, const ForceView<S>& view, WrenchOf<S>* loads) {
  const Stretch<S> s = stretch_of(law, view);
  apply_pull(evaluate_steps(law.law, with_stretch(view.bindings, s), view.scratch), s, view.at, loads);
}

// F (what given motions of the ends do to the rate) - (F - what has a potential) rate
template <class S>
VINCULUM_INLINE void add_power(const PointToPointLaw& law, const ForceView<S>& view, S& power) {
  const Stretch<S> s = stretch_of(law, view);
  const BindingsOf<S> bindings = with_stretch(view.bindings, s);
  const S pull = evaluate_steps(law.law, bindings, view.scratch);
  power = power + pull * s.given_rate;
  if (law.conservative) return;
  power = power - (pull - evaluate_steps(law.potential_part, bindings, view.scratch)) * s.rate;
}

}  // namespace vinculum
