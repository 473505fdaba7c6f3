// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/run_gate.h"

#include <cmath>

#include <gtest/gtest.h>

namespace vinculum::testing {
namespace {

TEST(RunGate, NumbersPass) {
  RunResult result;
  result.integrals = {{"E", "J", 1, 1e-9}};
  result.verdicts = {{"energy", Holds::holds, 3, {}, "it stayed constant to 1e-9 J, the least is inf', nan.normal"}};
  pass_gate(result);
  EXPECT_EQ(result.end, RunResult::End::reached);
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.verdicts[0].verdict, Holds::holds);
}

TEST(RunGate, WhatIsNoNumberFailsTheRun) {
  RunResult result;
  result.integrals = {{"E", "J", 1, 1e-9}, {"Px", "N*s", 0, HUGE_VAL}};
  pass_gate(result);
  EXPECT_EQ(result.end, RunResult::End::failed);
  EXPECT_EQ(result.failure->code, "VN-RUN-132");
  EXPECT_NE(result.failure->message.find("the integral Px"), std::string::npos);
  EXPECT_TRUE(std::isfinite(result.integrals[1].drift));

  for (const Verdict& verdict : {Verdict{"foot.friction", Holds::holds, NAN, {}, ""},
                                 Verdict{"foot.friction", Holds::holds, 2, {}, "needs friction nan at t = 3 s"},
                                 Verdict{"foot.friction", Holds::violated, 2, {}, "the normal reaction is -inf"},
                                 Verdict{"foot.friction", Holds::violated, 2, HUGE_VAL, ""}}) {
    RunResult told;
    told.verdicts = {verdict};
    pass_gate(told);
    EXPECT_EQ(told.end, RunResult::End::failed) << verdict.why;
    EXPECT_NE(told.failure->message.find("foot.friction"), std::string::npos);
    EXPECT_EQ(told.verdicts[0].verdict, Holds::not_checked);
    EXPECT_FALSE(told.verdicts[0].margin || told.verdicts[0].first_violation);
    EXPECT_FALSE(tells_no_number(told.verdicts[0].why));
  }

  // What has failed already keeps its reason.
  RunResult failed;
  failed.end = RunResult::End::failed;
  failed.failure = Failure{"VN-RUN-113", "steps", ""};
  failed.integrals = {{"E", "J", NAN, 0}};
  pass_gate(failed);
  EXPECT_EQ(failed.failure->code, "VN-RUN-113");
}

}  // namespace
}  // namespace vinculum::testing
