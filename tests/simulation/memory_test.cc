// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// A state is complete: a run that is cut anywhere and started again from the state there reaches the same end.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/files/json_text.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

// A block that a shaking force pushes against a slip law.
Model shaken_block(const std::string& law) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ block: {{ joint: {{ type: prismatic, axis: x }}, mass: 1, inertia: [0, 0, 0] }} }}
velocity_constraints: {{ stick: {{ equation: "block' = 0", bound: 5 N, law: {} }} }}
forces: {{ push: {{ joint: block, law: "1 + 6*sin(3*t)" }} }}
)yaml",
                                     law));
}

// Two rows with a memory each, one of them on a wheel that turns.
Model two_memories() {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  block: { joint: { type: prismatic, axis: x }, mass: 1, inertia: [0, 0, 0] }
  wheel: { joint: { type: revolute, axis: z }, mass: 1, inertia: 0.5 }
velocity_constraints:
  stick: { equation: "block' - 0.2*wheel' = 0", bound: 2 N, law: { backlash: 0.05 } }
  brake: { equation: "wheel' = 0", bound: 1, law: { lag: 0.05 } }
forces:
  push: { joint: block, law: "4*sin(5*t)" }
  turn: { joint: wheel, law: "3*cos(4*t)" }
)yaml");
}

RunOptions frictional(double until) {
  RunOptions options;
  options.until = until;
  options.follow = Follow::frictional;
  options.watch_integrals = false;
  return options;
}

RunResult run_from(const Model& model, const State& start, double until) {
  RunListener nobody;
  const auto result = run_simulation(model, start, frictional(until), nobody);
  EXPECT_TRUE(result) << result.failure().message;
  EXPECT_FALSE(result->failure) << result->failure->message;
  return *result;
}

// The state goes through the text of a state file, as a user would hand it on.
State through_file(const Model& model, const State& state) {
  State read = model.initial_state();
  Diagnostics diagnostics;
  EXPECT_TRUE(read_state(to_json(model, state).dump(), model, read, nullptr, diagnostics));
  return read;
}

void expect_cut_is_no_cut(const Model& model, double until) {
  const State whole = testing::finish_run(model, frictional(until)).final;
  double moved = 0;
  for (const double cut : {0.1, 0.2, 0.37, 0.5, 0.73, 0.9}) {
    const State middle = run_from(model, model.initial_state(), cut * until).final;
    const State end = run_from(model, through_file(model, middle), until).final;
    for (size_t i = 0; i < whole.q.size(); ++i) EXPECT_NEAR(end.q[i], whole.q[i], 1e-8) << "cut at " << cut;
    for (size_t i = 0; i < whole.v.size(); ++i) EXPECT_NEAR(end.v[i], whole.v[i], 1e-7) << "cut at " << cut;
    EXPECT_EQ(end.modes, whole.modes) << "cut at " << cut;
    moved = std::max(moved, std::abs(middle.q[0] - model.initial_state().q[0]));
  }
  EXPECT_GT(moved, 1e-3);
}

// Case R7: cut at 0.2 s it went 13 % farther, because the play began anew in its middle.
TEST(Memory, BacklashGoesOnWhereItWas) {
  const Model model = testing::read_case("runs/lash.yaml");
  EXPECT_NEAR(testing::finish_run(model, frictional(1)).final.q[0], 1.09925, 5e-6);
  expect_cut_is_no_cut(model, 1);
}

TEST(Memory, EverySlipLawGoesOnFromAState) {
  for (const char* law :
       {"{ backlash: 0.03 }", "{ lag: 0.1 }", "{ delay: 0.2 }", "{ hysteresis: 0.4 }", "{ dead-zone: 0.2 }", "sign"}) {
    SCOPED_TRACE(law);
    expect_cut_is_no_cut(shaken_block(law), 3);
  }
}

TEST(Memory, LawsSideBySideKeepTheirOwn) { expect_cut_is_no_cut(two_memories(), 2); }

// The state file says what is remembered, in the units of the model.
TEST(Memory, StateFileNamesIt) {
  const Model model = shaken_block("{ backlash: 0.1 }");
  const State state = run_from(model, model.initial_state(), 0.2).final;
  const auto json = to_json(model, state);
  ASSERT_TRUE(json.contains("memory"));
  // Free in its play, the block has moved as far as its play: integral of t + 2 (1 - cos 3t) .. from rest.
  const double t = 0.2, way = t * t / 2 + 2 * t - 2 * std::sin(3 * t) / 3;
  EXPECT_NEAR(json["memory"]["stick.play"].get<double>(), std::min(way, 0.1), 1e-9);
}

TEST(Memory, WrongMemoryIsRefused) {
  const Model model = shaken_block("{ lag: 0.1 }");
  for (const char* text : {R"({"memory": 3})", R"({"memory": {"stick.play": 1}})", R"({"memory": {"stick.lag": [1]}})",
                           R"({"memory": {"stick.lag": [1, "a"]}})", R"({"memory": {"stick.lag": [1, 2, 3]}})"}) {
    State state = model.initial_state();
    Diagnostics diagnostics;
    EXPECT_FALSE(read_state(text, model, state, nullptr, diagnostics)) << text;
  }
}

}  // namespace
}  // namespace vinculum
