// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// More contacts than a body needs: single reactions are not determined, but what they do together is. They stick while any
// distribution of the reactions holds, and slide with what they have together.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/support/finish_run.h"
#include "vinculum/files/read_model.h"
#include "vinculum/idealisations/least_friction.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing {
namespace {

constexpr double g = 9.81;

RunResult run_on(const Model& model, double until, Follow follow = Follow::frictional, double tolerance = 1e-11) {
  RunOptions options;
  options.follow = follow;
  options.until = until;
  options.tolerance = tolerance;
  return testing::finish_run(model, options);
}

const Verdict* verdict_if_any(const RunResult& run, const std::string& subject) {
  const auto found =
      std::find_if(run.verdicts.begin(), run.verdicts.end(), [&](const Verdict& v) { return v.subject == subject; });
  return found == run.verdicts.end() ? nullptr : &*found;
}

std::vector<double> times_of(const RunResult& run, EventKind kind) {
  std::vector<double> times;
  for (const Occurrence& event : run.events) {
    if (event.kind == kind) times.push_back(event.t);
  }
  return times;
}

double value_of(const Model& model, const std::vector<double>& v, const std::string& name) {
  return v[*model.find_velocity(name)];
}
double position_of(const Model& model, const std::vector<double>& q, const std::string& name) {
  return q[*model.find_coordinate(name)];
}

// Legs at (±0.5, ±0.3), the mass centre off the middle, 20 kg.
Model table(const std::string& forces, const std::string& initial = "", const std::string& leg = "friction: 0.3",
            const std::string& of_leg_a = "") {
  const std::string corners[] = {"[0.5, 0.3, 0]", "[-0.5, 0.3, 0]", "[-0.5, -0.3, 0]", "[0.5, -0.3, 0]"};
  std::string contacts;
  for (int i = 0; i < 4; ++i) {
    contacts += fmt::format("  {}: {{ body: table, with: world, point: {}, forbid: [normal, lateral, forward], {} }}\n",
                            "abcd"[i], corners[i], i == 0 && !of_leg_a.empty() ? of_leg_a : leg);
  }
  return read_model_text(fmt::format(R"model(
vinculum: 1
bodies:
  table: {{ joint: {{type: free}}, mass: 20, com: [0.1, 0.05, 0.4], inertia: [2, 3, 4] }}
contacts:
{}forces: {{ {} }}
initial: {{ {} }}
)model",
                                     contacts, forces, initial));
}

// The same moment where the run only judges, located like an event and not at the end of a step: mu m g = 40 N/s t.
TEST(RedundantGrips, JudgedWhereNoDistributionHolds) {
  const Model model = table("push: { body: table, point: [0.1, 0.05, 0.4], force: [40*t, 0, 0] }");
  const double slips = 0.3 * 20 * g / 40, until = 1.5 * slips;
  const RunResult run = run_on(model, until, Follow::bilateral, 1e-10);
  const Verdict* verdict = verdict_if_any(run, "a.friction");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->verdict, Holds::violated);
  EXPECT_NEAR(*verdict->first_violation, slips, 1e-7);
  EXPECT_NEAR(*verdict->margin, slips / until, 1e-6);
}

// A push along x through the mass centre that grows by 40 N/s. Friction acts where the pressure has its centre, and that lies on
// the line of the push: nothing turns. The legs slide together when it exceeds mu m g, and not before, whatever they share:
//
//   t1 = mu m g / c ,   m x'' = c (t - t1)
TEST(RedundantGrips, TableSlidesWhenNoDistributionHolds) {
  const Model model = table(R"model(push: {body: table, point: [0.1, 0.05, 0.2], force: ["40*t", 0, 0]})model");
  const double t1 = 0.3 * 20 * g / 40, until = 2.5, on = until - t1;
  const RunResult run = run_on(model, until);
  const std::vector<double> slips = times_of(run, EventKind::slip);
  ASSERT_EQ(slips.size(), 4u);
  for (const double t : slips) EXPECT_NEAR(t, t1, 1e-8);
  EXPECT_EQ(run.events.size(), 4u);
  EXPECT_NEAR(position_of(model, run.final.q, "table.tx"), 40.0 / 20 / 6 * on * on * on, 1e-7);
  EXPECT_NEAR(value_of(model, run.final.v, "table.tx'"), 40.0 / 20 / 2 * on * on, 1e-7);
  for (const char* still : {"table.ty'", "table.tz'", "table.wx", "table.wy", "table.wz"})
    EXPECT_NEAR(value_of(model, run.final.v, still), 0, 1e-8) << still;
  ASSERT_NE(verdict_if_any(run, "a.friction"), nullptr);
  EXPECT_EQ(verdict_if_any(run, "a.friction")->verdict, Holds::violated);
  EXPECT_NEAR(verdict_if_any(run, "a.friction")->first_violation.value_or(0), t1, 1e-8);
  EXPECT_NE(verdict_if_any(run, "a.friction")->why.find("no distribution of the redundant reactions suffices"), std::string::npos)
      << verdict_if_any(run, "a.friction")->why;
  EXPECT_EQ(verdict_if_any(run, "load split")->verdict, Holds::holds);
  EXPECT_EQ(verdict_if_any(run, "energy")->verdict, Holds::holds);
}

