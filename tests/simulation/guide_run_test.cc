// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs with guides: faces that change, sliding that reverses, arrival at rest, breakaway, jams (theory 5, W6, W7, W9).
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/guide_models.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::guide_runs {
namespace {

RunResult run(const Model& model, double until, double tolerance = 1e-12) {
  RunOptions options;
  options.until = until;
  options.tolerance = tolerance;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

const Occurrence* find_event(const RunResult& result, const std::string& name, size_t number = 0) {
  for (const Occurrence& event : result.events) {
    if (event.name() == name && number-- == 0) return &event;
  }
  return nullptr;
}

Verdict verdict_of(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  return {"there is none", Holds::not_checked, {}, {}, {}};
}

TEST(GuideRuns, PlateOfW6SlidesAndSpinsToRest) {
  const Model model = plate_on_pads("initial: { \"plate.tx'\": 3, \"plate.ty'\": -1, plate.wz: -4 }");
  const RunResult result = run(model, 2);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const Occurrence *to1 = find_event(result, "face", 0), *to2 = find_event(result, "face", 1), *rest = find_event(result, "rest");
  ASSERT_TRUE(to1 && to2 && rest);
  EXPECT_EQ(to1->subject, "planes.3");
  EXPECT_EQ(to1->face, 1);
  EXPECT_NEAR(to1->t, 0.365009961126, 1e-8);
  EXPECT_EQ(to2->face, 2);
  EXPECT_NEAR(to2->t, 0.432718228473, 1e-8);
  EXPECT_NEAR(rest->t, 1.4256046596, 1e-8);
  EXPECT_NEAR(rest->rest_direction[0], 0.401978910686, 1e-6);
  EXPECT_NEAR(rest->rest_direction[1], 0.200703480279, 1e-6);
  EXPECT_NEAR(rest->rest_direction[5], -0.893381815557, 1e-6);
  EXPECT_NEAR(result.final.q[0], 1.8890535731, 1e-8);
  EXPECT_NEAR(result.final.q[1], -0.2435230745, 1e-8);
  const double angle = 2 * std::atan2(result.final.q[6], result.final.q[3]);
  EXPECT_NEAR(std::remainder(angle + 3.4003978053, 2 * M_PI), 0, 1e-8);
  for (const double v : result.final.v) EXPECT_EQ(v, 0);
  EXPECT_EQ(verdict_of(result, "planes").verdict, Holds::holds);
  // All the energy there was has become work of friction.
  double work = 0;
  for (const ElementWork& face : result.friction_work) work += face.work;
  EXPECT_NEAR(work, 0.5 * 3 * (9 + 1) + 0.5 * 0.9 * 16, 1e-6);
}

TEST(GuideRuns, DiscOfW7StopsSlidingAndSpinningTogether) {
  const RunResult result = run(disc(), 1);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const Occurrence* rest = find_event(result, "rest");
  ASSERT_TRUE(rest);
  EXPECT_NEAR(rest->t, 0.455419056105, 1e-8);
  EXPECT_NEAR(result.final.q[0], 0.216580776124, 1e-8);
  EXPECT_NEAR(result.final.q[3], 2.460358524518, 1e-8);
  EXPECT_NEAR(rest->rest_direction[0] / (rest->rest_direction[3] * 0.1), 0.653001789205598, 1e-6);
}

// At the dead centre the sliding reverses, and the loads jump: theory 5, section 8.
TEST(GuideRuns, SliderCrankOfW9PassesItsDeadCentre) {
  const Model model = slider_crank(3.1);
  const RunResult result = run(model, 0.02);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const Occurrence* reverse = find_event(result, "reverse:bore.1");
  ASSERT_TRUE(reverse);
  EXPECT_GT(reverse->t, 0);
  EXPECT_EQ(verdict_of(result, "bore").verdict, Holds::holds);
  EXPECT_LT(verdict_of(result, "bore").margin.value_or(0), 100);
}

// A block thrown along a rough rail stops where v²/(2 f g) says, and stays.
TEST(GuideRuns, BlockStopsAndStays) {
  const Model model = prism(prism_pair(-0.5, -0.5, 0.1, -0.1, 0.3, 0.3) + ", " + prism_pair(0.5, 0.5, 0.1, -0.1, 0.3, 0.3), 2,
                            "0, -19.62", 0, "initial: { \"slider.tx'\": 1.5 }");
  const RunResult result = run(model, 2);
  ASSERT_FALSE(result.failure) << result.failure->message;
  const Occurrence* rest = find_event(result, "rest");
  ASSERT_TRUE(rest);
  EXPECT_NEAR(rest->t, 1.5 / (0.3 * 9.81), 1e-10);
  EXPECT_NEAR(result.final.q[0], 1.5 * 1.5 / (2 * 0.3 * 9.81), 1e-10);
  EXPECT_EQ(result.final.v[0], 0);
  EXPECT_EQ(rest->rest_direction[0], 1);
}

// A growing pull: it rests until the pull exceeds the friction, then goes.
TEST(GuideRuns, BlockBreaksAwayWhenThePullIsEnough) {
  const Model model = prism(prism_pair(-0.5, -0.5, 0.1, -0.1, 0.3, 0.3) + ", " + prism_pair(0.5, 0.5, 0.1, -0.1, 0.3, 0.3), 2,
                            "\"10*t\", -20", 0, "");
  const RunResult result = run(model, 1);
  ASSERT_FALSE(result.failure) << result.failure->message;
  // 2 x'' = 10 t - 6 from t = 0.6 on: x = 10/12 (t - 0.6)^3
  EXPECT_NEAR(result.final.q[0], 10.0 / 12 * 0.064, 1e-8);
  EXPECT_NEAR(result.final.v[0], 10.0 / 4 * 0.16, 1e-8);
}

// W4 with much friction: the run ends where no variant is left, with that verdict and no NaN.
TEST(GuideRuns, RodJamsWithAVerdict) {
  RunListener nobody;
  RunOptions options;
  options.until = 1;
  const Model model = rod_in_slot(2, 0);
  const auto result = run_simulation(model, model.initial_state(), options, nobody);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.failure().code, "VN-GUIDE-003");

  // The bar clamp of W3 with a moment that grows: below -1 N m there are two variants, at +1 none is left.
  const Model clamp =
      read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, 0, 0]
bodies: {{ slider: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 1, inertia: 0.1 }} }}
guides: {{ rail: {{ body: slider, pairs: [{}, {}] }} }}
forces: {{ push: {{ body: slider, force: [0, -1, 0], torque: [0, 0, "2*t - 1"] }} }}
initial: {{ "slider.tx'": 50 }}
)",
                                  prism_pair(-0.1, -0.1, 0.5, 0.5, 0.25, 0.25), prism_pair(0.1, 0.1, 0.5, 0.5, 0.25, 0.25)));
  const RunResult later = run(clamp, 1, 1e-10);
  ASSERT_TRUE(later.failure);
  EXPECT_EQ(verdict_of(later, "rail").verdict, Holds::impossible) << later.failure->message;
  EXPECT_TRUE(verdict_of(later, "rail").first_violation);
  for (const double v : later.final.v) EXPECT_TRUE(std::isfinite(v));
}

// W4 with much friction and a quick turn: two variants at first; then the tip stops, and sticks in the slot while the rod falls
// on.
TEST(GuideRuns, TipOfARodSticksInItsSlot) {
  const RunResult result = run(rod_in_slot(2, 6), 1);
  ASSERT_FALSE(result.failure) << result.failure->message;
  ASSERT_TRUE(find_event(result, "stick:slot.1"));
  EXPECT_EQ(verdict_of(result, "slot").verdict, Holds::not_unique);
}

}  // namespace
}  // namespace vinculum::testing::guide_runs
