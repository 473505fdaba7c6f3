// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/vector_form.h"

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "tests/support/worked_trees.h"

namespace vinculum::testing {
namespace {

VectorForm vector_form(const Model& model, const State& state, const std::vector<double>& accelerations) {
  Workspace workspace(model);
  return compute_vector_form(model, state, accelerations, compute_given_forces(model, state, workspace));
}

// Theory 2, W1: the inverse problem with every quantity on the way.
TEST(VectorForm, PlanarArm) {
  const auto [model, state] = planar_arm();
  const VectorForm form = vector_form(model, state, {0.5, 1.7, -2.1});

  const double tau[] = {11.343279119632, 8.375991039868, 1.025934984483};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(form.forces[i], tau[i], kPrinted);
  EXPECT_NEAR_VECTOR(form.joint_wrenches_W[0].force, (Vector3{-0.326337558270, 26.923742366967, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(form.joint_wrenches_W[1].force, (Vector3{0.400273904788, 12.526580425972, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(form.joint_wrenches_W[2].force, (Vector3{-0.336260672833, 4.806072606000, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(form.joint_wrenches_W[0].moment, (Vector3{0, 0, 11.343279119632}), kPrinted);
  EXPECT_NEAR_VECTOR(form.joint_wrenches_W[1].moment, (Vector3{0, 0, 3.679036144518}), kPrinted);
  EXPECT_NEAR_VECTOR(form.joint_wrenches_W[2].moment, (Vector3{0, 0, 1.025934984483}), kPrinted);

  const auto& [s0, s1, s2] = std::tie(form.subsystems[0], form.subsystems[1], form.subsystems[2]);
  EXPECT_NEAR_VECTOR(s0.m_vec, (Vector3{1.182087475512, 0.850006380908, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(s1.m_vec, (Vector3{0.390475811673, 0.183241074617, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(s2.m_vec, (Vector3{0.115132624250, -0.048677292789, 0}), kPrinted);
  const Vector3 R_01 = form.bodies[1].R, R_02 = R_01 + form.bodies[2].R;
  EXPECT_NEAR_VECTOR(s1.m * R_01 + s1.m_vec, (Vector3{0.837908491234, 0.560108421651, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(s2.m * R_02 + s2.m_vec, (Vector3{0.440190553846, 0.225115224287, 0}), kPrinted);

  const Matrix3& J_00 = s0.J.at(0);
  EXPECT_NEAR(J_00(0, 0), 0.268401506254, kPrinted);
  EXPECT_NEAR(J_00(0, 1), -0.259295404424, kPrinted);
  EXPECT_NEAR(J_00(1, 0), -0.309425818427, kPrinted);
  EXPECT_NEAR(J_00(1, 1), 0.417363275577, kPrinted);
  EXPECT_NEAR(J_00(2, 2), 0.635764781830, kPrinted);
  EXPECT_NEAR(s0.J.at(1)(2, 2), 0.316679806071, kPrinted);
  EXPECT_NEAR(s0.J.at(2)(2, 2), 0.109444587901, kPrinted);
  EXPECT_NEAR_VECTOR(s0.H, (Vector3{0, 0, 1.434395689652}), kPrinted);

  const Eigen::MatrixXd A = compute_mass_matrix(form);
  const Eigen::Matrix3d expected{{1.061889175803, 0.111400920008, 0.109444587901},
                                 {0.111400920008, 1.3, 0.111400920008},
                                 {0.109444587901, 0.111400920008, 0.06125}};
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), kPrinted);
}

// Theory 2, W2: the forward problem.
TEST(VectorForm, BranchedTree) {
  const auto [model, state] = branched_tree();
  Workspace workspace(model);
  const auto dynamics = compute_vector_dynamics(model, state, workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(dynamics->accelerations[i], kBranchedAccelerations[i], kPrinted) << i;
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[0].force, kBranchedF0, kPrinted);
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[3].force, kBranchedF3, kPrinted);
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[1].moment, kBranchedM1, kPrinted);
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[3].moment, kBranchedM3, kPrinted);

  const VectorForm form = vector_form(model, state, dynamics->accelerations);
  EXPECT_NEAR_VECTOR(form.subsystems[0].m_vec, (Vector3{0.604134433437, 0.961399250530, -2.333241231736}), kPrinted);
  EXPECT_NEAR_VECTOR(form.subsystems[0].H, (Vector3{0.961471433180, -0.890876872809, -0.035303165576}), kPrinted);
  const Matrix3& J_10 = form.subsystems[0].J.at(1);
  EXPECT_NEAR_VECTOR(transpose(J_10).x, (Vector3{0.271889951714, -0.017932771413, 0.029593516768}), kPrinted);
  EXPECT_NEAR_VECTOR(transpose(J_10).y, (Vector3{-0.093735747085, 0.222504888516, 0.118668645288}), kPrinted);
  EXPECT_NEAR_VECTOR(transpose(J_10).z, (Vector3{0.147783628652, 0.115142713721, 0.105033759886}), kPrinted);
  const Eigen::MatrixXd A = compute_mass_matrix(form);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(A(i, i), kBranchedDiagonal[i], kPrinted) << i;
}

// Theory 2, W7: two bodies on a third, in a plane. Its equations are in absolute angles: v = L phi', so A and h become Lᵀ A L and
// Lᵀ h.
TEST(VectorForm, PlanarBranchesAgainstClosedForm) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  base: { joint: {type: revolute, axis: z}, mass: 2, com: [0.4, 0.1, 0], inertia: 0.1 }
  left: { parent: base, joint: {type: revolute, axis: z, origin: [1, 0.2, 0]}, mass: 1, com: [0.3, 0, 0], inertia: 0.05 }
  right: { parent: base, joint: {type: revolute, axis: z, origin: [-0.3, 0.5, 0]}, mass: 0.5, com: [0.2, -0.1, 0], inertia: 0.02 }
)");
  State state;
  state.q = {0.3, -0.7 - 0.3, 1.9 - 0.3};
  state.v = {1, -2 - 1, 0.5 - 1};
  const VectorForm form = vector_form(model, state, {0, 0, 0});

  // The augmented bodies, constant in the axes of each
  const std::vector<SubsystemQuantities> quantities = compute_subsystem_quantities(model, form);
  const Vector3 m_d[] = {{1.65, 0.65, 0}, {0.3, 0, 0}, {0.1, -0.05, 0}};
  const double J_r[] = {1.65, 0.14, 0.045};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR_VECTOR(quantities[i].augmented_static_moment_B, m_d[i], 1e-15);
    EXPECT_NEAR(quantities[i].augmented_inertia_B.zz, J_r[i], 1e-15);
  }

  const Eigen::Matrix3d L{{1, 0, 0}, {-1, 1, 0}, {-1, 0, 1}};
  const Eigen::Matrix3d A = L.transpose() * compute_mass_matrix(form) * L;
  const Eigen::Matrix3d expected{{1.65, 0.111602432672, 0.036591049833}, {0.111602432672, 0.14, 0}, {0.036591049833, 0, 0.045}};
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), kPrinted);
  const Eigen::Vector3d b = L.transpose() * Eigen::Map<const Eigen::Vector3d>(form.forces.data());
  EXPECT_LT((b - Eigen::Vector3d(14.732095859855, 1.966071123384, 0.093058563031)).cwiseAbs().maxCoeff(), kPrinted);
}

// A joint of three motions is a chain of massless links; between the user's bodies (24) holds with the whole inter-pole vector.
TEST(VectorForm, JointOfSeveralMotionsCountsWithItsBase) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 2, com: [0.1, 0, 0.3], inertia: [0.2, 0.3, 0.25] }
  arm: { parent: cart, joint: {axes: [rz, tx, ry], origin: [0, 0, 0.5]}, mass: 3, com: [0, 0.2, 0.1], inertia: [0.1, 0.2, 0.15, 0.01, 0, 0.02] }
)");
  State state;
  state.q = {0.2, 0.6, 0.7, -0.4};
  state.v = {0, 0, 0, 0};
  const VectorForm form = vector_form(model, state, {0, 0, 0, 0});
  const SubsystemQuantities cart = compute_subsystem_quantities(model, form)[0];

  const Vector3 R{0.7 * std::cos(0.6), 0.7 * std::sin(0.6), 0.5};
  const Matrix3 R_WB = rotation_about({0, 0, 1}, 0.6) * rotation_about({0, 1, 0}, -0.4);
  const Vector3 c = R + R_WB * Vector3{0, 0.2, 0.1};
  ASSERT_EQ(cart.tensors_W.size(), 2u);
  const Matrix3 J_00 = to_matrix(Symmetric3{0.2, 0.3, 0.25, 0, 0, 0} + 2.0 * star(Vector3{0.1, 0, 0.3})) + star(3.0 * c, R);
  const Matrix3 locked = to_matrix(Symmetric3{0.2, 0.3, 0.25, 0, 0, 0} + 2.0 * star(Vector3{0.1, 0, 0.3}) +
                                   sandwich(R_WB, Symmetric3{0.1, 0.2, 0.15, 0.01, 0, 0.02}) + 3.0 * star(c));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR_VECTOR(cart.tensors_W.at(0).column(i), J_00.column(i), 1e-15 * 4);
    EXPECT_NEAR_VECTOR((cart.tensors_W.at(0) + cart.tensors_W.at(1)).column(i), locked.column(i), 1e-15 * 4);
  }
  EXPECT_NEAR_VECTOR(cart.augmented_static_moment_B, (Vector3{2 * 0.1, 0, 2 * 0.3 + 3 * 0.5}), 1e-15);
}

// A point mass on a ball joint may spin about the line to its pole at no cost.
TEST(VectorForm, NamesTheDirectionWithoutInertia) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  bob: { joint: {type: spherical}, mass: 1, com: [0, 0, -1] }
)");
  Workspace workspace(model);
  const auto dynamics = compute_vector_dynamics(model, model.initial_state(), workspace);
  ASSERT_FALSE(dynamics);
  EXPECT_EQ(dynamics.failure().code, "VN-RUN-002");
  EXPECT_NE(dynamics.failure().message.find("bob.wz"), std::string::npos) << dynamics.failure().message;
}

// A hoist: the cart is driven, x = 0.3 t², and the drive carries both masses: 0.6 (m + M).
TEST(VectorForm, DrivenCoordinateHasItsForce) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  cart: { joint: {type: prismatic, axis: x}, mass: 4 }
  load: { parent: cart, joint: {type: prismatic, axis: z}, mass: 3 }
motions: { cart: "0.3*t^2" }
forces:
  brake: { joint: cart, law: "-2" }
)");
  Workspace workspace(model);
  const auto dynamics = compute_vector_dynamics(model, model.initial_state(), workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  EXPECT_DOUBLE_EQ(dynamics->accelerations[0], 0.6);
  EXPECT_DOUBLE_EQ(dynamics->accelerations[1], -9.81);
  EXPECT_DOUBLE_EQ(dynamics->driving_forces[0], 0.6 * (4 + 3) + 2);
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[0].force, (Vector3{0.6 * 7, 0, 4 * 9.81}), 1e-14);
}

}  // namespace
}  // namespace vinculum::testing