// Obliquely, in the direction of no leg: the cones are round.
TEST(RedundantGrips, ConesAreRound) {
  const Model model =
      table(R"model(push: {body: table, point: [0.1, 0.05, 0.2], force: ["40*t*cos(0.3)", "40*t*sin(0.3)", 0]})model");
  const double t1 = 0.3 * 20 * g / 40;
  const RunResult run = run_on(model, t1 + 1);
  const std::vector<double> slips = times_of(run, EventKind::slip);
  ASSERT_EQ(slips.size(), 4u);
  EXPECT_NEAR(slips[0], t1, 1e-6);  // polygons in the place of round cones
  EXPECT_NEAR(position_of(model, run.final.q, "table.tx"), 40.0 / 20 / 6 * std::cos(0.3), 1e-7);
  EXPECT_NEAR(position_of(model, run.final.q, "table.ty"), 40.0 / 20 / 6 * std::sin(0.3), 1e-7);
}

// Thrown along the floor it comes to rest after v/(mu g), all legs at one time, and stays.
TEST(RedundantGrips, TableSlidesToRest) {
  const Model model = table("", "\"table.tx'\": 1.2, \"table.ty'\": -0.5");
  const RunResult run = run_on(model, 1);
  const double speed = 1.3, stop = speed / (0.3 * g), way = speed * speed / (2 * 0.3 * g);
  const std::vector<double> sticks = times_of(run, EventKind::stick);
  ASSERT_EQ(sticks.size(), 4u);
  for (const double t : sticks) EXPECT_NEAR(t, stop, 1e-8);
  EXPECT_NEAR(position_of(model, run.final.q, "table.tx"), way * 1.2 / speed, 1e-8);
  EXPECT_NEAR(position_of(model, run.final.q, "table.ty"), -way * 0.5 / speed, 1e-8);
  for (const double v : run.final.v) EXPECT_NEAR(v, 0, 1e-12);
  EXPECT_EQ(verdict_if_any(run, "load split")->verdict, Holds::holds);
}

// A push that comes and goes: stick, slip, stick.
TEST(RedundantGrips, TableGripsAgain) {
  const Model model = table(R"model(push: {body: table, point: [0.1, 0.05, 0.2], force: ["if(t < 1, 80, 0)", 0, 0]})model");
  const RunResult run = run_on(model, 2);
  const double a = 80.0 / 20 - 0.3 * g, stop = 1 + a / (0.3 * g);
  const std::vector<double> sticks = times_of(run, EventKind::stick);
  ASSERT_EQ(sticks.size(), 4u);
  EXPECT_NEAR(sticks[0], stop, 1e-8);
  EXPECT_NEAR(position_of(model, run.final.q, "table.tx"), a / 2 + a * a / (2 * 0.3 * g), 1e-8);
}

