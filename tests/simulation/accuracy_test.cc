// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// How far a run can be trusted: errors that grow, runs that do not come to their end, and integrators that `auto` chooses.
#include "vinculum/simulation/accuracy.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/simulation/choose_integrator.h"

namespace vinculum::testing {
namespace {

const Verdict* find_judged(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return &verdict;
  }
  return nullptr;
}

RunResult run_until(const Model& model, double until, double tolerance = 1e-10, const std::string& integrator = "auto") {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator;
  return finish_run(model, options);
}

// A double pendulum is chaotic: after 20 s the second digit is wrong, after 2 s it is right to ten.
TEST(Accuracy, ChaoticMotionsAreReported) {
  const Model model = read_case("paper/long.yaml");
  const RunResult result = run_until(model, 20);
  const Verdict* accuracy = find_judged(result, "accuracy");
  ASSERT_NE(accuracy, nullptr);
  EXPECT_EQ(accuracy->verdict, Holds::violated);
  ASSERT_TRUE(accuracy->first_violation);
  EXPECT_GT(*accuracy->first_violation, 5);
  EXPECT_LT(*accuracy->first_violation, 20);
  EXPECT_LT(*accuracy->margin, 1);
  EXPECT_EQ(find_judged(run_until(model, 2), "accuracy"), nullptr);

  // The error it reports is that of the run, beside one a hundred times as exact.
  const RunResult better = run_until(model, 20, 1e-14);
  double error = 0;
  for (size_t i = 0; i < result.final.q.size(); ++i)
    error = std::max(error, std::abs(result.final.q[i] - better.final.q[i]) / (1 + std::abs(better.final.q[i])));
  EXPECT_GT(error, 1e-3);
}

// A pendulum that is let go next to its upper position is not chaotic, and amplifies errors all the same: by e^(√(g/l) t).
TEST(Accuracy, AnUnstableEquilibriumAmplifiesErrors) {
  const auto pendulum = [](double start) {
    return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ p: {{ joint: {{type: revolute, axis: y}}, mass: 1, com: [0, 0, 1], inertia: 0 }} }}
initial: {{ p: {:.17g} }}
)",
                                       start));
  };
  const Verdict* none = nullptr;
  const RunResult low = run_until(pendulum(0.5), 6);
  EXPECT_EQ(find_judged(low, "accuracy"), none);
  // 1e-11 rad: below the tolerance, so that when it falls is decided by errors.
  const RunResult high = run_until(pendulum(1e-11), 12, 1e-8);
  const Verdict* accuracy = find_judged(high, "accuracy");
  ASSERT_NE(accuracy, none);
  EXPECT_EQ(accuracy->verdict, Holds::violated);
}

// x'' = 2 x³ from 1 with x' = 1 is 1/(1 - t): the run ends before t = 1, and nothing it says is green.
TEST(Accuracy, AFailedRunIsJudgedAsFarAsItCame) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { x: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 } }
forces: { f: { joint: x, law: "2*x^3" } }
initial: { x: 1, "x'": 1 }
)");
  RunOptions options;
  options.until = 2;
  RunListener nobody;
  const auto result = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->end, RunResult::End::failed);
  ASSERT_FALSE(result->verdicts.empty());
  for (const Verdict& verdict : result->verdicts) {
    EXPECT_NE(verdict.verdict, Holds::holds) << verdict.subject;
    if (verdict.verdict == Holds::not_checked) EXPECT_NE(verdict.why.find("up to t = 1 s"), std::string::npos) << verdict.why;
  }
}

// One that is interrupted was judged as far, too.
TEST(Accuracy, AnInterruptedRunIsJudgedAsFarAsItCame) {
  class Impatient : public RunListener {
   public:
    void on_step(double t) override { t_ = t; }
    bool wants_to_stop() override { return t_ > 1; }

   private:
    double t_ = 0;
  } impatient;
  const Model model = read_case("paper/long.yaml");
  RunOptions options;
  options.until = 20;
  const auto result = run_simulation(model, model.initial_state(), options, impatient);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->end, RunResult::End::interrupted);
  for (const Verdict& verdict : result->verdicts) EXPECT_NE(verdict.verdict, Holds::holds) << verdict.subject;
}

// A pole of 1 kg on a cart of 1e-6 kg: the cart moves fast, but nothing decays.
TEST(Accuracy, AutoKeepsTheToleranceOnALightCart) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 1e-6, inertia: 1e-9 }
  pole: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.5], inertia: 0 }
initial: { pole: 1.5, "pole'": 0.3 }
)");
  const RunResult chosen = run_until(model, 5, 1e-12), exact = run_until(model, 5, 1e-14, "taylor");
  EXPECT_EQ(chosen.integrator, "taylor");
  for (size_t i = 0; i < exact.final.q.size(); ++i) EXPECT_NEAR(chosen.final.q[i], exact.final.q[i], 1e-9);
}

// Where a damper is stiff the implicit method is taken, and is as accurate on the way as the usual one: also for tight
// tolerances.
TEST(Accuracy, AutoIsAsAccurateWhereItIsStiff) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  a: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -.5], inertia: .1 }
  p: { parent: a, joint: {type: prismatic, axis: z}, mass: .5, inertia: .01 }
forces: { hold: { joint: p, law: "-8e5*(p + .5) - 4e4*p'" } }
initial: { a: 1, p: -.5 }
)");
  for (const double tolerance : {1e-8, 1e-10}) {
    const RunResult chosen = run_until(model, 2, tolerance), usual = run_until(model, 2, tolerance, "dop853");
    EXPECT_NEAR(chosen.final.q[0], usual.final.q[0], 100 * tolerance) << chosen.integrator;
  }
}

}  // namespace
}  // namespace vinculum::testing
