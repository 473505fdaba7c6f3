// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Points of guides that stick while other bodies move on: where they stop, where friction lets them go (theory 5, sections 8, 9).
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/guide_models.h"
#include "vinculum/dynamics/energy.h"
#include "vinculum/simulation/run.h"

namespace vinculum::testing::guide_sticks {
namespace {

constexpr double g = 9.81;

RunResult run(const Model& model, double until, const std::string& stop_at = "") {
  RunOptions options;
  options.until = until;
  options.tolerance = 1e-12;
  options.stop_at = stop_at;
  RunListener nobody;
  auto result = run_simulation(model, model.initial_state(), options, nobody);
  if (!result) throw std::runtime_error(result.failure().message);
  return *result;
}

double time_of(const RunResult& result, const std::string& name) {
  for (const Occurrence& event : result.events) {
    if (event.name() == name) return event.t;
  }
  return -1;
}

int count(const RunResult& result, const std::string& name) {
  return static_cast<int>(
      std::count_if(result.events.begin(), result.events.end(), [&](const Occurrence& event) { return event.name() == name; }));
}

double work_of(const RunResult& result) {
  double work = 0;
  for (const ElementWork& face : result.friction_work) work += face.work;
  return work;
}

const Verdict& verdict_of(const RunResult& result, const std::string& subject) {
  for (const Verdict& verdict : result.verdicts) {
    if (verdict.subject == subject) return verdict;
  }
  throw std::runtime_error("no verdict on " + subject);
}

template <class Function>
double find_zero(const Function& f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(low) < 0) == (f(middle) < 0) ? low : high) = middle;
  }
  return low;
}

std::string pairs(double f, double half = 0.5, double b = 0) {
  return prism_pair(-half, -half, b, b, f, f) + ", " + prism_pair(half, half, b, b, f, f);
}

// A point mass of 1 kg hangs on a cart of 2 kg by a rod of 0.5 m, let go from 1 rad.
Model pendulum_on_cart(double f, double b = 0, const std::string& initial = "bob: 1") {
  return read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  cart: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 2, inertia: 0.1 }}
  bob: {{ parent: cart, joint: {{ type: revolute, axis: z }}, mass: 1, inertia: [0, 0, 0], com: [0, -0.5, 0] }}
guides: {{ rail: {{ body: cart, pairs: [{}] }} }}
initial: {{ {} }}
)",
                                     pairs(f, 0.5, b), initial));
}

// While the cart stands the rod pulls with S = m g (3 cos a - 2 cos 1), and the cart slips where  S sin a = f (M g + S cos a).
TEST(GuideSticks, CartUnderAPendulumSlipsWhereFrictionEnds) {
  const double f = 0.25;
  const auto pull = [](double a) { return g * (3 * std::cos(a) - 2 * std::cos(1.0)); };
  const double slips_at =
      find_zero([&](double a) { return pull(a) * std::sin(a) - f * (2 * g + pull(a) * std::cos(a)); }, 0.75, 1);
  const RunResult result = run(pendulum_on_cart(f), 1, "slip:rail.1");
  ASSERT_FALSE(result.failure) << result.failure->message;
  ASSERT_EQ(result.end, RunResult::End::stopped_at_event);
  EXPECT_NEAR(result.final.q[3], slips_at, 1e-9);
  EXPECT_NEAR(result.final.v[3], -std::sqrt(2 * g / 0.5 * (std::cos(slips_at) - std::cos(1.0))), 1e-8);
  EXPECT_NEAR(result.final.q[0], 0, 1e-13);
}

// Sticking and slipping by turns: what is lost is the work of friction. Arms of friction load the pairs unevenly.
TEST(GuideSticks, CartSticksAgainAndEnergyIsKept) {
  for (const double b : {0.0, -0.2}) {
    const Model model = pendulum_on_cart(0.25, b);
    const RunResult result = run(model, 1.2);
    ASSERT_FALSE(result.failure) << result.failure->message;
    EXPECT_GE(count(result, "slip:rail.1"), 2) << b;
    EXPECT_GE(count(result, "stick:rail.1"), 2) << b;
    EXPECT_EQ(count(result, "stick:rail.1"), count(result, "stick:rail.2")) << b;
    Workspace workspace(model);
    const auto energy = [&](const State& state) { return compute_energy(model, state, workspace).total(); };
    const double lost = energy(model.initial_state()) - energy(result.final);
    EXPECT_GT(lost, 0.02);
    EXPECT_NEAR(work_of(result), lost, 1e-8 * lost) << b;
  }
}

// With enough friction the cart stands for ever, and the pendulum keeps its energy.
TEST(GuideSticks, CartStandsForEver) {
  const Model model = pendulum_on_cart(0.3);
  const RunResult result = run(model, 1.2);
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_EQ(count(result, "slip:rail.1"), 0);
  EXPECT_NEAR(result.final.q[0], 0, 1e-12);
  EXPECT_NEAR(0.5 * 0.25 * result.final.v[3] * result.final.v[3] - 0.5 * g * std::cos(result.final.q[3]),
              -0.5 * g * std::cos(1.0), 1e-9);
  EXPECT_NE(result.final.v[3], 0);
  EXPECT_EQ(verdict_of(result, "rail").verdict, Holds::holds);
}

// Two blocks on two rails: the first stops and stays while the second goes on; then everything rests.
TEST(GuideSticks, OneOfTwoBlocksStopsFirst) {
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  a: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 1, inertia: 0.1 }}
  b: {{ joint: {{ axes: [tx, ty, rz], origin: [0, 1, 0] }}, mass: 3, inertia: 0.1 }}