// A fifth leg in the middle slides on a belt, and its friction pulls along with the push. Equally stiff, it carries a fifth of
// the weight: four legs with 4/5 of it bear the push and that friction, 0.1 m g/5.
TEST(RedundantGrips, ALegThatSlidesBringsItsFriction) {
  const Model model = read_model_text(R"model(
vinculum: 1
bodies: { table: { joint: {type: free}, mass: 20, com: [0, 0, 0.4], inertia: [2, 3, 4] } }
environment: { belt: { surface: plane, position: ["2*t", 0, 0] } }
contacts:
  a: { body: table, with: world, point: [0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: 0.3 }
  b: { body: table, with: world, point: [-0.5, 0.3, 0], forbid: [normal, lateral, forward], friction: 0.3 }
  c: { body: table, with: world, point: [-0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: 0.3 }
  d: { body: table, with: world, point: [0.5, -0.3, 0], forbid: [normal, lateral, forward], friction: 0.3 }
  e: { body: table, with: belt, point: [0, 0, 0], forbid: [normal, lateral, forward], friction: 0.1 }
forces: { push: { body: table, point: [0, 0, 0], force: [40, 0, 0] } }
)model");
  const RunResult run = run_on(model, 0.01);
  EXPECT_TRUE(times_of(run, EventKind::slip).empty());
  const ConstraintSet set(model, run.final);
  Workspace workspace(model);
  const auto dynamics = compute_constrained_dynamics(set, run.final, workspace);
  ASSERT_TRUE(dynamics) << dynamics.failure().message;
  ASSERT_GT(dynamics->forces.coupling.cols(), 0) << "nothing slides";
  const double least = (40 + 0.1 * 20 * g / 5) / (0.3 * 4 * 20 * g / 5);
  EXPECT_GT(find_reserve_of_distributions(set, *dynamics, 1.001 * least), 0);
  EXPECT_LT(find_reserve_of_distributions(set, *dynamics, 0.999 * least), 0);
  EXPECT_NEAR(find_least_friction(set, *dynamics, 0).value_or(0), least, 1e-6);
}

// A stool with its legs in a circle, spun about its middle: every leg has a quarter of the load in the smallest distribution, and
// what others would do is the same: I w' = -mu m g r.
TEST(RedundantGrips, SpinningStoolStops) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { stool: { joint: {type: free}, mass: 5, com: [0, 0, 0.3], inertia: [0.2, 0.2, 0.3] } }
contacts:
  a: { body: stool, with: world, point: [0.2, 0, 0], forbid: [normal, lateral, forward], friction: 0.4 }
  b: { body: stool, with: world, point: [0, 0.2, 0], forbid: [normal, lateral, forward], friction: 0.4 }
  c: { body: stool, with: world, point: [-0.2, 0, 0], forbid: [normal, lateral, forward], friction: 0.4 }
  d: { body: stool, with: world, point: [0, -0.2, 0], forbid: [normal, lateral, forward], friction: 0.4 }
initial: { stool.wz: 4 }
)");
  const RunResult run = run_on(model, 1);
  const double stop = 0.3 * 4 / (0.4 * 5 * g * 0.2);
  const std::vector<double> sticks = times_of(run, EventKind::stick);
  ASSERT_EQ(sticks.size(), 4u);
  for (const double t : sticks) EXPECT_NEAR(t, stop, 1e-8);
  EXPECT_EQ(verdict_if_any(run, "load split")->verdict, Holds::holds);
}

// A block in a plane on two feet: their pushes are determined, how they share the friction is not. On a slope it slides with
// g (sin - mu cos), and holds below the angle of friction.
TEST(RedundantGrips, BlockOnTwoFeet) {
  const auto block = [](double angle) {
    return read_model_text(fmt::format(R"model(
vinculum: 1
gravity: ["9.81*sin({0})", 0, "-9.81*cos({0})"]
bodies: {{ block: {{ joint: {{axes: [tx, tz, ry]}}, mass: 3, com: [0.02, 0, 0.1], inertia: 0.02 }} }}
contacts:
  front: {{ body: block, with: world, point: [0.2, 0, 0], forbid: [normal, forward], friction: 0.5 }}
  rear: {{ body: block, with: world, point: [-0.2, 0, 0], forbid: [normal, forward], friction: 0.5 }}
)model",
                                       angle));
  };
  const RunResult rests = run_on(block(0.46), 1);  // atan 0.5 = 0.4636
  EXPECT_TRUE(rests.events.empty());
  for (const double v : rests.final.v) EXPECT_NEAR(v, 0, 1e-12);
  const Model steep = block(0.47);
  const RunResult slides = run_on(steep, 1);
  EXPECT_EQ(times_of(slides, EventKind::slip), (std::vector<double>{0, 0}));
  EXPECT_NEAR(value_of(steep, slides.final.v, "block.tx'"), g * (std::sin(0.47) - 0.5 * std::cos(0.47)), 1e-9);
}

