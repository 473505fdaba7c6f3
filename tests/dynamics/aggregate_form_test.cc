// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/dynamics/aggregate_form.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "tests/support/worked_trees.h"

namespace vinculum::testing {
namespace {

AggregateForm aggregate_form(const Model& model, const State& state) {
  Workspace workspace(model);
  return compute_aggregate_form(model, state, compute_given_forces(model, state, workspace));
}

// Theory 1, W1: a tree with 6 + 2 + 1 + 3 velocities; the answers are in its section 12.
TEST(AggregateForm, TreeOfFourBodies) {
  const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, -9.81]
bodies:
  base:
    joint: { axes: [tx, ty, tz, rx, ry, rz] }
    mass: 4
    com: [0.05, -0.02, 0.1]
    inertia: [0.3, 0.4, 0.35, 0.01, -0.02, 0.015]
  arm:
    parent: base
    joint: { axes: [rz, rx], origin: [0.3, 0.1, -0.05], rotation: [{axis: x, angle: 0.2}, {axis: y, angle: -0.3}, {axis: z, angle: 0.4}] }
    mass: 1.5
    com: [0.2, 0, 0.03]
    inertia: [0.02, 0.05, 0.06, 0.001, 0, 0.002]
  slider: { parent: arm, joint: {axes: [tx], origin: [0.4, 0, 0]}, mass: 0.8, com: [0, 0.05, 0], inertia: [0.01, 0.02, 0.015] }
  wrist: { parent: base, joint: {axes: [ry, tz, rx], origin: [-0.2, 0.15, 0.1]}, mass: 0.6, com: [0.01, 0.02, 0.15], inertia: [0.004, 0.005, 0.002] }
forces:
  u6: { joint: arm.rz, law: 1 }
  u7: { joint: arm.rx, law: -0.5 }
  u8: { joint: slider.tx, law: 2 }
  u9: { joint: wrist.ry, law: 0.3 }
  u10: { joint: wrist.tz, law: -1.2 }
  u11: { joint: wrist.rx, law: 0.1 }
)");
  State state;
  state.q = {0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, -0.8, 0.09, 0.5, -0.06, 0.3};
  state.v = {0.5, -0.4, 0.3, 0.2, 0.6, -0.7, 1.1, -0.9, 0.25, 0.8, -0.3, 0.4};
  const double V[] = {0.391057305831846,  -0.572381042061719, 0.139478049326333,  0.483645512707381,  0.396097291274981,
                      -0.795885107720841, -0.449758596590824, -0.605861135282427, -0.507919986102535, -0.600473921041466,
                      -0.154681718550182, 0.036961686535786,  -0.199758596590824, -0.587749908879892, -0.432125944012946,
                      -0.600473921041466, -0.154681718550182, 0.036961686535786,  0.271318304228399,  -0.329945605051491,
                      0.331615580848586,  1.20600651452465,   1.00479071736899,   -0.799214570489101};
  const double A_diagonal[] = {6.9,
                               6.9,
                               6.9,
                               1.20122978527619,
                               0.551875386015489,
                               1.19047712936635,
                               0.324173364143416,
                               0.03335,
                               0.8,
                               0.00957315182117788,
                               0.6,
                               0.01774};
  const double A_row0[] = {6.9,
                           0,
                           0,
                           0,
                           0.709625522749454,
                           -1.12829010192749,
                           -0.526123662701422,
                           -0.0321386461357496,
                           -0.202892634434716,
                           0.0467671714472106,
                           -0.0440925036398455,
                           0.0454742894955897};
  const double Bv[] = {-0.721468597981717, 0.03462234311556,    -1.25157440448801,  -0.47053941329132,
                       0.0501078066566129, 0.345298618948816,   0.218726599510697,  -0.00244187521098267,
                       -0.136808837191277, -0.0374013017678796, -0.124818428757722, -0.0193008046825085};
  const double h[] = {0,
                      0,
                      -67.689,
                      -8.90599128930804,
                      0.524709340988809,
                      4.07507363869864,
                      5.38863359534936,
                      -0.852180711999897,
                      -2.42271047869743,
                      0.292459005643354,
                      -7.02420179971795,
                      0.310186211246716};  // S T + u
  const double v_dot[] = {-0.185306775602299, -0.193773939195068, -9.20264909827513, 0.655185847809628,
                          1.72989926755559,   -3.43783646706987,  9.29068630969227,  -17.4275066642509,
                          3.42139865816263,   32.6950725099849,   -2.57096210985312, 6.0109049048737};

