// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/read_case.h"
#include "vinculum/simulation/run.h"

namespace vinculum {
namespace {

RunResult require_until(const Model& model, double until, const std::string& integrator = "auto") {
  RunOptions options;
  options.until = until;
  options.integrator = integrator;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

Verdict verdict_on(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict on " + subject);
}

// p = cos t is above 0.3 - w √ln 2 and below 0.3 + w √ln 2 for a moment: first at acos(0.3 + w √ln 2).
TEST(Requirements, ANarrowPeakIsAViolation) {
  for (const char* integrator : {"taylor", "dop853"}) {
    const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 } }
forces: { spring: { joint: p, law: "-p" } }
outputs: { peak: { value: "exp(-((p - 0.3)/0.001)^2)", require: "< 0.5" } }
initial: { p: 1 }
)yaml");
    const Verdict verdict = verdict_on(require_until(model, 10, integrator), "peak");
    EXPECT_EQ(verdict.verdict, Holds::violated);
    EXPECT_NEAR(verdict.first_violation.value_or(0), std::acos(0.3 + 0.001 * std::sqrt(std::log(2))), 1e-8) << integrator;
    EXPECT_NEAR(verdict.margin.value_or(0), 0.5, 1e-6) << integrator;
  }
}

// max(0, x) is never below zero, however long it is zero.
TEST(Requirements, AClampOnItsBoundHolds) {
  const RunResult result = require_until(testing::read_case("verdicts/drop.yaml"), 2);
  EXPECT_EQ(verdict_on(result, "f").verdict, Holds::holds);
  EXPECT_EQ(verdict_on(result, "g").verdict, Holds::violated);
  EXPECT_EQ(verdict_on(result, "g").first_violation.value_or(-1), 0);
}

// 2 + cos t falls to 2 + cos 1. log(cos t - 1/2) has no value from π/3 on.
TEST(Requirements, LowerBoundsAndOutputsWithoutValue) {
  const Model model = testing::read_case("terms/req.yaml");
  const RunResult result = require_until(model, 1);
  EXPECT_NEAR(verdict_on(result, "high").margin.value_or(0), (2 + std::cos(1)) / 0.5, 1e-8);
  EXPECT_EQ(verdict_on(result, "bad").verdict, Holds::holds);
  EXPECT_EQ(verdict_on(require_until(model, 2), "bad").verdict, Holds::not_checked);
}

// cart = sin t leaves [-0.5, 0.8] at both ends, first above.
TEST(Requirements, TheFirstOfTwoEndsOfARange) {
  const Verdict verdict = verdict_on(require_until(testing::read_case("terms/lim.yaml"), 5), "cart.position");
  EXPECT_EQ(verdict.verdict, Holds::violated);
  EXPECT_NEAR(verdict.first_violation.value_or(0), std::asin(0.8), 1e-9);
}

}  // namespace
}  // namespace vinculum
