// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vinculum/math/rotation.h"
#include "vinculum/model/tree.h"

namespace vinculum {

// q' of one link: its velocities, and Q' = ½ Q ∘ (0, w) of a ball.
template <class S>
void turn_coordinates(const Link& link, const S* q, const S* v, S* rates) {
  const bool is_ball = traits_of(link.kind).is_ball;
  const int plain = velocity_count(link.kind) - (is_ball ? 3 : 0);
  for (int k = 0; k < plain; ++k) rates[link.q + k] = v[link.v + k];
  if (!is_ball) return;
  const S *Q = q + link.q + plain, *w = v + link.v + plain;
  const QuaternionOf<S> rate = quaternion_rate(QuaternionOf<S>{Q[0], Q[1], Q[2], Q[3]}, Vector3Of<S>{w[0], w[1], w[2]});
  S* Q_dot = rates + link.q + plain;
  Q_dot[0] = rate.w;
  Q_dot[1] = rate.x;
  Q_dot[2] = rate.y;
  Q_dot[3] = rate.z;
}

}  // namespace vinculum
