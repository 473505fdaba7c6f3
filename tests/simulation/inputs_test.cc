// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Inputs and sampled values of a model as long as nobody sets them: numbers with names.
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/files/read_model.h"
#include "vinculum/model/inputs.h"
#include "vinculum/simulation/ensemble.h"
#include "vinculum/simulation/run.h"

namespace vinculum::inputs_of_models {
namespace {

RunResult run_to(const Model& model, double until, const std::string& integrator, double tolerance, double step = 0) {
  RunOptions options;
  options.until = until;
  options.integrator = integrator;
  options.tolerance = tolerance;
  options.step = step;
  return testing::finish_run(model, options);
}

// A cart with a pendulum that is pushed, turned, and pulled by a follower force; `first` and `second` say where the two
// numbers come from.
Model driven_cart(const std::string& first, const std::string& second) {
  return read_model_text("vinculum: 1\n" + first + "\n" + second + R"yaml(
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 }
  arm: { parent: cart, joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.4], inertia: 0.02 }
forces:
  motor: { joint: arm, law: "torque - 0.3*arm' - torque*arm" }
  air: { body: arm, point: [0, 0, -0.4], force: ["wind - cart'", 0, 0], torque: [0, "0.1*wind", 0], frame: body }
initial: { arm: 0.3, "cart'": 1 }
)yaml");
}

// The law "a constant input is a parameter". The parameters' model carries as many coordinates, so that integrators whose norm is
// a mean over all of them take the same steps.
TEST(Inputs, ThatNobodySetsAreParameters) {
  const Model with_inputs = driven_cart("inputs: { torque: {unit: N*m, initial: 1.5, range: [-20, 20]} }",
                                        "samples: { loop: {every: 1, offset: 50, hold: {wind: 7}, initial: {wind: 2}} }");
  const Model with_parameters = driven_cart("parameters: { torque: 1.5, wind: 2 }", "states: { idle: 0, idle2: 0 }");
  ASSERT_EQ(with_inputs.coordinate_names(), (std::vector<std::string>{"cart", "arm", "torque", "wind"}));
  for (const char* integrator : {"taylor", "dop853", "cvode", "arkode"}) {
    const State a = run_to(with_inputs, 2, integrator, 1e-10).final, b = run_to(with_parameters, 2, integrator, 1e-10).final;
    // Those of SUNDIALS solve for their steps by iteration, with a column for each input: they are as near as two runs are.
    const bool takes_same_steps = std::string(integrator) == "taylor" || std::string(integrator) == "dop853";
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(a.q[i], b.q[i], takes_same_steps ? 1e-12 : 1e-8) << integrator;
      EXPECT_NEAR(a.v[i], b.v[i], takes_same_steps ? 1e-12 : 1e-8) << integrator;
    }
    EXPECT_EQ(a.q[2], 1.5) << integrator;
    EXPECT_EQ(a.q[3], 2) << integrator;
    EXPECT_GT(std::abs(a.q[0]), 0.1);  // it moves
  }
  const Model input_alone = driven_cart("inputs: { torque: {unit: N*m, initial: 1.5} }", "parameters: { wind: 2 }");
  const State a = run_to(input_alone, 0.1, "auto", 1e-10, 1e-3).final;
  const State b = run_to(driven_cart("parameters: { torque: 1.5, wind: 2 }", ""), 0.1, "auto", 1e-10, 1e-3).final;
  EXPECT_NEAR(a.q[1], b.q[1], 1e-12);
  EXPECT_NEAR(a.v[0], b.v[0], 1e-12);
  EXPECT_EQ(a.q[2], 1.5);
}

// m x'' = u, u = s t: x = s t³/(6 m), v = s t²/(2 m). The slope is the coordinate u'.
TEST(Inputs, HeldLinearlyGoOnAlongTheirSlope) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 } }
inputs: { u: {unit: N, hold: linear} }
forces: { motor: { joint: cart, law: "u" } }
initial: { "u'": 3 N/s }
)yaml");
  ASSERT_EQ(model.coordinate_names(), (std::vector<std::string>{"cart", "u", "u'"}));
  ASSERT_EQ(model.inputs().size(), 1u);
  EXPECT_EQ(model.inputs()[0].q, 1);
  EXPECT_EQ(model.inputs()[0].rate_q, 2);
  EXPECT_EQ(model.find_input("u"), 0);
  EXPECT_FALSE(model.find_input("cart"));
  for (const char* integrator : {"taylor", "dop853", "cvode", "arkode"}) {
    const bool is_exact = std::string(integrator) == "taylor" || std::string(integrator) == "dop853";
    const State end = run_to(model, 2, integrator, is_exact ? 1e-12 : 1e-10).final;
    EXPECT_NEAR(end.q[0], 3 * 8 / (6 * 2.), is_exact ? 1e-13 : 1e-7) << integrator;
    EXPECT_NEAR(end.v[0], 3 * 4 / (2 * 2.), is_exact ? 1e-13 : 1e-7) << integrator;
    EXPECT_NEAR(end.q[1], 6, is_exact ? 1e-13 : 1e-7) << integrator;
    EXPECT_EQ(end.q[2], 3);
  }
  // A step of fixed length holds every number: it would pass over the slope.
  RunOptions options;
  options.until = 1;
  options.step = 1e-2;
  RunListener nobody;
  const auto refused = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "VN-RUN-160");
  EXPECT_NE(refused.failure().message.find("'u'"), std::string::npos) << refused.failure().message;
}

