// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Values, rates and gradients of the candidates, each against another way to the same number.
#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "tests/support/worked_trees.h"
#include "vinculum/analysis/integral_candidates.h"
#include "vinculum/analysis/integrals.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/vector_form.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing {
namespace {

using Kind = IntegralCandidate::Kind;

// Momenta up to 10, rates up to 100: some hundred operations of round-off.
constexpr double kRoundOff = 1e-12;

Vector3 three(const IntegralCandidates& candidates, Kind kind, const std::vector<double>& values) {
  for (int i = 0; i < candidates.size(); ++i) {
    if (candidates.list()[i].kind == kind) return {values[i], values[i + 1], values[i + 2]};
  }
  return {};
}

// A disc that turns freely, I = 0.4, with T = 5: no momentum is larger than √(2 T I) = 2.
TEST(IntegralCandidates, SizeOfAMomentumIsTheMostThatTheEnergyAllows) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { disc: { joint: {type: revolute, axis: z}, mass: 1, inertia: [0.2, 0.2, 0.4] } }
initial: { "disc'": 5 }
)");
  const IntegralCandidates candidates(model);
  Integral momentum;
  for (int i = 0; i < candidates.size(); ++i) {
    if (candidates.list()[i].kind == Kind::generalized) momentum.terms.push_back({i, 1});
  }
  ASSERT_EQ(momentum.terms.size(), 1u);
  Workspace workspace(model);
  const IntegralMonitor monitor(model, {momentum});
  EXPECT_NEAR(monitor.compute_sizes(model.initial_state(), 5, workspace)[0], 2, 1e-15);
}

TEST(IntegralCandidates, ValuesAreThoseOfTheMomentumAndOfTheMassMatrix) {
  const auto [model, state] = branched_tree();
  Workspace workspace(model);
  IntegralCandidates candidates(model);
  std::vector<double> values(candidates.size());
  candidates.compute_values(state, workspace, values);

  const Momentum momentum = compute_momentum(model, state, workspace);
  EXPECT_NEAR_VECTOR(three(candidates, Kind::linear, values), momentum.linear, kRoundOff);
  EXPECT_NEAR_VECTOR(three(candidates, Kind::angular, values), momentum.angular, kRoundOff);
  EXPECT_NEAR_VECTOR(three(candidates, Kind::central, values), momentum.central, kRoundOff);
  EXPECT_NEAR(values[0], 0.504905657788 - 22.879096483326, 2 * kPrinted);  // T + U of theory 2, W2
  const int n = model.tree().velocities;
  const Eigen::VectorXd p = compute_mass_matrix(model, state, workspace) * Eigen::Map<const Eigen::VectorXd>(state.v.data(), n);
  for (int k = 0; k < n; ++k) EXPECT_NEAR(values[candidates.size() - n + k], p[k], kRoundOff);
}

// P' = m r'' + 𝐦'' ,  L' = H' + 𝐦 × r'' + r × P' ,  K' = H' - 𝐦 × 𝐦''/m of the root                       theory 2, section 6.1
TEST(IntegralCandidates, RatesAreThoseOfTheVectorForm) {
  const auto [model, state] = branched_tree();
  Workspace workspace(model);
  IntegralCandidates candidates(model);
  std::vector<double> rates(candidates.size());
  candidates.compute_rates(state, kBranchedAccelerations, rates);

  const std::vector<VectorBody> bodies = move_vector_bodies(model.tree(), state, kBranchedAccelerations);
  const VectorBody& root = bodies[0];
  const VectorSubsystem all = recur_subsystems(bodies)[0];
  const Vector3 P_dot = all.m * root.r_ddot + all.m_vec_ddot;
  EXPECT_NEAR_VECTOR(three(candidates, Kind::linear, rates), P_dot, kRoundOff);
  EXPECT_NEAR_VECTOR(three(candidates, Kind::angular, rates), all.H_dot + cross(all.m_vec, root.r_ddot) + cross(root.r, P_dot),
                     kRoundOff);
  EXPECT_NEAR_VECTOR(three(candidates, Kind::central, rates), all.H_dot - (1 / all.m) * cross(all.m_vec, all.m_vec_ddot),
                     kRoundOff);
}

// ∇φ·(v; v') = φ', and of the energy of a system without damping it is nothing.
TEST(IntegralCandidates, GradientsGiveTheRates) {
  const auto [model, state] = branched_tree();
  Workspace workspace(model);
  IntegralCandidates candidates(model);
  std::vector<double> rates(candidates.size());
  candidates.compute_rates(state, kBranchedAccelerations, rates);
  const int n = model.tree().velocities;
  Eigen::VectorXd along(2 * n);
  for (int k = 0; k < n; ++k) along[k] = state.v[k], along[n + k] = kBranchedAccelerations[k];
  const Eigen::MatrixXd gradients = candidates.compute_gradients(state, workspace);
  const Eigen::VectorXd products = gradients * along;
  EXPECT_GT(gradients.row(0).norm(), 10);
  EXPECT_NEAR(products[0], 0, 10 * kPrinted);  // accelerations are known as printed, forces reach 10
  for (int i = 1; i < candidates.size(); ++i) EXPECT_NEAR(products[i], rates[i], kRoundOff) << candidates.list()[i].name;
}

}  // namespace
}  // namespace vinculum::testing