  // Fifteen significant digits are printed: 5e-15 on twists, 5e-14 on S T + u; solving takes some of them.
  const AggregateForm form = aggregate_form(model, state);
  const Eigen::VectorXd twists = form.S_T * form.v, B_v = form.B * form.v;
  Workspace workspace(model);
  const auto dynamics = compute_aggregate_dynamics(model, state, workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  for (int i = 0; i < 24; ++i) EXPECT_NEAR(twists[i], V[i], 1e-14) << i;
  for (int i = 0; i < 12; ++i) {
    EXPECT_NEAR(form.A(i, i), A_diagonal[i], 1e-14) << i;
    EXPECT_NEAR(form.A(0, i), A_row0[i], 1e-14) << i;
    EXPECT_NEAR(B_v[i], Bv[i], 1e-14) << i;
    EXPECT_NEAR(form.S_screws[i] + dynamics->joint_forces[i], h[i], 1e-13) << i;
    EXPECT_NEAR(dynamics->accelerations[i], v_dot[i], 1e-12) << i;
  }
}

// Theory 2, W1: the inverse problem and its reactions.
TEST(AggregateForm, PlanarArm) {
  const auto [model, state] = planar_arm();
  const double accelerations[] = {0.5, 1.7, -2.1};
  const InverseDynamics inverse = compute_inverse_dynamics(model, aggregate_form(model, state), accelerations);
  const double tau[] = {11.343279119632, 8.375991039868, 1.025934984483};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(inverse.forces[i], tau[i], kPrinted);
  EXPECT_NEAR_VECTOR(inverse.reactions_W[0].force, (Vector3{-0.326337558270, 26.923742366967, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(inverse.reactions_W[1].force, (Vector3{0.400273904788, 12.526580425972, 0}), kPrinted);
  EXPECT_NEAR_VECTOR(inverse.reactions_W[1].moment, (Vector3{0, 0, 3.679036144518}), kPrinted);
  EXPECT_NEAR_VECTOR(inverse.reactions_W[2].moment, (Vector3{0, 0, 1.025934984483}), kPrinted);
}

// Theory 2, W2: the forward problem.
TEST(AggregateForm, BranchedTree) {
  const auto [model, state] = branched_tree();
  Workspace workspace(model);
  const auto dynamics = compute_aggregate_dynamics(model, state, workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(dynamics->accelerations[i], kBranchedAccelerations[i], kPrinted) << i;
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[0].force, kBranchedF0, kPrinted);
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[3].force, kBranchedF3, kPrinted);
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[1].moment, kBranchedM1, kPrinted);
  EXPECT_NEAR_VECTOR(dynamics->reactions_W[3].moment, kBranchedM3, kPrinted);
  const AggregateForm form = aggregate_form(model, state);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(form.A(i, i), kBranchedDiagonal[i], kPrinted) << i;
}

// Two turning axes of a universal joint: the columns of Sᵀ are the axes as the body sees them, the first turned back by the
// second angle.
TEST(AggregateForm, ColumnsAreTheAxesSeenFromTheBody) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  cross: { joint: {type: universal}, mass: 1, com: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1] }
)");
  State state;
  state.q = {0.8, 0.5};
  state.v = {1.5, -2};
  const AggregateForm form = aggregate_form(model, state);
  const double c = std::cos(0.5), s = std::sin(0.5);
  Eigen::Matrix<double, 6, 2> S_T, S_T_dot;
  S_T << 0, 0, 0, 0, 0, 0, c, 0, 0, 1, s, 0;
  S_T_dot << 0, 0, 0, 0, 0, 0, 2 * s, 0, 0, 0, -2 * c, 0;
  EXPECT_LT((form.S_T - S_T).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((form.S_T_dot - S_T_dot).cwiseAbs().maxCoeff(), 1e-15);
}

}  // namespace
}  // namespace vinculum::testing
