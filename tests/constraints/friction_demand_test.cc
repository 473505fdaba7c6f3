// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/friction_demand.h"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

// A weight of 10 N on a slope 3:4 needs tan a = 3/4; pulled off the slope it needs more than there is, and unloaded nothing.
TEST(FrictionDemand, IsTheQuotientOfTwoForces) {
  EXPECT_DOUBLE_EQ(compute_friction_demand(6, 8, 1e-9), 0.75);
  EXPECT_EQ(compute_friction_demand(6, -8, 1e-9), kNothingPresses);
  EXPECT_EQ(compute_friction_demand(6, 0, 1e-9), kNothingPresses);
  EXPECT_EQ(compute_friction_demand(0, -8, 1e-9), 0);
}

// Forces at the size of round-off are none, on both sides.
TEST(FrictionDemand, KnowsRoundOff) {
  EXPECT_EQ(compute_friction_demand(1e-10, 1e-10, 1e-9), 0);
  EXPECT_EQ(compute_friction_demand(6, 1e-10, 1e-9), kNothingPresses);
  EXPECT_LT(compute_friction_demand(1, 1.1e-9, 1e-9), kNothingPresses);
}

}  // namespace
}  // namespace vinculum
