// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/expression/period.h"

#include <gtest/gtest.h>

#include "tests/expression/formula.h"

namespace vinculum {
namespace {

// The largest rate of which all are whole multiples; sums and differences of times t count as one.
TEST(Repetition, RateOfSumsAndDifferences) {
  const auto rate = [](const char* text) { return find_repetition(formula::expression(text), formula::kT); };
  EXPECT_DOUBLE_EQ(rate("sin(3*t + t)").value_or(0), 4);
  EXPECT_DOUBLE_EQ(rate("sin(3*t - t)").value_or(0), 2);
  EXPECT_DOUBLE_EQ(rate("cos(5*t - 2*t) + 2*sin(1 + 4*t + 2*t)").value_or(0), 3);
  EXPECT_DOUBLE_EQ(rate("sin(2*t)*cos(3*t)").value_or(0), 1);
  EXPECT_FALSE(rate("t*sin(t)"));
}

// Two rates that nearly agree have no common one: their beats are seen in the end.
TEST(Repetition, RatesThatNearlyAgreeDoNotRepeat) {
  for (const char* text : {"sin(t) + sin(1.000000001*t)", "sin(2*t)*cos(3.00000001*t)"})
    EXPECT_FALSE(find_repetition(formula::expression(text), formula::kT)) << text;
}

}  // namespace
}  // namespace vinculum
