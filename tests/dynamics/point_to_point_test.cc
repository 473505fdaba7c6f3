// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Pulls along a line by a law of length and rate: numbers, forms, derivatives, energy, equations as text.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "tests/support/line_forces.h"
#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/motion_quantities.h"
#include "vinculum/dynamics/trace.h"
#include "vinculum/dynamics/vector_form.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

using testing::add_line_forces;
using testing::largest;
using testing::Random;

// Two masses on a line: F = k max(0, length - 0.5) + c rate + p left' + u pulls them together, all by hand.
TEST(PointToPoint, PullsBothEndsByItsLaw) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
parameters: { k: 100 N/m, c: 3 N*s/m, length: 7 m }
inputs: { u: 2 N }
bodies:
  left: { joint: {type: prismatic, axis: x}, mass: 2 }
  right: { joint: {type: prismatic, axis: x, origin: [1, 0, 0]}, mass: 5 }
forces: { pull: { between: [left, [0,0,0]], and: [right, [0,0,0]], law: "k*max(0, length - 0.5 m) + c*rate + 0.25*left' + u" } }
outputs: { f: pull.force, l: pull.length, d: pull.rate, p: pull.power }
initial: { left: -0.1, right: 0.2, "left'": 1, "right'": 4 }
)yaml");
  Workspace workspace(model);
  const State& state = model.initial_state();
  const auto forward = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(forward);
  const double pull = 100 * (1.3 - 0.5) + 3 * (4 - 1) + 0.25 + 2;  // the parameter `length` is none of its names
  EXPECT_NEAR(forward->accelerations[0], pull / 2, 1e-12);
  EXPECT_NEAR(forward->accelerations[1], -pull / 5, 1e-12);

  std::vector<double> values(model.outputs().quantities.size());
  compute_motion_quantities(model, state, forward->accelerations, workspace, values);
  ASSERT_EQ(values.size(), 4u);
  EXPECT_NEAR(values[0], pull, 1e-12);
  EXPECT_NEAR(values[1], 1.3, 1e-15);
  EXPECT_NEAR(values[2], 3, 1e-15);
  EXPECT_NEAR(values[3], -pull * 3, 1e-11);

  // At the start the potential is 0; the rest, a damper and more, is power.
  const Energy energy = compute_energy(model, state, workspace);
  EXPECT_NEAR(energy.potential, 0, 1e-13);
  EXPECT_NEAR(energy.power, -(3 * 3 + 0.25 + 2) * 3, 1e-12);  // an input may change
}

// A damper alone: its power is -c rate².
TEST(PointToPoint, ADamperTakesItsPower) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { b: { joint: {type: free}, mass: 2, inertia: [1, 2, 2.5] } }
forces: { d: { between: [world, [1, -2, 0.5]], and: [b, [0.3, 0.1, -0.2]], law: "7 N*s/m*rate" } }
outputs: { p: d.power, r: d.rate }
)yaml");
  Workspace workspace(model);
  Random random(5);
  for (int sample = 0; sample < 20; ++sample) {
    const State state = testing::random_state(model, random);
    std::vector<double> values(2);
    compute_motion_quantities(model, state, {}, workspace, values);
    ASSERT_GT(std::abs(values[1]), 1e-3);
    EXPECT_NEAR(values[0], -7 * values[1] * values[1], 1e-13 * std::abs(values[0]) + 1e-15);
    EXPECT_NEAR(compute_energy(model, state, workspace).power, -7 * values[1] * values[1], 1e-12 * std::abs(values[0]));
  }
}

// U(l) - U(l0) = ∫ F dl:  of 3 max(0, l - 1)² N it is (l - 1)³ where l > 1.
TEST(PointToPoint, ItsPotentialIsTheIntegralOfTheLaw) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { b: { joint: {type: prismatic, axis: x}, mass: 2 } }
forces: { p: { between: [world, [0, 0, 0]], and: [b, [0, 0, 0]], law: "3*max(0, length - 1)^2 + 5/length^2" } }
initial: { b: 0.5 }
)yaml");
  Workspace workspace(model);
  State state = model.initial_state();
  for (const double x : {0.25, 0.5, 0.99, 1.5, 3.0, -2.0}) {
    state.q[0] = x;
    const double l = std::abs(x), expected = (l > 1 ? std::pow(l - 1, 3) : 0) + 5 * (1 / 0.5 - 1 / l);
    EXPECT_NEAR(compute_energy(model, state, workspace).potential, expected, 1e-11 * (1 + std::abs(expected))) << x;
  }
  EXPECT_EQ(compute_energy(model, state, workspace).power, 0);
}

