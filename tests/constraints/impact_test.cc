// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts that only push: what holds after a blow, and at what velocities. Closed forms of one rigid body in a plane: for feet
// at (x_i, z_i) from the mass centre G = D A⁻¹ Dᵀ has the entries 1/m + x_i x_j/J (normals), 1/m + z_i z_j/J (tangents), -x_i
// z_j/J.
#include "vinculum/decision/impact.h"

#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/support/expect.h"
#include "vinculum/files/read_model.h"

namespace vinculum::testing {
namespace {

constexpr double kMass = 2, kInertia = 0.05, kGravity = 9.81;

// A rod whose tip is at (x, -z) from its mass centre and touches the ground there.
Model rod_on_its_tip(double x, double z, double push = 0) {
  return read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ rod: {{ joint: {{axes: [tx, tz, ry]}}, mass: {}, inertia: {} }} }}
contacts: {{ tip: {{ body: rod, with: world, point: [{}, 0, {}], forward: x, forbid: [normal, forward] }} }}
forces: {{ push: {{ body: rod, point: [0, 0, 0], force: [{}, 0, 0] }} }}
initial: {{ rod.tz: {} }}
)",
                                     kMass, kInertia, x, -z, push, z));
}

// The velocity of the tip, forward and normal: a turn about y moves (x, -z) by (-z, -x).
struct TipVelocity {
  double forward, normal;
};
TipVelocity tip_velocity(const State& state, double x, double z) {
  return {state.v[0] - z * state.v[2], state.v[1] - x * state.v[2]};
}

TEST(Impact, TipSticks) {
  const double x = 0.3, z = 0.4;
  const Model model = rod_on_its_tip(x, z);
  ConstraintSet set(model);
  Workspace workspace(model);
  State state = model.initial_state();
  state.v = {0.1, -1.5, 0.2};
  ASSERT_FALSE(settle_one_sided(set, state, workspace));
  EXPECT_TRUE(set.holds(0));
  const auto [forward, normal] = tip_velocity(state, x, z);
  EXPECT_NEAR(forward, 0, 1e-15);
  EXPECT_NEAR(normal, 0, 1e-15);
  // The angular momentum about the tip stays.
  EXPECT_NEAR(state.v[2], (kInertia * 0.2 + kMass * (z * 0.1 + x * -1.5)) / (kInertia + kMass * (x * x + z * z)), 1e-14);
}

// A tip that comes down gently but slips fast is thrown off by the impulse that stops its slip: Λ_t = -r_t/G_tt alone leaves the
// tip at r_n - G_nt r_t/G_tt > 0.
TEST(Impact, TipIsThrownOff) {
  const double x = 0.3, z = 0.4, slip = 2, approach = 0.01;
  const Model model = rod_on_its_tip(x, z);
  const double G_tt = 1 / kMass + z * z / kInertia, G_nt = x * z / kInertia;
  ConstraintSet set(model);
  Workspace workspace(model);
  State state = model.initial_state();
  state.v = {-slip, -approach, 0};
  const double energy = kMass / 2 * (slip * slip + approach * approach);
  ASSERT_FALSE(settle_one_sided(set, state, workspace));
  EXPECT_FALSE(set.holds(0));
  const auto [forward, normal] = tip_velocity(state, x, z);
  EXPECT_NEAR(forward, 0, 1e-14);
  EXPECT_NEAR(normal, -approach + G_nt * slip / G_tt, 1e-14);
  EXPECT_NEAR(kMass / 2 * (state.v[0] * state.v[0] + state.v[1] * state.v[1]) + kInertia / 2 * state.v[2] * state.v[2],
              energy - slip * slip / G_tt / 2, 1e-13);
}

// Pushed along, a tip that does not slip may be lifted by friction alone: at rest λ_n = (G_tt g + G_nt F/m)/det G. Where that is
// negative the tip would fall if it let go: it holds, and pulls.
TEST(Impact, TipThatFrictionLiftsHoldsAndPulls) {
  const double x = 0.3, z = 0.4;
  const double G_nn = 1 / kMass + x * x / kInertia, G_tt = 1 / kMass + z * z / kInertia, G_nt = x * z / kInertia;
  const double limit = G_tt * kGravity * kMass / G_nt;
  for (double push : {-0.9 * limit, -1.1 * limit, 1.1 * limit}) {
    const Model model = rod_on_its_tip(x, z, push);
    ConstraintSet set(model);
    Workspace workspace(model);
    State state = model.initial_state();
    ASSERT_FALSE(settle_one_sided(set, state, workspace, 0));
    EXPECT_TRUE(set.holds(0));
    const auto dynamics = compute_constrained_dynamics(set, state, workspace);
    ASSERT_TRUE(dynamics);
    const double lambda = (G_tt * kGravity + G_nt * push / kMass) / (G_nn * G_tt - G_nt * G_nt);
    EXPECT_NEAR(dynamics->solution.multipliers[0], lambda, 1e-12);
    EXPECT_EQ(lambda < 0, push < -limit);
    const auto released = compute_released_acceleration(set, state, 0, workspace);
    ASSERT_TRUE(released);
    EXPECT_NEAR(*released, -kGravity, 1e-14);
  }
}