// A cart on four free wheels, pushed sideways: it rolls by nothing and slides when the push exceeds mu m g.
// Minutes since every run is repeated for `accuracy` and every step is searched: to be enabled when redundant grips cost less.
TEST(RedundantGrips, CartIsPushedSideways) {
  std::string bodies, contacts;
  const char* wheels[] = {"fl", "rl", "rr", "fr"};
  const double x[] = {0.6, -0.6, -0.6, 0.6}, y[] = {0.4, 0.4, -0.4, -0.4};
  for (int i = 0; i < 4; ++i) {
    bodies += fmt::format(
        "  {0}: {{ parent: cart, joint: {{type: revolute, axis: y, origin: [{1}, {2}, 0]}}, mass: 2, inertia: [0.02, 0.04, 0.02] "
        "}}\n",
        wheels[i], x[i], y[i]);
    contacts += fmt::format(
        "  {0}: {{ body: {0}, with: world, wheel: {{center: [0, 0, 0], axis: [0, 1, 0], radius: 0.2}}, forbid: [normal, lateral, "
        "forward], friction: 0.5 }}\n",
        wheels[i]);
  }
  const Model model = read_model_text(fmt::format(R"model(
vinculum: 1
bodies:
  cart: {{ joint: {{type: free}}, mass: 32, com: [0.1, 0, 0.1], inertia: [3, 4, 5] }}
{}contacts:
{}forces: {{ push: {{ body: cart, point: [0.08, 0, -0.2], force: [0, "100*t", 0] }} }}
initial: {{ cart.tz: 0.2 }}
)model",
                                                  bodies, contacts));
  const double t1 = 0.5 * 40 * g / 100;
  const RunResult run = run_on(model, t1 + 0.5);
  const std::vector<double> slips = times_of(run, EventKind::slip);
  ASSERT_EQ(slips.size(), 4u);
  for (const double t : slips) EXPECT_NEAR(t, t1, 1e-8);
  EXPECT_NEAR(position_of(model, run.final.q, "cart.ty"), 100.0 / 40 / 6 / 8, 1e-7);
  EXPECT_NEAR(value_of(model, run.final.v, "cart.wz"), 0, 1e-8);
}

// Sliding and turning, how much each leg rubs hangs on its share of the load, which rigid legs do not tell. Followed is the share
// of equally stiff legs: their loads are those of a plane, N = a + b x + c y, from three balances. By another road, here:
//
//   Σ N = m g ,   Σ (r x F)_xy = 0 about the mass centre ,  F = (-mu N d, N)      m v' = Σ F_xy ,  I w' = Σ (r x F)_z
struct Slide {
  double x = 0, y = 0, angle = 0, vx = 0, vy = 0, w = 0;  // of the mass centre
};
Slide rates_of(const Slide& at) {
  const double corners[4][2] = {{0.4, 0.25}, {-0.6, 0.25}, {-0.6, -0.35}, {0.4, -0.35}}, mu = 0.3, m = 20, h = 0.4;
  Eigen::Matrix3d balance = Eigen::Matrix3d::Zero();
  double arm[4][2], d[4][2];
  for (int i = 0; i < 4; ++i) {
    arm[i][0] = std::cos(at.angle) * corners[i][0] - std::sin(at.angle) * corners[i][1];
    arm[i][1] = std::sin(at.angle) * corners[i][0] + std::cos(at.angle) * corners[i][1];
    d[i][0] = at.vx - at.w * arm[i][1];
    d[i][1] = at.vy + at.w * arm[i][0];
    const double speed = std::hypot(d[i][0], d[i][1]);
    d[i][0] /= speed, d[i][1] /= speed;
    const Eigen::RowVector3d load(1, corners[i][0], corners[i][1]);
    balance.row(0) += load;
    balance.row(1) += (arm[i][1] - h * mu * d[i][1]) * load;   // y N + h T_y
    balance.row(2) += (-arm[i][0] + h * mu * d[i][0]) * load;  // -x N - h T_x
  }
  const Eigen::Vector3d plane = balance.inverse() * Eigen::Vector3d(m * g, 0, 0);
  Slide rates{at.vx, at.vy, at.w, 0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    const double N = plane[0] + plane[1] * corners[i][0] + plane[2] * corners[i][1];
    rates.vx -= mu * N * d[i][0] / m;
    rates.vy -= mu * N * d[i][1] / m;
    rates.w -= mu * N * (arm[i][0] * d[i][1] - arm[i][1] * d[i][0]) / 4;
  }
  return rates;
}
Slide add(const Slide& at, double h, const Slide& r) {
  return {at.x + h * r.x, at.y + h * r.y, at.angle + h * r.angle, at.vx + h * r.vx, at.vy + h * r.vy, at.w + h * r.w};
}

