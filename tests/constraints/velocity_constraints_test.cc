// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Velocity constraints typed in the model file: their rows, multipliers and accelerations. Expected values: theory 3, section 15.
#include <gtest/gtest.h>

#include "tests/support/velocity_models.h"
#include "vinculum/constrained/classification.h"
#include "vinculum/constrained/constrained_forms.h"
#include "vinculum/constrained/constrained_series.h"
#include "vinculum/constraints/projection.h"

namespace vinculum::testing {
namespace {

struct Answer {
  State state;
  ConstrainedDynamics dynamics;
};

// From a velocity that need not obey the rows.
Answer answer_of(const Model& model, State state) {
  Workspace workspace(model);
  const ConstraintSet set(model);
  if (auto failure = project_velocities(set, state, workspace)) throw std::runtime_error(failure->message);
  auto dynamics = compute_constrained_dynamics(set, state, workspace);
  if (!dynamics) throw std::runtime_error(dynamics.failure().message);
  return {state, *dynamics};
}

template <class Values>
void expect_values(const Values& actual, const std::vector<double>& expected, double tolerance = 1e-12) {
  ASSERT_EQ(static_cast<size_t>(actual.size()), expected.size());
  double size = 1;
  for (const double value : expected) size = std::max(size, std::abs(value));
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance * size) << "entry " << i;
}

TEST(VelocityConstraints, SleighOfW1a) {
  const auto [state, dynamics] = answer_of(sleigh(1.3, 0.7, 0.4), {0, {0.1, 0.2, 0.3}, {1.1, 0.6, 0.9}});
  expect_values(state.v, {1.17332733021883, 0.362952675894366, 1.04210068986443});
  expect_values(dynamics.solution.multipliers, {1.28270872259556});
  expect_values(dynamics.solution.accelerations, {0.0367549432842153, 1.35109610663199, -0.732976412911748});
}

TEST(VelocityConstraints, DriveOfW1c) {
  const auto [state, dynamics] = answer_of(diffdrive("0.3", "0.1"), {0, {0.0, 0.1, 0.4, 0.0, 0.0}, {0.8, 0.4, 0.9, 9.0, 6.0}});
  expect_values(state.v, {0.770979729985156, 0.325965001622303, 0.907366844469716, 13.2987227269503, 7.6276799490146});
  expect_values(dynamics.solution.multipliers, {5.93963575639003, 3.23360536293437, 0.666955015516542});
  expect_values(dynamics.solution.accelerations,
                {0.244310672094491, 0.927903820689196, -0.142187407824694, 6.88526182754178, 7.77393312644611});
}

// Rows with time in them: the steering angle.
TEST(VelocityConstraints, CarWithTrailerOfW1d) {
  const auto [state, dynamics] =
      answer_of(car_with_trailer(0.2, 1.1, 400), {0.7, {0.3, -0.2, 0.4, 0.1 - 0.4}, {8.0, 1.0, 0.3, 0.2 - 0.3}});
  expect_values(state.v, {7.1837754950587, 3.0372515642482, 0.420371761619174, 0.938154188911364 - 0.420371761619174});
  expect_values(dynamics.solution.multipliers, {2473.86779262133, 1999.88167396798, 3382.59277493568});
  expect_values(dynamics.solution.accelerations,
                {-1.35628709235762, 2.98623909792125, 0.478439228979603, -1.9074541697185 - 0.478439228979603});
}

TEST(VelocityConstraints, NamesAndUnits) {
  const Model drive = diffdrive("0", "0");
  ASSERT_EQ(drive.rows().size(), 3u);
  EXPECT_EQ(drive.rows()[0].name, "lateral");
  EXPECT_EQ(drive.rows()[1].name, "drive.1");
  EXPECT_EQ(drive.rows()[2].name, "drive.2");
  EXPECT_EQ(drive.rows()[0].unit, "N");
  EXPECT_EQ(drive.rows()[1].element, "velocity constraint 'drive'");
  EXPECT_FALSE(drive.is_plain_tree());
  const Model gears = read_model_text(R"(
vinculum: 1
bodies: { a: { joint: revolute, mass: 1, inertia: 1 }, b: { joint: revolute, mass: 1, inertia: 1 } }
velocity_constraints: { gear: "a' = 3*b'" }
)");
  EXPECT_EQ(gears.rows()[0].unit, "N*m");
}

// A row given twice is redundant: the motion is the same, the multipliers are shared (theory 3, W1e).
TEST(VelocityConstraints, TheSameRowTwice) {
  const Model once = sleigh(1.3, 0.7, 0.4);
  const Model twice = read_model_text(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: { sled: { joint: planar, mass: 1.3, inertia: 0.7, com: [0.4, 0, 0] } }
velocity_constraints:
  blade: "sled.ty'*cos(sled.rz) - sled.tx'*sin(sled.rz) = 0"
  again: "2*sled.ty'*cos(sled.rz) - 2*sled.tx'*sin(sled.rz) = 0"
)");
  const State start{0, {0.1, 0.2, 0.3}, {1.1, 0.6, 0.9}};
  const auto a = answer_of(once, start), b = answer_of(twice, start);
  EXPECT_EQ(b.dynamics.solution.analysis.rank, 1);
  EXPECT_EQ(b.dynamics.solution.analysis.determinate, (std::vector<bool>{false, false}));
  expect_values(b.dynamics.solution.accelerations, {a.dynamics.dynamics.accelerations[0], a.dynamics.dynamics.accelerations[1],
                                                    a.dynamics.dynamics.accelerations[2]});
  const auto& lambda = b.dynamics.solution.multipliers;
  EXPECT_NEAR(lambda[0] + 2 * lambda[1], a.dynamics.solution.multipliers[0], 1e-12);
}

TEST(VelocityConstraints, RowsThatContradictEachOther) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { a: { joint: revolute, mass: 1, inertia: 1 }, b: { joint: revolute, mass: 1, inertia: 1 } }
velocity_constraints: { gear: "a' = 3*b'", belt: "a' - 3*b' = 0.5" }
)");
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(ConstraintSet(model), model.initial_state(), workspace);
  ASSERT_FALSE(dynamics);
  EXPECT_EQ(dynamics.failure().code, "VN-CONTACT-010");
  EXPECT_NE(dynamics.failure().message.find("gear, belt"), std::string::npos) << dynamics.failure().message;
}

