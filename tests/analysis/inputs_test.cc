// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// What the analyses make of inputs and sampled values: columns of B_inputs, values that an integral must not depend on, numbers.
#include <cmath>

#include <gtest/gtest.h>

#include "vinculum/analysis/equilibrium.h"
#include "vinculum/analysis/integrals.h"
#include "vinculum/analysis/linearise.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/files/read_model.h"

namespace vinculum::inputs_in_analyses {
namespace {

using Names = std::vector<std::string>;

Linearisation linearise_at(const Model& model, const State& state) {
  DerivativesWorkspace workspace(model);
  auto linear = linearise(model, state, workspace);
  if (!linear) throw std::runtime_error(linear.failure().message);
  return std::move(*linear);
}

Names integrals_of(const std::string& sections) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 } }
)yaml" + sections);
  const auto found = find_integrals(model, model.initial_state());
  if (!found) throw std::runtime_error(found.failure().message);
  Names names;
  for (const Integral& integral : found->integrals) names.push_back(integral.name);
  return names;
}

// A tree with a ball, a follower force, and a state whose rate is an input. Every column against central differences of the
// accelerations and rates: the model is polynomial of the first degree in each input, so that these are exact to round-off.
TEST(InputsOfLinearisation, AreColumnsOfATree) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 }
  arm: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.4], inertia: 0.02 }
  top: { parent: arm, joint: {type: spherical, origin: [0, 0, -0.8]}, mass: 0.7, com: [0.1, 0, 0.2], inertia: [0.1, 0.12, 0.05] }
states: { filtered: "(torque - filtered)/0.2", travel: "cart + 0.5*thrust" }
inputs: { torque: 0.3 N*m, thrust: { unit: N, hold: linear }, gain: 2 }
samples: { loop: { every: 1 ms, hold: { held: "-arm" }, initial: { held: 0.7 } } }
forces:
  motor: { joint: arm, law: "torque + filtered - gain*arm' + held" }
  jet: { body: top, point: [0.1, 0, 0], force: ["thrust", 0, "0.5*gain*held"], torque: [0, "0.2*thrust", 0], frame: body }
  air: { body: arm, point: [0, 0.1, -0.4], force: ["-gain*cart'", "thrust", 0] }
initial: { cart: 0.2, arm: 0.4, "cart'": 1, "arm'": -0.5, top.qw: 0.8, top.qy: 0.6, top.wx: 0.3, top.wz: 2, filtered: 0.1 }
)yaml");
  const State state = model.initial_state();
  const Linearisation linear = linearise_at(model, state);
  EXPECT_EQ(linear.input_names, (Names{"torque", "thrust", "gain"}));
  EXPECT_EQ(linear.states, (Names{"cart", "arm", "top.rx", "top.ry", "top.rz", "cart'", "arm'", "top.wx", "top.wy", "top.wz",
                                  "filtered", "travel"}));
  ASSERT_EQ(linear.B_inputs.rows(), 12);
  ASSERT_EQ(linear.B_inputs.cols(), 3);
  Workspace workspace(model);
  const auto rates_with = [&](int q, double change) {
    State there = state;
    there.q[q] += change;
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(12);
    compute_accelerations(model, 0, there.q, there.v, {rates.data() + 5, 5}, workspace);
    std::vector<double> of_q(there.q.size()), scratch;
    compute_extra_rates(model, 0, there.q, there.v, of_q, scratch);
    rates[10] = of_q[*model.find_coordinate("filtered")];
    rates[11] = of_q[*model.find_coordinate("travel")];
    return rates;
  };
  for (int k = 0; k < 3; ++k) {
    const int q = model.inputs()[k].q;
    const Eigen::VectorXd expected = (rates_with(q, 0.5) - rates_with(q, -0.5)) / 1.0;
    EXPECT_GT(expected.norm(), 0.01) << k;
    EXPECT_LT((linear.B_inputs.col(k) - expected).norm(), 1e-12 * expected.norm()) << linear.input_names[k];
  }
}