TEST(RedundantGrips, AShareThatDecidesTheMotionIsToldAndIsThatOfEqualSprings) {
  const Model model = table("", "\"table.tx'\": 1.5, \"table.ty'\": 0.4, table.wz: 3");
  const RunResult run = run_on(model, 0.2);
  const Verdict* split = verdict_if_any(run, "load split");
  ASSERT_NE(split, nullptr);
  EXPECT_EQ(split->verdict, Holds::not_unique);
  EXPECT_EQ(split->first_violation, 0);
  EXPECT_NE(split->why.find("equally stiff"), std::string::npos);

  Slide at{0, 0, 0, 1.5 - 3 * 0.05, 0.4 + 3 * 0.1, 3};
  constexpr int kSteps = 400;
  constexpr double h = 0.2 / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const Slide a = rates_of(at), b = rates_of(add(at, h / 2, a)), c = rates_of(add(at, h / 2, b)), d = rates_of(add(at, h, c));
    at = add(add(add(add(at, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  EXPECT_NEAR(value_of(model, run.final.v, "table.wz"), at.w, 1e-8);
  const double x = 0.1 * std::cos(at.angle) - 0.05 * std::sin(at.angle), y = 0.1 * std::sin(at.angle) + 0.05 * std::cos(at.angle);
  EXPECT_NEAR(value_of(model, run.final.v, "table.tx'") - at.w * y, at.vx, 1e-8);
  EXPECT_NEAR(value_of(model, run.final.v, "table.ty'") + at.w * x, at.vy, 1e-8);
  EXPECT_LT(at.w, 2.8);
}

// Legs of different friction share a load that decides the motion even if nothing turns at first.
TEST(RedundantGrips, UnequalFrictionIsNotUnique) {
  const RunResult run = run_on(table("", "\"table.tx'\": 1", "friction: 0.3", "friction: 0.6"), 0.1);
  ASSERT_NE(verdict_if_any(run, "load split"), nullptr);
  EXPECT_EQ(verdict_if_any(run, "load split")->first_violation, 0);
}

// Straight down a slope, from rest, with a tolerance at which the first directions of slip are hardly known: no split is told.
TEST(RedundantGrips, WhatSlidesStraightHasNoSplit) {
  const Model model = read_model_text(R"model(
vinculum: 1
gravity: ["9.81*sin(0.35)", 0, "-9.81*cos(0.35)"]
bodies: { cart: { joint: {type: free}, mass: 40, com: [0, 0, 0.3], inertia: [3, 4, 5] } }
contacts:
  fl: { body: cart, with: world, point: [0.6, 0.4, 0], forbid: [normal, lateral, forward], friction: 0.3 }
  fr: { body: cart, with: world, point: [0.6, -0.4, 0], forbid: [normal, lateral, forward], friction: 0.3 }
  rl: { body: cart, with: world, point: [-0.6, 0.4, 0], forbid: [normal, lateral, forward], friction: 0.3 }
  rr: { body: cart, with: world, point: [-0.6, -0.4, 0], forbid: [normal, lateral, forward], friction: 0.3 }
)model");
  const RunResult run = run_on(model, 2, Follow::frictional, 1e-8);
  EXPECT_EQ(times_of(run, EventKind::slip), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_NEAR(value_of(model, run.final.v, "cart.tx'"), 2 * g * (std::sin(0.35) - 0.3 * std::cos(0.35)), 1e-8);
  EXPECT_EQ(verdict_if_any(run, "load split"), nullptr);
}

}  // namespace
}  // namespace vinculum::testing
