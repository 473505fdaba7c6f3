// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Points of guides that may slide in more than one direction: where friction lets them go, and in which direction.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/guide_models.h"
#include "vinculum/friction/guide_breakaway.h"
#include "vinculum/friction/guide_statics.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::guide_releases {
namespace {

constexpr double g = 9.81;

RunResult run(const Model& model, double until, const std::string& stop_at = "") {
  RunOptions options;
  options.stop_at = stop_at;
  options.until = until;
  options.tolerance = 1e-12;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

const Occurrence* find_event(const RunResult& result, const std::string& name) {
  for (const Occurrence& event : result.events) {
    if (event.name() == name) return &event;
  }
  return nullptr;
}

std::string point_on_floor(double x, double y, double f) {
  return fmt::format(
      "{{ face1: {{ point: [{0}, {1}, 0], normal: [0, 0, -1], friction: {2} }}, face2: {{ point: [{0}, {1}, 0], normal: [0, 0, "
      "1], friction: {2} }} }}",
      x, y, f);
}

// 2 kg on a floor, f = 0.3.
Model puck(const std::string& force) {
  return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ puck: {{ joint: {{ axes: [tx, ty, tz] }}, mass: 2, inertia: 0.1 }} }}
guides: {{ floor: {{ body: puck, pairs: [{}] }} }}
forces: {{ push: {{ body: puck, force: [{}, 0] }} }}
)",
                                     point_on_floor(0, 0, 0.3), force));
}

// 2 s'' = 10 t - 0.3 * 2 g  along (0.6, 0.8), from  t0 = 0.06 g  on: s = 5/6 (t - t0)^3.
TEST(GuideReleases, PuckLeavesAlongAPushThatGrows) {
  const RunResult result = run(puck("\"6*t\", \"8*t\""), 1.5);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const Occurrence* away = find_event(result, "breakaway");
  ASSERT_TRUE(away);
  EXPECT_NEAR(away->t, 0.06 * g, 1e-6);
  EXPECT_NEAR(away->rest_direction[0], 0.6, 1e-5);
  EXPECT_NEAR(away->rest_direction[1], 0.8, 1e-5);
  const double s = 5.0 / 6 * std::pow(1.5 - 0.06 * g, 3);
  EXPECT_NEAR(result.final.q[0], 0.6 * s, 1e-6);
  EXPECT_NEAR(result.final.q[1], 0.8 * s, 1e-6);
  EXPECT_NEAR(result.final.v[1], 0.8 * 2.5 * std::pow(1.5 - 0.06 * g, 2), 1e-6);
}

TEST(GuideReleases, PuckLeavesAtOnceUnderAPushThatIsEnough) {
  const RunResult result = run(puck("6, 8"), 0.5);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const double a = (10 - 0.6 * g) / 2;
  EXPECT_NEAR(result.final.q[0], 0.6 * a * 0.125, 1e-7);
  EXPECT_NEAR(result.final.q[1], 0.8 * a * 0.125, 1e-7);
}

// A push that turns, against small steps with friction made smooth: v/|v| -> v/sqrt(|v|² + 1e-6²).
TEST(GuideReleases, PuckFollowsAPushThatTurns) {
  const RunResult result = run(puck("\"8*t\", \"9*t^2\""), 1.2);
  ASSERT_FALSE(result.failure) << result.failure->message;
  ASSERT_TRUE(find_event(result, "breakaway"));
  double x = 0, y = 0, vx = 0, vy = 0;
  const double dt = 2e-6, bound = 0.6 * g;
  for (int i = 0; i < 600000; ++i) {
    // Backward in the speed of the friction, so that it is stable where it is stiff.
    const double t = (i + 0.5) * dt, speed = std::sqrt(vx * vx + vy * vy + 1e-12);
    const double damped = 1 + dt * bound / (2 * speed);
    vx = (vx + dt * 8 * t / 2) / damped, vy = (vy + dt * 9 * t * t / 2) / damped;
    x += dt * vx, y += dt * vy;
  }
  EXPECT_GT(x, 0.1);
  EXPECT_NEAR(result.final.q[0], x, 1e-4 * x);
  EXPECT_NEAR(result.final.q[1], y, 1e-4 * x);
}