// With rows, at rest: a bead on an inclined plane, held by a spring. Along the plane m a = u cos α + w.
TEST(InputsOfLinearisation, AreColumnsOnRowsAtRest) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { bead: { joint: {axes: [tx, tz]}, mass: 2, inertia: 0.1 } }
environment: { slope: { rotation: {axis: y, angle: -0.3} } }
contacts: { foot: { body: bead, with: slope, point: [0, 0, 0], forbid: [normal] } }
inputs: { u: 0 N, w: 0 N }
forces:
  push: { joint: bead.tx, law: "u - 8*bead.tx" }
  jet: { body: bead, force: ["w*cos(0.3)", 0, "w*sin(0.3)"] }
)yaml");
  const Linearisation linear = linearise_at(model, model.initial_state());
  EXPECT_EQ(linear.input_names, (Names{"u", "w"}));
  ASSERT_EQ(linear.B_inputs.rows(), 2);
  // The departure is that of tx, or of tz, along the plane.
  const double of_unit = linear.states[0] == "bead.tx" ? std::cos(0.3) : std::sin(0.3);
  EXPECT_NEAR(linear.B_inputs(1, 0), of_unit * std::cos(0.3) / 2, 1e-14);
  EXPECT_NEAR(linear.B_inputs(1, 1), of_unit / 2, 1e-14);
  EXPECT_EQ(linear.B_inputs.row(0).norm(), 0);
}

// With a velocity row, moving steadily: a sled on a blade, m v' = thrust along, (J + m d²) ω' = torque for one blade at the pole
// and the mass centre at a distance d.
TEST(InputsOfLinearisation, AreColumnsOnRowsInSteadyMotion) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: {axes: [tx, ty, rz]}, mass: 3, com: [0.5, 0, 0], inertia: 0.25 } }
velocity_constraints: { blade: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0" }
inputs: { thrust: { unit: N, range: [-5, 5] }, torque: { unit: N*m, hold: linear } }
forces:
  motor: { body: sled, force: ["thrust", 0, 0], frame: body }
  rudder: { joint: sled.rz, law: "torque" }
initial: { "sled.tx'": 2 }
)yaml");
  const Linearisation linear = linearise_at(model, model.initial_state());
  const auto row = [&](const std::string& name) { return std::ranges::find(linear.states, name) - linear.states.begin(); };
  EXPECT_EQ(linear.input_names, (Names{"thrust", "torque"}));
  EXPECT_NEAR(linear.B_inputs(row("sled.tx'"), 0), 1 / 3., 1e-13);
  EXPECT_NEAR(linear.B_inputs(row("sled.rz'"), 1), 1 / (0.25 + 3 * 0.25), 1e-13);
  EXPECT_NEAR(linear.B_inputs(row("sled.rz'"), 0), 0, 1e-13);
}

// u is 3 N now and may be anything later: Px - 3 t is no integral. What holds for every u stays.
TEST(InputsOfIntegrals, AreVariedWithTheState) {
  const std::string force = "forces: { motor: { joint: cart, law: \"u\" } }\n";
  EXPECT_GT(integrals_of("parameters: { u: 3 }\n" + force).size(), integrals_of("inputs: { u: 3 N }\n" + force).size());
  EXPECT_EQ(integrals_of("inputs: { u: 3 N }\n" + force),
            integrals_of("forces: { motor: { joint: cart, law: \"sin(t) - cart'\" } }"));
  EXPECT_EQ(integrals_of("inputs: { u: { unit: N, initial: 3, range: [2, 4] } }\n" + force),
            integrals_of("inputs: { u: 3 N }\n" + force));
  EXPECT_EQ(integrals_of("samples: { loop: { every: 1, hold: { u: \"-cart\" }, initial: { u: 3 } } }\n" + force),
            integrals_of("inputs: { u: 3 N }\n" + force));
  // Nor is a state with a rate of its own a constant.
  EXPECT_EQ(integrals_of("states: { u: \"cart\" }\ninitial: { u: 3 }\n" + force), integrals_of("inputs: { u: 3 N }\n" + force));
  // An input that no law names changes nothing.
  EXPECT_EQ(integrals_of("inputs: { u: 3 N }\n"), integrals_of(""));
}

// m g l sin φ = u
TEST(InputsOfEquilibrium, AreNumbers) {
  const auto model = [](const std::string& more) {
    return read_model_text(R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.5], inertia: 0.02 } }
forces: { motor: { joint: arm, law: "u" } }
)yaml" + more);
  };
  for (const char* words : {"inputs: { u: { initial: 2 N*m, hold: linear } }",
                            "samples: { loop: { every: 1, hold: { u: 0 }, initial: { u: 2 } } }"}) {
    const Model held = model(words);
    DerivativesWorkspace workspace(held);
    const auto found = find_equilibrium(held, held.initial_state(), workspace);
    ASSERT_TRUE(found) << found.failure().message;
    EXPECT_NEAR(std::sin(found->state.q[0]), 2 / (9.81 * 0.5), 1e-12);
    EXPECT_EQ(found->state.q[1], 2);
  }
  const Model own = model("states: { u: \"arm\" }");
  DerivativesWorkspace workspace(own);
  const auto refused = find_equilibrium(own, own.initial_state(), workspace);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "VN-RUN-172");
}

}  // namespace
}  // namespace vinculum::inputs_in_analyses
