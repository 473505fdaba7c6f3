// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything at one state, against formulas.
#include "vinculum/questions/evaluation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

// A point mass on a rod of length l: m l² phi'' = -m g l sin phi, and the rod pulls with m (g cos phi + l phi'²).
TEST(Evaluations, APendulum) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies: { bob: { joint: { type: revolute, axis: y }, mass: 2, com: [0, 0, -0.5], inertia: 0 } }
initial: { bob: 0.4, "bob'": 1.5 }
outputs: { height: "-0.5*cos(bob)" }
)yaml");
  const double m = 2, l = 0.5, g = 9.81, phi = 0.4, rate = 1.5;
  for (const char* form : {"recursive", "vector", "aggregate"}) {
    const Evaluation evaluation = evaluate_state(model, model.initial_state(), form);
    ASSERT_FALSE(evaluation.failure) << evaluation.failure->message;
    ASSERT_TRUE(evaluation.dynamics && evaluation.outputs && evaluation.equations.mass_matrix);
    EXPECT_NEAR((*evaluation.equations.mass_matrix)(0, 0), m * l * l, 1e-14) << form;
    EXPECT_NEAR(evaluation.equations.bias[0], m * g * l * std::sin(phi), 1e-13) << form;
    const ForwardDynamics& dynamics = evaluation.dynamics->dynamics;
    EXPECT_NEAR(dynamics.accelerations[0], -g / l * std::sin(phi), 1e-12) << form;
    const Vector3 along{std::sin(phi), 0, std::cos(phi)};  // from the bob to the pin
    EXPECT_NEAR(std::abs(dot(dynamics.reactions_W[0].force, along)), m * (g * std::cos(phi) + l * rate * rate), 1e-12) << form;
    EXPECT_NEAR(evaluation.energy.kinetic, 0.5 * m * l * l * rate * rate, 1e-14) << form;
    EXPECT_NEAR((*evaluation.outputs)[0].value, -l * std::cos(phi), 1e-15) << form;
  }
}

// A block that is pushed with 3 N against a support: the row carries it, and what does not exist has its reason.
TEST(Evaluations, ARowAndAStateThatBreaksIt) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { block: { joint: { type: prismatic, axis: x }, mass: 2, inertia: 0 } }
forces: { push: { joint: block, law: "3" } }
velocity_constraints: { stick: { equation: "block' = 0", bound: 5 N } }
)yaml");
  const Evaluation rests = evaluate_state(model, model.initial_state());
  ASSERT_TRUE(rests.dynamics && rests.verdicts);
  EXPECT_NEAR(rests.dynamics->solution.multipliers[0], -3, 1e-14);
  EXPECT_NEAR(rests.dynamics->dynamics.accelerations[0], 0, 1e-15);
  ASSERT_EQ(rests.verdicts->front().subject, "stick");
  EXPECT_NEAR(*rests.verdicts->front().margin, 5.0 / 3.0, 1e-12);

  State moving = model.initial_state();
  moving.v[0] = 0.1;
  const Evaluation broken = evaluate_state(model, moving);
  EXPECT_TRUE(broken.failure);
  EXPECT_FALSE(broken.dynamics);
  EXPECT_NEAR(broken.energy.kinetic, 0.5 * 2 * 0.01, 1e-15);  // this much exists
}

}  // namespace
}  // namespace vinculum