// Where the points coincide there is no direction: told, by every form.
TEST(PointToPoint, ZeroLengthIsRefused) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { b: { joint: {type: prismatic, axis: x}, mass: 2 } }
forces: { p: { between: [world, [0, 0, 0]], and: [b, [0, 0, 0]], law: "3 N/m*length" } }
)yaml");
  Workspace workspace(model);
  const State& state = model.initial_state();
  for (const auto& refused : {compute_forward_dynamics(model, state, workspace), compute_vector_dynamics(model, state, workspace),
                              compute_aggregate_dynamics(model, state, workspace)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().code, "VN-RUN-174");
    EXPECT_EQ(refused.failure().message, "the two points of force 'p' coincide at t = 0 s, so its line has no direction");
  }
}

class LineForces : public ::testing::TestWithParam<int> {
 protected:
  Random random_{static_cast<std::uint64_t>(GetParam() + 900)};
};
INSTANTIATE_TEST_SUITE_P(Trees, LineForces, ::testing::Range(1, 21));

// The same springs as laws: everything the springs do.
TEST_P(LineForces, LinearLawsAreSprings) {
  ModelDescription words = testing::random_tree(random_.next(), 2 + GetParam() % 14);
  testing::add_body_forces(words, random_);
  ModelDescription as_laws = words;
  for (ForceDescription& force : as_laws.forces) {
    if (const auto* spring = std::get_if<SpringForce>(&force.law)) {
      const SpringForce old = *spring;
      force.law = PointToPointForce{old.between, old.and_,
                                    Expression(old.stiffness) * (testing::own_length() - Expression(old.length)) +
                                        Expression(old.damping) * testing::own_rate()};
    }
  }
  const Model springs = testing::build(words), laws = testing::build(as_laws);
  Workspace of_springs(springs), of_laws(laws);
  const State first = testing::random_state(springs, random_), state = testing::random_state(springs, random_);
  const auto a = compute_forward_dynamics(springs, state, of_springs), b = compute_forward_dynamics(laws, state, of_laws);
  ASSERT_TRUE(a && b);
  const double size = largest(a->accelerations);
  for (size_t i = 0; i < state.v.size(); ++i) EXPECT_NEAR(a->accelerations[i], b->accelerations[i], 1e-13 * size) << i;

  const Energy energy = compute_energy(springs, state, of_springs), same = compute_energy(laws, state, of_laws);
  EXPECT_NEAR(energy.power, same.power, 1e-12 * (1 + std::abs(energy.power)));
  const double change = energy.potential - compute_energy(springs, first, of_springs).potential;
  EXPECT_NEAR(change, same.potential - compute_energy(laws, first, of_laws).potential, 1e-12 * (1 + energy.size));

  DerivativesWorkspace scratch_springs(springs), scratch_laws(laws);
  ForwardDerivatives by_springs, by_laws;
  ASSERT_FALSE(compute_forward_derivatives(springs, state, scratch_springs, by_springs));
  ASSERT_FALSE(compute_forward_derivatives(laws, state, scratch_laws, by_laws));
  const double slope = 1 + by_springs.by_q.cwiseAbs().maxCoeff();
  EXPECT_LT((by_springs.by_q - by_laws.by_q).cwiseAbs().maxCoeff(), 1e-12 * slope);
  EXPECT_LT((by_springs.by_v - by_laws.by_v).cwiseAbs().maxCoeff(), 1e-12 * slope);
}

TEST_P(LineForces, AllFormsAgree) {
  ModelDescription words = testing::random_tree(random_.next(), 2 + GetParam() % 14);
  ModelDescription without = words;
  add_line_forces(words, random_);
  const Model model = testing::build(words), bare = testing::build(without);
  Workspace workspace(model), other(bare);
  const State state = testing::random_state(model, random_);
  const auto recursive = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(recursive);
  EXPECT_NE(recursive->accelerations, compute_forward_dynamics(bare, state, other)->accelerations);
  for (const auto& form :
       {compute_vector_dynamics(model, state, workspace), compute_aggregate_dynamics(model, state, workspace)}) {
    ASSERT_TRUE(form) << form.failure().message;
    const double size = largest(recursive->accelerations);
    for (size_t i = 0; i < state.v.size(); ++i) EXPECT_NEAR(form->accelerations[i], recursive->accelerations[i], 1e-10 * size);
  }
}

