// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/simulation/choose_integrator.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

// A sleeve on a swinging rod, held by a spring with a damper: the faster of its rates is about damping/mass.
Model sleeve(double stiffness, double damping) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  a: {{ joint: {{type: revolute, axis: y}}, mass: 1, com: [0, 0, -.5], inertia: .1 }}
  p: {{ parent: a, joint: {{type: prismatic, axis: z}}, mass: .5, inertia: .01 }}
forces: {{ hold: {{ joint: p, law: "-{}*(p + .5) - {}*p'" }} }}
initial: {{ a: 1, p: -.5 }}
)yaml",
                                     stiffness, damping));
}

RunResult simulate(const Model& model, const char* integrator) {
  RunOptions options;
  options.until = 10;
  options.integrator = integrator;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  EXPECT_TRUE(result && !result->failure);
  return *result;
}

TEST(ChooseIntegrator, AStiffModelIsLeftToCvode) {
  const Model model = sleeve(8e5, 4e4);
  const RunResult chosen = simulate(model, "auto"), usual = simulate(model, "dop853");
  EXPECT_EQ(chosen.integrator, "cvode");
  EXPECT_NE(chosen.chosen_because.find("stiff"), std::string::npos);
  EXPECT_LT(20 * chosen.evaluations, usual.evaluations);
  EXPECT_NEAR(chosen.final.q[0], usual.final.q[0], 1e-6);
  EXPECT_EQ(simulate(model, "auto").final.q, chosen.final.q) << "the same choice, to the bit";
}

// What oscillates fast must be followed, whatever the method.
TEST(ChooseIntegrator, OthersAreNot) {
  for (const Model& model : {sleeve(80, 4), sleeve(8e5, 0)}) {
    const RunResult result = simulate(model, "auto");
    EXPECT_EQ(result.integrator, "taylor");
    EXPECT_TRUE(result.chosen_because.empty());
  }
}

// A governor whose arm and rod close a loop on the sleeve, with a ring on the sleeve held by a spring and a damper.
// An oscillator that a damper of 1e6 per second grips after 30 s: the choice at the start cannot know. It is told on the way, at
// the same step each time; and a resumed run tells it too.
TEST(ChooseIntegrator, StiffnessThatBeginsLaterIsTold) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0 } }
forces:
  spring: { joint: p, law: "-1e4*p" }
  brake: { joint: p, law: "-5e5*(1 + tanh(20*(t - 30)))*p'" }
initial: { p: 1 }
)yaml");
  struct Listener : RunListener {
    std::vector<std::string> told;
    void on_advice(const std::string& better) override { told.push_back(better); }
    bool wants_to_stop() override { return !told.empty(); }
  } listener;
  RunOptions options;
  options.until = 100;
  const auto result = run_simulation(model, model.initial_state(), options, listener);
  ASSERT_TRUE(result) << result.failure().message;
  EXPECT_NE(result->integrator, "cvode");
  ASSERT_EQ(listener.told.size(), 1u);
  EXPECT_NE(listener.told[0].find("cvode comes"), std::string::npos) << listener.told[0];
  EXPECT_EQ(result->better_integrator, listener.told[0]);
  EXPECT_GT(result->final.t, 29);
  EXPECT_LT(result->final.t, 32);
}

Model governor(double stiffness, double damping) {
  return read_model_text(fmt::format(R"yaml(
vinculum: 1
bodies:
  shaft: {{ joint: {{type: revolute, axis: z}}, mass: 1, com: [0, 0, .5], inertia: [.1, .1, .01] }}
  sleeve: {{ parent: shaft, joint: {{type: prismatic, axis: z}}, mass: 3, inertia: .005 }}
  arm: {{ parent: shaft, joint: {{type: revolute, axis: y, origin: [.05, 0, 1]}}, mass: 5, com: [.9, 0, 0], inertia: [.01, .1, .1] }}
  rod: {{ parent: arm, joint: {{type: revolute, axis: y, origin: [.5, 0, 0]}}, mass: .3, com: [.25, 0, 0], inertia: [.001, .01, .01] }}
  ring: {{ parent: sleeve, joint: {{type: prismatic, axis: z}}, mass: .1, inertia: .0001 }}
contacts:
  pin: {{ body: rod, with: sleeve, frame: {{on_body: {{point: [.5, 0, 0]}}, on_environment: {{point: [.05, 0, 0]}}}}, forbid: [normal, forward] }}
forces: {{ hold: {{ joint: ring, law: "-{}*ring - {}*ring'" }} }}
initial: {{ "shaft'": 2*pi, arm: 30 deg, rod: 120 deg, sleeve: .5, ring: .001 }}
)yaml",
                                     stiffness, damping));
}

// Also with a loop, if it is kept well within what its verdict allows.
TEST(ChooseIntegrator, AStiffLoopIsLeftToCvode) {
  const Model model = governor(8e5, 4e4);
  const RunResult chosen = simulate(model, "auto"), other = simulate(model, "arkode");
  EXPECT_EQ(chosen.integrator, "cvode");
  EXPECT_NE(chosen.chosen_because.find("stiff"), std::string::npos);
  EXPECT_LT(chosen.steps, 10000);  // dop853: 600 000, as its stability asks for
  EXPECT_NEAR(chosen.final.q[1], other.final.q[1], 1e-6);
  for (const Verdict& verdict : chosen.verdicts)
    EXPECT_EQ(verdict.verdict, Holds::holds) << verdict.subject << ": " << verdict.why;
  EXPECT_EQ(simulate(model, "auto").final.q, chosen.final.q) << "the same choice, to the bit";

  EXPECT_EQ(simulate(governor(80, 4), "auto").integrator, "dop853");
}

}  // namespace
}  // namespace vinculum
