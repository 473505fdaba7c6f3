// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/analysis/find_steady_motion.h"

#include <cmath>
#include <functional>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "vinculum/constraints/constrained_dynamics.h"
#include "vinculum/decision/taut_strings.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

Outcome<SteadyState> find_with(const Model& model, std::initializer_list<std::pair<const char*, double>> rates) {
  std::vector<GivenRate> given;
  for (const auto& [name, rate] : rates) given.push_back({*model.find_velocity(name), rate});
  return find_steady_motion(model, model.initial_state(), given);
}

double root_between(double low, double high, const std::function<double(double)>& f) {
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (f(middle) * f(low) > 0 ? low : high) = middle;
  }
  return low;
}

std::string cone(double start) {
  return fmt::format(R"(
vinculum: 1
bodies:
  shaft: {{ joint: {{type: revolute, axis: z}}, mass: 0.1, inertia: 0.3 }}
  rod: {{ parent: shaft, joint: {{type: revolute, axis: y}}, mass: 2, com: [0, 0, -0.8], inertia: 0 }}
initial: {{ rod: {} }}
)",
                     start);
}

// cos θ = g/(l ω²). The shaft is free to turn faster: (I + m l² sin²θ) ψ' is conserved, so that
//   ω_n² = g/l cos θ - ω² cos 2θ + 4 ω² m l² sin²θ cos²θ / (I + m l² sin²θ)
TEST(FindSteadyMotion, ConicalPendulum) {
  const double l = 0.8, g = 9.81, w = 5, cosine = g / (l * w * w), sine = std::sqrt(1 - cosine * cosine);
  for (const double start : {0.5, -0.5, 1.4, -0.1}) {
    const auto found = find_with(read_model_text(cone(start)), {{"shaft'", w}});
    ASSERT_TRUE(found) << found.failure().message;
    EXPECT_NEAR(found->state.q[1], std::copysign(std::acos(cosine), start), 1e-10);
    EXPECT_NEAR(found->state.v[0], w, 1e-12);
    EXPECT_NEAR(found->state.v[1], 0, 1e-12);
    const double ml2 = 2 * l * l, expected = g / l * cosine - w * w * (cosine * cosine - sine * sine) +
                                             4 * w * w * ml2 * sine * sine * cosine * cosine / (0.3 + ml2 * sine * sine);
    const std::vector<Mode> modes = find_modes(found->linear);
    const auto fastest =
        std::max_element(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.frequency() < b.frequency(); });
    EXPECT_NEAR(fastest->frequency(), std::sqrt(expected), 1e-7);
  }
  // Below √(g/l) it hangs down, and stays there.
  const auto slow = find_with(read_model_text(cone(0.4)), {{"shaft'", 3}});
  ASSERT_TRUE(slow);
  EXPECT_NEAR(slow->state.q[1], 0, 1e-10);
}

