// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// The rattleback as typed rows in quaternions: an ellipsoid on level ground. Expected values: theory 3, section 15, W8.
#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"
#include "vinculum/realization/reactions.h"
#include "vinculum/realization/slip_constants.h"
#include "vinculum/simulation/sampled_run.h"

namespace vinculum::testing {
namespace {

// Contact rho = c0 - D² gamma/sqrt(gamma.D² gamma), gamma the vertical in body axes; rows along e1 = (g3, 0, -g1)/n, e2 = gamma x
// e1.
Model rattleback() {
  const std::string g1 = "(2*(b.qx*b.qz - b.qw*b.qy))", g2 = "(2*(b.qy*b.qz + b.qw*b.qx))", g3 = "(1 - 2*(b.qx^2 + b.qy^2))";
  const std::string s = "sqrt((0.2*" + g1 + ")^2 + (0.03*" + g2 + ")^2 + (0.02*" + g3 + ")^2)";
  const std::string rx = "(-0.04*" + g1 + "/" + s + ")", ry = "(-0.0009*" + g2 + "/" + s + ")",
                    rz = "(0.01 - 0.0004*" + g3 + "/" + s + ")";
  const std::string vx = "(b.wy*" + rz + " - b.wz*" + ry + ")", vy = "(b.wz*" + rx + " - b.wx*" + rz + ")",
                    vz = "(b.wx*" + ry + " - b.wy*" + rx + ")";  // omega x rho
  // e1 in world axes; e2 is a quarter turn farther.
  const std::string ux = "((1 - 2*(b.qy^2 + b.qz^2))*" + g3 + " - 2*(b.qx*b.qz + b.qw*b.qy)*" + g1 + ")",
                    uy = "(2*(b.qx*b.qy + b.qw*b.qz)*" + g3 + " - 2*(b.qy*b.qz - b.qw*b.qx)*" + g1 + ")",
                    n = "sqrt(" + g1 + "^2 + " + g3 + "^2)";
  const std::string height = "b.tz' + " + g1 + "*" + vx + " + " + g2 + "*" + vy + " + " + g3 + "*" + vz + " = 0";
  const std::string slip1 = "(" + ux + "*b.tx' + " + uy + "*b.ty' + " + g3 + "*" + vx + " - " + g1 + "*" + vz + ")/" + n + " = 0";
  const std::string slip2 = "(" + ux + "*b.ty' - " + uy + "*b.tx' - " + g1 + "*" + g2 + "*" + vx + " + (" + g1 + "^2 + " + g3 +
                            "^2)*" + vy + " - " + g2 + "*" + g3 + "*" + vz + ")/" + n + " = 0";
  return read_model_text(
      "vinculum: 1\n"
      "bodies: { b: { joint: free, mass: 1, inertia: [2e-4, 1.6e-3, 1.7e-3, -2e-5, 0, 0], accept_inertia: true } }\n"
      "velocity_constraints:\n  height: { equation: \"" +
      height + "\", permanent: true }\n  slip: { equations: [\"" + slip1 + "\", \"" + slip2 +
      "\"], friction: 0.2, normal: height }\n");
}

// V = 0 in body axes.
State state_at(double g1, double g2, double g3, const Vector3& w) {
  const double qw = std::sqrt((1 + g3) / 2);
  return {0, {0, 0, 0.01, qw, g2 / (2 * qw), -g1 / (2 * qw), 0}, {0, 0, 0, w.x, w.y, w.z}};
}

// Velocity of the mass centre in body axes.
Vector3 in_body(const State& state) {
  const Matrix3 R = to_rotation(Quaternion{state.q[3], state.q[4], state.q[5], state.q[6]});
  return transpose_times(R, Vector3{state.v[0], state.v[1], state.v[2]});
}

void expect_near(const Vector3& actual, const Vector3& expected, double tolerance) {
  EXPECT_NEAR(actual.x, expected.x, tolerance);
  EXPECT_NEAR(actual.y, expected.y, tolerance);
  EXPECT_NEAR(actual.z, expected.z, tolerance);
}

TEST(Rattleback, AlgebraOfW8a) {
  const Model model = rattleback();
  SlipSystem system(model, list_slip_rows(model));
  const auto projected = system.project(state_at(0.005, 0.01, 0.999937498046753, {0.05, -0.02, -3.0}));
  ASSERT_TRUE(projected);
  expect_near(in_body(*projected), {0.0009160418078948, -0.0195635485323974, -3.57330134654872e-05}, 1e-13);
  expect_near({projected->v[3], projected->v[4], projected->v[5]}, {-0.927251539198763, -0.0381483756411658, -2.88482744821839},
              1e-12);
  const auto at = system.compute(*projected);
  ASSERT_TRUE(at);
  EXPECT_NEAR(at->r[0], 0.402236082468835, 1e-12);
  EXPECT_NEAR(at->r[1], 0.0336273867171205, 1e-12);
  EXPECT_NEAR(at->sigma(0, 0), 0.944026215485941, 1e-12);
  EXPECT_NEAR(at->sigma(0, 1), 0.00535055748584756, 1e-12);
  EXPECT_NEAR(at->sigma(1, 1), 0.642401438692921, 1e-12);
  const Eigen::VectorXd a = at->accelerations(at->r);
  expect_near({a[3], a[4], a[5]}, {-9.1257281350586, 57.5685640607057, -0.643733156972332}, 1e-10);
  const GroupDemand demand = compute_demands(system, *at)[0];
  EXPECT_NEAR(*demand.normal, 9.2901956986765, 1e-11);
  EXPECT_NEAR(*demand.required_friction, 0.0434478768400751, 1e-12);
  const auto constants = compute_slip_constants(system, *projected);
  ASSERT_TRUE(constants);
  EXPECT_NEAR(constants->rho1, 0.566703870805181, 1e-12);
  EXPECT_NEAR(constants->rho2, 0.687066626975765, 1e-12);
  EXPECT_NEAR(constants->A, 20.4133839648744, 1e-9);
  EXPECT_EQ(constants->B, 0);
}

TEST(Rattleback, MotionOfW8b) {
  const Model model = rattleback();
  SlipSystem system(model, list_slip_rows(model));
  const auto start = system.project(state_at(0.003, 0.004, 0.999987499921874, {0, 0, -2}));
  ASSERT_TRUE(start);
  RunOptions options;
  options.until = 1;
  options.tolerance = 1e-13;
  const auto run = run_sampled(model, *start, options, 2001);
  ASSERT_TRUE(run);
  const State& final = run->result.final;
  const Matrix3 R = to_rotation(Quaternion{final.q[3], final.q[4], final.q[5], final.q[6]});
  expect_near(transpose_times(R, Vector3{0, 0, 1}), {0.00536842879507028, 0.00253592199896284, 0.999982374380613}, 5e-11);
  expect_near(in_body(final), {-0.00398485504421633, -0.0108528553850935, 0.00440878926009337}, 5e-10);
  expect_near({final.v[3], final.v[4], final.v[5]}, {-0.887910488547669, -0.420646097461332, -1.83801161160035}, 5e-9);
  const auto history = follow_reactions(system, run->motion);
  ASSERT_TRUE(history);
  EXPECT_NEAR(history->groups[0].required_friction->value, 0.155605733062859, 1e-9);
  EXPECT_NEAR(history->groups[0].required_friction->t, 0.991884706041092, 2e-6);
}

}  // namespace
}  // namespace vinculum::testing
