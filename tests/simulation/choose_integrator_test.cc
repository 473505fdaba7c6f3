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

}  // namespace
}  // namespace vinculum
