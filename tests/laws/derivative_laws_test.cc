// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the laws of trees, on random trees with every kind of joint.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/math/scalar_laws.h"
#include "tests/support/random_model.h"
#include "vinculum/dynamics/derivatives.h"
#include "vinculum/dynamics/forward.h"
#include "vinculum/dynamics/inverse.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
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

// Forward and inverse dynamics of a tree without loads, one direction of (q, v, given) at a time, by dual numbers: exact.
struct DualDerivatives {
  Columns forward_by_q, forward_by_v, forward_by_tau, inverse_by_q, inverse_by_v, inverse_by_acceleration;
};

DualDerivatives differentiate_by_duals(const Model& model, const State& state, const std::vector<double>& given) {
  using Number = Dual<double, double>;
  const Tree& tree = model.tree();
  const int n = tree.velocities;
  std::vector<Number> q, v, force, results(n * (2 + n));
  for (double value : state.q) q.emplace_back(value);
  for (double value : state.v) v.emplace_back(value);
  for (double value : given) force.emplace_back(value);
  DualDerivatives result;
  const auto put = [&](int column, Columns& forward, Columns& inverse) {
    apply_laws(tree, q.data(), v.data(), force.data(), results.data());
    forward.conservativeResize(n, n);
    inverse.conservativeResize(n, n);
    for (int k = 0; k < n; ++k) {
      forward(k, column) = results[k].derivatives;
      inverse(k, column) = results[n + k].derivatives;
    }
  };
  for (int j = 0; j < n; ++j) {
    std::vector<double> unit(n), rates(state.q.size());
    unit[j] = 1;
    compute_coordinate_rates(model, state.q, unit, rates);
    for (size_t i = 0; i < rates.size(); ++i) q[i].derivatives = rates[i];
    put(j, result.forward_by_q, result.inverse_by_q);
    for (Number& value : q) value.derivatives = 0;
    v[j].derivatives = 1;
    put(j, result.forward_by_v, result.inverse_by_v);
    v[j].derivatives = 0;
    force[j].derivatives = 1;
    put(j, result.forward_by_tau, result.inverse_by_acceleration);
    force[j].derivatives = 0;
  }
  return result;
}

class DerivativesOfTrees : public ::testing::TestWithParam<int> {
 protected:
  Random random_{static_cast<std::uint64_t>(GetParam())};
};

TEST_P(DerivativesOfTrees, DualNumbersAgree) {
  ModelDescription words = random_tree(random_.next(), 2 + GetParam() % 14);
  add_joint_forces(words, random_);
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
    expect_near(forward.by_tau, expected.forward_by_tau, 1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DerivativesOfTrees, ::testing::Range(1, 41));

}  // namespace
}  // namespace vinculum::testing
