// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "vinculum/math/symmetric3.h"

namespace vinculum {
namespace {

// Theory 2, (20)(21). Small integers: every product is exact.
TEST(Star, TakesACrossedTurnToAMatrix) {
  const Vector3 a{1, -2, 3}, b{5, 7, -4}, w{-3, 2, 6};
  EXPECT_TRUE(star(a, b) * w == cross(a, cross(w, b)));
  EXPECT_TRUE(star(a, b) * w == transpose_times(star(b, a), w));  // a*b = (b*a)ᵀ
  EXPECT_EQ(star(a, b)(0, 1), 2 * 5);                             // -a_y b_x: not symmetric,
  EXPECT_EQ(star(a, b)(1, 0), -1 * 7);                            // -a_x b_y
  EXPECT_TRUE(star(a, a) * w == star(a) * w);
}

}  // namespace
}  // namespace vinculum
