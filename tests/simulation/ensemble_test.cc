// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/ensemble.h"

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/worked_trees.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

// Neighbours of a state, more than lanes and not a multiple of them.
std::vector<State> neighbours(const Model& model, const State& state) {
  std::vector<State> states(19, state);
  for (size_t k = 0; k < states.size(); ++k) {
    for (double& v : states[k].v) v *= 1 + 0.05 * static_cast<double>(k);
    for (const DrivenCoordinate& driven : model.driven()) states[k].v[driven.v] = state.v[driven.v];
  }
  return states;
}

void expect_same_as_single_runs(const Model& model, const State& state, double until) {
  const std::vector<State> starts = neighbours(model, state);
  EnsembleOptions options;
  options.until = until;
  options.threads = 2;
  const auto runs = run_ensemble(model, starts, options);
  ASSERT_TRUE(runs) << runs.failure().message;
  ASSERT_EQ(runs->size(), starts.size());
  for (size_t k = 0; k < starts.size(); ++k) {
    RunOptions single;
    single.integrator = "taylor";
    single.until = until;
    RunListener nobody;
    const auto expected = run_simulation(model, starts[k], single, nobody);
    ASSERT_TRUE(expected);
    EXPECT_EQ((*runs)[k].final.t, until);
    EXPECT_EQ((*runs)[k].final.q, expected->final.q) << k;
    EXPECT_EQ((*runs)[k].final.v, expected->final.v) << k;
    EXPECT_EQ((*runs)[k].steps, expected->steps) << k;
    EXPECT_NE(expected->final.q, starts[k].q);
  }
}

TEST(Ensemble, BranchedTree) {
  const WorkedTree tree = branched_tree();
  expect_same_as_single_runs(tree.model, tree.state, 1);
}

TEST(Ensemble, LawsAndDrives) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 3, inertia: 0.1 }
  bob: { parent: cart, joint: {type: revolute, axis: y}, mass: 2, com: [0, 0, -0.5], inertia: 0.02 }
motions: { cart: "0.2*sin(3*t)" }
forces:
  damper: { joint: bob, law: "-0.3*bob'" }
  spring: { between: [bob, [0, 0, -0.5]], and: [world, [1, 0, 0]], stiffness: 8, damping: 0.1, length: 0.4 }
initial: { bob: 0.3, "bob'": 1 }
)yaml");
  expect_same_as_single_runs(model, model.initial_state(), 3);
}

TEST(Ensemble, EveryKindOfJoint) {
  for (int seed = 0; seed < 6; ++seed) {
    Random random(seed);
    const Model model = build(random_tree(seed + 30, 6));
    expect_same_as_single_runs(model, random_state(model, random), 0.2);
  }
}

// Events of every motion, and the state at the one that ends it, are those of a run.
TEST(Ensemble, EventsAndTheEndAtOne) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  upper: { joint: {type: revolute, axis: z}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }
  lower: { parent: upper, joint: {type: revolute, axis: z, origin: [1, 0, 0]}, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }
events: { straight: "sin(lower)", turn: "sin((upper + lower - pi/2)/2)" }
)yaml");
  for (const std::string stop_at : {"turn", ""}) {
    std::vector<State> starts(23, model.initial_state());
    for (size_t k = 0; k < starts.size(); ++k) starts[k].q = {-1 + 0.1 * static_cast<double>(k), 0.13 * static_cast<double>(k)};
    EnsembleOptions options;
    options.until = 4;
    options.threads = 2;
    options.stop_at = stop_at;
    const auto runs = run_ensemble(model, starts, options);
    ASSERT_TRUE(runs) << runs.failure().message;
    int stopped = 0, events = 0;
    for (size_t k = 0; k < starts.size(); ++k) {
      RunOptions single;
      single.integrator = "taylor";
      single.until = 4;
      single.stop_at = stop_at;
      single.watch_integrals = false;
      RunListener nobody;
      const auto expected = run_simulation(model, starts[k], single, nobody);
      ASSERT_TRUE(expected);
      const EnsembleRun& run = (*runs)[k];
      EXPECT_EQ(run.final.t, expected->final.t) << k;
      EXPECT_EQ(run.final.q, expected->final.q) << k;
      EXPECT_EQ(run.final.v, expected->final.v) << k;
      EXPECT_EQ(run.steps, expected->steps) << k;
      ASSERT_EQ(run.events.size(), expected->events.size()) << k;
      for (size_t i = 0; i < run.events.size(); ++i) {
        EXPECT_EQ(model.events()[static_cast<size_t>(run.events[i].event)].name, expected->events[i].name());
        EXPECT_EQ(run.events[i].t, expected->events[i].t);
        EXPECT_EQ(run.events[i].direction, expected->events[i].direction);
      }
      stopped += run.final.t < 4 ? 1 : 0;
      events += static_cast<int>(run.events.size());
    }
    EXPECT_EQ(stopped > 5 && stopped < 23, !stop_at.empty()) << stopped;
    EXPECT_GT(events, 20);
  }
}

// One motion meets a singularity at t = π/(2√2) √(x³); the others do not mind.
TEST(Ensemble, AMotionMayFailAlone) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { a: { joint: {type: prismatic, axis: x}, mass: 1, inertia: [1, 1, 1] } }
forces: { pull: { joint: a, law: "-1/a^2" } }
)yaml");
  std::vector<State> starts(12, model.initial_state());
  for (size_t k = 0; k < starts.size(); ++k) starts[k].q[0] = k == 4 ? 1 : 2;
  EnsembleOptions options;
  options.until = 2;
  const auto runs = run_ensemble(model, starts, options);
  ASSERT_TRUE(runs);
  for (size_t k = 0; k < starts.size(); ++k) {
    EXPECT_EQ((*runs)[k].failure.has_value(), k == 4) << k;
    EXPECT_NEAR((*runs)[k].final.t, k == 4 ? 1.1107207345 : 2, 1e-6);
  }
}

}  // namespace
}  // namespace vinculum::testing
