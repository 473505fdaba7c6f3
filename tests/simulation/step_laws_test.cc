// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws that are narrow in a coordinate: no integrator may step over them.
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/simulation/ensemble.h"
#include "vinculum/simulation/run.h"

namespace vinculum {
namespace {

RunResult go_until(const Model& model, const State& start, double until, const std::string& integrator, double tolerance = 1e-10,
                   double largest_step = 0) {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.integrator = integrator;
  options.largest_step = largest_step;
  options.watch_integrals = false;
  options.every = 1;  // the energy of a narrow law is a long sum
  RunListener nobody;
  auto result = run_simulation(model, start, options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

class StepLaws : public ::testing::TestWithParam<const char*> {
 protected:
  bool is_stiff() const { return std::string(GetParam()) == "cvode" || std::string(GetParam()) == "arkode"; }
};

INSTANTIATE_TEST_SUITE_P(All, StepLaws, ::testing::Values("taylor", "dop853", "cvode", "arkode"),
                         [](const auto& info) { return info.param; });

// A potential 10 exp(-((p - 1/2)/w)²) J in the way of a body that has 1/2 J.
Model barrier(double w) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ p: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: .1 }} }}
forces: {{ barrier: {{ joint: p, law: "20*(p - 0.5)/{0}^2*exp(-((p - 0.5)/{0})^2)" }} }}
initial: {{ p: -1, "p'": 1 }}
)yaml",
                                     w));
}

// The body turns where 10 exp(-x²) = 1/2, x = (p - 1/2)/w, and comes back as it came. The delay that this costs scales with w:
//   2 w (∫ dx/√(1 - 20 exp(-x²)) - ∫ dx) from the turning point outwards; p(4) = -2 - w c, c = 2.71004 from a fine run.
TEST_P(StepLaws, ABarrierIsNotPassed) {
  const double tolerance = is_stiff() ? 1e-9 : 1e-10;
  const std::vector<double> all{0.3, 0.1, 0.005, 0.001}, few{0.05};  // the stiff ones take long
  for (const double w : is_stiff() ? few : all) {
    const Model model = barrier(w);
    const RunResult result = go_until(model, model.initial_state(), 4, GetParam(), tolerance);
    ASSERT_FALSE(result.failure) << result.failure->message;
    // The tails of the potential are beyond the start at -1 for w = 0.3 as well, to 1e-10.
    EXPECT_NEAR(result.final.q[0], -2 - 2.7100402 * w, is_stiff() ? 2e-5 : 2e-7) << w;
    EXPECT_NEAR(result.final.v[0], -1, is_stiff() ? 1e-5 : 1e-7) << w;
    // And the same way back in time.
    State end = result.final;
    const RunResult back = go_until(model, end, 0, GetParam(), tolerance);
    EXPECT_NEAR(back.final.q[0], -1, is_stiff() ? 2e-4 : 2e-6) << w;
  }
}

// The force acts on another body than the one whose position it knows: nothing that is integrated bends before.
//   v = ∫ 100 exp(-((a - 1/2)/W)²) dt = 100 W √π at a' = 1
TEST_P(StepLaws, APulseOnAnotherBodyIsSeen) {
  for (const double width : {0.1, 0.01, 1e-3, 1e-4, 1e-5}) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  a: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: .1 }}
  b: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: .1 }}
forces: {{ blow: {{ joint: b, law: "100*exp(-((a - 0.5)/{})^2)" }} }}
initial: {{ a: -1, "a'": 1 }}
)yaml",
                                                    width));
    const RunResult result = go_until(model, model.initial_state(), 3, GetParam());
    ASSERT_FALSE(result.failure) << result.failure->message;
    const double exact = 100 * width * std::sqrt(std::numbers::pi);
    EXPECT_NEAR(result.final.v[1], exact, is_stiff() ? 2e-7 : 2e-9) << width;
    const RunResult back = go_until(model, result.final, 0, GetParam());
    EXPECT_NEAR(back.final.v[1], 0, is_stiff() ? 4e-7 : 4e-9) << width;
  }
}

// Two bodies that run together: only their difference is known well, not each.
TEST_P(StepLaws, APulseOfTwoFastBodiesIsSeen) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  a: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 }
  b: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 }
  c: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 }
