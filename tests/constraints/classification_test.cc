// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0
#include "vinculum/constraints/classification.h"

#include <gtest/gtest.h>

#include "vinculum/files/read_model.h"

namespace vinculum::testing {
namespace {

std::vector<RowKind> classify(const std::string& text) {
  const Model model = read_model_text(text);
  Workspace workspace(model);
  auto kinds = classify_rows(ConstraintSet(model), model.initial_state(), workspace);
  EXPECT_TRUE(kinds) << kinds.failure().message;
  return *kinds;
}

TEST(Classification, BladeOfASleighIsNonHolonomic) {
  const auto kinds = classify(R"(
vinculum: 1
bodies: { sleigh: { joint: {type: planar}, mass: 3, com: [0.25, 0, 0], inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 0, 0]}, forbid: [normal, lateral] } }
initial: { sleigh.rz: 0.5 }
)");
  EXPECT_TRUE(kinds[0].holonomic);
  EXPECT_FALSE(kinds[1].holonomic);
  EXPECT_TRUE(kinds[1].stationary);
  EXPECT_EQ(kinds[1].text, "non-holonomic, stationary: it forbids a velocity, not a position");
}

// Both rows of a coin are non-holonomic, although dω = 0 of the forward row on what both allow: with sin φ dx - cos φ dy, which
// brackets reach first, it falls too.
TEST(Classification, CoinNeedsBracketsOfBrackets) {
  const auto kinds = classify(R"(
vinculum: 1
bodies: { coin: { joint: {axes: [tx, ty, tz, rz, ry]}, mass: 1, inertia: [0.1, 0.2, 0.1] } }
contacts: { floor: { body: coin, with: world, wheel: {axis: y, radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { coin.tz: 0.2, coin.rz: 0.4 }
)");
  EXPECT_TRUE(kinds[0].holonomic);
  EXPECT_FALSE(kinds[1].holonomic);
  EXPECT_FALSE(kinds[2].holonomic);
}

// The same blade on a sleigh that cannot turn, and a foot that cannot slide either way, hold positions.
TEST(Classification, RowsThatCanBeIntegratedAreHolonomic) {
  for (const auto& kind : classify(R"(
vinculum: 1
bodies: { sleigh: { joint: {axes: [tx, ty]}, mass: 3, inertia: 0.4 } }
contacts: { blade: { body: sleigh, with: world, point: [0, 0, 0], forward: {body: [1, 2, 0]}, forbid: [lateral] } }
)")) {
    EXPECT_TRUE(kind.holonomic) << kind.text;
  }
  for (const auto& kind : classify(R"(
vinculum: 1
bodies: { trunk: { joint: {type: free}, mass: 3, inertia: 0.4 } }
environment: { hill: { surface: "0.1*x^2 - 0.2*x*y" } }
contacts: { foot: { body: trunk, with: hill, point: [0.1, 0, -0.5], forbid: [normal, lateral, forward] } }
initial: { trunk.tz: 0.501 }
)")) {
    EXPECT_TRUE(kind.holonomic) << kind.text;
  }
}

// A ball that rolls: non-holonomic, whatever coordinates turn it; a wheel on rails (it cannot turn its heading) is not.
TEST(Classification, RollingIsNonHolonomicWhereTheHeadingCanTurn) {
  const auto ball = classify(R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 1, inertia: 0.1 } }
contacts: { floor: { body: ball, with: world, sphere: {center: [0, 0, 0], radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { ball.tz: 0.2 }
)");
  EXPECT_TRUE(ball[0].holonomic);
  EXPECT_FALSE(ball[1].holonomic);
  EXPECT_FALSE(ball[2].holonomic);
  for (const auto& kind : classify(R"(
vinculum: 1
bodies: { wheel: { joint: {axes: [tx, tz, ry]}, mass: 1, inertia: 0.1 } }
contacts: { rail: { body: wheel, with: world, wheel: {axis: y, radius: 0.2}, forbid: [normal, forward] } }
initial: { wheel.tz: 0.2 }
)")) {
    EXPECT_TRUE(kind.holonomic) << kind.text;
  }
}

// The vector form of a single axis is not integrable, that of a hinge is (theory 1, section 4); the angle form always.
TEST(Classification, AngularForms) {
  const auto joint = [](const std::string& forbid, const std::string& form) {
    return classify(
        "vinculum: 1\nbodies: { b: { joint: {type: free}, mass: 1, inertia: 0.1 } }\n"
        "contacts: { c: { body: b, with: world, frame: {}, angular: " +
        form + ", forbid: [" + forbid + "] } }\n");
  };
  EXPECT_FALSE(joint("pitch", "vector")[0].holonomic);
  EXPECT_TRUE(joint("pitch", "angles")[0].holonomic);
  for (const char* set : {"yaw, pitch", "pitch, roll", "yaw, roll", "yaw, pitch, roll"}) {
    for (const auto& kind : joint(set, "vector")) EXPECT_TRUE(kind.holonomic) << set << ": " << kind.text;
  }
}

TEST(Classification, TurntableEntersTheTangentialRowsOnly) {
  const auto kinds = classify(R"(
vinculum: 1
bodies: { ball: { joint: {type: free}, mass: 1, inertia: 0.1 } }
environment: { table: { surface: plane, rotation: {axis: z, angle: "2.5*t"} } }
contacts: { touch: { body: ball, with: table, sphere: {center: [0, 0, 0], radius: 0.2}, forbid: [normal, lateral, forward] } }
initial: { ball.tz: 0.2, ball.tx: 0.3 }
)");
  EXPECT_TRUE(kinds[0].stationary);
  EXPECT_EQ(kinds[0].text, "holonomic, stationary: it holds a distance; the given motion does not enter it");
  EXPECT_FALSE(kinds[1].stationary);
  EXPECT_FALSE(kinds[2].stationary);
}

}  // namespace
}  // namespace vinculum::testing
