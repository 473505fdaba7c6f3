// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constrained/constrained_series.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/tape.h"
#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/constraints/projection.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

Model example(const std::string& name) {
  Diagnostics diagnostics;
  auto model = read_model_file(std::string(VINCULUM_SOURCE_DIR) + "/examples/" + name + "/model.yaml", diagnostics);
  if (!model) throw std::runtime_error("no model " + name);
  return std::move(*model);
}

// Loops; rolling on a plane that turns; a blade; wheels; bolts on a base that shakes, with driven coordinates and forces.
class SeriesOfExamples : public ::testing::TestWithParam<const char*> {};

// The first order is the solve at one state, with its multipliers and joint reactions; and the polynomial of order 16, looked at
// a little later, obeys rows and equations there, which tells of all orders.
TEST_P(SeriesOfExamples, ObeyTheEquationsHereAndLater) {
  const Model model = example(GetParam());
  const ConstraintSet set(model);
  Workspace workspace(model);
  const auto start = project_state(set, model.initial_state(), workspace);
  ASSERT_TRUE(start) << start.failure().message;
  const State& state = start->state;
  constexpr int kOrder = 16;
  ASSERT_FALSE(check_series(set));
  ConstrainedSeries series(set, false, kOrder);
  const int dimension = series.dimension(), nq = model.tree().coordinates, nv = model.tree().velocities;
  std::vector<double> y(state.q), coefficients((kOrder + 1) * dimension);
  y.insert(y.end(), state.v.begin(), state.v.end());
  ASSERT_TRUE(series.compute(state.t, y, kOrder, coefficients));

  const auto now = compute_constrained_dynamics(set, state, workspace);
  ASSERT_TRUE(now);
  const double scale = 1 + now->solution.accelerations.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < nv; ++i) EXPECT_NEAR(coefficients[dimension + nq + i], now->solution.accelerations[i], 1e-11 * scale);
  const double most = 1 + now->solution.multipliers.lpNorm<Eigen::Infinity>();
  for (size_t i = 0; i < set.rows.size(); ++i)
    EXPECT_NEAR(series.multiplier(static_cast<int>(i), 0), now->solution.multipliers[static_cast<Eigen::Index>(i)], 1e-10 * most);
  const auto shown = compute_motion_coefficients(set, state, kOrder);
  ASSERT_TRUE(shown);
  for (size_t i = 0; i < model.bodies().size(); ++i)
    EXPECT_LT(norm(shown->reactions_W[i][0].force - now->dynamics.reactions_W[i].force), 1e-9 * most);

  // A twentieth of the radius: what is cut off there is 20⁻¹⁶ of the terms.
  const double s = shown->radius / 20;
  State later{state.t + s, std::vector<double>(nq), std::vector<double>(nv)};
  std::vector<double> slope(nv);
  for (int n = kOrder; n >= 0; --n) {
    for (int i = 0; i < nq; ++i) later.q[i] = later.q[i] * s + coefficients[n * dimension + i];
    for (int i = 0; i < nv; ++i) later.v[i] = later.v[i] * s + coefficients[n * dimension + nq + i];
  }
  for (int n = kOrder; n >= 1; --n) {
    for (int i = 0; i < nv; ++i) slope[i] = slope[i] * s + n * coefficients[n * dimension + nq + i];
  }
  const auto rows = compute_row_values(set, later);
  ASSERT_TRUE(rows);
  double speed = 1, moved = 0;
  for (int i = 0; i < nv; ++i) {
    speed = std::max(speed, std::abs(later.v[i]));
    moved = std::max(moved, std::abs(later.v[i] - state.v[i]));
  }
  EXPECT_GT(moved, 1e-4) << "nothing happened";
  for (const auto& gap : rows->gap) EXPECT_LT(std::abs(gap.value_or(0)), 1e-12 * speed);
  EXPECT_LT(rows->rate.lpNorm<Eigen::Infinity>(), 1e-11 * speed);
  const auto then = compute_constrained_motion(set, later, {}, workspace);
  ASSERT_TRUE(then);
  for (int i = 0; i < nv; ++i)
    EXPECT_NEAR(slope[i], then->accelerations[i], 1e-9 * (scale + then->accelerations.lpNorm<Eigen::Infinity>()));
}

INSTANTIATE_TEST_SUITE_P(All, SeriesOfExamples,
                         ::testing::Values("four-bar-loop", "ball-on-turntable", "chaplygin-sleigh", "snakeboard",
                                           "andrews-squeezer", "motion-platform"));

