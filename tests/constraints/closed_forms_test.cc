// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/QR>

#include "tests/constraints/worked.h"
#include "tests/support/expect.h"
#include "vinculum/constraints/projection.h"

namespace vinculum::testing {
namespace {

ConstrainedDynamics solve(const Model& model, const State& state) {
  Workspace workspace(model);
  auto dynamics = compute_constrained_dynamics(ConstraintSet(model), state, workspace);
  EXPECT_TRUE(dynamics) << dynamics.failure().message;
  return std::move(*dynamics);
}

// Sleigh: v' = a w², w' = -m a v w/(I + m a²), lambda = -m (a w' + v w)                                  theory 1, section 12
TEST(ClosedForms, ChaplyginSleigh) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { sleigh: { joint: {type: planar}, mass: 3, com: [0.25, 0, 0], inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] } }
)");
  const double m = 3, a = 0.25, I = 0.4, heading = 0.7, v = 1.2, w = 0.8;
  const State state{0, {0.1, 0.2, heading}, {v * std::cos(heading), v * std::sin(heading), w}};
  const ConstrainedDynamics dynamics = solve(model, state);
  const auto& vd = dynamics.solution.accelerations;
  const double w_dot = -m * a * v * w / (I + m * a * a);
  EXPECT_NEAR(vd[2], w_dot, 1e-14);
  EXPECT_NEAR(vd[0] * std::cos(heading) + vd[1] * std::sin(heading), a * w * w, 1e-14);
  EXPECT_NEAR(dynamics.solution.multipliers[0], -m * (a * w_dot + v * w), 1e-14);
  // The force acts to the right of forward; in body axes that is -y.
  EXPECT_NEAR_VECTOR(dynamics.reactions[0].own.force, (Vector3{0, dynamics.solution.multipliers[0], 0}), 1e-14);
  EXPECT_NEAR_VECTOR(dynamics.reactions[0].body.force, (Vector3{0, -dynamics.solution.multipliers[0], 0}), 1e-14);
}

// Baumgarte's terms take a slip s out of a row without a position as s' = -alpha s: the blade has no gap to be closed.
TEST(ClosedForms, BaumgarteOnAVelocity) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { sleigh: { joint: {type: planar}, mass: 3, com: [0.25, 0, 0], inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [lateral] } }
)");
  const double alpha = 7, slip = 0.02;
  const State state{0, {0, 0, 0}, {0, -slip, 0}};  // lateral is to the right
  const ConstraintSet set(model);
  Workspace workspace(model);
  ASSERT_NEAR(compute_constraint_rows(set, state)->rate[0], slip, 1e-16);
  const auto motion = compute_constrained_motion(set, state, {alpha}, workspace);
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->accelerations[1], alpha * slip, 1e-15);
}

// Steady turn of a uniform disc: (C + m a²) w_n Om cos th - A Om² sin th cos th + m g a sin th = 0, w_n = spin + Om sin th; then
// lean, heading and spin keep their rates.
TEST(ClosedForms, SteadyTurnOfADisc) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { disc: { joint: {axes: [tx, ty, tz, rz, rx, ry]}, mass: 2, inertia: [0.08, 0.16, 0.08] } }
contacts: { floor: { body: disc, with: world, wheel: {axis: y, radius: 0.4}, forbid: [normal, lateral, forward] } }
)");
  const double lean = 0.3, turn = 1.3, spin = -4.210645106794, a = 0.4;
  State state{0, {0, 0, a * std::cos(lean), 0, lean, 0}, {0, 0, 0, turn, 0, spin}};
  // The pole's velocity that does not slip: D v = 0.
  const auto rows = compute_constraint_rows(ConstraintSet(model), state);
  ASSERT_TRUE(rows);
  const Eigen::Vector3d slip = rows->D.rightCols(3) * Eigen::Vector3d(turn, 0, spin);
  const Eigen::Vector3d v = rows->D.leftCols(3).colPivHouseholderQr().solve(-slip);
  for (int i = 0; i < 3; ++i) state.v[i] = v[i];
  const ConstrainedDynamics dynamics = solve(model, state);
  const auto& vd = dynamics.solution.accelerations;
  for (int i = 3; i < 6; ++i) EXPECT_NEAR(vd[i], 0, 2e-12) << i;
  // The ground acts by a force through the point of contact; its moment about the centre of the disc is not zero.
  EXPECT_GT(std::abs(dynamics.reactions[0].world.force.y), 1);
  EXPECT_NEAR_VECTOR(dynamics.reactions[0].world.moment, (Vector3{}), 1e-13);
}

