// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
//
// States on a kink of a law: the linearisation of either side.
#include "vinculum/analysis/kinks_at_state.h"

#include <cmath>

#include <gtest/gtest.h>

#include "vinculum/analysis/equilibrium.h"
#include "vinculum/files/read_model.h"

namespace vinculum {
namespace {

Model slider_with(const std::string& law, const std::string& more = "") {
  return read_model_text(R"yaml(
vinculum: 1
gravity: [0, 0, 0]
bodies: { p: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 1 } }
forces: { spring: { joint: p, law: ")yaml" +
                         law + "\" } }\n" + more);
}

// p'' = -4 p to the right of p = 0, -p to the left.
TEST(KinksAtState, TwoSpringsThatMeetAtRest) {
  const Model model = slider_with("-4*max(p, 0) - min(p, 0)");
  const KinksAtState found = find_kinks_at_state(model, model.initial_state());
  ASSERT_EQ(found.kinks.size(), 2u);
  ASSERT_EQ(found.sides.size(), 2u);  // the kinks of max and min are crossed together
  EXPECT_EQ(found.sides[0].where[0], "force 'spring': max(p, 0) where p > 0");
  EXPECT_EQ(found.sides[0].where[1], "force 'spring': min(p, 0) where p > 0");
  EXPECT_DOUBLE_EQ(found.sides[0].linear->A(1, 0), -4);
  EXPECT_DOUBLE_EQ(found.sides[1].linear->A(1, 0), -1);

  // Beside the kink there is none; an equilibrium found to round-off beside it is on it.
  State state = model.initial_state();
  state.q[0] = 1e-6;
  EXPECT_TRUE(find_kinks_at_state(model, state).empty());
  state.q[0] = -1e-11;
  EXPECT_EQ(find_kinks_at_state(model, state).sides.size(), 2u);
}

// abs(p - 0.3) runs along p, max(0, 0.3 - p) against it: one kink, beside another one in the velocity. A² = 4 regions.
TEST(KinksAtState, SwitchesThatRunAgainstEachOtherAreOne) {
  const Model model = slider_with("-5*abs(p - 0.3)*(p - 0.3 + 1) - 7*max(0, 0.3 - p) - 2*abs(p')", "initial: { p: 0.3 }\n");
  const KinksAtState found = find_kinks_at_state(model, model.initial_state());
  ASSERT_EQ(found.sides.size(), 4u);
  for (const auto& side : found.sides) {
    const auto has = [&](const std::string& text) {
      return std::ranges::any_of(side.where, [&](const std::string& one) { return one.ends_with(text); });
    };
    const bool right = has("abs(p - 0.3) where p - 0.3 > 0"), forward = has("where p' > 0");
    EXPECT_TRUE(right || has("abs(p - 0.3) where p - 0.3 < 0"));
    EXPECT_NEAR(side.linear->A(1, 0), right ? -5 : 5 + 7, 1e-14);
    EXPECT_DOUBLE_EQ(side.linear->A(1, 1), forward ? -2 : 2);
  }
}

// The slope of max(p, 0)² is continuous: no kink of the linearisation. A jump is one.
TEST(KinksAtState, OnlyWhatChangesTheLinearisation) {
  const Model smooth = slider_with("-3*p - max(p, 0)^2");
  EXPECT_TRUE(find_kinks_at_state(smooth, smooth.initial_state()).empty());
  const Model rub = slider_with("-3*p - 2*sign(p')");
  const KinksAtState found = find_kinks_at_state(rub, rub.initial_state());
  ASSERT_EQ(found.sides.size(), 2u);
  EXPECT_DOUBLE_EQ(found.sides[0].linear->accelerations[0], -2);
  EXPECT_DOUBLE_EQ(found.sides[1].linear->accelerations[0], 2);
}

// Case 71: a mass that stands on its string, and one that hangs on it; a mass between two strings of which one would push.
TEST(Equilibrium, AStringThatWouldPushIsRefused) {
  const auto find = [](const std::string& strings, double z) {
    Model model = read_model_text("vinculum: 1\nbodies: { ball: { joint: {axes: [tx, tz]}, mass: 2, inertia: 1 } }\nstrings: {" +
                                  strings + "}\ninitial: { ball.tz: " + std::to_string(z) + " }\n");
    DerivativesWorkspace workspace(model);
    return find_equilibrium(model, model.initial_state(), workspace);
  };
  const std::string one = "s: { from: world, to: ball, length: 1 }";
  const auto standing = find(one, 1), hanging = find(one, -1);
  ASSERT_FALSE(standing);
  EXPECT_EQ(standing.failure().code, "VN-STRING-011");
  ASSERT_TRUE(hanging) << hanging.failure().message;
  EXPECT_NEAR(hanging->state.q[1], -1, 1e-12);
  // Held from below alone: at [0.6, 0, -0.8] and [-0.6, 0, -0.8] both strings push.
  const auto propped = find(
      "a: { from: world, at: [0.6, 0, -0.8], to: ball, length: 1 }, b: { from: world, at: [-0.6, 0, -0.8], to: ball, length: 1 }",
      0);
  ASSERT_FALSE(propped);
  EXPECT_EQ(propped.failure().code, "VN-STRING-011");
}

}  // namespace
}  // namespace vinculum