// Against differences of sixth order.
TEST_P(LineForces, DerivativesAreThoseOfTheLaw) {
  ModelDescription words = testing::random_tree(random_.next(), 2 + GetParam() % 7);
  add_line_forces(words, random_);
  const Model model = testing::build(words);
  const State state = testing::random_state(model, random_);
  Workspace workspace(model);
  const int n = model.tree().velocities;
  std::vector<double> a(static_cast<size_t>(n));
  for (double& value : a) value = random_.symmetric();
  DerivativesWorkspace scratch(model);
  InverseDerivatives inverse;
  ASSERT_FALSE(compute_inverse_derivatives(model, state, a, scratch, inverse));
  for (const bool by_q : {true, false}) {
    for (int j = 0; j < n; ++j) {
      std::vector<double> unit(static_cast<size_t>(n)), rates(state.q.size());
      unit[static_cast<size_t>(j)] = 1;
      compute_coordinate_rates(model, state.q, unit, rates);
      const auto forces = [&](double h) {
        State moved = state;
        if (!by_q) moved.v[static_cast<size_t>(j)] += h;
        for (size_t i = 0; by_q && i < rates.size(); ++i) moved.q[i] += h * rates[i];
        const std::vector<double> f = compute_inverse_dynamics(model, moved, a, workspace).forces;
        return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(f.data(), n));
      };
      const double h = 2e-3;
      const Eigen::VectorXd expected =
          (45 * (forces(h) - forces(-h)) - 9 * (forces(2 * h) - forces(-2 * h)) + (forces(3 * h) - forces(-3 * h))) / (60 * h);
      const Eigen::VectorXd found = by_q ? inverse.by_q.col(j) : inverse.by_v.col(j);
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-8 * (1 + expected.cwiseAbs().maxCoeff())) << by_q << " " << j;
    }
  }
}

// The formulas of length and rate that searches of steps use are those of the recursion.
TEST_P(LineForces, LengthAndRateAsFormulas) {
  ModelDescription words = testing::random_tree(random_.next(), 2 + GetParam() % 14);
  add_line_forces(words, random_);
  for (const ForceDescription& force : std::vector(words.forces)) {
    words.quantities.push_back(force.name + ".length");
    words.quantities.push_back(force.name + ".rate");
  }
  const Model model = testing::build(words);
  const State state = testing::random_state(model, random_);
  Workspace workspace(model);
  std::vector<double> values(model.outputs().quantities.size());
  compute_motion_quantities(model, state, {}, workspace, values);
  const auto& laws = model.forces().of<PointToPointLaw>();
  ASSERT_EQ(values.size(), 2 * laws.size());
  for (size_t i = 0; i < laws.size(); ++i) {
    const Bindings at{state.t, state.q, state.v};
    EXPECT_NEAR(evaluate(laws[i].own.x, at), values[2 * i], 1e-13 * (1 + values[2 * i]));
    EXPECT_NEAR(evaluate(laws[i].own.y, at), values[2 * i + 1], 1e-12 * (1 + std::abs(values[2 * i + 1])));
  }
}

// On a tape: the power series of the motion and equations as text come from there.
TEST_P(LineForces, TapesAgree) {
  ModelDescription words = testing::random_tree(random_.next(), 2 + GetParam() % 9);
  add_line_forces(words, random_);
  const Model model = testing::build(words);
  const State state = testing::random_state(model, random_);
  Workspace workspace(model);
  const auto forward = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(forward);
  const Tape tape = trace_accelerations(model);
  std::vector<double> inputs{state.t}, values(tape.steps.size()), outputs(tape.outputs.size());
  inputs.insert(inputs.end(), state.q.begin(), state.q.end());
  inputs.insert(inputs.end(), state.v.begin(), state.v.end());
  evaluate(tape, inputs.data(), outputs.data(), values.data());
  for (size_t i = 0; i < outputs.size(); ++i)
    EXPECT_NEAR(outputs[i], forward->accelerations[i], 1e-11 * largest(forward->accelerations)) << i;
}

}  // namespace
}  // namespace vinculum
