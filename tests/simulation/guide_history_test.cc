// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Wedged by history: a guide that has stopped stays while the reactions with which it stopped hold it (theory 7, section 6).
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/finish_run.h"
#include "vinculum/files/json_text.h"
#include "vinculum/files/read_model.h"
#include "vinculum/friction/guide_history.h"
#include "vinculum/friction/guide_variants.h"

namespace vinculum::testing::guide_history {
namespace {

// The drawer of W16: 5 kg, shoes 0.3 m apart, width 0.8 m, friction 0.4, pulled with 30 N at an offset that is a law of time.
struct Drawer {
  std::string offset = "if(t < 1, 0.45, 0.45 - 0.05*(t - 1))";
  double side = 1, heavy = 1;
  std::string beside, carrier, speed = "0.3";
  std::string pull = "1";

  Model model() const {
    return read_model_text(fmt::format(R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
environment: {{ bed: {{ position: ["{4}", 0, 0] }} }}
bodies:
  drawer: {{ joint: {{ axes: [tx, ty, rz] }}, mass: "5*{2}", inertia: "0.4*{2}" }}
  {3}
guides:
  rails:
    body: drawer
    with: bed
    pairs:
      - {{ face1: {{ point: [-0.15, 0.4, 0], normal: [0, -1, 0], friction: 0.4 }}, face2: {{ point: [-0.15, -0.4, 0], normal: [0, 1, 0], friction: 0.4 }} }}
      - {{ face1: {{ point: [0.15, 0.4, 0], normal: [0, -1, 0], friction: 0.4 }}, face2: {{ point: [0.15, -0.4, 0], normal: [0, 1, 0], friction: 0.4 }} }}
forces:
  pull: {{ body: drawer, force: ["30*{2}*({6})", 0, 0], torque: [0, 0, "-30*{2}*{1}*({0})"] }}
initial: {{ "drawer.tx'": {5} }}
)yaml",
                                       offset, side, heavy, beside, carrier.empty() ? "0" : carrier, speed, pull));
  }
};

RunOptions until(double t) {
  RunOptions options;
  options.until = t;
  options.tolerance = 1e-12;
  return options;
}

const Occurrence* find_first(const RunResult& result, const std::string& name, int number = 0) {
  for (const Occurrence& event : result.events) {
    if (event.name() == name && number-- == 0) return &event;
  }
  return nullptr;
}

// It stops after 0.3/1.2 s, and stays until the offset has fallen to 0.370652173913 m, though it could slide from 0.375 m on;
// then it moves with 0.0695652173913 m/s^2, more as the offset falls.
constexpr double kFreed = 1 + (0.45 - 0.370652173913) / 0.05;
double moved_since(double t) { return 6 * (1 - 0.8 / 0.3 * (0.45 - 0.05 * (t - 1))); }  // acceleration

TEST(GuideHistory, DrawerOfW16StaysWedged) {
  EXPECT_NEAR(moved_since(kFreed), 0.0695652173913, 1e-11);
  for (const Drawer& drawer : {Drawer{}, Drawer{.side = -1}, Drawer{.heavy = 1e3}}) {
    const RunResult result = finish_run(drawer.model(), until(3));
    ASSERT_TRUE(find_first(result, "rest") && find_first(result, "breakaway"));
    EXPECT_NEAR(find_first(result, "rest")->t, 0.25, 1e-10);
    EXPECT_NEAR(find_first(result, "breakaway")->t, kFreed, 1e-9);
    // v' = c0 + c1 (t - freed)
    const double c0 = moved_since(kFreed), c1 = 6 * 0.8 / 0.3 * 0.05, dt = 3 - kFreed;
    EXPECT_NEAR(result.final.v[0], c0 * dt + c1 * dt * dt / 2, 1e-9);
    EXPECT_NEAR(result.final.q[0], 0.0375 + c0 * dt * dt / 2 + c1 * dt * dt * dt / 6, 1e-9);
  }
}

// What is remembered of the stop: N = 30 N * 0.45 m/0.3 m on either shoe, and friction against the motion, 0.4 N. Forwards on
// faces 2 and 1, backwards as well.
TEST(GuideHistory, FrictionOfAStopIsAgainstTheMotion) {
  for (const double speed : {0.3, -0.3}) {
    const Model model = Drawer{.speed = fmt::format("{}", speed)}.model();
    const State state = model.initial_state();
    ConstraintSet set(model);
    Workspace workspace(model);
    State chosen = state;
    ASSERT_FALSE(choose_faces(set, chosen, workspace));
    ASSERT_FALSE(remember_stop(set, state, {0, 1}, workspace));
    ASSERT_EQ(set.memory.size(), 10u);
    for (int pair = 0; pair < 2; ++pair) {
      const double* remembered = set.memory.data() + static_cast<ptrdiff_t>(5 * pair);
      EXPECT_NEAR(std::abs(remembered[0]), 1, 0) << pair;
      EXPECT_NEAR(remembered[1], 45, 1e-12) << pair;
      EXPECT_NEAR(remembered[2], speed > 0 ? -18 : 18, 1e-12) << pair;
      EXPECT_NEAR(remembered[3], 0, 1e-12) << pair;
    }
  }
}

// What holds it is part of the state: cut anywhere and started again, it is freed at the same time.
TEST(GuideHistory, CutIsNoCut) {
  const Model model = Drawer{}.model();
  const RunResult whole = finish_run(model, until(3));
  for (const double cut : {0.1, 0.26, 0.3, 1.0, 1.7, 2.55, 2.6}) {
    const State middle = finish_run(model, until(cut)).final;
    State read = model.initial_state();
    Diagnostics diagnostics;
    ASSERT_TRUE(read_state(to_json(model, middle).dump(), model, read, nullptr, diagnostics));
    RunListener nobody;
    const auto rest = run_simulation(model, read, until(3), nobody);
    ASSERT_TRUE(rest) << cut << ": " << rest.failure().message;
    ASSERT_FALSE(rest->failure) << cut << ": " << rest->failure->message;
    EXPECT_NEAR(rest->final.q[0], whole.final.q[0], 1e-11) << cut;
    EXPECT_NEAR(rest->final.v[0], whole.final.v[0], 1e-11) << cut;
  }
}

// Bodies that have nothing to do with it, and a carrier with constant speed, change nothing.
TEST(GuideHistory, BesideOthersAndOnACarrier) {
  const std::string pendulum = "bob: { joint: { type: revolute, axis: y }, mass: 1, com: [0.5, 0, 0], inertia: 0.1 }";
  const double alone = finish_run(Drawer{}.model(), until(3)).final.q[0];
  const RunResult beside = finish_run(Drawer{.beside = pendulum}.model(), until(3));
  ASSERT_TRUE(find_first(beside, "stick:rails.1") && find_first(beside, "slip:rails.1"));
  EXPECT_NEAR(find_first(beside, "slip:rails.1")->t, kFreed, 1e-8);
  EXPECT_NEAR(beside.final.q[0], alone, 1e-8);
  const RunResult carried = finish_run(Drawer{.carrier = "0.7*t", .speed = "1.0"}.model(), until(3));
  ASSERT_TRUE(find_first(carried, "slip:rails.1"));
  EXPECT_NEAR(find_first(carried, "slip:rails.1")->t, kFreed, 1e-8);
  EXPECT_NEAR(carried.final.q[0], alone + 0.7 * 3, 1e-8);
}

// On a table that turns, as a joint of the table and as a body of the world in a guide of the table: the same motion, two sets of
// coordinates.
TEST(GuideHistory, OnATurningTable) {
  const std::string guides = R"yaml(
    pairs:
      - { face1: { point: [-0.15, 0.4, 0], normal: [0, -1, 0], friction: 0.4 }, face2: { point: [-0.15, -0.4, 0], normal: [0, 1, 0], friction: 0.4 } }
      - { face1: { point: [0.15, 0.4, 0], normal: [0, -1, 0], friction: 0.4 }, face2: { point: [0.15, -0.4, 0], normal: [0, 1, 0], friction: 0.4 } }
forces:
  pull: { body: drawer, frame: body, force: [30, 0, 0], torque: [0, 0, "-30*if(t < 1, 0.45, 0.45 - 0.05*(t - 1))"] }
)yaml";
  const Model joint = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies:
  table: { joint: { type: revolute, axis: z }, mass: 1, inertia: 1 }
  drawer: { parent: table, joint: { axes: [tx, ty, rz] }, mass: 5, inertia: 0.4 }
motions: { table: "0.3*t" }
initial: { "drawer.tx'": 0.3 }
guides:
  rails:
    body: drawer
    with: table)yaml" + guides);
  const Model world = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