forces: { blow: { joint: c, law: "100*exp(-((a - b - 0.5)/0.003)^2)" } }
initial: { a: -1, "a'": 101, "b'": 100 }
)yaml");
  const RunResult result = go_until(model, model.initial_state(), 3, GetParam());
  EXPECT_NEAR(result.final.v[2], 0.3 * std::sqrt(std::numbers::pi), is_stiff() ? 1e-6 : 1e-8);
  if (!is_stiff()) {
    EXPECT_LT(result.evaluations, 3000);
  }
}

// The rate of a state is a law like any other, and so is a sum whose large part is smooth.
TEST_P(StepLaws, RatesOfStatesAndSmallPartsOfSumsAreSeen) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { a: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 } }
states: { dose: "1000*a + exp(-((a - 0.5)/0.002)^2)" }
initial: { a: -1, "a'": 1 }
)yaml");
  const RunResult result = go_until(model, model.initial_state(), 3, GetParam());
  // ∫ 1000 (t - 1) dt = 1500, known to 1e-10 of it
  EXPECT_NEAR(result.final.q[1] - 1500, 0.002 * std::sqrt(std::numbers::pi), is_stiff() ? 5e-6 : 1.5e-7);
}

// A pulse that is small beside the rest of its product, or of its function, and a difference of two steps: v = ∫ law dt at a' =
// 1, from a = 0 to 1, where t is a.
TEST_P(StepLaws, APulseWithinAProductIsSeen) {
  const double root = std::sqrt(std::numbers::pi);
  const auto velocity_by = [&](const std::string& law) {
    const Model model = read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  a: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: .1 }}
  b: {{ joint: {{type: prismatic, axis: x}}, mass: 1, inertia: .1 }}
forces: {{ blow: {{ joint: b, law: "{}" }} }}
initial: {{ "a'": 1 }}
)yaml",
                                                    law));
    return go_until(model, model.initial_state(), 1, GetParam()).final.v[1];
  };
  const double error = is_stiff() ? 2e-6 : 2e-8;
  // ∫ 100 a (1 + 0.05 exp(-x²)) da = 50 + 5 · 0.5 w √π
  EXPECT_NEAR(velocity_by("100*a*(1 + 0.05*exp(-((a - 0.5)/1e-3)^2))") - 50, 2.5e-3 * root, error);
  // ∫ exp(a + 1e-3 exp(-x²)) da = e - 1 + e^(1/2) w √π (1e-3 + 1e-6/(2√2) + ..), to 1e-3 of w
  EXPECT_NEAR(velocity_by("100*exp(a + 0.001*exp(-((a - 0.5)/1e-3)^2))") - 100 * (std::exp(1) - 1),
              100 * std::exp(0.5) * 1e-3 * root * (1e-3 + 1e-6 / (2 * std::sqrt(2))), error);
  // Up and down again within 0.02: 100 · 2 · 0.02
  EXPECT_NEAR(velocity_by("100*tanh((a - 0.5)/1e-4) - 100*tanh((a - 0.52)/1e-4)"), 4, error);
}

// A law that every step resolves costs no evaluation, and no step.
TEST(StepLawsCost, ResolvedLawsAreLeftAlone) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { a: { joint: {type: prismatic, axis: x}, mass: 1, inertia: .1 } }
forces: { soft: { joint: a, law: "-sin(a)" } }
initial: { "a'": 1.5 }
)yaml");
  for (const char* integrator : {"taylor", "dop853"}) {
    const RunResult result = go_until(model, model.initial_state(), 20, integrator);
    EXPECT_LT(result.evaluations, integrator == std::string("taylor") ? 400 : 4000) << integrator;
    EXPECT_LT(result.rejected, 3) << integrator;
  }
  const RunResult wide = go_until(barrier(0.3), barrier(0.3).initial_state(), 4, "taylor");
  for (const double w : {0.1, 0.01, 0.001}) {
    const Model narrow = barrier(w);
    EXPECT_LT(go_until(narrow, narrow.initial_state(), 4, "taylor").evaluations, 2.5 * static_cast<double>(wide.evaluations))
        << w;
  }
}

TEST(StepLawsOfEnsembles, ABarrierIsNotPassed) {
  const Model model = barrier(0.01);
  const std::vector<State> starts(5, model.initial_state());
  EnsembleOptions options;
  options.until = 4;
  options.tolerance = 1e-10;
  const auto runs = run_ensemble(model, starts, options);
  ASSERT_TRUE(runs);
  for (const EnsembleRun& run : *runs) EXPECT_NEAR(run.final.q[0], -2 - 2.7100402 * 0.01, 1e-7);
}

}  // namespace
}  // namespace vinculum
