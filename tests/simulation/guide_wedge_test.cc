// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of guides whose faces can wedge each other, of faces at different points, of independent sliders and of dead centres.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "tests/support/read_case.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/friction/guide_hold.h"
#include "vinculum/friction/guide_variants.h"

namespace vinculum::testing::guide_wedges {
namespace {

constexpr double g = 9.81;

RunResult run_for(const Model& model, double until) {
  RunOptions options;
  options.until = until;
  options.tolerance = 1e-12;
  return finish_run(model, options);
}

const Occurrence* find_named(const RunResult& result, const std::string& name, int number = 0) {
  for (const Occurrence& event : result.events) {
    if (event.name() == name && number-- == 0) return &event;
  }
  return nullptr;
}

const Verdict& verdict_on(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict on " + subject);
}

double energy_of(const Model& model, const State& state) {
  Workspace workspace(model);
  const auto energy = compute_energy(model, state, workspace);
  return energy.kinetic + energy.potential;
}

double friction_work(const RunResult& result) {
  double work = 0;
  for (const ElementWork& face : result.friction_work) work += face.work;
  return work;
}

// Lifted at its middle nothing presses: (60 - 39.24) N on 4 kg for 0.5 s.
TEST(GuideWedges, SashRises) {
  const RunResult result = run_for(read_case("guides/sash.yaml"), 0.5);
  EXPECT_NEAR(result.final.q[1], 0.5 * (60 - 4 * g) / 4 * 0.25, 1e-10);
  EXPECT_EQ(verdict_on(result, "rails").verdict, Holds::not_unique);
  EXPECT_NE(verdict_on(result, "rails").why.find("rest needs wedging"), std::string::npos);
  // Lifted at 0.2 m: friction takes 2 f e/L of the lift.
  const RunResult aside = run_for(read_case("guides/sash.yaml", {{"offset", "0.2 m"}, {"lift", "90 N"}}), 0.5);
  EXPECT_NEAR(aside.final.q[1], 0.5 * (90 * (1 - 2 * 0.35 * 0.2 / 0.3) - 4 * g) / 4 * 0.25, 1e-9);
}

// A side load of 20 N: friction at the lower shoes turns the drawer, so that one shoe presses above and one below,
//   N_2 - N_1 = 20 N ,  (N_1 + N_2) l/2 = (N_2 - N_1) f w/2 ,   so N_1 + N_2 = 21 N.
// It stops under them, and is pulled with 20 N when the side load is gone.
TEST(GuideWedges, DrawerIsFreeWhenItsSideLoadIsTakenAway) {
  const RunResult result = run_for(read_case("guides/sash2.yaml"), 2);
  const Occurrence* rest = find_named(result, "rest");
  ASSERT_TRUE(rest);
  const double deceleration = 0.35 * 20 * 0.35 * 0.9 / 0.3 / 4;
  EXPECT_NEAR(rest->t, 0.5 / deceleration, 1e-9);
  EXPECT_NEAR(result.final.q[0], 0.25 / (2 * deceleration) + 0.5 * 5, 1e-8);
}

// A block carried by a bed sticks to it until its spring pulls with f (N_1 + N_2): one shoe above, one below as friction turns
// it,
//   N_2 - N_1 = m g ,  (N_1 + N_2) 0.05 m = (N_2 - N_1) f 0.2 m .
TEST(GuideWedges, BlockOnABedSlips) {
  const RunResult result = run_for(read_case("guides/conv2.yaml"), 0.2);
  const Occurrence* slip = find_named(result, "slip:g.1");
  ASSERT_TRUE(slip);
  EXPECT_NEAR(slip->t, 0.3 * (2 * g * 0.3 * 0.2 / 0.05) / (200 * 0.3), 1e-8);
}

TEST(GuideWedges, PlateWithoutLoadOnItsPadsSlides) {
  const RunResult result = run_for(read_case("guides/plate_wedge.yaml"), 0.1);
  EXPECT_NEAR(result.final.q[0], 0.5 * 5 * 0.01, 1e-7);
}

// The rod presses on face 1 all the time: its point stays on its plane, and the energy is kept.
TEST(GuideWedges, PointOfTheLoadedFaceStaysOnItsPlane) {
  for (const std::vector<Override>& values : {std::vector<Override>{{"f", "1e-9"}}, {{"f", "1e-9"}, {"half", "40 mm"}}}) {
    const Model model = read_case("guides/slotpend2.yaml", values);
    const RunResult result = run_for(model, 0.1);
    const double before = energy_of(model, model.initial_state()), after = energy_of(model, result.final);
    EXPECT_NEAR(after, before, 1e-6 * before);
    const double half = values.size() == 1 ? 0.015 : 0.04;
    EXPECT_NEAR(result.final.q[1] + half * std::cos(result.final.q[2]), half, 1e-9);
    EXPECT_NE(verdict_on(result, "slot").verdict, Holds::holds);
  }
}

// A pin whose four faces meet at its axis: no point slides, so it swings without friction.
TEST(GuideWedges, PinAtTheAxisHasNoFriction) {
  const Model model = read_case("guides/journal1.yaml");
  const RunResult result = run_for(model, 0.3);
  // Energy over the angle: (J + m l^2) w^2/2 = -m g l sin(angle).
  const double angle = result.final.q[2], w = result.final.v[2];
  EXPECT_LT(angle, -0.8);
  EXPECT_NEAR(0.5 * (0.02 + 0.09) * w * w, -g * 0.3 * std::sin(angle), 1e-8);
  EXPECT_NEAR(friction_work(result), 0, 1e-9);
}

// A pin 40 mm wide: every loaded face brakes with the sliding of its own point, and what is lost is the work of friction.
TEST(GuideWedges, EveryFaceOfAPinBrakes) {
  const Model model = read_case("guides/journal.yaml");
  const RunResult result = run_for(model, 0.2);
  EXPECT_LT(result.final.q[2], -0.3);
  for (const ElementWork& face : result.friction_work) EXPECT_GE(face.work, 0) << face.subject;
  EXPECT_GT(friction_work(result), 1e-3);
  EXPECT_NEAR(energy_of(model, model.initial_state()) - energy_of(model, result.final), friction_work(result), 1e-7);
}

// A slider-crank in line passes its dead centres: against its one equation in the crank angle, integrated by itself.
TEST(GuideWedges, SliderCrankInLinePassesItsDeadCentres) {
  const RunResult light = run_for(read_case("impacts/scrank.yaml"), 0.5), heavy = run_for(read_case("impacts/scrankg.yaml"), 0.5);
  EXPECT_NEAR(light.final.q[0], 7.094864, 2e-5);
  EXPECT_NEAR(light.final.v[0], 16.240583, 2e-4);
  EXPECT_NEAR(heavy.final.q[0], 4.277315, 2e-5);
  EXPECT_NEAR(heavy.final.v[0], 10.692420, 2e-4);
}

// Two sliders on a rope move in opposite senses, 3 kg on a spring of 100 N/m: they reverse after half a period each.
TEST(GuideWedges, SlidersOfOppositeSensesReverseTogether) {
  const RunResult result = run_for(read_case("terms/opp.yaml"), 1.7);
  const Occurrence *first = find_named(result, "reverse:low.1", 1), *second = find_named(result, "reverse:low.1", 2);
  ASSERT_TRUE(first && second);
  EXPECT_NEAR(second->t - first->t, M_PI * std::sqrt(0.03), 1e-8);
  EXPECT_NEAR(find_named(result, "reverse:high.1", 1)->t, first->t, 1e-12);
}

// A cart held by friction under a pendulum at 1 rad: friction on it is against the pull m g cos sin of the bob.
TEST(GuideWedges, FrictionOfAHeldCartIsAgainstItsLoad) {
  const Model model = read_case("terms/pend.yaml");
  ConstraintSet set(model);
  State state = model.initial_state();
  Workspace workspace(model);
  ASSERT_FALSE(choose_faces(set, state, workspace));
  const auto dynamics = compute_held_dynamics(set, state, workspace);
  ASSERT_TRUE(dynamics);
  double along = 0;
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (const auto* row = set.rows[i].from<StickRow>(); row != nullptr && row->direction == 0)
      along += dynamics->solution.multipliers[static_cast<Eigen::Index>(i)];
  }
  EXPECT_NEAR(along, -g * std::cos(1) * std::sin(1), 1e-9);
}

}  // namespace
}  // namespace vinculum::testing::guide_wedges
