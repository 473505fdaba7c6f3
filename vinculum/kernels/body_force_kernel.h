// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/kernels/force_view.h"

// Forces and torques on bodies, `body:`.
namespace vinculum {

// The force and torque of a `body:` law in world axes.
template <class S>
VINCULUM_INLINE WrenchOf<S> world_wrench(const BodyForceLaw& law, const Matrix3Of<S>& R_WB, const BindingsOf<S>& bindings,
                                         std::span<S> scratch) {
  WrenchOf<S> wrench{evaluate_vector(law.force_law, bindings, scratch), evaluate_vector(law.torque_law, bindings, scratch)};
  if (law.in_body_axes) wrench = {R_WB * wrench.force, R_WB * wrench.moment};
  return wrench;
}

template <class S>
VINCULUM_INLINE void add_to_links(const BodyForceLaw& law, const ForceView<S>& view, WrenchOf<S>* loads) {
  const Body& body = view.model.bodies()[law.body];
  const Matrix3Of<S>& R = view.at.world[body.link].R;
  apply_wrench(body, law.point_B, world_wrench(law, R * lift<S>(body.R_LB), view.bindings, view.scratch), view.at, loads);
}

template <class S>
VINCULUM_INLINE void add_power(const BodyForceLaw& law, const ForceView<S>& view, S& power) {
  if (law.constant_world_force) return;
  const Body& body = view.model.bodies()[law.body];
  const LinkInWorld<S>& link = view.at.world[body.link];
  const LoadedPoint<S> point = point_of_body(body, law.point_B, view.at);
  const WrenchOf<S> wrench = world_wrench(law, link.R * lift<S>(body.R_LB), view.bindings, view.scratch);
  power = power + (dot(wrench.force, point.velocity) + dot(wrench.moment, link.R * link.velocity.angular));
}

}  // namespace vinculum