// What the tapes say of a row is what its source computes: its rate, what is given, and the equations of motion
// A v' + h - tau - Dᵀ lambda = 0 with the accelerations and multipliers of the dense solve. All one-sided rows hold.
void expect_tapes_of(const Model& model) {
  ConstraintSet set(model);
  set.hold(std::vector<bool>(model.one_sided().size(), true));
  ASSERT_FALSE(check_traced_rows(set));
  const State state = model.initial_state();
  Workspace workspace(model);
  const auto rows = compute_constraint_rows(set, state);
  const auto now = compute_constrained_dynamics(set, state, workspace);
  ASSERT_TRUE(rows && now);
  std::vector<double> in{state.t};
  in.insert(in.end(), state.q.begin(), state.q.end());
  in.insert(in.end(), state.v.begin(), state.v.end());
  const std::vector<double> of_rows = testing::run(trace_constraint_rows(set), in);
  const auto count = static_cast<Eigen::Index>(set.rows.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    EXPECT_NEAR(of_rows[i], rows->rate[i], 1e-13) << set.rows[i].name;
    EXPECT_NEAR(of_rows[count + i], rows->F[i], 1e-13) << set.rows[i].name;
  }
  const Eigen::VectorXd &a = now->solution.accelerations, &lambda = now->solution.multipliers;
  in.insert(in.end(), a.begin(), a.end());
  in.insert(in.end(), lambda.begin(), lambda.end());
  const std::vector<double> of_motion = testing::run(trace_constrained_motion(set), in);
  EXPECT_GT(lambda.cwiseAbs().minCoeff(), 0.1) << "a row without a force";
  for (Eigen::Index i = 0; i < a.size(); ++i) EXPECT_NEAR(of_motion[i], 0, 1e-12 * lambda.lpNorm<Eigen::Infinity>()) << i;
}

// One joint rests on the upper end of its range, one on the lower.
TEST(ConstrainedSeries, TapesOfStops) {
  expect_tapes_of(read_model_text(R"(
vinculum: 1
bodies:
  lift: { joint: { type: prismatic, axis: -z, limits: { position: [-3, 0.5] } }, mass: 2 }
  arm: { parent: lift, joint: { type: revolute, axis: y, limits: { position: [0.3, 2] } }, mass: 1, com: [-0.4, 0, 0], inertia: 0.1 }
forces: { press: { joint: arm, law: "-9" } }
initial: { lift: 0.5, arm: 0.3 }
)"));
}

// Strings from an arm that turns, to a body that turns, each end beside the origin of its body.
TEST(ConstrainedSeries, TapesOfStringsOnWhatTurns) {
  expect_tapes_of(read_model_text(R"(
vinculum: 1
environment: { arm: { rotation: { axis: z, angle: "1.5*t" }, position: ["0.2*t", 0, 1] } }
bodies:
  b1: { joint: {type: free}, mass: 2, com: [0, 0, -0.3], inertia: [0.05, 0.06, 0.03] }
  b2: { joint: {type: free}, mass: 1, com: [0.1, 0, -0.2], inertia: [0.02, 0.03, 0.04] }
strings:
  s1: { from: arm, at: [0.3, 0.1, 0], to: b1, on: [0.1, 0, 0.2], length: 1 }
  s2: { from: b1, at: [0, 0.2, -0.4], to: b2, on: [0, 0.1, 0.1], length: 1 }
initial: { b1.tx: 0.2, b1.tz: -0.2, "b1.ty'": 0.45, b1.wx: 0.7, b1.wz: 2, b2.tz: -1.5, "b2.tx'": 1, b2.wy: -0.8, b2.wz: 1.1 }
)"));
}

// Guides without friction on a carrier that turns and rises; the faces are beside the origin of the body.
TEST(ConstrainedSeries, TapesOfGuidesOnATurningCarrier) {
  expect_tapes_of(read_model_text(R"(
vinculum: 1
environment: { table: { rotation: { axis: z, angle: "2*t" }, position: ["0.1*t", 0, "0.3*t"] } }
bodies: { block: { joint: {axes: [tx, ty, rz]}, mass: 2, com: [0.1, 0.05, 0], inertia: 0.3 } }
guides:
  rail:
    body: block
    with: table
    pairs:
      - { face1: { point: [0.3, 0.1, 0], normal: [0, -1, 0] }, face2: { point: [0.3, 0.1, 0], normal: [0, 1, 0] } }
      - { face1: { point: [-0.2, 0.1, 0], normal: [0, -1, 0] }, face2: { point: [-0.2, 0.1, 0], normal: [0, 1, 0] } }
forces: { push: { body: block, force: [1, -7, 0], torque: [0, 0, 2] } }
initial: { block.tx: 0.4, "block.tx'": 0.6, "block.ty'": 0.8, "block.rz'": 2 }
)"));
}

// x = t + t²/2 goes away from the switch at x = -3, and is known for ever: kinks are looked for to beyond the last zero that
// 3 + t + t²/2 could have by Cauchy's bound, 1 + 3/0.5.
TEST(ConstrainedSeries, KinksAreLookedForBeyondTheLastZero) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { cart: { joint: { type: prismatic, axis: x }, mass: 2 } }
forces: { pull: { joint: cart, law: "if(cart < -3, 5, 2)" } }
initial: { "cart'": 1 }
)yaml");
  const auto found = compute_motion_coefficients(ConstraintSet(model), model.initial_state(), 8);
  ASSERT_TRUE(found) << found.failure().message;
  EXPECT_FALSE(found->kink);
  EXPECT_NEAR(found->q[0][2], 0.5, 1e-15);
  EXPECT_GE(found->seen, 7);
  EXPECT_LE(found->seen, 1.05 * 7);
}

TEST(ConstrainedSeries, SaysWhichContactsHaveNone) {
  const Model bowl = example("coin-in-a-bowl"), terrain = example("cart-on-terrain");
  ASSERT_TRUE(check_series(ConstraintSet(bowl)));
  EXPECT_EQ(check_series(ConstraintSet(bowl))->code, "VN-RUN-015");
  EXPECT_NE(check_series(ConstraintSet(terrain))->message.find("searched for"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
