// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vinculum {

// No friction suffices: there is a force along the contact, and nothing presses. It is above every quotient of two forces that
// are more than round-off.
inline constexpr double kNothingPresses = 1e12;

// The coefficient of friction that a contact needs for a force along it, |R_t|, beside the normal force N:
//
//   |R_t| ≤ mu N ,  N > 0  =>  mu = |R_t| / N                                                        theory 3, section 6
//
// Forces up to `round_off` are none: without a tangential force nothing is needed, whatever presses; with one and no normal
// force, or one that pulls, kNothingPresses.
inline double compute_friction_demand(double tangential, double normal, double round_off) {
  if (tangential <= round_off) return 0;
  return normal > round_off ? tangential / normal : kNothingPresses;
}

}  // namespace vinculum
