// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Three forms, one answer: and the laws by which the vector and the aggregate form live, on random trees with every kind of
// joint.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "tests/support/expect.h"
#include "tests/support/random_model.h"
#include "vinculum/dynamics/aggregate_form.h"
#include "vinculum/dynamics/kinematics.h"
#include "vinculum/dynamics/mass_matrix.h"
#include "vinculum/dynamics/vector_form.h"

namespace vinculum::testing {
namespace {

class RandomForms : public ::testing::TestWithParam<int> {
 protected:
  RandomForms()
      : random_(GetParam()),
        model_(make()),
        workspace_(model_),
        state_(random_state(model_, random_)),
        given_(compute_given_forces(model_, state_, workspace_)) {}

  // Forces on every joint; on bodies and motions in part of the seeds; one seed in ten is a large tree.
  Model make() {
    const int seed = GetParam();
    ModelDescription words = random_tree(random_.next(), seed % 10 == 0 ? 50 : 2 + seed % 14);
    add_joint_forces(words, random_);
    if (seed % 2 == 1) add_body_forces(words, random_);
    if (seed % 3 == 0) add_motions(words);
    return build(words);
  }
  std::vector<double> random_accelerations() {
    std::vector<double> a(model_.velocity_names().size());
    for (double& value : a) value = 3 * random_.symmetric();
    return a;
  }
  VectorForm vector_form(const std::vector<double>& accelerations) {
    return compute_vector_form(model_, state_, accelerations, given_);
  }

