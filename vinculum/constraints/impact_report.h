// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace vinculum {

// What bodies struck each other with at one instant.
struct ImpactReport {
  struct RowImpulse {
    int row = 0;             // Row::index
    double impulse = 0;      // [N s], or [N m s] of a turning constraint
    double energy_lost = 0;  // [J] -½ impulse (rate before + rate after); below zero: it created energy
  };
  std::vector<RowImpulse> impulses;  // of every constraint that took one
  double energy_before = 0;          // [J] kinetic, beside which round-off is nothing
  std::string followed, other;  // how the bodies leave, and how if they were struck in another order; empty: no order matters
  bool compared = true;         // false: too many at once for all orders

  double energy_lost() const {
    double sum = 0;
    for (const RowImpulse& each : impulses) sum += each.energy_lost;
    return sum;
  }
};

}  // namespace vinculum