// Ball on a turntable: acceleration of the centre = 2/7 Omega z × v for a uniform ball.
TEST(ClosedForms, BallOnATurntable) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 1.5, inertia: 0.024 } }
environment: { table: { surface: plane, rotation: {axis: z, angle: "2.5*t"} } }
contacts: { touch: { body: ball, with: table, sphere: {center: [0, 0, 0], radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { ball.tx: 0.3, ball.ty: 0.1, ball.tz: 0.2, "ball.tx'": 0.4, "ball.ty'": -0.3, ball.wz: 0.7 }
)");
  // Rolling: angular velocity × (0, 0, -a) + v = Omega × r
  State state = model.initial_state();
  const double a = 0.2, Om = 2.5, vx = 0.4, vy = -0.3, x = 0.3, y = 0.1;
  state.v = {vx, vy, 0, -(vy - Om * x) / a, (vx + Om * y) / a, 0.7};
  const ConstrainedDynamics dynamics = solve(model, state);
  EXPECT_LE(dynamics.rows.rate.norm(), 1e-15);
  EXPECT_NEAR(dynamics.solution.accelerations[0], -2.0 / 7 * Om * vy, 1e-14);
  EXPECT_NEAR(dynamics.solution.accelerations[1], 2.0 / 7 * Om * vx, 1e-14);
  EXPECT_NEAR(dynamics.reactions[0].world.force.z, 1.5 * 9.81, 1e-13);
}

// Angle and vector form of a single axis are different constraints: first accelerations 1.65340 and 1.72586 at the state of W2e,
// its velocities first projected onto the row of the form; 1.72113 without (theory 1, section 4).
TEST(ClosedForms, OneAngleForbiddenInBothForms) {
  const auto text = [](const char* form) {
    return std::string(R"(
vinculum: 1
bodies:
  trunk: { joint: {axes: [tx, ty, tz, rx, ry, rz]}, mass: 6, com: [0.02, 0, 0.05], inertia: [0.4, 0.5, 0.3] }
  foot: { parent: trunk, joint: {axes: [ry], origin: [0.1, 0.05, -0.2]}, mass: 1.2, com: [0, 0.01, -0.25], inertia: [0.03, 0.028, 0.006] }
contacts:
  touch: { body: foot, with: world, frame: {on_body: {point: [0, 0, -0.5], rotation: [0.5, -0.5, -0.5, -0.5]}, on_environment: {point: [0.2, 0.1, 0.02], rotation: [0.5, -0.5, -0.5, -0.5]}}, forbid: [normal, lateral, forward, pitch], angular: )") +
           form + " }\nforces: { u6: { joint: foot.ry, law: 1.5 } }\n";
  };
  const State state{0,
                    {0.142007923267682, 0.0428696558951255, 0.711647845881181, 0.00674027443918043, -0.0575127852036641,
                     0.116729433430066, 0.15237787083026},
                    {0.464188587397215, 0.00366649718794798, -0.0700022291994481, 0.0720640923777853, -0.224220631915716,
                     0.786287997661433, 1.16944525726934}};
  const Model by_angles = read_model_text(text("angles")), by_vector = read_model_text(text("vector"));
  EXPECT_NEAR(solve(by_angles, state).solution.accelerations[0], 1.65340, 5e-6);
  EXPECT_NEAR(solve(by_vector, state).solution.accelerations[0], 1.72113, 5e-6);
  Workspace workspace(by_vector);
  const ConstraintSet set(by_vector);
  const auto rows = compute_constraint_rows(set, state);
  ASSERT_TRUE(rows);
  EXPECT_NEAR(std::abs(rows->rate[3]), 0.109, 5e-4);
  const auto projection = project_state(set, state, workspace);
  ASSERT_TRUE(projection);
  EXPECT_NEAR(solve(by_vector, projection->state).solution.accelerations[0], 1.72586, 5e-6);
}

// A beam on a hinge and a support at its tip: each carries half the weight.
TEST(ClosedForms, JointReactionsWithoutWhatTheContactCarries) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { beam: { joint: {type: revolute, axis: y}, mass: 2, com: [0.5, 0, 0], inertia: 0.1 } }
contacts: { rest: { body: beam, with: world, point: [1, 0, 0], forbid: [normal] } }
)");
  const ConstrainedDynamics dynamics = solve(model, model.initial_state());
  EXPECT_NEAR(dynamics.solution.accelerations[0], 0, 1e-14);
  EXPECT_NEAR(dynamics.solution.multipliers[0], 9.81, 1e-14);
  EXPECT_NEAR_VECTOR(dynamics.dynamics.reactions_W[0].force, (Vector3{0, 0, 9.81}), 1e-14);
  EXPECT_NEAR_VECTOR(dynamics.dynamics.reactions_W[0].moment, (Vector3{}), 1e-14);
}

// A hinge made of a frame contact, with a spring and a damper on the axis it leaves: J w' = -k angle - c w, in both forms.
TEST(ClosedForms, LawOnTheAxisOfAHinge) {
  for (const char* form : {"angles", "vector"}) {
    const Model model = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { door: { joint: {type: free}, mass: 3, inertia: [0.3, 0.3, 0.2] } }
contacts:
  hinge:
    body: door
    with: world
    frame: {}
    forbid: [normal, lateral, forward, yaw, pitch]
    laws: { roll: {stiffness: 7, viscous: 0.4} }
    angular: )" + std::string(form) + "\n");
    State state = model.initial_state();
    const double angle = 0.3, w = 0.5;
    state.q[3] = std::cos(angle / 2);
    state.q[6] = std::sin(angle / 2);
    state.v[5] = w;
    const ConstrainedDynamics dynamics = solve(model, state);
    EXPECT_NEAR(dynamics.solution.accelerations[5], (-7 * angle - 0.4 * w) / 0.2, 1e-13) << form;
    EXPECT_NEAR(dynamics.reactions[0].world.moment.z, -7 * angle - 0.4 * w, 1e-13) << form;
    EXPECT_NEAR(dynamics.solution.accelerations.head(5).norm(), 0, 1e-14) << form;
  }
}

}  // namespace
}  // namespace vinculum::testing