environment: { bed: { rotation: { axis: z, angle: "0.3*t" } } }
bodies: { drawer: { joint: { axes: [tx, ty, rz] }, mass: 5, inertia: 0.4 } }
initial: { "drawer.tx'": 0.3, "drawer.rz'": 0.3 }
guides:
  rails:
    body: drawer
    with: bed)yaml" + guides);
  const RunResult a = finish_run(joint, until(4)), b = finish_run(world, until(4));
  for (const char* const name : {"stick:rails.1", "slip:rails.1"}) {
    ASSERT_TRUE(find_first(a, name) && find_first(b, name)) << name;
    EXPECT_NEAR(find_first(a, name)->t, find_first(b, name)->t, 1e-8);
  }
  // It is freed a little before the table at rest frees it: the centrifugal force pulls with it.
  EXPECT_LT(find_first(a, "slip:rails.1")->t, kFreed - 1e-3);
  const double x = a.final.q[*joint.find_coordinate("drawer.tx")];
  EXPECT_NEAR(std::hypot(b.final.q[0], b.final.q[1]), x, 1e-8);
  EXPECT_GT(x, 0.3);
}

// An offset that swings: shoe 1 slips within its elastic limit while it grows, sticks again when it falls, and the drawer is
// freed at another offset than the first time (held_reactions_test.cc has the closed form).
TEST(GuideHistory, MicroSlipChangesWhenItIsFreed) {
  const RunResult result = finish_run(Drawer{.offset = "if(t < 1, 0.45, 0.45 - 0.1*sin(2*(t - 1)))"}.model(), until(6));
  ASSERT_TRUE(find_first(result, "breakaway", 1));
  EXPECT_NEAR(find_first(result, "breakaway")->t, 1 + std::asin((0.45 - 0.370652173913) / 0.1) / 2, 1e-9);
  EXPECT_NEAR(find_first(result, "breakaway", 1)->t, 1 + (std::asin((0.45 - 0.3708274894810659) / 0.1) + 2 * M_PI) / 2, 1e-8);
  // A smaller swing never frees it.
  const RunResult held = finish_run(Drawer{.offset = "if(t < 1, 0.45, 0.45 - 0.07*sin(2*(t - 1)))"}.model(), until(6));
  EXPECT_FALSE(find_first(held, "breakaway"));
  EXPECT_NEAR(held.final.q[0], 0.0375, 1e-12);
}