  Random random_;
  Model model_;
  Workspace workspace_;
  State state_;
  GivenForces given_;
};

void expect_same(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance, const char* what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  const double scale = largest(expected);
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance * scale) << what << " " << i;
}
void expect_same(const std::vector<Wrench>& actual, const std::vector<Wrench>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  std::vector<double> sizes;
  for (const Wrench& wrench : expected) sizes.push_back(std::max(norm(wrench.force), norm(wrench.moment)));
  const double scale = largest(sizes);
  for (size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR_VECTOR(actual[i].force, expected[i].force, tolerance * scale);
    EXPECT_NEAR_VECTOR(actual[i].moment, expected[i].moment, tolerance * scale);
  }
}
void expect_same(const Matrix3& actual, const Matrix3& expected, double tolerance) {
  for (int j = 0; j < 3; ++j) EXPECT_NEAR_VECTOR(actual.column(j), expected.column(j), tolerance);
}

TEST_P(RandomForms, AccelerationsAndReactionsAgree) {
  const auto recursive = compute_forward_dynamics(model_, state_, workspace_);
  ASSERT_TRUE(recursive) << recursive.failure().message;
  for (const auto& other :
       {compute_vector_dynamics(model_, state_, workspace_), compute_aggregate_dynamics(model_, state_, workspace_)}) {
    ASSERT_TRUE(other) << other.failure().message;
    expect_same(other->accelerations, recursive->accelerations, 1e-10, "acceleration");
    expect_same(other->reactions_W, recursive->reactions_W, 1e-10);
    expect_same(other->driving_forces, recursive->driving_forces, 1e-10, "driving force");
    EXPECT_EQ(other->joint_forces, recursive->joint_forces);
  }
}

TEST_P(RandomForms, MassMatrixAndBiasAgree) {
  const Eigen::MatrixXd A = compute_mass_matrix(model_, state_, workspace_);
  const std::vector<double> zero(model_.velocity_names().size(), 0.0);
  const std::vector<double> bias = compute_inverse_dynamics(model_, state_, zero, workspace_).forces;
  for (const Equations& other :
       {compute_vector_equations(model_, state_, given_), compute_aggregate_form(model_, state_, given_).equations()}) {
    EXPECT_LT((other.mass_matrix - A).cwiseAbs().maxCoeff(), 1e-13 * A.cwiseAbs().maxCoeff());
    expect_same(other.bias, bias, 1e-12, "bias");
  }
}

TEST_P(RandomForms, InverseProblemsAgree) {
  const std::vector<double> a = random_accelerations();
  const InverseDynamics recursive = compute_inverse_dynamics(model_, state_, a, workspace_);
  const InverseDynamics aggregate = compute_inverse_dynamics(model_, compute_aggregate_form(model_, state_, given_), a);
  const VectorForm vector = vector_form(a);
  expect_same(aggregate.forces, recursive.forces, 1e-12, "force");
  expect_same(vector.forces, recursive.forces, 1e-12, "force");
  expect_same(aggregate.reactions_W, recursive.reactions_W, 1e-12);
  std::vector<Wrench> reactions;
  for (const Body& body : model_.bodies()) reactions.push_back(vector.joint_wrenches_W[body.link]);
  expect_same(reactions, recursive.reactions_W, 1e-12);
}

// The sums (10), (24)(25), (14) against the recursions, (7), and K_c = H - 𝐦 × 𝐦'/m.
TEST_P(RandomForms, SumsEqualRecursions) {
  const VectorForm form = vector_form(random_accelerations());
  const std::vector<VectorSubsystem> recursion = recur_subsystems(form.bodies);
  for (size_t i = 0; i < recursion.size(); ++i) {
    const VectorSubsystem &sum = form.subsystems[i], &other = recursion[i];
    const double scale = 1 + norm(other.H) + norm(other.H_dot) + norm(other.m_vec_ddot);
    EXPECT_NEAR(sum.m, other.m, 1e-14 * (1 + other.m));
    EXPECT_NEAR_VECTOR(sum.m_vec, other.m_vec, 1e-13 * scale);
    EXPECT_NEAR_VECTOR(sum.m_vec_dot, other.m_vec_dot, 1e-13 * scale);
    EXPECT_NEAR_VECTOR(sum.m_vec_ddot, other.m_vec_ddot, 1e-13 * scale);
    EXPECT_NEAR_VECTOR(sum.H, other.H, 1e-12 * scale);
    EXPECT_NEAR_VECTOR(sum.H_dot, other.H_dot, 1e-12 * scale);
    ASSERT_EQ(sum.K_c.has_value(), other.K_c.has_value());
    if (sum.K_c) EXPECT_NEAR_VECTOR(*sum.K_c, *other.K_c, 1e-12 * scale);
    // (8)  𝐦_i = m_di + Σ_k (m_k r_rk + 𝐦_k) , m_di = s_i + Σ_k m_k a_k
    Vector3 m_vec = form.bodies[i].s;
    for (int k : form.bodies[i].carried) m_vec += form.subsystems[k].m * form.bodies[k].a;
    for (int k : form.bodies[i].carried) m_vec += form.subsystems[k].m * form.bodies[k].r_r + form.subsystems[k].m_vec;
    EXPECT_NEAR_VECTOR(m_vec, other.m_vec, 1e-13 * scale);
  }
}

// Σ_{j∈sub(k)} J_ji = I_k + R_ik * 𝐦_k for k in subsystem i; for k = i the locked tensor itself, with I_k from the bodies' own
// data.
TEST_P(RandomForms, TensorsAddUpToLockedInertia) {
  const VectorForm form = vector_form(random_accelerations());
  const std::vector<SubsystemQuantities> quantities = compute_subsystem_quantities(model_, form);
  const auto motions = compute_body_motions(model_, state_, workspace_);
  const int count = static_cast<int>(model_.bodies().size());
  const auto carries = [&](int i, int j) {
    while (j > i) j = model_.bodies()[j].parent;
    return j == i;
  };
  for (int k = 0; k < count; ++k) {
    Symmetric3 locked;
    for (int j = k; j < count; ++j) {
      if (!carries(k, j)) continue;
      const Body& body = model_.bodies()[j];
      const Vector3 c = motions[j].p_WB + motions[j].R_WB * body.p_BoBcm_B - motions[k].p_WB;
      locked += sandwich(motions[j].R_WB, body.I_Bcm_B) + body.mass * star(c);
    }
    for (int i = k; i != kWorld; i = model_.bodies()[i].parent) {
      Matrix3 sum;
      for (const auto& [j, J] : quantities[i].tensors_W) {
        if (carries(k, j)) sum += J;
      }
      const Vector3 R_ik = motions[k].p_WB - motions[i].p_WB;
      const Matrix3 expected = to_matrix(locked) + star(R_ik, quantities[k].static_moment_W);
      const double size = 1 + locked.xx + locked.yy + locked.zz + norm(R_ik) * norm(quantities[k].static_moment_W);
      expect_same(sum, expected, 1e-13 * size);
    }
  }
}

// H_i by its definition: momenta relative to the pole, of six points a body with the same mass, centre and inertia.
TEST_P(RandomForms, KineticMomentOfMaterialPoints) {
  const std::vector<SubsystemQuantities> quantities = compute_subsystem_quantities(model_, vector_form(random_accelerations()));
  const auto motions = compute_body_motions(model_, state_, workspace_);
  std::vector<Vector3> H(model_.bodies().size());
  for (size_t j = 0; j < model_.bodies().size(); ++j) {
    const Body& body = model_.bodies()[j];
    if (body.mass == 0) continue;
    const Matrix3 I = to_matrix(body.I_Bcm_B);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(Eigen::Map<const Eigen::Matrix3d>(&I.x.x));
    const Eigen::Vector3d J = principal.eigenvalues();
    for (int a = 0; a < 3; ++a) {
      // m/3 (d_b² + d_c²) = J_a
      const double d = std::sqrt(1.5 / body.mass * (J.sum() - 2 * J[a]));
      for (const double side : {-d, d}) {
        const Eigen::Vector3d axis = side * principal.eigenvectors().col(a);
        const Vector3 from_pole = motions[j].R_WB * (body.p_BoBcm_B + Vector3{axis[0], axis[1], axis[2]});
        const Vector3 x = motions[j].p_WB + from_pole;
        const Vector3 x_dot = motions[j].V_WB_W.linear + cross(motions[j].V_WB_W.angular, from_pole);
        for (int i = static_cast<int>(j); i != kWorld; i = model_.bodies()[i].parent) {
          H[i] += (body.mass / 6) * cross(x - motions[i].p_WB, x_dot - motions[i].V_WB_W.linear);
        }
      }
    }
  }
  for (size_t i = 0; i < H.size(); ++i) EXPECT_NEAR_VECTOR(quantities[i].kinetic_moment_W, H[i], 1e-12 * (1 + norm(H[i])));
}

// (Sᵀ)' and A' = B + Bᵀ (so A' - 2B is skew) by differences along q' = N v: (8 (f₁ - f₋₁) - (f₂ - f₋₂)) / 12 h, error h⁴ f⁽⁵⁾/30.
TEST_P(RandomForms, DerivativesOfTheAggregateForm) {
  const AggregateForm form = compute_aggregate_form(model_, state_, given_);
  std::vector<double> rates(state_.q.size());
  compute_coordinate_rates(model_, state_.q, state_.v, rates);
  constexpr double h = 5e-4;
  const auto moved = [&](double step) {
    State state = state_;
    for (size_t i = 0; i < rates.size(); ++i) state.q[i] += step * rates[i];
    return compute_aggregate_form(model_, state, given_);
  };
  const AggregateForm a = moved(-2 * h), b = moved(-h), c = moved(h), d = moved(2 * h);
  const Eigen::MatrixXd S_T_dot = (8 * (c.S_T - b.S_T) - (d.S_T - a.S_T)) / (12 * h);
  const Eigen::MatrixXd A_dot = (8 * (c.A - b.A) - (d.A - a.A)) / (12 * h);
  EXPECT_GT(S_T_dot.cwiseAbs().maxCoeff() + form.S_T.cwiseAbs().maxCoeff(), 0.1);
  EXPECT_LT((form.S_T_dot - S_T_dot).cwiseAbs().maxCoeff(), 1e-9 * std::max(1.0, S_T_dot.cwiseAbs().maxCoeff()));
  EXPECT_LT((form.B + form.B.transpose() - A_dot).cwiseAbs().maxCoeff(),
            1e-9 * std::max({1.0, A_dot.cwiseAbs().maxCoeff(), form.A.cwiseAbs().maxCoeff()}));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomForms, ::testing::Range(1, 41));

}  // namespace
}  // namespace vinculum::testing
