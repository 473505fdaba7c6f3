// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/slip_force.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace vinculum {

// The creep of each smooth law carries the reaction r: R~(x) = r at the x of the table of theory 3, section 4.
TEST(SlipForce, SmoothLawsCarryTheReactionAtTheirCreep) {
  constexpr double R = 3, r = -0.7, e = 0.01;
  EXPECT_DOUBLE_EQ(compute_slip_force({SlipLawKind::viscous, 20}, R, -r / 20), r);
  EXPECT_NEAR(compute_slip_force({SlipLawKind::saturated, e}, R, -e * r / R), r, 1e-15);
  EXPECT_NEAR(compute_slip_force({SlipLawKind::tanh, e}, R, -e * std::atanh(r / R)), r, 1e-15);
  EXPECT_NEAR(compute_slip_force({SlipLawKind::algebraic, e}, R, -e * r / std::sqrt(R * R - r * r)), r, 1e-15);
  EXPECT_NEAR(compute_slip_force({SlipLawKind::arctan, e}, R, -e * std::tan(std::numbers::pi * r / (2 * R))), r, 1e-15);
}

// The power excess (R~ + R sign x) x has the largest value of the table.
TEST(SlipForce, PowerExcessHasItsLargestValue) {
  constexpr double R = 3, e = 0.01;
  const auto excess = [&](SlipLawKind kind) {
    double most = 0;
    for (double x = 0; x < 100 * e; x += e / 4096) most = std::max(most, (compute_slip_force({kind, e}, R, x) + R) * x);
    return most;
  };
  EXPECT_NEAR(excess(SlipLawKind::saturated), R * e / 4, 1e-8);
  EXPECT_NEAR(excess(SlipLawKind::tanh), 0.278464542761 * R * e, 1e-8);
  EXPECT_NEAR(excess(SlipLawKind::algebraic), 0.300283106001 * R * e, 1e-8);
  EXPECT_NEAR(excess(SlipLawKind::dead_zone), R * e, R * e / 4000);
}

// Every law opposes the slip, and is odd in it.
TEST(SlipForce, OpposesTheSlip) {
  for (int kind = 0; kind <= static_cast<int>(SlipLawKind::backlash); ++kind) {
    const SlipLaw law{static_cast<SlipLawKind>(kind), 0.02, 0.6};
    for (const double x : {0.03, 0.5, 4.0}) {
      EXPECT_LT(compute_slip_force(law, 3, x), 0);
      EXPECT_EQ(compute_slip_force(law, 3, -x), -compute_slip_force(law, 3, x));
    }
    EXPECT_EQ(compute_slip_force(law, 3, 0), 0);
    EXPECT_FALSE(is_smooth(law) && sticks(law));
  }
  EXPECT_NEAR(compute_slip_force({SlipLawKind::stribeck, 0.02, 0.6}, 3, 1), -1.8, 1e-15);
  EXPECT_NEAR(compute_slip_force({SlipLawKind::stribeck, 0.02, 0.6}, 3, 1e-12), -3, 1e-15);
}

}  // namespace vinculum