// A tip falls on ground that rises and drifts: after the blow it moves with the ground.
TEST(Impact, TipStrikesGroundThatMoves) {
  const double x = 0.3, z = 0.4;
  const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ rod: {{ joint: {{axes: [tx, tz, ry]}}, mass: {}, inertia: {} }} }}
environment: {{ ground: {{ surface: plane, position: ['0.3*t', 0, '0.7*t'] }} }}
contacts: {{ tip: {{ body: rod, with: ground, point: [{}, 0, {}], forward: x, forbid: [normal, forward] }} }}
initial: {{ rod.tz: {} }}
)",
                                                  kMass, kInertia, x, -z, z));
  ConstraintSet set(model);
  Workspace workspace(model);
  State state = model.initial_state();
  state.v = {0.1, -1.5, 0.2};
  ASSERT_FALSE(settle_one_sided(set, state, workspace));
  EXPECT_TRUE(set.holds(0));
  const auto [forward, normal] = tip_velocity(state, x, z);
  EXPECT_NEAR(forward, 0.3, 1e-15);
  EXPECT_NEAR(normal, 0.7, 1e-15);
  // The angular momentum about the tip stays, seen from the ground.
  EXPECT_NEAR(state.v[2], (kInertia * 0.2 + kMass * (z * (0.1 - 0.3) + x * (-1.5 - 0.7))) / (kInertia + kMass * (x * x + z * z)),
              1e-14);
}

// A table on four feet, pulled up by a crane at one corner or in the middle. The pushes are not determined; what parts is.
TEST(Impact, FourFeetUnderACrane) {
  const auto settle = [](double lift, double x, double y) {
    const Model model = read_model_text(fmt::format(R"(
vinculum: 1
bodies: {{ table: {{ joint: {{type: free}}, mass: 20, inertia: [2, 3, 4] }} }}
contacts:
  a: {{ body: table, with: world, point: [0.5, 0.3, 0], forbid: [normal, lateral, forward] }}
  b: {{ body: table, with: world, point: [-0.5, 0.3, 0], forbid: [normal, lateral, forward] }}
  c: {{ body: table, with: world, point: [-0.5, -0.3, 0], forbid: [normal, lateral, forward] }}
  d: {{ body: table, with: world, point: [0.5, -0.3, 0], forbid: [normal, lateral, forward] }}
forces: {{ crane: {{ body: table, point: [{}, {}, 0], force: [0, 0, {}] }} }}
)",
                                                    x, y, lift));
    ConstraintSet set(model);
    Workspace workspace(model);
    State state = model.initial_state();
    const auto failure = settle_one_sided(set, state, workspace);
    EXPECT_FALSE(failure) << failure->message;
    return set.holding();
  };
  using Holding = std::vector<bool>;
  EXPECT_EQ(settle(150, 0, 0), (Holding{true, true, true, true}));
  EXPECT_EQ(settle(200, 0, 0), (Holding{false, false, false, false}));  // 196.2 N
  // By the edge at +x: it tips about the other edge from m g/2 on.
  EXPECT_EQ(settle(98, 0.5, 0), (Holding{true, true, true, true}));
  EXPECT_EQ(settle(99, 0.5, 0), (Holding{false, true, true, false}));
  // By the corner a: from m g/2 on all weight is on c, and at 99 N b and d rise by 0.05 and 0.08 m/s².
  EXPECT_EQ(settle(98, 0.5, 0.3), (Holding{true, true, true, true}));
  EXPECT_EQ(settle(99, 0.5, 0.3), (Holding{false, false, true, false}));
}

// A ball in a valley too narrow for it has no single point of contact; as long as it is above, its distance is enough.
TEST(Impact, DistanceFromANarrowValley) {
  const Model model = read_model_text(R"(
vinculum: 1
bodies: { ball: { joint: {axes: [tz]}, mass: 1, inertia: 0.01 } }
environment: { valley: { surface: "10*x^2" } }
contacts: { touch: { body: ball, with: valley, sphere: {center: [0, 0, 0], radius: 0.2}, forbid: [normal] } }
)");
  ConstraintSet set(model);
  set.hold({false});
  State state = model.initial_state();
  // (x, 10 x²) is nearest to (0, c) at x² = c/10 - 1/200, at the distance √(c/10 - 1/400).
  const double touching = 10 * (0.2 * 0.2 + 1.0 / 400);
  double last = HUGE_VAL;
  for (double above : {0.5, 0.1, 1e-3, 1e-6}) {
    state.q[0] = touching + above;
    const auto rows = compute_row_values(set, state);
    ASSERT_TRUE(rows);
    const double gap = *rows->contacts[0].gap[0];
    EXPECT_GT(gap, 0);
    EXPECT_LT(gap, last);
    last = gap;
  }
  state.q[0] = touching;
  EXPECT_NEAR(*compute_row_values(set, state)->contacts[0].gap[0], 0, 1e-12);
  set.hold({true});
  EXPECT_FALSE(compute_row_values(set, state));
}

}  // namespace
}  // namespace vinculum::testing