// Terms with an input are work, never potential: the potential energy of the law is that of -4 x alone, and E - W stays.
TEST(Inputs, HaveNoPotential) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: {type: prismatic, axis: x}, mass: 2, inertia: 0.1 } }
inputs: { u: 3 N, k: 2 N/m }
forces: { motor: { joint: cart, law: "u - 4*cart - k*cart" } }
initial: { cart: 0.5 }
)yaml");
  EXPECT_EQ(to_text(model.forces().of<JointForceLaw>()[0].potential_part), "-4*cart");
  EXPECT_FALSE(model.forces().of<JointForceLaw>()[0].conservative);
  Workspace workspace(model);
  EXPECT_NEAR(compute_energy(model, model.initial_state(), workspace).potential, 4 * 0.5 * 0.5 / 2, 1e-15);
  const RunResult result = run_to(model, 3, "taylor", 1e-12);
  bool is_watched = false;
  for (const auto& integral : result.integrals) {
    if (integral.name.substr(0, 1) != "E") continue;
    is_watched = true;
    EXPECT_LT(integral.drift, 1e-12) << integral.name;
  }
  EXPECT_TRUE(is_watched);
}

// Two laws of different rate: formulas in the order of the file, memory before held values; nothing of them moves by itself.
TEST(SampledLaws, KeepTheOrderOfTheFile) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.4], inertia: 0.02 } }
states: { travel: "arm" }
inputs: { goal: 0.3 }
samples:
  fast: { every: 1 ms, hold: { u: "goal - arm + sum", z: "u" }, memory: { sum: "sum + goal - arm" }, initial: { sum: 0.25 } }
  slow: { every: 0.1 s, offset: 50 ms, memory: { b: "u", a: "b" } }
forces: { motor: { joint: arm, law: "u + a" } }
)yaml");
  EXPECT_EQ(model.coordinate_names(), (std::vector<std::string>{"arm", "travel", "goal", "sum", "u", "z", "b", "a"}));
  ASSERT_EQ(model.sampled_laws().size(), 2u);
  const SampledLaw &fast = model.sampled_laws()[0], &slow = model.sampled_laws()[1];
  EXPECT_EQ(fast.name, "fast");
  EXPECT_EQ(fast.every, 1e-3);
  EXPECT_EQ(fast.offset, 0);
  EXPECT_EQ(slow.every, 0.1);
  EXPECT_EQ(slow.offset, 0.05);
  const auto list = [&](const SampledLaw& law) {
    std::vector<std::string> texts;
    for (const SampledLaw::Entry& entry : law.entries)
      texts.push_back(model.coordinate_names()[entry.q] + " = " + to_text(entry.formula));
    return texts;
  };
  EXPECT_EQ(list(fast), (std::vector<std::string>{"sum = sum + goal - arm", "u = goal - arm + sum", "z = u"}));
  EXPECT_EQ(list(slow), (std::vector<std::string>{"b = u", "a = b"}));
  EXPECT_EQ(model.initial_state().q, (std::vector<double>{0, 0, 0.3, 0.25, 0, 0, 0, 0}));
  ASSERT_EQ(model.extra_states().size(), 7u);
  EXPECT_EQ(model.first_own_state()->name, "travel");
  for (const ExtraState& state : model.extra_states()) EXPECT_EQ(state.rate.is_constant(), state.name != "travel") << state.name;
}

// Lanes take steps of their own, which do not end where a controller samples.
TEST(SampledLaws, HaveNoPlaceInAnEnsemble) {
  const std::string text = R"yaml(
vinculum: 1
bodies: { arm: { joint: {type: revolute, axis: y}, mass: 1, com: [0, 0, -0.4], inertia: 0.02 } }
forces: { motor: { joint: arm, law: "u" } }
)yaml";
  EnsembleOptions options;
  options.until = 0.1;
  const Model sampled = read_model_text(text + "samples: { loop: { every: 1, offset: 50, hold: { u: 1 } } }");
  const auto refused = run_ensemble(sampled, std::vector{sampled.initial_state()}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().message, "sample 'loop' has no place in an ensemble");
  const Model with_input = read_model_text(text + "inputs: { u: 1 N*m }");
  const auto runs = run_ensemble(with_input, std::vector{with_input.initial_state()}, options);
  ASSERT_TRUE(runs) << runs.failure().message;
  EXPECT_EQ((*runs)[0].final.q[1], 1);
}

TEST(Inputs, AreRefusedOutsideTheirRange) {
  const Input input{"torque", "N*m", 0, -1, 0, std::array{-20., 20.}};
  EXPECT_FALSE(check_input_value(input, 20));
  EXPECT_FALSE(check_input_value(input, -20));
  const auto failure = check_input_value(input, 20.5);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "VN-INPUT-001");
  EXPECT_EQ(failure->message, "the input 'torque' cannot be 20.5 N*m: its range is -20 to 20 N*m");
  EXPECT_TRUE(check_input_value(input, std::nan("")));
  EXPECT_TRUE(check_input_value({"free", "", 0, -1, 0, {}}, HUGE_VAL));
  EXPECT_FALSE(check_input_value({"free", "", 0, -1, 0, {}}, 1e300));
}

}  // namespace
}  // namespace vinculum::inputs_of_models