TEST(VelocityConstraints, BracketsTellGearsFromBlades) {
  Workspace workspace(sleigh(1, 1, 0.1));
  const Model sled = sleigh(1, 0.5, 0.5, "initial: { \"sled.tx'\": 1 }");
  const auto kinds = classify_rows(ConstraintSet(sled), sled.initial_state(), workspace);
  ASSERT_TRUE(kinds);
  EXPECT_FALSE((*kinds)[0].holonomic);
  EXPECT_TRUE((*kinds)[0].stationary);
  const Model gears = read_model_text(R"(
vinculum: 1
bodies: { a: { joint: revolute, mass: 1, inertia: 1 }, b: { joint: revolute, mass: 1, inertia: 1 } }
velocity_constraints: { gear: "a' = 3*b'", steered: "a' = 3*b' + 0*t" }
)");
  Workspace geared(gears);
  const auto of_gears = classify_rows(ConstraintSet(gears), gears.initial_state(), geared);
  ASSERT_TRUE(of_gears);
  EXPECT_TRUE((*of_gears)[0].holonomic);
}

// The forms agree, reactions of joints included; and the series begins as the motion does.
TEST(VelocityConstraints, FormsAndSeriesAgree) {
  const Model model = car_with_trailer(0.2, 1.1, 400);
  const auto [state, dynamics] = answer_of(model, {0.7, {0.3, -0.2, 0.4, -0.3}, {8.0, 1.0, 0.3, -0.1}});
  const ConstraintSet set(model);
  Workspace workspace(model);
  for (const auto compute : {compute_constrained_vector_dynamics, compute_constrained_aggregate_dynamics}) {
    const auto by_form = compute(set, state, *compute_constraint_rows(set, state), workspace);
    ASSERT_TRUE(by_form);
    expect_values(by_form->solution.accelerations, dynamics.dynamics.accelerations, 1e-11);
    for (size_t i = 0; i < 2; ++i) {
      const Wrench &a = by_form->dynamics.reactions_W[i], &b = dynamics.dynamics.reactions_W[i];
      EXPECT_LE(norm(a.force - b.force) + norm(a.moment - b.moment), 1e-10 * (1 + norm(b.force) + norm(b.moment)));
    }
  }
  const auto series = compute_motion_coefficients(set, state, 4);
  ASSERT_TRUE(series) << series.failure().message;
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(series->v[i][1], dynamics.dynamics.accelerations[i], 1e-11 * 10);
}

}  // namespace
}  // namespace vinculum::testing
