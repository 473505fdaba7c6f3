// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/constrained_series.h"

#include <cmath>

#include <gtest/gtest.h>

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

TEST(ConstrainedSeries, SaysWhichContactsHaveNone) {
  const Model bowl = example("coin-in-a-bowl"), terrain = example("cart-on-terrain");
  ASSERT_TRUE(check_series(ConstraintSet(bowl)));
  EXPECT_EQ(check_series(ConstraintSet(bowl))->code, "VN-RUN-015");
  EXPECT_NE(check_series(ConstraintSet(terrain))->message.find("searched for"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