guides: {{ low: {{ body: a, pairs: [{}] }}, high: {{ body: b, pairs: [{}] }} }}
initial: {{ "a.tx'": 1, "b.tx'": -2 }}
)",
                                                  pairs(0.4), pairs(0.2)));
  const RunResult result = run(model, 3);
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_NEAR(time_of(result, "stick:low.1"), 1 / (0.4 * g), 1e-10);
  EXPECT_NEAR(time_of(result, "rest"), 2 / (0.2 * g), 1e-10);
  EXPECT_NEAR(result.final.q[0], 1 / (2 * 0.4 * g), 1e-10);
  EXPECT_NEAR(result.final.q[3], -4 / (2 * 0.2 * g), 1e-10);
  EXPECT_NEAR(work_of(result), 0.5 * 1 * 1 + 0.5 * 3 * 4, 1e-9);
}

// A spring pulls a block that sticks until it goes: x = v/w sin(w t) - f g/w² (1 - cos(w t)) of the other one until  k x = f m g
// .
TEST(GuideSticks, SpringTearsABlockLoose) {
  const double k = 50, mass = 2, f = 0.1, v = 1.5, w = std::sqrt(k / mass), bound = 0.3 * 4 * g;
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:
  held: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 4, inertia: 0.1 }}
  thrown: {{ joint: {{ axes: [tx, ty, rz], origin: [3, 0, 0] }}, mass: 2, inertia: 0.1 }}
guides: {{ rail: {{ body: held, pairs: [{}] }}, other: {{ body: thrown, pairs: [{}] }} }}
forces: {{ spring: {{ between: [held, [0, 0, 0]], and: [thrown, [0, 0, 0]], stiffness: 50, length: 3 }} }}
initial: {{ "thrown.tx'": 1.5 }}
)",
                                                  pairs(0.3), pairs(f)));
  const auto stretch = [&](double t) { return v / w * std::sin(w * t) - f * g / (w * w) * (1 - std::cos(w * t)); };
  const double torn = find_zero([&](double t) { return k * stretch(t) - bound; }, 0, 0.3);
  ASSERT_GT(torn, 0.01);
  const RunResult result = run(model, 1);
  ASSERT_FALSE(result.failure) << result.failure->message;
  EXPECT_NEAR(time_of(result, "slip:rail.1"), torn, 1e-9);
  EXPECT_EQ(time_of(result, "stick:rail.1") > torn, true);
}

// A loop closed by a contact that holds a point, beside a guide: the slider-crank of W9 once more, without friction.
TEST(GuideSticks, LoopBesideAGuideIsTheSameMechanism) {
  const auto smooth = [](double a, double b) { return prism_pair(a, a, b, b, 0, 0); };
  const double phi = std::asin((0.01 - 0.1 * std::sin(1.0)) / 0.3), turn = -0.1 * std::cos(1.0) * 12 / (0.3 * std::cos(phi));
  const double x = 0.1 * std::cos(1.0) + 0.3 * std::cos(phi), speed = -0.1 * std::sin(1.0) * 12 - 0.3 * std::sin(phi) * turn;
  const std::string arms = R"(
  crank: { joint: { type: revolute, axis: z }, mass: 0.8, inertia: 0.004, com: [0.05, 0, 0] }
  rod: { parent: crank, joint: { type: revolute, axis: z, origin: [0.1, 0, 0] }, mass: 0.6, inertia: 0.006, com: [0.15, 0, 0] }
)";
  const Model chain = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:{}  slider: {{ parent: rod, joint: {{ type: revolute, axis: z, origin: [0.3, 0, 0] }}, mass: 1.2, inertia: 0.003 }}
guides: {{ bore: {{ body: slider, pairs: [{}, {}] }} }}
initial: {{ crank: 1, "crank'": 12, rod: {} - 1, "rod'": {} - 12, slider: -({}), "slider'": -({}) }}
)",
                                                  arms, smooth(-0.1, 0), smooth(0.1, 0), phi, turn, phi, turn));
  const Model loop = read_model_text(fmt::format(R"(
vinculum: 1
gravity: [0, -9.81, 0]
bodies:{}  slider: {{ joint: {{ axes: [tx, ty, rz] }}, mass: 1.2, inertia: 0.003 }}
guides: {{ bore: {{ body: slider, pairs: [{}, {}] }} }}
contacts: {{ pin: {{ body: rod, with: slider, frame: {{ on_body: {{ point: [0.3, 0, 0] }} }}, forbid: [normal, lateral] }} }}
initial: {{ crank: 1, "crank'": 12, rod: {} - 1, "rod'": {} - 12, slider.tx: {}, slider.ty: 0.01, "slider.tx'": {} }}
)",
                                                 arms, smooth(-0.1, 0), smooth(0.1, 0), phi, turn, x, speed));
  const RunResult one = run(chain, 0.3), other = run(loop, 0.3);
  ASSERT_FALSE(one.failure) << one.failure->message;
  ASSERT_FALSE(other.failure) << other.failure->message;
  EXPECT_GT(one.final.q[0], 3);
  EXPECT_NEAR(other.final.q[0], one.final.q[0], 1e-8);
  EXPECT_NEAR(other.final.v[0], one.final.v[0], 1e-7);
}

}  // namespace
}  // namespace vinculum::testing::guide_sticks