// The load is taken away: a preload n = 45 - L q/(L^2 + H^2), tau = H q/(L^2 + H^2) remains, and a pull at the middle frees it at
// P/2 = f n - tau.
TEST(GuideHistory, PreloadStaysWithoutLoad) {
  const std::string ramp = "if(t < 1, 1, max(0, 2 - t/(1 s)))";
  const Model model = Drawer{.offset = "0.45*" + ramp, .pull = ramp + " + if(t < 3, 0, t/(1 s) - 3)"}.model();
  const double D = 0.09 + 0.64, n = 45 - 0.3 * 13.5 / D, tau = 0.8 * 13.5 / D;
  const State unloaded = finish_run(model, until(2.5)).final;
  ConstraintSet set(model, unloaded);
  Workspace workspace(model);
  const auto dynamics = compute_rest_dynamics(set, unloaded, workspace);
  ASSERT_TRUE(dynamics);
  for (size_t i = 0; i < set.rows.size(); ++i) {
    if (set.rows[i].from<GuideRow>() != nullptr)
      EXPECT_NEAR(std::abs(dynamics->solution.multipliers[static_cast<Eigen::Index>(i)]), n, 1e-8);
  }
  const RunResult result = finish_run(model, until(4));
  ASSERT_TRUE(find_first(result, "breakaway"));
  EXPECT_NEAR(find_first(result, "breakaway")->t, 3 + 2 * (0.4 * n - tau) / 30, 1e-9);
}