// Two pucks on a spring, one thrown along (0.6, 0.8): the other is torn loose where the spring pulls with f m g, though the cone
// of its friction is round.
TEST(GuideReleases, SpringTearsAPuckLooseInItsDirection) {
  const double k = 50, f = 0.1, v = 1.5, w = std::sqrt(k / 2), bound = 0.3 * 4 * g;
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies:
  held: {{ joint: {{ axes: [tx, ty, tz] }}, mass: 4, inertia: 0.1 }}
  thrown: {{ joint: {{ axes: [tx, ty, tz], origin: [1.8, 2.4, 0] }}, mass: 2, inertia: 0.1 }}
guides: {{ floor: {{ body: held, pairs: [{}] }}, other: {{ body: thrown, pairs: [{}] }} }}
forces: {{ spring: {{ between: [held, [0, 0, 0]], and: [thrown, [0, 0, 0]], stiffness: 50, length: 3 }} }}
initial: {{ "thrown.tx'": 0.9, "thrown.ty'": 1.2 }}
)",
                                                  point_on_floor(0, 0, 0.3), point_on_floor(0, 0, f)));
  const auto pull = [&](double t) { return k * (v / w * std::sin(w * t) - f * g / (w * w) * (1 - std::cos(w * t))) - bound; };
  double low = 0, high = 0.3;
  for (int i = 0; i < 100; ++i) (pull(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  const RunResult result = run(model, low + 0.05);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const Occurrence* slip = find_event(result, "slip:floor.1");
  ASSERT_TRUE(slip);
  EXPECT_NEAR(slip->t, low, 1e-6);
  EXPECT_GT(result.final.q[0], 1e-5);
  EXPECT_NEAR(result.final.q[1] / result.final.q[0], 0.8 / 0.6, 1e-4);
}

// A rod on two points, pushed across at one of them: that one slides from half the friction of the whole rod on, and the other
// one stays, a pivot. About it  m L²/3 a = L (F - f m g/2) .
TEST(GuideReleases, RodTurnsAboutThePointThatSticks) {
  const double m = 2, f = 0.3, friction = f * m * g, push = 0.6 * friction;
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ rod: {{ joint: {{ axes: [tx, ty, tz, rz, ry] }}, mass: 2, inertia: [1e-6, 2/12, 2/12] }} }}
guides: {{ floor: {{ body: rod, pairs: [{}, {}] }} }}
forces: {{ push: {{ body: rod, point: [0.5, 0, 0], force: [0, {}, 0], frame: body }} }}
)",
                                                  point_on_floor(-0.5, 0, f), point_on_floor(0.5, 0, f), push));
  const RunResult result = run(model, 0.4);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const double turn = 0.1 * friction / (m / 3) * 0.08;  // half of 0.4²
  EXPECT_NEAR(result.final.q[3], turn, 1e-6);
  EXPECT_NEAR(result.final.q[0] - 0.5 * std::cos(result.final.q[3]), -0.5, 1e-6);
  EXPECT_NEAR(result.final.q[1] - 0.5 * std::sin(result.final.q[3]), 0, 1e-6);
  EXPECT_EQ(model.modes()[model.face_pairs()[0].slide_mode].words[result.final.modes[model.face_pairs()[0].slide_mode]],
            std::string("sticks"));
}

// The body of W8 on points, beyond its limit 1.9705: the start by the equations of the slip (theory 5, 7.4), another way.
TEST(GuideReleases, PlateOnThreePointsLeavesAsTheSlipEquationsSay) {
  std::string text = plate_on_pads_text(
      "forces: { push: { body: plate, force: [12, 7.5, 0], torque: [0, 0, 2.4] } }\n"
      "initial: { plate.qw: cos(0.15), plate.qz: sin(0.15) }");
  for (size_t at; (at = text.find(", pad: {")) != std::string::npos;) text.erase(at, text.find('}', at) + 1 - at);
  const Model model = read_model_text(text);
  Workspace workspace(model);
  ConstraintSet set(model);
  const auto leaving = break_away(set, model.initial_state(), workspace);
  ASSERT_TRUE(leaving) << leaving.failure().message;
  const auto found = find_guide_variants(set, *leaving, workspace);
  ASSERT_TRUE(found);
  ASSERT_NE(found->chosen(), nullptr);
  const Eigen::VectorXd a = found->reduction.accelerations(found->chosen()->signed_reactions);

  const Eigen::VectorXd load = Eigen::VectorXd::Unit(6, 0);
  const auto statics = reduce_guides_at_rest(ConstraintSet(model), model.initial_state(), load, workspace);
  ASSERT_TRUE(statics);
  const auto other = find_breakaway(statics->problem, 1);
  ASSERT_TRUE(other) << other.failure().message;
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a[i], other->acceleration[i], 1e-6) << i;
  EXPECT_GT(a[0], 0.5);

  const RunResult result = run(model, 0.01);
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_NEAR(result.final.v[0], 0.01 * a[0], 1e-4 * a[0]);
}

// The same under a load that grows: it leaves at the limit load, 1.970549827519 of theory 5, W8, in the direction in which the
// limit says that it slips.
TEST(GuideReleases, PlateOnThreePointsLeavesAtItsLimit) {
  std::string text = plate_on_pads_text(
      "forces: { push: { body: plate, force: [\"4*(1.9 + 50*t)\", \"2.5*(1.9 + 50*t)\", 0], torque: [0, 0, \"0.8*(1.9 + 50*t)\"] "
      "} }\n"
      "initial: { plate.qw: cos(0.15), plate.qz: sin(0.15) }");
  for (size_t at; (at = text.find(", pad: {")) != std::string::npos;) text.erase(at, text.find('}', at) + 1 - at);
  const Model model = read_model_text(text);
  const RunResult result = run(model, 0.01, "breakaway");
  ASSERT_FALSE(result.failure) << result.failure->message;
  const Occurrence* away = find_event(result, "breakaway");
  ASSERT_TRUE(away);
  EXPECT_NEAR(away->t, (1.970549827519 - 1.9) / 50, 1e-8);
  Workspace workspace(model);
  const auto load = compute_load(model, model.initial_state(), "push");
  ASSERT_TRUE(load);
  const auto statics = reduce_guides_at_rest(ConstraintSet(model), model.initial_state(), *load, workspace);
  ASSERT_TRUE(statics);
  const auto limit = find_limit_load(statics->problem);
  ASSERT_TRUE(limit);
  EXPECT_NEAR(1.9 * limit->alpha, 1.970549827519, 1e-8);
  ASSERT_EQ(limit->slip_direction.size(), 6);
  ASSERT_EQ(away->rest_direction.size(), 6u);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(away->rest_direction[i], limit->slip_direction[i], 1e-3) << i;
}

}  // namespace
}  // namespace vinculum::testing::guide_releases