// The angle of a pendulum is felt: it does not change steadily.
TEST(FindSteadyMotion, NoSuchMotion) {
  const auto none = find_with(read_model_text(cone(0.5)), {{"rod'", 1}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.failure().code, "VN-LINEAR-005");
  EXPECT_NE(none.failure().message.find("no steady motion with these rates was found"), std::string::npos);
}

// m (a + l sin φ) l cos φ ω² = m g l sin φ + k φ, on both sides.
TEST(FindSteadyMotion, GovernorWithSprings) {
  const double a = 0.05, l = 0.3, m = 1.2, k = 3, g = 9.81, w = 8;
  const Model model = read_model_text(R"(
vinculum: 1
bodies:
  shaft: { joint: {type: revolute, axis: z}, mass: 1, inertia: 0.02 }
  left: { parent: shaft, joint: {type: revolute, axis: y, origin: [0.05, 0, 0]}, mass: 1.2, com: [0, 0, -0.3], inertia: 0 }
  right: { parent: shaft, joint: {type: revolute, axis: -y, origin: [-0.05, 0, 0]}, mass: 1.2, com: [0, 0, -0.3], inertia: 0 }
forces:
  sl: { joint: left, law: "-3*left - 0.2*left'" }
  sr: { joint: right, law: "-3*right - 0.2*right'" }
initial: { left: -0.1, right: -0.3 }
)");
  const auto found = find_with(model, {{"shaft'", w}});
  ASSERT_TRUE(found) << found.failure().message;
  const double phi = root_between(
      0.1, 1.5, [&](double x) { return m * (a + l * std::sin(x)) * l * std::cos(x) * w * w - m * g * l * std::sin(x) - k * x; });
  EXPECT_NEAR(found->state.q[1], -phi, 1e-9);
  EXPECT_NEAR(found->state.q[2], -phi, 1e-9);
  EXPECT_EQ(judge_stability(find_modes(found->linear)), Stability::asymptotically_stable);
}

// A thin disc that leans by α and rolls in a circle, C = m r²/2, A = m r²/4, w = its spin plus Ω sin α:
//   (C + m r²) w Ω cos α = A Ω² sin α cos α - m g r sin α
TEST(FindSteadyMotion, DiscRollsInACircle) {
  const double r = 0.3, g = 9.81;
  const Model model = read_model_text(R"(
vinculum: 1
parameters: { r: 0.3, m: 2 }
bodies: { disc: { joint: {axes: [tx, ty, tz, rz, rx, ry]}, mass: m, inertia: [m*r^2/4, m*r^2/2, m*r^2/4] } }
contacts: { c: { body: disc, with: world, wheel: {axis: y, radius: r}, forbid: [normal, lateral, forward], friction: 0.8 } }
initial: { disc.rx: 0.3, disc.tz: r*cos(0.3) }
)");
  for (const auto& [turn, spin] : {std::pair{2.0, -10.0}, {2.0, -4.0}, {-3.0, 5.0}}) {
    const auto found = find_with(model, {{"disc.rz'", turn}, {"disc.ry'", spin}});
    ASSERT_TRUE(found) << found.failure().message;
    const std::vector<double>&q = found->state.q, &v = found->state.v;
    const double lean = q[4], w = spin + turn * std::sin(lean);
    EXPECT_GT(std::abs(lean), 0.1);
    EXPECT_NEAR(1.5 * r * r * w * turn * std::cos(lean),
                0.25 * r * r * turn * turn * std::sin(lean) * std::cos(lean) - g * r * std::sin(lean), 1e-8);
    EXPECT_NEAR(q[2], r * std::cos(lean), 1e-9);
    EXPECT_NEAR(std::hypot(v[0], v[1]), r * std::abs(w), 1e-9);
    EXPECT_NEAR(found->linear.turn_rate, turn, 1e-7);
  }
}

// A particle on a string, as a free body: a cone at the turning rate Ω, with tension m l Ω², whether the string is slack or too
// long at the start. Its own spin is free.
TEST(FindSteadyMotion, FreeBodyOnAString) {
  for (const char* start : {"p.tx: 0.5, p.tz: -1", "p.tx: 0.4, p.tz: -1.1", "p.ty: -0.6, p.tz: -1.2"}) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ p: {{ joint: {{type: free}}, mass: 1.5, inertia: [0.01, 0.01, 0.01] }} }}
strings: {{ s: {{ from: world, to: p, length: 1.2 }} }}
initial: {{ {} }}
)",
                                                    start));
    State from = model.initial_state();
    ASSERT_FALSE(find_taut_strings(model, from, true));
    const GivenRate given{*model.find_velocity("p.wz"), 3.2};
    const auto found = find_steady_motion(model, from, std::span(&given, 1));
    ASSERT_TRUE(found) << found.failure().message;
    const std::vector<double>&q = found->state.q, &v = found->state.v;
    const double turn = found->linear.turn_rate;
    EXPECT_GT(turn, std::sqrt(9.81 / 1.2));
    EXPECT_NEAR(v[5], 3.2, 1e-10);
    EXPECT_NEAR(q[2], -9.81 / (turn * turn), 1e-7);
    EXPECT_NEAR(std::hypot(v[0], v[1]), turn * std::hypot(q[0], q[1]), 1e-7);
    Workspace workspace(model);
    const auto dynamics = compute_constrained_dynamics(ConstraintSet(model), found->state, workspace);
    ASSERT_TRUE(dynamics);
    EXPECT_NEAR(dynamics->solution.multipliers[0], 1.5 * 1.2 * turn * turn, 1e-6);
  }
}

// A body that rides on a turntable: its friction carries m ω² d.
TEST(FindSteadyMotion, RidesOnATurntable) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { puck: { joint: {axes: [tx, ty, tz, rz]}, mass: 1.5, inertia: 0.01 } }
environment: { table: { rotation: {axis: z, angle: "2*t"} } }
contacts: { c: { body: puck, with: table, point: [0, 0, 0], forbid: [normal, lateral, forward], friction: 0.2 } }
initial: { puck.tx: 0.3, puck.ty: 0.4 }
)");
  const auto found = find_with(model, {{"puck.rz'", 2}});
  ASSERT_TRUE(found) << found.failure().message;
  EXPECT_NEAR(found->state.v[0], -2 * 0.4, 1e-9);
  EXPECT_NEAR(found->state.v[1], 2 * 0.3, 1e-9);
  EXPECT_NEAR(found->linear.turn_rate, 2, 1e-9);
}

}  // namespace
}  // namespace vinculum