// Another geometry: a gate of 12 kg, 1.6 m wide, shoes 0.55 m apart, friction 0.5, lifted with 200 N at 0.6 m and less.
TEST(GuideHistory, GateIsFreedAsItsLiftComesNearer) {
  const Model model = read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, -9.81]
bodies:
  gate: { joint: { axes: [tx, tz, ry] }, mass: 12, inertia: 2.2 }
guides:
  posts:
    body: gate
    pairs:
      - { face1: { point: [0.8, 0, -0.275], normal: [-1, 0, 0], friction: 0.5 }, face2: { point: [-0.8, 0, -0.275], normal: [1, 0, 0], friction: 0.5 } }
      - { face1: { point: [0.8, 0, 0.275], normal: [-1, 0, 0], friction: 0.5 }, face2: { point: [-0.8, 0, 0.275], normal: [1, 0, 0], friction: 0.5 } }
forces:
  lift: { body: gate, force: [0, 0, 200], torque: [0, "-200*if(t < 1, 0.6, 0.6 - 0.1*(t - 1))", 0] }
initial: { "gate.tz'": 0.4 }
)yaml");
  const RunResult result = finish_run(model, until(6.5));
  const double F = 200 - 12 * 9.81, n = 200 * 0.6 / 0.55, x = (0.5 * n - F / 2) / (1.6 + 0.5 * 0.55);
  ASSERT_TRUE(find_first(result, "rest") && find_first(result, "breakaway"));
  EXPECT_NEAR(find_first(result, "rest")->t, 0.4 * 12 / (2 * 0.5 * n - F), 1e-9);
  EXPECT_NEAR(find_first(result, "breakaway")->t, 1 + x * (1.6 * 1.6 + 0.55 * 0.55) / (200 * 0.1), 1e-8);
}

// Which factors of the pull does it stay for, by what it remembers at e = 0.45? All of the load times alpha, q = 13.5 alpha,
// P = 30 alpha: n = 45 + L x, tau = -H x, x = 13.5 (alpha - 1)/(L^2 + H^2) ; f n = |T| of shoe 1 where T_1 = -15 alpha + tau .
TEST(GuideHistory, LimitByHistory) {
  const Model model = Drawer{}.model();
  const State state = finish_run(model, until(0.5)).final;
  ConstraintSet set(model, state);
  Workspace workspace(model);
  const Eigen::VectorXd load = Eigen::Vector3d(30, 0, -13.5);
  const auto kept = find_kept_factors(set, state, load, workspace);
  ASSERT_TRUE(kept);
  const double D = 0.09 + 0.64, per = 13.5 / D;  // of x, by alpha
  // Below: T_1 = -15 alpha + 0.8 per (1 - alpha) = +f (45 - 0.3 per (1 - alpha))
  const double b = (0.4 * 45 + 15) / (0.8 * per + 15 + 0.4 * 0.3 * per);
  EXPECT_NEAR((*kept)[0], 1 - b, 1e-9);
  EXPECT_TRUE(std::isinf((*kept)[1]));
}

}  // namespace
}  // namespace vinculum::testing::guide_history
