// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the laws of trees, on random trees with every kind of joint.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/random_model.h"
#include "tests/support/tape.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/trace.h"
#include "vinculum/math/dual.h"

namespace vinculum::testing {
namespace {

using Columns = Eigen::MatrixXd;

void expect_near(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected, double tolerance) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
  EXPECT_LT((actual - expected).cwiseAbs().maxCoeff(), tolerance * scale);
}

// Forward and inverse dynamics, one direction of (q, v, v') at a time, by dual numbers on the tape of the recursion: exact.
struct DualDerivatives {
  Columns forward_by_q, forward_by_v, inverse_by_q, inverse_by_v, inverse_by_acceleration;
};

DualDerivatives differentiate_by_duals(const Model& model, const State& state, const std::vector<double>& accelerations) {
  using Number = Dual<double, double>;
  const Tape forward = trace_accelerations(model), inverse = trace_forces(model);
  const int n = model.tree().velocities;
  const size_t q = 1, v = q + state.q.size(), vdot = v + state.v.size();
  std::vector<Number> in(1, Number(state.t));
  for (const auto* part : {&state.q, &state.v, &accelerations}) {
    for (double value : *part) in.emplace_back(value);
  }
  const auto put = [&](const Tape& tape, int column, Columns& result) {
    const std::vector<Number> out = run(tape, in);
    result.conservativeResize(n, n);
    for (int k = 0; k < n; ++k) result(k, column) = out[k].derivatives;
  };
  DualDerivatives result;
  for (int j = 0; j < n; ++j) {
    std::vector<double> unit(n), rates(state.q.size());
    unit[j] = 1;
    compute_coordinate_rates(model, state.q, unit, rates);
    for (size_t i = 0; i < rates.size(); ++i) in[q + i].derivatives = rates[i];
    put(forward, j, result.forward_by_q);
    put(inverse, j, result.inverse_by_q);
    for (size_t i = 0; i < rates.size(); ++i) in[q + i].derivatives = 0;
    in[v + j].derivatives = 1;
    put(forward, j, result.forward_by_v);
    put(inverse, j, result.inverse_by_v);
    in[v + j].derivatives = 0;
    in[vdot + j].derivatives = 1;
    put(inverse, j, result.inverse_by_acceleration);
    in[vdot + j].derivatives = 0;
  }
  return result;
}

class DerivativesOfTrees : public ::testing::TestWithParam<int> {
 protected:
  Random random_{static_cast<std::uint64_t>(GetParam())};
};

TEST_P(DerivativesOfTrees, DualNumbersAgree) {
  ModelDescription words = random_tree(random_.next(), GetParam() % 10 == 0 ? 50 : 2 + GetParam() % 14);
  add_joint_forces(words, random_);
  add_body_forces(words, random_);
  const Model model = build(words);
  const State state = random_state(model, random_);
  Workspace workspace(model);
  const auto dynamics = compute_forward_dynamics(model, state, workspace);
  ASSERT_TRUE(dynamics);
  const DualDerivatives expected = differentiate_by_duals(model, state, dynamics->joint_forces);

  DerivativesWorkspace scratch(model);
  InverseDerivatives inverse;
  ForwardDerivatives forward;
  for (int round = 0; round < 2; ++round) {  // the second finds what the first left in the workspace
    ASSERT_FALSE(compute_inverse_derivatives(model, state, dynamics->joint_forces, scratch, inverse));
    expect_near(inverse.by_q, expected.inverse_by_q, 1e-13);
    expect_near(inverse.by_v, expected.inverse_by_v, 1e-13);
    expect_near(inverse.by_acceleration, expected.inverse_by_acceleration, 1e-13);
    ASSERT_FALSE(compute_forward_derivatives(model, state, scratch, forward));
    expect_near(forward.by_q, expected.forward_by_q, 1e-11);
    expect_near(forward.by_v, expected.forward_by_v, 1e-11);
    expect_near(forward.by_tau * inverse.by_acceleration, Columns::Identity(state.v.size(), state.v.size()), 1e-10);
  }
}

// Joint laws and body forces of q, v and t: of other branches, of quaternions, in world and body axes.
void add_laws(ModelDescription& words, const Model& bare, Random& random) {
  const auto variable = [&](VariableKind kind, const std::vector<std::string>& names) {
    Expression::Builder builder;
    const int index = random.below(static_cast<int>(names.size()));
    return builder.build(builder.variable({kind, index}, names[index]));
  };
  const auto law = [&] {
    const Expression q = variable(VariableKind::coordinate, bare.coordinate_names());
    const Expression other = variable(VariableKind::coordinate, bare.coordinate_names());
    const Expression v = variable(VariableKind::velocity, bare.velocity_names());
    return Expression(random.symmetric()) + Expression(random.symmetric()) * q * other + Expression(random.symmetric()) * q * v;
  };
  for (size_t i = 0; i < words.forces.size(); ++i) {
    auto& force = words.forces[i].law;
    if (auto* joint = std::get_if<JointForce>(&force); joint != nullptr && i % 2 == 0) joint->law = law();
    if (auto* body = std::get_if<BodyForce>(&force)) {
      for (int m = 0; m < 3; ++m) {
        body->force[m] = law();
        body->torque[m] = law();
      }
    }
  }
}

// Central differences of sixth order along a direction: error h⁶/140 times a seventh derivative, and round-off over h.
template <class Function>
Eigen::VectorXd difference(const Function& f) {
  const double h = 2e-3;
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

// The derivative of f(state) by q or v.
template <class Function>
Eigen::MatrixXd differentiate_by(const Model& model, const State& state, bool by_q, const Function& f) {
  const int n = model.tree().velocities;
  Eigen::MatrixXd result(n, n);
  for (int j = 0; j < n; ++j) {
    std::vector<double> unit(n), rates(state.q.size());
    unit[j] = 1;
    compute_coordinate_rates(model, state.q, unit, rates);
    result.col(j) = difference([&](double h) {
      State moved = state;
      if (!by_q) moved.v[j] += h;
      for (size_t i = 0; by_q && i < rates.size(); ++i) moved.q[i] += h * rates[i];
      const std::vector<double> value = f(moved);
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(value.data(), n));
    });
  }
  return result;
}

TEST_P(DerivativesOfTrees, GivenForcesAndDrivesTakePart) {
  ModelDescription words = random_tree(random_.next(), 2 + GetParam() % 7);
  add_joint_forces(words, random_);
  add_body_forces(words, random_);
  if (GetParam() % 2 == 0) add_motions(words);
  add_laws(words, build(words), random_);
  const Model model = build(words);
  State state = random_state(model, random_);
  state.t = 0.3;
  Workspace workspace(model);
  std::vector<double> a(model.tree().velocities);
  for (double& value : a) value = random_.symmetric();

  DerivativesWorkspace scratch(model);
  InverseDerivatives inverse;
  ForwardDerivatives forward;
  const auto forces = [&](const State& at) { return compute_inverse_dynamics(model, at, a, workspace).forces; };
  const auto accelerations = [&](const State& at) { return compute_forward_dynamics(model, at, workspace)->accelerations; };
  for (int round = 0; round < 2; ++round) {
    ASSERT_FALSE(compute_inverse_derivatives(model, state, a, scratch, inverse));
    ASSERT_FALSE(compute_forward_derivatives(model, state, scratch, forward));
  }
  expect_near(inverse.by_q, differentiate_by(model, state, true, forces), 1e-9);
  expect_near(inverse.by_v, differentiate_by(model, state, false, forces), 1e-9);
  expect_near(forward.by_q, differentiate_by(model, state, true, accelerations), 1e-9);
  expect_near(forward.by_v, differentiate_by(model, state, false, accelerations), 1e-9);
  const std::vector<double> expected = accelerations(state);
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(forward.accelerations[i], expected[i], 1e-11 * largest(expected));

  // A⁻¹ A = 1 on what is free to move; forces on driven coordinates move nothing.
  Eigen::MatrixXd A = inverse.by_acceleration, unit = Eigen::MatrixXd::Identity(A.rows(), A.cols());
  for (const DrivenCoordinate& driven : model.driven()) {
    A.row(driven.v).setZero();
    A.col(driven.v).setZero();
    unit(driven.v, driven.v) = 0;
    EXPECT_EQ(forward.by_q.row(driven.v).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(forward.by_v.row(driven.v).cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(forward.by_tau.row(driven.v).cwiseAbs().maxCoeff(), 0);
  }
  expect_near(forward.by_tau * A, unit, 1e-11);
}

TEST_P(DerivativesOfTrees, MassMatrixIsTheOneOfCompositeBodies) {
  const Model model = build(random_tree(random_.next(), 2 + GetParam()));
  const State state = random_state(model, random_);
  Workspace workspace(model);
  DerivativesWorkspace scratch(model);
  InverseDerivatives inverse;
  ASSERT_FALSE(compute_inverse_derivatives(model, state, state.v, scratch, inverse));
  expect_near(inverse.by_acceleration, compute_mass_matrix(model, state, workspace), 1e-13);
}

TEST_P(DerivativesOfTrees, RegressorTimesParametersIsTheInverse) {
  ModelDescription words = random_tree(random_.next(), 2 + GetParam() % 14);
  add_joint_forces(words, random_);
  const Model model = build(words);
  const State state = random_state(model, random_);
  Workspace workspace(model);
  DerivativesWorkspace scratch(model);
  std::vector<double> a(model.tree().velocities);
  for (double& value : a) value = 3 * random_.symmetric();
  RowMatrix Y;
  compute_inertia_regressor(model, state, a, scratch, Y);
  const std::vector<double> parameters = inertial_parameters(model),
                            forces = compute_inverse_dynamics(model, state, a, workspace).forces;
  const Eigen::VectorXd product = Y * Eigen::Map<const Eigen::VectorXd>(parameters.data(), parameters.size());
  for (size_t i = 0; i < forces.size(); ++i) EXPECT_NEAR(product[i], forces[i], 1e-12 * largest(forces));

  // A heavier body of the same shape: π is its parameters, and v' changes by ∂v'/∂π π dε. By differences of fourth order.
  RowMatrix by_parameters;
  ASSERT_FALSE(compute_inertia_derivatives(model, state, scratch, by_parameters));
  const size_t heavy = words.bodies.size() - 1;
  const auto accelerations = [&](double growth) {
    ModelDescription changed = words;
    changed.bodies[heavy].mass = *changed.bodies[heavy].mass * (1 + growth);
    changed.bodies[heavy].inertia = (1 + growth) * *changed.bodies[heavy].inertia;
    const Model other = build(changed);
    Workspace own(other);
    return compute_forward_dynamics(other, state, own)->accelerations;
  };
  const double h = 1e-3;
  const auto near_plus = accelerations(h), near_minus = accelerations(-h), far_plus = accelerations(2 * h),
             far_minus = accelerations(-2 * h);
  const Eigen::Map<const Eigen::VectorXd> own(&parameters[kInertialParameters * heavy], kInertialParameters);
  const Eigen::VectorXd rate = by_parameters.middleCols(kInertialParameters * heavy, kInertialParameters) * own;
  for (size_t i = 0; i < near_plus.size(); ++i) {
    const double expected = (8 * (near_plus[i] - near_minus[i]) - (far_plus[i] - far_minus[i])) / (12 * h);
    EXPECT_NEAR(rate[i], expected, 1e-9 * largest(near_plus));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DerivativesOfTrees, ::testing::Range(1, 41));

}  // namespace
}  // namespace vinculum::testing
