// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/force_view.h"

// Generalised forces on one velocity, `joint:`. Those that are constant are summed up once (Model::constant_forces).
namespace vinculum {

template <class S>
VINCULUM_INLINE void add_to_velocities(const JointForceLaw& law, const BindingsOf<S>& bindings, std::span<S> scratch, S* tau) {
  tau[law.velocity] = tau[law.velocity] + evaluate_steps(law.law, bindings, scratch);
}

template <class S>
VINCULUM_INLINE void add_to_links(const JointForceLaw&, const ForceView<S>&, WrenchOf<S>*) {}

template <class S>
VINCULUM_INLINE void add_power(const JointForceLaw& law, const ForceView<S>& view, S& power) {
  if (law.conservative) return;
  const S conservative_force = law.coordinate >= 0 ? evaluate_steps(law.potential_part, view.bindings, view.scratch) : lift<S>(0);
  power = power + (evaluate_steps(law.law, view.bindings, view.scratch) - conservative_force) * view.bindings.v[law.velocity];
}

}  // namespace vinculum
